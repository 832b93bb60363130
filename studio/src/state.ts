// State shared by all views: the open view and the edited character.
import { batch, computed, signal } from '@preact/signals';
import { api, ApiError } from './api.ts';
import { progressRunner } from './progress.ts';
import { summarize } from './notes.ts';
import type { Character, CharacterSummary, Edit, Place, Proposal, Repertoire, Temperament } from './protocol.ts';
import { onMessage, performers, request } from './wire.ts';

export type Mode = 'live' | 'repertoire' | 'compare';
export const mode = signal<Mode>('live');

/** Name of the performer that the stage shows and the director controls. */
export const MAIN = 'main';

export const characters = signal<CharacterSummary[]>([]);
/** The character that `main` plays, with everything that can be edited. */
export const character = signal<Character | null>(null);
/** Proposed types of unplaced clips. */
export const proposals = signal<Proposal[]>([]);
/** Name of the running fetch, save or import. */
export const busy = signal<string | null>(null);
/** Progress of a file import. */
export const reading = signal<{ done: number; total: number } | null>(null);

/** A message shown to the user. */
export interface Notice { text: string; kind: 'info' | 'fault' }
export const notice = signal<Notice | null>(null);
export const showMessage = (text: string): void => { notice.value = { text, kind: 'info' }; };
export const showError = (error: unknown): void => {
  notice.value = { text: error instanceof Error ? error.message : String(error), kind: 'fault' };
};

const played = computed(() => performers.value.get(MAIN)?.character);

function setCharacter(it: Character): void {
  batch(() => {
    if (character.value?.id !== it.id) proposals.value = [];
    character.value = it;
  });
}

/** Runs slow work, shows its name meanwhile, and reports errors. */
export const withProgress = progressRunner(busy, showError);

/** Fetches the played character and the list of all characters. */
export async function refresh(): Promise<void> {
  const id = played.value;
  if (id === undefined) return;
  await withProgress('Loading the character', async () => {
    characters.value = await api.characters();
    setCharacter(await api.character(id));
  });
}

/** Makes `main` play another character. */
export async function open(id: string): Promise<void> {
  await withProgress('Opening the character', () => request({ cast: [{ performer: MAIN, character: id }] }));
}

/** Returns an editable character. The built-in one is copied first. */
export async function editableCharacter(): Promise<Character> {
  const it = character.value;
  if (!it) throw new Error('No character is loaded yet. Try again in a moment.');
  if (!it.readOnly) return it;
  const copy = await api.create({ name: 'My character', from: it.id });
  setCharacter(copy);
  characters.value = await api.characters();
  await request({ cast: [{ performer: MAIN, character: copy.id }] });
  showMessage('The built-in character cannot be changed, so this is now your own copy.');
  return copy;
}

/** Edits run one after another, each on the result of the previous one. */
let last: Promise<unknown> = Promise.resolve();

export function edit(what: string, change: { repertoire?: (now: Repertoire) => Repertoire; temperament?: Temperament; name?: string }): Promise<void> {
  return queued(async () => {
    const it = await editableCharacter();
    const { repertoire, ...rest } = change;
    const body: Edit = { revision: it.revision, what, ...rest };
    if (repertoire) body.repertoire = repertoire(structuredClone(it.repertoire));
    setCharacter(await api.edit(it.id, body));
  });
}

/** Places clips as proposed, or where they were dropped. */
export function place(where: Omit<Place, 'revision'>): Promise<void> {
  return queued(async () => {
    const it = await editableCharacter();
    const placed = await api.place(it.id, { revision: it.revision, ...where });
    setCharacter(placed.character);
    if (placed.notes.length > 0) showMessage(summarize(placed.notes).join('\n'));
  });
}

/** Imports files: a VRM replaces the avatar, the others become clips. Returns the clip names. */
export function upload(files: readonly File[]): Promise<string[]> {
  return queued(async () => {
    let it = await editableCharacter();
    const clips: string[] = [], faults: string[] = [];
    for (const [done, file] of files.entries()) {
      reading.value = { done: done + 1, total: files.length };
      busy.value = `Reading ${file.name} (${done + 1} of ${files.length})`;
      try {
        if (/\.vrm$/i.test(file.name)) it = await api.setAvatar(it.id, file);
        else clips.push(...(await api.addClip(it.id, file)).clips.map(clip => clip.clip));
      } catch (error) {
        faults.push(error instanceof Error ? error.message : String(error));
      }
    }
    reading.value = null;
    setCharacter(await api.character(it.id));
    if (faults.length > 0) showError(faults.join('\n'));
    return clips;
  }).then(clips => clips ?? []);
}

export const setAvatar = (file: File): Promise<void> => queued(async () => setCharacter(await api.setAvatar((await editableCharacter()).id, file)));
export const undo = (): Promise<void> => queued(async () => { if (character.value?.undo) setCharacter(await api.undo(character.value.id)); });
export const redo = (): Promise<void> => queued(async () => { if (character.value?.redo) setCharacter(await api.redo(character.value.id)); });

/** Fetches proposals for unplaced clips. */
export const propose = (): Promise<void> => queued(async () => {
  const it = character.value;
  if (it) proposals.value = await api.proposals(it.id);
});

function queued<T>(work: () => Promise<T>): Promise<T | undefined> {
  const mine = last.then(() => withProgress('Saving', work));
  last = mine;
  return mine;
}

/** Follows changes by other windows, and changes of the played character. */
export function start(): void {
  played.subscribe(() => void refresh());
  onMessage(message => {
    if (!('character' in message) || message.character.character !== character.value?.id) return;
    if (message.character.revision > (character.value?.revision ?? 0)) void refresh();
  });
}

export { ApiError };
