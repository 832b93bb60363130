// What a frame is put on: an avatar from a file, or a figure of capsules where there is none to show.
import type { Object3D } from 'three';
import { api } from '../api.ts';
import type { RigInfo } from '../protocol.ts';
import type { Frame } from '../wire.ts';
import { Figure } from './figure.ts';
import { loadModel } from './model.ts';
import type { Size } from './size.ts';
import { loadVrm } from './vrm.ts';

/** Something that frames move. */
export interface Body {
  readonly scene: Object3D;
  readonly size: Size;
  show(frame: Frame, seconds: number): void;
  dispose(): void;
}

interface Files { rig: RigInfo; bytes: ArrayBuffer | null }

/** What was fetched of characters, by id and avatar; several bodies are made of the same bytes. */
const fetched = new Map<string, Promise<Files>>();
const MOST_KEPT = 4;

function files(id: string, avatar: number): Promise<Files> {
  const key = `${id} ${avatar}`;
  const known = fetched.get(key);
  if (known) return known;
  const coming = fetchFiles(id);
  fetched.set(key, coming);
  coming.catch(() => fetched.delete(key));
  for (const old of [...fetched.keys()].slice(0, -MOST_KEPT)) fetched.delete(old);
  return coming;
}

async function fetchFiles(id: string): Promise<Files> {
  const rig = await api.rig(id);
  if (rig.model === 'skeleton') return { rig, bytes: null };
  const response = await fetch(api.avatarUrl(id, rig.avatar));
  return { rig, bytes: response.ok ? await response.arrayBuffer() : null };
}

/** The body of a character, as it can be shown; `told` hears why, if that is less than its file has. */
export async function loadBody(id: string, avatar: number, told: (why: string) => void): Promise<Body> {
  const { rig, bytes } = await files(id, avatar);
  if (rig.model === 'skeleton') return new Figure(rig);
  try {
    if (!bytes) throw new Error('its file could not be fetched');
    return rig.model === 'vrm' ? await loadVrm(bytes, rig) : await loadModel(bytes, rig);
  } catch (error) {
    told(`The avatar cannot be shown: ${error instanceof Error ? error.message : String(error)}. It moves all the same, as a figure of capsules.`);
    return new Figure(rig);
  }
}
