// What the views share: which one is open, and the character that is edited.
import { batch, computed, signal } from '@preact/signals';
import { api, Refused } from './api.ts';
import { doing } from './during.ts';
import { fewOf } from './notes.ts';
import type { Character, CharacterSummary, Edit, Place, Proposal, Repertoire, Temperament } from './protocol.ts';
import { onMessage, performers, request } from './wire.ts';

export type Mode = 'live' | 'repertoire' | 'compare';
export const mode = signal<Mode>('live');

/** Whom the stage and the director speak of. */
export const MAIN = 'main';

export const characters = signal<CharacterSummary[]>([]);
/** The one that `main` plays, with all that can be edited. */
export const character = signal<Character | null>(null);
/** What clips without a place seem to be. */
export const proposals = signal<Proposal[]>([]);
/** Something is being fetched, saved or read; shown while it takes longer than a moment. */
export const busy = signal<string | null>(null);
/** How far files are read, while they are. */
export const reading = signal<{ done: number; total: number } | null>(null);

/** A word to the person at the screen. */
export interface Notice { text: string; kind: 'info' | 'fault' }
export const notice = signal<Notice | null>(null);
export const say = (text: string): void => { notice.value = { text, kind: 'info' }; };
export const complain = (error: unknown): void => {
  notice.value = { text: error instanceof Error ? error.message : String(error), kind: 'fault' };
};

const played = computed(() => performers.value.get(MAIN)?.character);

function took(it: Character): void {
  batch(() => {
    if (character.value?.id !== it.id) proposals.value = [];
    character.value = it;
  });
}

/** Runs something that takes a while, tells what it is, and tells what went wrong. */
export const during = doing(busy, complain);

/** Fetches the character that is played, and what there are besides. */
export async function refresh(): Promise<void> {
  const id = played.value;
  if (id === undefined) return;
  await during('Reading the character', async () => {
    characters.value = await api.characters();
    took(await api.character(id));
  });
}

/** Lets `main` play another character. */
export async function open(id: string): Promise<void> {
  await during('Opening the character', () => request({ cast: [{ performer: MAIN, character: id }] }));
}

/** The character as one that can be changed: the built-in one is copied first. */
export async function own(): Promise<Character> {
  const it = character.value;
  if (!it) throw new Error('There is no character yet.');
  if (!it.readOnly) return it;
  const copy = await api.create({ name: 'My character', from: it.id });
  took(copy);
  characters.value = await api.characters();
  await request({ cast: [{ performer: MAIN, character: copy.id }] });
  say('The built-in character stays as it is: this is your own copy.');
  return copy;
}

/** Edits run one after another, each on what the one before left. */
let last: Promise<unknown> = Promise.resolve();

export function edit(what: string, change: { repertoire?: (now: Repertoire) => Repertoire; temperament?: Temperament; name?: string }): Promise<void> {
  return queued(async () => {
    const it = await own();
    const { repertoire, ...rest } = change;
    const body: Edit = { revision: it.revision, what, ...rest };
    if (repertoire) body.repertoire = repertoire(structuredClone(it.repertoire));
    took(await api.edit(it.id, body));
  });
}

/** Puts clips where they belong, or where they were dropped. */
export function place(where: Omit<Place, 'revision'>): Promise<void> {
  return queued(async () => {
    const it = await own();
    const placed = await api.place(it.id, { revision: it.revision, ...where });
    took(placed.character);
    if (placed.notes.length > 0) say(fewOf(placed.notes).join('\n'));
  });
}

/** Takes files in. Those that are avatars become the body, the others clips; gives the clips' spellings. */
export function upload(files: readonly File[]): Promise<string[]> {
  return queued(async () => {
    let it = await own();
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
    took(await api.character(it.id));
    if (faults.length > 0) complain(faults.join('\n'));
    return clips;
  }).then(clips => clips ?? []);
}

export const setAvatar = (file: File): Promise<void> => queued(async () => took(await api.setAvatar((await own()).id, file)));
export const undo = (): Promise<void> => queued(async () => { if (character.value?.undo) took(await api.undo(character.value.id)); });
export const redo = (): Promise<void> => queued(async () => { if (character.value?.redo) took(await api.redo(character.value.id)); });

/** Asks what clips without a place seem to be. */
export const propose = (): Promise<void> => queued(async () => {
  const it = character.value;
  if (it) proposals.value = await api.proposals(it.id);
});

function queued<T>(work: () => Promise<T>): Promise<T | undefined> {
  const mine = last.then(() => during('Saving', work));
  last = mine;
  return mine;
}

/** Someone else may edit, too; and another character may be played. */
export function start(): void {
  played.subscribe(() => void refresh());
  onMessage(message => {
    if (!('character' in message) || message.character.character !== character.value?.id) return;
    if (message.character.revision > (character.value?.revision ?? 0)) void refresh();
  });
}

export { Refused };
