// Where the eyes look: set by turning an eyeball, frame by frame (paper 5).
import { api } from './api.ts';
import { busy, during, film, frame, go, labelled, labels, points, say, secsOf, track } from './desk.ts';
import { LEAST_FOR_GUESS, setGaze, tryTrack } from './deeds.ts';
import { Eyeball, gazeHere, lookFromHere } from './eyeball.tsx';
import { direction, gazeOf, glances, isOpen, keyAt, nextKey, type Person, personOf, proposedKeys, said, withKey, withoutKey } from './gaze.ts';
import { Do } from './panel.tsx';
import type { GazeKey, Points } from './types.ts';

export function GazePanel() {
  const keys = labels.value?.gaze ?? [], holds = keyAt(keys, frame.value);
  return (
    <>
      <div class="steps">
        <p role="status" class="count"><strong>{keys.length}</strong> {keys.length === 1 ? 'glance' : 'glances'} set</p>
        <p class="soft">Gaze rests, then jumps. Go to the frame where it jumps, and turn the eyeball until it looks as the eyes do. It holds until the next key.</p>
      </div>
      <section aria-label="Gaze">
        <h2>Gaze from frame {holds?.frame ?? 0} on</h2>
        <Eyeball />
        <p class="direction" role="status">{holds ? said(gazeHere()) : 'Not set yet: drag the eyeball, or use the arrow keys on it.'}</p>
        {holds?.guessed && <p class="soft">Proposed. Turn it where it is off, or press K where it is right.</p>}
        <div class="buttons">
          <Do label="From the iris" keys="P" title="As the iris lies between the corners of the eyes" disabled={!seen()} act={proposeHere} />
          {film.value?.isDrawn && <Do label="As it was drawn" disabled={busy.value !== null} title="This film is drawn, so it is known where the eyes look" act={() => void showDrawn()} />}
        </div>
        <div class="buttons">
          <Do label="Key here" keys="K" title="Begin a glance at this frame, with the same direction" act={keyHere} />
          <Do label="Remove key" keys="Del" disabled={holds?.frame !== frame.value} act={removeKey} />
        </div>
        <div class="buttons">
          <Do label="Key before" keys="[" disabled={!nextKey(keys, frame.value, -1)} act={() => toKey(-1)} />
          <Do label="Key after" keys="]" disabled={!nextKey(keys, frame.value, 1)} act={() => toKey(1)} />
        </div>
      </section>
      <section aria-label="Proposals">
        <h2>Proposals</h2>
        <p class="soft">{learned(person().keys)} Glances below 3° are left out.</p>
        <div class="buttons"><Do label="From all labelled frames" disabled={labelled.value.length === 0} act={() => take(proposedKeys(labelled.value, person()))} /></div>
        <div class="buttons"><Do label="From the tracked film" disabled={labelled.value.length < LEAST_FOR_GUESS || busy.value !== null} act={() => void proposeTracked()}
          title="Follow the eyes through the whole film, and find where they rest" /></div>
      </section>
    </>
  );
}

/** Where "ahead" and how far a turn reaches come from. */
function learned(keys: number): string {
  if (keys === 0) return 'Straight ahead is half way between the corners. Proposals get better with each key that you set on a labelled frame.';
  return `Learned from ${keys === 1 ? 'the key' : `the ${keys} keys`} that you set on labelled frames: each more makes proposals better.`;
}

/** The points of this frame: as they are labelled, or as they were tracked. */
const seen = (): Points | null | undefined => points.value ?? track.value?.[frame.value];

/** What is known of this person's eyes. */
const person = (): Person => personOf(labels.value?.frames ?? [], labels.value?.gaze ?? []);

export function proposeHere(): void {
  const eyes = seen();
  if (!eyes) return say('This frame has no points to see the gaze from.');
  if (!isOpen(eyes)) return say('The eyes are shut here: the iris does not tell where they look.');
  lookFromHere(gazeOf(eyes, person()), '', true);
}

/** In a film that was drawn it is known where the eyes look: to learn from. */
async function showDrawn(): Promise<void> {
  const number = frame.value, before = keyAt(labels.value!.gaze, number);
  const found = await during('Looking it up', () => api.truth(number));
  if (!found || number !== frame.value) return;
  const drawn = direction(found.yawDeg, found.pitchDeg);
  lookFromHere(drawn, '');
  say(before ? `The gaze was ${Math.hypot(before.yawDeg - drawn.yawDeg, before.pitchDeg - drawn.pitchDeg).toFixed(1)}° from where the eyes were drawn to look. Ctrl+Z brings it back.` : 'This is where the eyes were drawn to look.');
}

export function keyHere(): void {
  const { yawDeg, pitchDeg } = gazeHere();
  lookFromHere({ yawDeg, pitchDeg }, '');
}

export function removeKey(): void {
  setGaze('remove a gaze key', withoutKey(labels.value!.gaze, frame.value));
}

export function toKey(step: 1 | -1): void {
  const key = nextKey(labels.value?.gaze ?? [], frame.value, step);
  if (key) go(key.frame);
}

async function proposeTracked(): Promise<void> {
  if (!await tryTrack()) return;
  const frames = track.value!.flatMap((points, frame) => points ? [{ frame, secs: secsOf(frame), points }] : []);
  take(glances(frames, personOf(frames, labels.value!.gaze)));
}

/** Keys that were set by hand stay. */
function take(keys: readonly GazeKey[]): void {
  const mine = labels.value!.gaze, found = keys.filter(({ frame }) => !mine.some(key => key.frame === frame));
  setGaze('propose gaze', found.reduce(withKey, mine));
  say(found.length === 0 ? 'There is nothing new.' : `${found.length} ${found.length === 1 ? 'key' : 'keys'} proposed, from ${secsOf(found[0]!.frame).toFixed(2)} s on. Look at each.`);
}
