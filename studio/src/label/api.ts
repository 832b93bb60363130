// What the label view asks its server for. Failures are thrown as the server's own sentence.
import { Refused } from '../api.ts';
import type { Drawn, Film, Guess, Kept, Labels, Points, Underway } from './types.ts';

async function answer<T>(path: string, options?: RequestInit): Promise<T> {
  const response = await fetch(`/api${path}`, options);
  const body = response.headers.get('content-type')?.includes('json') ? await response.json() as T & { error?: string } : null;
  if (!response.ok || body === null) throw new Refused(body?.error ?? `${response.status} ${response.statusText}`, response.status);
  return body;
}

export const api = {
  film: () => answer<Film>('/film'),
  labels: () => answer<Kept>('/labels'),
  /** Also while the page is being left, if `keepalive`. */
  keep: (revision: number, labels: Labels, keepalive = false) => answer<{ revision: number }>(`/labels?revision=${revision}`, {
    method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(labels), keepalive,
  }),
  suggestions: () => answer<number[]>('/suggestions'),
  guess: (frame: number) => answer<Guess>(`/guess/${frame}`, { method: 'POST' }),
  /** The points in every frame; null where the model is not sure. */
  track: () => answer<(Points | null)[]>('/track', { method: 'POST' }),
  stopTrack: () => answer<object>('/track', { method: 'DELETE' }),
  underway: () => answer<Underway>('/underway'),
  /** What is in a frame that was drawn. */
  truth: (frame: number) => answer<Drawn>(`/truth/${frame}`),
  frameUrl: (film: Film, frame: number, width?: number) => `/api/frames/${frame}.png?film=${film.id}${width ? `&width=${width}` : ''}`,
};
