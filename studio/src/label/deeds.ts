// What can be done on the desk.
import { signal } from '@preact/signals';
import { api } from './api.ts';
import { change, complain, during, ENOUGH, film, follow, frame, go, guess, here, labelled, labels, points, say, saved, secsOf, selected, suggestions, track, underway } from './desk.ts';
import { findEyes } from './face.ts';
import { apart, mirrored, moved, movedTogether, nameOf, plainEyes, shifted, shut, type Side, SIDES, sideOf } from './points.ts';
import type { GazeKey, LabelledFrame, Labels, Points } from './types.ts';

/** A model of fewer frames is worse than a proposal from elsewhere. */
export const LEAST_FOR_GUESS = 3;

const now = (): Labels => labels.value!;
const withFrame = (it: LabelledFrame): Labels =>
  ({ ...now(), frames: [...now().frames.filter(one => one.frame !== it.frame), it].sort((a, b) => a.frame - b.frame) });

/** How points were when they came to a frame, for `reset`. */
const origins = new Map<number, Points>();

function set(what: string, next: Points, { guessed = here.value ? here.value.guessed ?? false : true, key = '' } = {}): void {
  if (here.value && !origins.has(frame.value)) origins.set(frame.value, here.value.points);
  const { frame: number, secs } = { frame: frame.value, secs: secsOf(frame.value) };
  change(what, withFrame({ frame: number, secs, points: next, ...(guessed ? { guessed } : {}) }), key);
}

/** Points that a program or another frame gave: they are guesses until somebody has looked. */
function propose(what: string, next: Points): void {
  origins.set(frame.value, next);
  set(what, next, { guessed: true });
}

/** Lids that lie on each other move as one, unless this one is meant alone. */
export function movePoint(index: number, to: readonly [number, number], key: string, alone = false): void {
  if (points.value) set(`move ${nameOf(index).toLowerCase()}`, (alone ? moved : movedTogether)(points.value, index, to), { key });
}

export function moveAll(dx: number, dy: number, key: string): void {
  if (points.value) set('move all points', shifted(points.value, dx, dy), { key });
}

export function add(): void {
  if (!points.value) return say('There are no points in this frame yet. Find the face, or copy them from another frame.');
  if (!here.value!.guessed) return say('This frame is labelled already. Go to the next one with N.');
  set('add this frame', points.value, { guessed: false });
  const many = labelled.value.length;
  if (many === 1) void suggestAgain();
  say(many < ENOUGH ? `Added: ${many} of about ${ENOUGH}. Go to the next one with N.` : `Added: ${many} frames. That is enough for a good model.`);
}

/** Now that it is known where the eyes are, frames are suggested by how these look, and not by how the head moves. */
async function suggestAgain(): Promise<void> {
  await saved();
  // In a long film the first choice comes a little later.
  if (suggestions.value.length === 0) return;
  suggestions.value = await api.suggestions();
}

export function remove(): void {
  if (!here.value) return;
  origins.delete(frame.value);
  change('remove the points', { ...now(), frames: now().frames.filter(it => it.frame !== frame.value) });
  say('Removed. Ctrl+Z brings the points back.');
}

export function reset(): void {
  const origin = origins.get(frame.value);
  if (!points.value || !origin || origin === points.value) return say('The points are as they came.');
  set('reset the points', origin);
}

/** The labelled frame that is nearest, other than this. */
export const nearest = (): LabelledFrame | undefined => [...labelled.value].filter(it => it.frame !== frame.value)
  .sort((a, b) => Math.abs(a.frame - frame.value) - Math.abs(b.frame - frame.value))[0];

/** The frame that was labelled last, as far as the film goes: the one before this. */
export function copy(): void {
  const from = now().frames.findLast(it => it.frame < frame.value && !it.guessed) ?? nearest();
  if (!from) return say('No other frame has points yet.');
  propose(`copy from frame ${from.frame}`, from.points);
  say(`Copied from frame ${from.frame}. Drag the points to where they belong, then press Enter.`);
}

export function placeByHand(): void {
  propose('place the points', plainEyes(now().width, now().height));
  say('Drag the points onto the eyes: corners first. Shift moves all at once.');
}

