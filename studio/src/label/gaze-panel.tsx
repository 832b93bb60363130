// The gaze panel: gaze is set with keys by rotating an eyeball (paper 5).
import { api } from './api.ts';
import { busy, withProgress, film, frame, go, labelled, labels, points, showMessage, secsOf, track } from './state.ts';
import { LEAST_FOR_GUESS, setGaze, tryTrack } from './actions.ts';
import { Eyeball, gazeHere, setGazeFromHere } from './eyeball.tsx';
import { direction, gazeOf, glances, isOpen, keyAt, nextKey, type Person, personOf, proposedKeys, directionText, withKey, withoutKey } from './gaze.ts';
import { ActionButton } from './points-panel.tsx';
import type { GazeKey, Points } from './types.ts';

export function GazePanel() {
  const keys = labels.value?.gaze ?? [], holds = keyAt(keys, frame.value);
  return (
    <>
      <div class="steps">
        <p role="status" class="count"><strong>{keys.length}</strong> {keys.length === 1 ? 'gaze key' : 'gaze keys'} set</p>
        <p class="soft">Gaze rests, then jumps. Go to the frame where it jumps, and rotate the eyeball to match the eyes. The key holds until the next one.</p>
      </div>
      <section aria-label="Gaze">
        <h2>Gaze from frame {holds?.frame ?? 0} on</h2>
        <Eyeball />
        <p class="direction" role="status">{holds ? directionText(gazeHere()) : 'Not set. Drag the eyeball, or focus it and use the arrow keys.'}</p>
        {holds?.guessed && <p class="soft">Proposed. Correct it, or press K to confirm.</p>}
        <div class="buttons">
          <ActionButton label="Propose from iris" keys="P" title="Estimate the gaze from the iris position between the corners" disabled={!seen()} act={proposeHere} />
          {film.value?.isDrawn && <ActionButton label="Show true gaze" disabled={busy.value !== null} title="This video is synthetic, so the true gaze is known" act={() => void showDrawn()} />}
        </div>
        <div class="buttons">
          <ActionButton label="Set key" keys="K" title="Set a key at this frame with the current direction" act={keyHere} />
          <ActionButton label="Remove key" keys="Del" disabled={holds?.frame !== frame.value} act={removeKey} />
        </div>
        <div class="buttons">
          <ActionButton label="Previous key" keys="[" disabled={!nextKey(keys, frame.value, -1)} act={() => toKey(-1)} />
          <ActionButton label="Next key" keys="]" disabled={!nextKey(keys, frame.value, 1)} act={() => toKey(1)} />
        </div>
      </section>
      <section aria-label="Proposals">
        <h2>Proposals</h2>
        <p class="soft">{learned(person().keys)} Changes below 3° are ignored.</p>
        <div class="buttons"><ActionButton label="Propose for labelled frames" disabled={labelled.value.length === 0} act={() => take(proposedKeys(labelled.value, person()))} /></div>
        <div class="buttons"><ActionButton label="Propose for whole video" disabled={labelled.value.length < LEAST_FOR_GUESS || busy.value !== null} act={() => void proposeTracked()}
          title="Track the whole video and find the fixations" /></div>
      </section>
    </>
  );
}

/** Explains how "ahead" and the scale were estimated. */
function learned(keys: number): string {
  if (keys === 0) return 'Straight ahead is assumed half way between the corners. Each key that you set on a labelled frame improves the proposals.';
  return `Calibrated with ${keys === 1 ? 'the key' : `the ${keys} keys`} that you set on labelled frames. More keys improve the proposals.`;
}

/** The labelled or tracked points of the current frame. */
const seen = (): Points | null | undefined => points.value ?? track.value?.[frame.value];

/** Calibration for this person. */
const person = (): Person => personOf(labels.value?.frames ?? [], labels.value?.gaze ?? []);

export function proposeHere(): void {
  const eyes = seen();
  if (!eyes) return showMessage('This frame has no points, so the gaze cannot be estimated. Add points first.');
  if (!isOpen(eyes)) return showMessage('The eyes are closed here, so the gaze cannot be estimated. Choose a frame with open eyes.');
  setGazeFromHere(gazeOf(eyes, person()), '', true);
}

/** Shows the true gaze of a frame of a synthetic video. */
async function showDrawn(): Promise<void> {
  const number = frame.value, before = keyAt(labels.value!.gaze, number);
  const found = await withProgress('Loading the true gaze', () => api.truth(number));
  if (!found || number !== frame.value) return;
  const drawn = direction(found.yawDeg, found.pitchDeg);
  setGazeFromHere(drawn, '');
  showMessage(before ? `Your gaze was ${Math.hypot(before.yawDeg - drawn.yawDeg, before.pitchDeg - drawn.pitchDeg).toFixed(1)}° off. Press Ctrl+Z to restore it.` : 'This is the true gaze.');
}

export function keyHere(): void {
  const { yawDeg, pitchDeg } = gazeHere();
  setGazeFromHere({ yawDeg, pitchDeg }, '');
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

/** Adds proposed keys. Keys set by hand stay. */
function take(keys: readonly GazeKey[]): void {
  const mine = labels.value!.gaze, found = keys.filter(({ frame }) => !mine.some(key => key.frame === frame));
  setGaze('propose gaze', found.reduce(withKey, mine));
  showMessage(found.length === 0 ? 'No new keys found.' : `${found.length} ${found.length === 1 ? 'key' : 'keys'} proposed, from ${secsOf(found[0]!.frame).toFixed(2)} s on. Check each of them.`);
}
