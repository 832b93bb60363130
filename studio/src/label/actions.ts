// Actions of the label view.
import { signal } from '@preact/signals';
import { api } from './api.ts';
import { change, showError, withProgress, ENOUGH, film, follow, frame, go, guess, here, labelled, labels, points, showMessage, saved, secsOf, selected, suggestions, track, underway } from './state.ts';
import { findEyes } from './face.ts';
import { apart, mirrored, moved, movedTogether, nameOf, plainEyes, shifted, shut, type Side, SIDES, sideOf } from './points.ts';
import type { GazeKey, LabelledFrame, Labels, Points } from './types.ts';

/** Minimum number of labelled frames for a guess by the model. With fewer, the face finder is better. */
export const LEAST_FOR_GUESS = 3;

const now = (): Labels => labels.value!;
const withFrame = (it: LabelledFrame): Labels =>
  ({ ...now(), frames: [...now().frames.filter(one => one.frame !== it.frame), it].sort((a, b) => a.frame - b.frame) });

/** The original points of each frame, for `reset`. */
const origins = new Map<number, Points>();

function set(what: string, next: Points, { guessed = here.value ? here.value.guessed ?? false : true, key = '' } = {}): void {
  if (here.value && !origins.has(frame.value)) origins.set(frame.value, here.value.points);
  const { frame: number, secs } = { frame: frame.value, secs: secsOf(frame.value) };
  change(what, withFrame({ frame: number, secs, points: next, ...(guessed ? { guessed } : {}) }), key);
}

/** Sets points from a model or another frame. They count as proposals until the user adds the frame. */
function propose(what: string, next: Points): void {
  origins.set(frame.value, next);
  set(what, next, { guessed: true });
}

/** Moves a point. Coinciding lid points move together unless `alone` is set. */
export function movePoint(index: number, to: readonly [number, number], key: string, alone = false): void {
  if (points.value) set(`move ${nameOf(index).toLowerCase()}`, (alone ? moved : movedTogether)(points.value, index, to), { key });
}

export function moveAll(dx: number, dy: number, key: string): void {
  if (points.value) set('move all points', shifted(points.value, dx, dy), { key });
}

export function add(): void {
  if (!points.value) return showMessage('This frame has no points yet. Find the face, or copy points from another frame.');
  if (!here.value!.guessed) return showMessage('This frame is already labelled. Press N for the next one.');
  set('add this frame', points.value, { guessed: false });
  const many = labelled.value.length;
  if (many === 1) void suggestAgain();
  showMessage(many < ENOUGH ? `Added: ${many} of about ${ENOUGH}. Press N for the next one.` : `Added: ${many} frames, enough for a good model.`);
}

/** Fetches new suggestions: once one frame is labelled, frames are compared by their eyes instead of the whole image. */
async function suggestAgain(): Promise<void> {
  await saved();
  // In a long video the first suggestions arrive later.
  if (suggestions.value.length === 0) return;
  suggestions.value = await api.suggestions();
}

export function remove(): void {
  if (!here.value) return;
  origins.delete(frame.value);
  change('remove the points', { ...now(), frames: now().frames.filter(it => it.frame !== frame.value) });
  showMessage('Points removed. Press Ctrl+Z to undo.');
}

export function reset(): void {
  const origin = origins.get(frame.value);
  if (!points.value || !origin || origin === points.value) return showMessage('The points have not been changed.');
  set('reset the points', origin);
}

/** Returns the nearest other labelled frame. */
export const nearest = (): LabelledFrame | undefined => [...labelled.value].filter(it => it.frame !== frame.value)
  .sort((a, b) => Math.abs(a.frame - frame.value) - Math.abs(b.frame - frame.value))[0];

/** Copies the points of the previous labelled frame, or of the nearest one if there is none before. */
export function copy(): void {
  const from = now().frames.findLast(it => it.frame < frame.value && !it.guessed) ?? nearest();
  if (!from) return showMessage('No other frame has points yet.');
  propose(`copy from frame ${from.frame}`, from.points);
  showMessage(`Copied from frame ${from.frame}. Correct the points, then press Enter.`);
}

export function placeByHand(): void {
  propose('place the points', plainEyes(now().width, now().height));
  showMessage('Drag the points onto the eyes, corners first. Hold Shift to move all.');
}

