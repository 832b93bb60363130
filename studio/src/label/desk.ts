// What is on the desk: the film, its labels, the frame that is looked at; and how it all stays saved.
import { batch, computed, effect, signal } from '@preact/signals';
import { doing } from '../during.ts';
import { api } from './api.ts';
import { did, type History, NOTHING, redone, SAME_DEED_MS, undone } from './history.ts';
import type { Film, Guess, LabelledFrame, Labels, Points, Underway } from './types.ts';

export const film = signal<Film | null>(null);
export const labels = signal<Labels | null>(null);
export const frame = signal(0);
/** The point that keys move. */
export const selected = signal<number | null>(null);
export type Task = 'points' | 'gaze';
export const task = signal<Task>('points');
export const suggestions = signal<readonly number[]>([]);
export const history = signal<History>(NOTHING);
/** What the model said of a frame, while that is looked at. */
export const guess = signal<(Guess & { frame: number }) | null>(null);
/** What the model finds in the whole film, after it was tried; null where it is not sure. */
export const track = signal<readonly (Points | null)[] | null>(null);
/** Something that takes a while. */
export const busy = signal<string | null>(null);
/** How far the server is with it. */
export const underway = signal<Underway | null>(null);
/** A word to the person at the screen. */
export const notice = signal<{ text: string; isFault: boolean } | null>(null);
export const say = (text: string): void => { notice.value = { text, isFault: false }; };
export const complain = (error: unknown): void => {
  notice.value = { text: error instanceof Error ? error.message : String(error), isFault: true };
};

export const here = computed<LabelledFrame | undefined>(() => labels.value?.frames.find(it => it.frame === frame.value));
export const points = computed<Points | undefined>(() => here.value?.points);
/** The frames that a person has looked at. */
export const labelled = computed(() => labels.value?.frames.filter(it => !it.guessed) ?? []);
export const count = computed(() => film.value?.secs.length ?? 0);
export const secsOf = (number: number): number => film.value?.secs[number] ?? 0;

/** How many frames make a good model (paper 3, 3.1). */
export const ENOUGH = 20;

export function go(to: number): void {
  const next = Math.max(0, Math.min(count.value - 1, Math.round(to)));
  if (next === frame.value) return;
  batch(() => {
    frame.value = next;
    if (guess.value?.frame !== next) guess.value = null;
    // What was said of the frame before is over; what went wrong stays until it is read.
    if (!notice.value?.isFault) notice.value = null;
  });
}

let lastDeed = { key: '', at: 0 };

/** Changes the labels. Deeds of the same key, one soon after the other, are undone as one; a drag is one however long. */
export function change(what: string, next: Labels, key = ''): void {
  const before = labels.value;
  if (!before || next === before) return;
  const now = performance.now(), isSoon = key.startsWith('drag') || now - lastDeed.at < SAME_DEED_MS;
  const isSame = key !== '' && key === lastDeed.key && isSoon;
  lastDeed = { key, at: now };
  batch(() => {
    if (!isSame) history.value = did(history.value, { what, frame: frame.value, labels: before });
    labels.value = next;
    // A model of other points would find others.
    if (next.frames !== before.frames) track.value = null;
  });
}

function goBack(turn: typeof undone, told: string): void {
  const found = labels.value && turn(history.value, labels.value);
  if (!found) return say(`There is nothing to ${told === 'Undone' ? 'undo' : 'redo'}.`);
  lastDeed = { key: '', at: 0 };
  batch(() => {
    history.value = found.history;
    labels.value = found.step.labels;
    frame.value = found.step.frame;
  });
  say(`${told}: ${found.step.what}.`);
}
export const undo = (): void => goBack(undone, 'Undone');
export const redo = (): void => goBack(redone, 'Done again');

/** Runs something that takes a while, tells what it is, and tells what went wrong. */
export const during = doing(busy, complain);

// Saving: soon after each change, one request after another, and again after a failure.

export const saving = signal<'saved' | 'saving' | 'failed'>('saved');
let revision = 0, kept: Labels | null = null, timer = 0, isSending = false;
const SOON_MS = 250, AGAIN_MS = 3000;

async function save(): Promise<void> {
  const now = labels.value;
  if (isSending || !now || now === kept) return;
  isSending = true;
  saving.value = 'saving';
  try {
    ({ revision } = await api.keep(revision, now));
    kept = now;
    saving.value = labels.value === kept ? 'saved' : 'saving';
  } catch (error) {
    saving.value = 'failed';
    complain(error instanceof TypeError ? 'The server is gone. Start vivant label again: nothing is lost while this page stays open.' : error);
  } finally {
    isSending = false;
  }
  if (labels.value !== kept) later(saving.value === 'failed' ? AGAIN_MS : 0);
}

function later(milliseconds: number): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => void save(), milliseconds);
}

/** Waits until all is saved: what the server learns from is what it has. */
export async function saved(): Promise<void> {
  clearTimeout(timer);
  while (labels.value !== kept) {
    if (isSending) await new Promise(done => setTimeout(done, 20));
    else await save();
    if (saving.value === 'failed') throw new Error('The labels could not be saved.');
  }
}

const POLL_MS = 1000;
const pause = (): Promise<void> => new Promise(done => setTimeout(done, POLL_MS));

/** Asks how far it is until there is nothing more to wait for. */
export async function follow(isOver: (now: Underway) => boolean): Promise<void> {
  for (;;) {
    const now = await api.underway().catch(() => null);
    if (now) underway.value = now;
    if (now && isOver(now)) return;
    await pause();
  }
}

/** Enough of a long film has been seen for a first choice: it stays until all is seen, lest frames jump about. */
const FIRST_CHOICE = 40;

/** In a long film, what to label is found while the first frames are labelled. */
async function lookAbout(): Promise<void> {
  await follow(now => now.looking === null || now.looking[0] >= FIRST_CHOICE);
  if (underway.value?.looking === null && suggestions.value.length > 0) return;
  suggestions.value = await api.suggestions();
  await follow(now => now.looking === null);
  suggestions.value = await api.suggestions();
}

export async function start(): Promise<void> {
  const [it, had, far] = await Promise.all([api.film(), api.labels(), api.underway()]);
  const first = far.looking === null ? await api.suggestions() : [];
  underway.value = far;
  revision = had.revision;
  kept = had.labels;
  const begin = Number(location.hash.slice(1));
  batch(() => {
    film.value = it;
    labels.value = had.labels;
    suggestions.value = first;
    frame.value = location.hash && begin < it.secs.length ? begin : had.labels.frames.at(-1)?.frame ?? first[0] ?? 0;
  });
  void lookAbout().catch(complain);
  effect(() => { window.history.replaceState(null, '', `#${frame.value}`); });
  effect(() => {
    if (labels.value === kept) return;
    saving.value = 'saving';
    later(SOON_MS);
  });
  addEventListener('pagehide', () => {
    if (labels.value && labels.value !== kept && !isSending) void api.keep(revision, labels.value, true).catch(() => {});
  });
  addEventListener('beforeunload', event => { if (saving.value === 'failed') event.preventDefault(); });
}
