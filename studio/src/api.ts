// The HTTP API for stored data: characters, clips, repertoires. Errors carry the server's own message.
import type {
  About, Character, CharacterSummary, Edit, NewCharacter, Place, Placed, Preset, Proposal, RigInfo, Speak, Spoken, Uploaded, Voices,
} from './protocol.ts';

export class ApiError extends Error {
  constructor(message: string, readonly status: number) {
    super(message);
  }
}

async function answer<T>(path: string, options?: RequestInit): Promise<T> {
  const response = await fetch(`/api${path}`, options);
  const body = response.headers.get('content-type')?.includes('json') ? await response.json() as T & { error?: string } : null;
  if (!response.ok || body === null) throw new ApiError(body?.error ?? `${response.status} ${response.statusText}`, response.status);
  return body;
}

const sent = (method: string, body: unknown): RequestInit =>
  ({ method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

const of = (id: string, rest = '') => `/characters/${encodeURIComponent(id)}${rest}`;

export const api = {
  about: () => answer<About>(''),
  voices: () => answer<Voices>('/voice'),
  speak: (it: Speak) => answer<Spoken>('/voice', sent('POST', it)),
  presets: () => answer<Preset[]>('/presets'),
  characters: () => answer<CharacterSummary[]>('/characters'),
  create: (it: NewCharacter) => answer<Character>('/characters', sent('POST', it)),
  character: (id: string) => answer<Character>(of(id)),
  edit: (id: string, it: Edit) => answer<Character>(of(id), sent('PUT', it)),
  place: (id: string, it: Place) => answer<Placed>(of(id, '/place'), sent('POST', it)),
  undo: (id: string) => answer<Character>(of(id, '/undo'), { method: 'POST' }),
  redo: (id: string) => answer<Character>(of(id, '/redo'), { method: 'POST' }),
  proposals: (id: string) => answer<Proposal[]>(of(id, '/proposals')),
  rig: (id: string) => answer<RigInfo>(of(id, '/rig')),
  /** Uploads a motion file. */
  addClip: (id: string, file: File) => answer<Uploaded>(of(id, `/clips?name=${encodeURIComponent(file.name)}`), { method: 'POST', body: file }),
  /** Uploads an avatar file. */
  setAvatar: (id: string, file: File) => answer<Character>(of(id, `/avatar?name=${encodeURIComponent(file.name)}`), { method: 'POST', body: file }),
  avatarUrl: (id: string, revision: number) => `/api${of(id, `/avatar?revision=${revision}`)}`,
  /** Returns the binary frame of a clip at a time in seconds; used for both ends of a trim. */
  pose: async (id: string, clip: string, at: number): Promise<ArrayBuffer> => {
    const response = await fetch(`/api${of(id, `/pose?clip=${encodeURIComponent(clip)}&at=${at}`)}`);
    if (!response.ok) throw new ApiError((await response.json() as { error: string }).error, response.status);
    return response.arrayBuffer();
  },
  exportUrl: (performer: string, ending: string, from: number, to: number) =>
    `/api/performers/${encodeURIComponent(performer)}/export.${ending}?from=${from}&to=${to}`,
};