/** Shows the true points of a frame of a synthetic video. */
export async function showTruth(): Promise<void> {
  const number = frame.value, before = here.value?.points;
  const found = (await withProgress('Loading the true points', () => api.truth(number)))?.points;
  if (!found || number !== frame.value) return;
  propose('show true points', found);
  showMessage(before ? `Your points were ${apart(found, before).toFixed(1)} px off on average. Press Ctrl+Z to restore them.` : 'These are the true points.');
}

export function mirror(): void {
  if (!points.value) return;
  const from: Side = sideOf(selected.value ?? 0);
  set(`mirror the ${from} eye`, mirrored(points.value, from));
  showMessage(`The other eye now mirrors the ${from} one; its corners are unchanged.`);
}

export function closeEyes(sides: readonly Side[] = SIDES): void {
  if (points.value) set(sides.length === 2 ? 'close both eyes' : `close the ${sides[0]} eye`, shut(points.value, sides));
}

export async function findFace(): Promise<boolean> {
  const number = frame.value;
  const found = await withProgress('Finding the face', () => findEyes(api.frameUrl(film.value!, number), now().width, now().height));
  if (found === undefined || number !== frame.value) return false;
  if (found === null) {
    showError('No face found in this frame. Copy the points from another frame, or place them by hand.');
    return false;
  }
  propose('find the face', found);
  showMessage('Face found. Check and correct the points, then press Enter.');
  return true;
}

export async function makeGuess(): Promise<boolean> {
  const number = frame.value, before = here.value;
  const others = labelled.value.filter(it => it.frame !== number).length;
  if (others < LEAST_FOR_GUESS) {
    showMessage(`A guess needs ${LEAST_FOR_GUESS} other labelled frames; there ${others === 1 ? 'is 1' : `are ${others}`}.`);
    return false;
  }
  const found = await withProgress('Training and guessing', async () => { await saved(); return api.guess(number); });
  if (!found || number !== frame.value) return false;
  guess.value = { ...found, frame: number };
  // Points labelled by the user stay: the guess is only shown.
  if (before && !before.guessed) showMessage(`The guess is ${apart(found.points, before.points).toFixed(1)} px from your points on average.`);
  else propose('guess', found.points);
  return true;
}

/** Goes to the next unlabelled suggestion, most useful first, and proposes points for it. */
export async function next(): Promise<void> {
  const done = new Set(labelled.value.map(it => it.frame));
  const open = suggestions.value.filter(it => !done.has(it));
  const after = open[(open.indexOf(frame.value) + 1) % Math.max(open.length, 1)];
  if (suggestions.value.length === 0 && underway.value?.looking) return showMessage('Still searching the video for useful frames. Meanwhile choose any frame on the timeline.');
  if (after === undefined || (after === frame.value && done.size > 0 && !here.value?.guessed)) return showMessage('All suggested frames are labelled. Choose more frames on the timeline if you like.');
  go(after);
  if (points.value) return;
  if (labelled.value.length >= LEAST_FOR_GUESS && await makeGuess()) return;
  if (frame.value === after && !points.value) await findFace();
}

export const tracking = signal<'off' | 'on' | 'stopped'>('off');
const isStopped = (): boolean => tracking.value === 'stopped';
export function stopTracking(): void {
  tracking.value = 'stopped';
  void api.stopTrack().catch(showError);
}

/** Tracks the whole video. Returns true if a track is available. */
export async function tryTrack(): Promise<boolean> {
  if (track.value) return true;
  tracking.value = 'on';
  void follow(() => tracking.value !== 'on');
  const found = await withProgress('Tracking the whole video', async () => {
    await saved();
    return api.track().catch((error: unknown) => { if (isStopped()) return null; throw error; });
  });
  const wasStopped = isStopped();
  tracking.value = 'off';
  if (wasStopped) showMessage('Tracking stopped. No labels were changed.');
  if (!found) return false;
  track.value = found;
  const lost = found.filter(it => it === null).length;
  showMessage(lost === 0 ? 'The model tracked the whole video. Step through it to check the result.'
    : `The model is uncertain in ${lost} of ${found.length} frames, marked on the timeline. Label some of them.`);
  return true;
}

/** Replaces the points of the frame with the model's guess. */
export function useGuess(): void {
  if (guess.value?.frame === frame.value) propose('use the guess', guess.value.points);
}

export function setGaze(what: string, keys: readonly GazeKey[], key = ''): void {
  change(what, { ...now(), gaze: keys }, key);
}