/** In a film that was drawn it is known where the points are: to learn from. */
export async function showTruth(): Promise<void> {
  const number = frame.value, before = here.value?.points;
  const found = (await during('Looking it up', () => api.truth(number)))?.points;
  if (!found || number !== frame.value) return;
  propose('as it was drawn', found);
  say(before ? `Your points were ${apart(found, before).toFixed(1)} px from where they were drawn, on average. Ctrl+Z brings them back.` : 'This is where the points were drawn.');
}

export function mirror(): void {
  if (!points.value) return;
  const from: Side = sideOf(selected.value ?? 0);
  set(`mirror the ${from} eye`, mirrored(points.value, from));
  say(`The other eye is now the mirror image of the ${from} one, between its own corners.`);
}

export function shutEyes(sides: readonly Side[] = SIDES): void {
  if (points.value) set(sides.length === 2 ? 'shut both eyes' : `shut the ${sides[0]} eye`, shut(points.value, sides));
}

export async function findFace(): Promise<boolean> {
  const number = frame.value;
  const found = await during('Finding the face', () => findEyes(api.frameUrl(film.value!, number), now().width, now().height));
  if (found === undefined || number !== frame.value) return false;
  if (found === null) {
    complain('No face was found in this frame. Copy the points from another frame, or place them by hand.');
    return false;
  }
  propose('find the face', found);
  say('Found. Look closely: correct what is off, then press Enter.');
  return true;
}

export async function makeGuess(): Promise<boolean> {
  const number = frame.value, before = here.value;
  const others = labelled.value.filter(it => it.frame !== number).length;
  if (others < LEAST_FOR_GUESS) {
    say(`The model needs ${LEAST_FOR_GUESS} labelled frames for a guess; there ${others === 1 ? 'is 1' : `are ${others}`} beside this one.`);
    return false;
  }
  const found = await during('Learning and guessing', async () => { await saved(); return api.guess(number); });
  if (!found || number !== frame.value) return false;
  guess.value = { ...found, frame: number };
  // What a person has labelled stays: the guess is shown beside it.
  if (before && !before.guessed) say(`The guess is ${apart(found.points, before.points).toFixed(1)} px from your points on average.`);
  else propose('guess', found.points);
  return true;
}

/** The next suggestion that is not labelled, in the order of how telling they are; with points, if they can be had. */
export async function next(): Promise<void> {
  const done = new Set(labelled.value.map(it => it.frame));
  const open = suggestions.value.filter(it => !done.has(it));
  const after = open[(open.indexOf(frame.value) + 1) % Math.max(open.length, 1)];
  if (suggestions.value.length === 0 && underway.value?.looking) return say('The film is still being looked at for frames that differ. Choose any on the timeline meanwhile.');
  if (after === undefined || (after === frame.value && done.size > 0 && !here.value?.guessed)) return say('All suggested frames are labelled. More never hurts: choose others on the timeline.');
  go(after);
  if (points.value) return;
  if (labelled.value.length >= LEAST_FOR_GUESS && await makeGuess()) return;
  if (frame.value === after && !points.value) await findFace();
}

export const tracking = signal<'off' | 'on' | 'stopped'>('off');
const isStopped = (): boolean => tracking.value === 'stopped';
export function stopTracking(): void {
  tracking.value = 'stopped';
  void api.stopTrack().catch(complain);
}

/** Lets the model look through the whole film; gives whether it is known now what it finds. */
export async function tryTrack(): Promise<boolean> {
  if (track.value) return true;
  tracking.value = 'on';
  void follow(() => tracking.value !== 'on');
  const found = await during('Tracking the whole film', async () => {
    await saved();
    return api.track().catch((error: unknown) => { if (isStopped()) return null; throw error; });
  });
  const wasStopped = isStopped();
  tracking.value = 'off';
  if (wasStopped) say('Stopped. Nothing was changed.');
  if (!found) return false;
  track.value = found;
  const lost = found.filter(it => it === null).length;
  say(lost === 0 ? 'The model follows the eyes through the whole film. Step through it and look.'
    : `The model is not sure in ${lost} of ${found.length} frames: they are marked on the timeline. Label some of them.`);
  return true;
}

/** Takes the model's guess over for points of one's own. */
export function takeGuess(): void {
  if (guess.value?.frame === frame.value) propose('take the guess', guess.value.points);
}

export function setGaze(what: string, keys: readonly GazeKey[], key = ''): void {
  change(what, { ...now(), gaze: keys }, key);
}
