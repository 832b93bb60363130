// The HTTP API of the label view. Errors carry the server's own message.
import { ApiError } from '../api.ts';
import type { GroundTruth, Film, Guess, StoredLabels, Labels, Points, Underway } from './types.ts';

async function answer<T>(path: string, options?: RequestInit): Promise<T> {
  const response = await fetch(`/api${path}`, options);
  const body = response.headers.get('content-type')?.includes('json') ? await response.json() as T & { error?: string } : null;
  if (!response.ok || body === null) throw new ApiError(body?.error ?? `${response.status} ${response.statusText}`, response.status);
  return body;
}

export const api = {
  film: () => answer<Film>('/film'),
  labels: () => answer<StoredLabels>('/labels'),
  /** Saves the labels. With `keepalive`, the request survives closing the page. */
  keep: (revision: number, labels: Labels, keepalive = false) => answer<{ revision: number }>(`/labels?revision=${revision}`, {
    method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(labels), keepalive,
  }),
  suggestions: () => answer<number[]>('/suggestions'),
  guess: (frame: number) => answer<Guess>(`/guess/${frame}`, { method: 'POST' }),
  /** Tracks the whole video. Returns the points of every frame, or null where the model is uncertain. */
  track: () => answer<(Points | null)[]>('/track', { method: 'POST' }),
  stopTrack: () => answer<object>('/track', { method: 'DELETE' }),
  underway: () => answer<Underway>('/underway'),
  /** Returns the true points and gaze of a frame of a synthetic video. */
  truth: (frame: number) => answer<GroundTruth>(`/truth/${frame}`),
  frameUrl: (film: Film, frame: number, width?: number) => `/api/frames/${frame}.png?film=${film.id}${width ? `&width=${width}` : ''}`,
};
