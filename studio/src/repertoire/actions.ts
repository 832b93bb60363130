// Actions of the repertoire view, shared by mouse and keyboard: place, move, accept, remove, import.
import { signal } from '@preact/signals';
import { api } from '../api.ts';
import { character, showError, edit, place, proposals, showMessage, upload } from '../state.ts';
import { clipName, entryAt, freshName, isThere, move, nameOf, pathOf, remove, type Entry, type Group, type Target } from './edit.ts';
import { acceptable, choose, chosen, chosenIndex, clipsByName, skippedClips, repertoire, selectClips, selectedClips, selectPaths } from './selection.ts';
import { counted, TYPES } from './texts.ts';

/** Items that are dragged or about to be placed. */
export type Load = { clips: readonly string[] } | { paths: readonly string[] } | { files: number };

export const countOf = (load: Load): number =>
  'clips' in load ? load.clips.length : 'paths' in load ? load.paths.length : load.files;

/** Places clips of the library and selects them. */
export async function placeClips(clips: readonly string[], target: Target): Promise<void> {
  if (target.group === 'stance') return makeStances(clips);
  const end = target.group === 'transitions' && target.to !== undefined ? { to: target.to } : {};
  const before = character.value?.revision;
  await place({ clips: [...clips], as: TYPES[target.group], stance: target.stance, ...end });
  if (character.value?.revision === before) return;
  const here = pathOf(chosenIndex.value);
  selectPaths(new Set(clips.flatMap(clip => clipsByName.value.get(clip)?.places.filter(path => path.startsWith(`${here}.`)).at(-1) ?? [])));
}

/** Creates one stance per clip, named after it. Without a name, a clip similar to an existing stance would join that one. */
async function makeStances(clips: readonly string[]): Promise<void> {
  for (const clip of clips) {
    const name = freshName(repertoire.value, clipsByName.value.get(clip)?.name ?? clipName(clip));
    await place({ clips: [clip], as: 'stance', stance: name });
    choose(name);
  }
}

const these = (entries: readonly Entry[]): string =>
  entries.length === 1 ? nameOf(entries[0]!) : `${entries.length} clips`;

const PLACES: Record<Group, string> = { gestures: 'gestures', fidgets: 'fidgets', transitions: 'transitions' };

/** Moves entries of the graph. */
export async function movePaths(paths: readonly string[], target: Target): Promise<void> {
  const moved = paths.filter(path => !isThere(repertoire.value, path, target));
  if (moved.length === 0) return;
  if (target.group === 'transitions' && target.to === undefined) return showMessage('Drop it on the stance in which it ends.');
  const words = target.group === 'stance' ? 'make stances from' : 'move';
  const where = target.group === 'stance' ? '' : ` to ${PLACES[target.group]} of ${target.stance}`;
  const entries = entriesAt(moved);
  let now: string[] = [];
  await edit(`${words} ${these(entries)}${where}`, {
    repertoire: old => {
      const result = move(old, moved, target);
      now = result.paths;
      return result.repertoire;
    },
  });
  if (target.group === 'stance') return;
  if (chosen.value?.name !== target.stance) choose(target.stance);
  selectPaths(new Set(now));
}

const entriesAt = (paths: readonly string[]): Entry[] => paths.flatMap(path => entryAt(repertoire.value, path) ?? []);

/** Removes entries from the repertoire; their clips stay in the library. */
export async function removePaths(paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const what = these(entriesAt(paths));
  selectPaths(new Set());
  await edit(`remove ${what}`, { repertoire: old => remove(old, paths) });
}

/** Applies a drop. */
export async function applyDrop(load: Load, target: Target, files: readonly File[] = []): Promise<void> {
  if ('paths' in load) return movePaths(load.paths, target);
  const clips = 'clips' in load ? load.clips : await importFiles(files);
  if (clips.length > 0) await placeClips(clips, target);
}

/** Accepts the proposals of clips in one edit. */
export async function accept(clips: readonly string[]): Promise<void> {
  if (clips.length === 0) return;
  await place({ clips: [...clips] });
  selectClips(new Set());
}

export const acceptAll = (): Promise<void> => accept(acceptable.value);

/** Returns the selected clips that have a proposal. */
export const acceptableSelected = (): string[] => acceptable.value.filter(clip => selectedClips.value.has(clip));

export function skipProposals(clips: Iterable<string>, isLeft = true): void {
  const next = new Set(skippedClips.value);
  for (const clip of clips) if (isLeft) next.add(clip); else next.delete(clip);
  skippedClips.value = next;
}

const MOTION = /\.(bvh|fbx|glb|gltf|vrma|vrm)$/i;

/** Imports files. Returns the names of their clips. */
export async function importFiles(files: readonly File[]): Promise<string[]> {
  const read = files.filter(file => MOTION.test(file.name)), passed = files.length - read.length;
  if (passed > 0) showMessage(`${counted(passed, 'file')} skipped: clips must be BVH, FBX, GLB, glTF or VRMA files.`);
  if (read.length === 0) return [];
  return upload(read);
}

/** True while the server analyses clips. */
export const isProposing = signal(false);
let asked = 0;

/** Fetches proposals for unplaced clips, outside the queue of edits so that these need not wait. */
export async function proposeSoon(): Promise<void> {
  const id = character.value?.id, mine = ++asked;
  if (id === undefined) return;
  isProposing.value = true;
  try {
    const found = await api.proposals(id);
    if (mine === asked && character.value?.id === id) proposals.value = found;
  } catch (error) {
    showError(error);
  } finally {
    if (mine === asked) isProposing.value = false;
  }
}

/** Adds a stance without a clip: the neutral pose. */
export async function addStance(name: string): Promise<void> {
  await edit(`add the stance ${name}`, { repertoire: old => { old.stances.push({ name }); return old; } });
  choose(name);
}
