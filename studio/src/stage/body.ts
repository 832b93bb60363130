// A displayed body: an avatar from a file, or a capsule figure if there is none.
import type { Object3D } from 'three';
import { api } from '../api.ts';
import type { RigInfo } from '../protocol.ts';
import type { Frame } from '../wire.ts';
import { Figure } from './figure.ts';
import { loadModel } from './model.ts';
import type { Size } from './size.ts';
import { loadVrm } from './vrm.ts';

/** A body that displays frames. */
export interface Body {
  readonly scene: Object3D;
  readonly size: Size;
  show(frame: Frame, seconds: number): void;
  dispose(): void;
}

interface Files { rig: RigInfo; bytes: ArrayBuffer | null }

/** Fetched files by character and avatar revision; several bodies share the same bytes. */
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

/** Loads the body of a character. If its file cannot be displayed, calls `onError` and returns a capsule figure. */
export async function loadBody(id: string, avatar: number, onError: (why: string) => void): Promise<Body> {
  const { rig, bytes } = await files(id, avatar);
  if (rig.model === 'skeleton') return new Figure(rig);
  try {
    if (!bytes) throw new Error('the file could not be loaded');
    return rig.model === 'vrm' ? await loadVrm(bytes, rig) : await loadModel(bytes, rig);
  } catch (error) {
    onError(`The avatar cannot be displayed: ${error instanceof Error ? error.message : String(error)}. A capsule figure is shown instead.`);
    return new Figure(rig);
  }
}
