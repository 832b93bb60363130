// State of the label view: the video, its labels and the current frame; and automatic saving.
import { batch, computed, effect, signal } from '@preact/signals';
import { progressRunner } from '../progress.ts';
import { api } from './api.ts';
import { recordStep, type History, NOTHING, redone, MERGE_MS, undone } from './history.ts';
import type { Film, Guess, LabelledFrame, Labels, Points, Underway } from './types.ts';

export const film = signal<Film | null>(null);
export const labels = signal<Labels | null>(null);
export const frame = signal(0);
/** Index of the point that keys move. */
export const selected = signal<number | null>(null);
export type Task = 'points' | 'gaze';
export const task = signal<Task>('points');
export const suggestions = signal<readonly number[]>([]);
export const history = signal<History>(NOTHING);
/** The model's guess for the current frame. */
export const guess = signal<(Guess & { frame: number }) | null>(null);
/** Result of tracking the whole video; null in frames where the model is uncertain. */
export const track = signal<readonly (Points | null)[] | null>(null);
/** Name of the running work. */
export const busy = signal<string | null>(null);
/** Progress of the server's work. */
export const underway = signal<Underway | null>(null);
/** A message shown to the user. */
export const notice = signal<{ text: string; isFault: boolean } | null>(null);
export const showMessage = (text: string): void => { notice.value = { text, isFault: false }; };
export const showError = (error: unknown): void => {
  notice.value = { text: error instanceof Error ? error.message : String(error), isFault: true };
};

export const here = computed<LabelledFrame | undefined>(() => labels.value?.frames.find(it => it.frame === frame.value));
export const points = computed<Points | undefined>(() => here.value?.points);
/** Frames confirmed by the user. */
export const labelled = computed(() => labels.value?.frames.filter(it => !it.guessed) ?? []);
export const count = computed(() => film.value?.secs.length ?? 0);
export const secsOf = (number: number): number => film.value?.secs[number] ?? 0;

/** Number of labelled frames for a good model (paper 3, 3.1). */
export const ENOUGH = 20;

export function go(to: number): void {
  const next = Math.max(0, Math.min(count.value - 1, Math.round(to)));
  if (next === frame.value) return;
  batch(() => {
    frame.value = next;
    if (guess.value?.frame !== next) guess.value = null;
    // Messages about the previous frame are removed; errors stay until they are closed.
    if (!notice.value?.isFault) notice.value = null;
  });
}

let lastChange = { key: '', at: 0 };

/** Changes the labels. Quick changes with the same key are undone together; a drag is always one step. */
export function change(what: string, next: Labels, key = ''): void {
  const before = labels.value;
  if (!before || next === before) return;
  const now = performance.now(), isSoon = key.startsWith('drag') || now - lastChange.at < MERGE_MS;
  const isSame = key !== '' && key === lastChange.key && isSoon;
  lastChange = { key, at: now };
  batch(() => {
    if (!isSame) history.value = recordStep(history.value, { what, frame: frame.value, labels: before });
    labels.value = next;
    // Other points would give another model, so the track is out of date.
    if (next.frames !== before.frames) track.value = null;
  });
}

function applyHistory(turn: typeof undone, verb: string): void {
  const found = labels.value && turn(history.value, labels.value);
  if (!found) return showMessage(`Nothing to ${verb === 'Undone' ? 'undo' : 'redo'}.`);
  lastChange = { key: '', at: 0 };
  batch(() => {
    history.value = found.history;
    labels.value = found.step.labels;
    frame.value = found.step.frame;
  });
  showMessage(`${verb}: ${found.step.what}.`);
}
export const undo = (): void => applyHistory(undone, 'Undone');
export const redo = (): void => applyHistory(redone, 'Redone');

/** Runs slow work, shows its name meanwhile, and reports errors. */
export const withProgress = progressRunner(busy, showError);

// Saving: shortly after each change, one request at a time, with retries after a failure.

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
    showError(error instanceof TypeError ? 'The server is not running. Start vivant label again; your labels are kept while this page stays open.' : error);
  } finally {
    isSending = false;
  }
  if (labels.value !== kept) later(saving.value === 'failed' ? AGAIN_MS : 0);
}

function later(milliseconds: number): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => void save(), milliseconds);
}

/** Waits until everything is saved, because the server trains on the saved labels. */
export async function saved(): Promise<void> {
  clearTimeout(timer);
  while (labels.value !== kept) {
    if (isSending) await new Promise(done => setTimeout(done, 20));
    else await save();
    if (saving.value === 'failed') throw new Error('The labels could not be saved. Check that vivant label is running, and try again.');
  }
}

const POLL_MS = 1000;
const pause = (): Promise<void> => new Promise(done => setTimeout(done, POLL_MS));

/** Polls the server's progress until `isOver` returns true. */
export async function follow(isOver: (now: Underway) => boolean): Promise<void> {
  for (;;) {
    const now = await api.underway().catch(() => null);
    if (now) underway.value = now;
    if (now && isOver(now)) return;
    await pause();
  }
}

/** Frames scanned before the first suggestions of a long video. They stay until the scan ends, so that the list does not jump. */
const FIRST_CHOICE = 40;

/** Loads the suggestions of a long video while the user labels the first frames. */
async function loadSuggestions(): Promise<void> {
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
  void loadSuggestions().catch(showError);
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
