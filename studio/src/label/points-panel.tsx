// The points panel: actions for the points of a frame, in the order of work.
import { apart, apertureOf, eyeOf, nameOf, rounded, SIDES } from './points.ts';
import { busy, ENOUGH, film, frame, guess, here, labelled, points, selected } from './state.ts';
import { add, copy, findFace, LEAST_FOR_GUESS, makeGuess, mirror, movePoint, next, placeByHand, remove, reset, showTruth, closeEyes, useGuess, tryTrack } from './actions.ts';

export function PointsPanel() {
  return <><Steps /><Propose /><Correct /><Finish /></>;
}

/** A button with its keyboard shortcut. */
interface ActionButtonProps { label: string; keys?: string; title?: string; act: () => void; isMain?: boolean; disabled?: boolean }
export const ActionButton = ({ label, keys, title, act, isMain = false, disabled = false }: ActionButtonProps) => (
  <button type="button" class={isMain ? 'main' : ''} title={title} disabled={disabled} onClick={act} aria-keyshortcuts={keys}>
    {label}{keys && <kbd aria-hidden="true">{keys}</kbd>}
  </button>
);

function Steps() {
  const many = labelled.value.length;
  return (
    <div class="steps">
      <p role="status" class="count"><strong>{many}</strong> of about {ENOUGH} frames labelled</p>
      <progress aria-label="Labelled frames" max={ENOUGH} value={Math.min(many, ENOUGH)} />
      <p class="soft">{advice(many)}</p>
    </div>
  );
}

function advice(many: number): string {
  if (many === 0) return 'Place 18 points on the eyes of this frame. Start with the face finder.';
  if (many < LEAST_FOR_GUESS) return `After ${LEAST_FOR_GUESS} frames the model guesses the points and you only correct them.`;
  if (many < ENOUGH) return 'Label different frames: eyes closed, half closed, looking aside, up and down.';
  return 'Enough for a good model. Track the video, and label frames where the result is wrong.';
}

function Propose() {
  const isBusy = busy.value !== null, canGuess = labelled.value.filter(it => it.frame !== frame.value).length >= LEAST_FOR_GUESS;
  return (
    <section aria-label="Propose">
      <h2>1. Get points</h2>
      <div class="buttons">
        <ActionButton label="Guess" keys="G" isMain={canGuess && !points.value} disabled={isBusy || !canGuess} act={() => void makeGuess()}
          title={canGuess ? 'Find the points with the model of the labelled frames' : `Needs ${LEAST_FOR_GUESS} other labelled frames`} />
        <ActionButton label="Find face" keys="F" isMain={!canGuess && !points.value} disabled={isBusy} title="Find the points with MediaPipe's face mesh" act={() => void findFace()} />
        <ActionButton label="Copy last" keys="C" title="Copy the points of the last labelled frame" act={copy} />
        <ActionButton label="Place points" title="Place the points of two default eyes to drag" act={placeByHand} />
        {film.value?.isDrawn && <ActionButton label="Show true points" disabled={isBusy} title="This video is synthetic, so the true points are known" act={() => void showTruth()} />}
        {canGuess && <ActionButton label="Track whole video" keys="T" disabled={isBusy} title="Track the eyes through the video, and mark frames where the model is uncertain" act={() => void tryTrack()} />}
      </div>
    </section>
  );
}

/** The quality of a guess, and its distance from the user's points. */
export function GuessInfo() {
  const it = guess.value;
  if (it?.frame !== frame.value) return null;
  const off = points.value && !here.value?.guessed ? apart(it.points, points.value) : null;
  const word = !it.trusted ? 'doubtful' : it.error <= 1.2 * it.usual ? 'good' : 'fair';
  return (
    <div class={`guessed ${word}`} role="status">
      <p><strong>{word[0]!.toUpperCase() + word.slice(1)} guess</strong> from {it.learnedFrom} frames. {percent(it.error)} of the image is unexplained; {percent(it.usual)} is usual.</p>
      {off !== null && <p>{off.toFixed(2)} px from your points, on average. <button type="button" class="quiet" onClick={useGuess}>Use guess</button></p>}
      {!it.trusted && <p>This frame differs from the labelled ones: correcting it improves the model most.</p>}
    </div>
  );
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

function Correct() {
  const it = points.value;
  return (
    <section aria-label="Correct">
      <h2>2. Correct them</h2>
      <p class="soft">Drag points, or use Tab and arrow keys. Shift+drag moves all.</p>
      {it && <Selected />}
      <div class="buttons">
        <ActionButton label="Close eyes" keys="S" title="Move the upper lids onto the lower ones (Shift+S: only the eye of the selected point)" disabled={!it} act={() => closeEyes()} />
        <ActionButton label="Mirror" keys="M" title="Mirror the selected eye to the other one" disabled={!it} act={mirror} />
        <ActionButton label="Reset" keys="R" title="Restore the original points" disabled={!it} act={reset} />
        <ActionButton label="Remove" keys="Del" title="Remove the points of this frame" disabled={!it} act={remove} />
      </div>
      {it && <p class="opening soft">Aperture: {SIDES.map(side => `${side} ${Math.max(0, 100 * apertureOf(eyeOf(it, side))).toFixed(0)} %`).join(', ')} of the eye width</p>}
    </section>
  );
}

function Selected() {
  const index = selected.value, at = index === null ? undefined : points.value?.[index];
  if (index === null || !at) return null;
  const field = (axis: 0 | 1, name: string) => (
    <label>{name}<input type="number" step="0.1" value={at[axis].toFixed(1)} aria-label={`${name} of ${nameOf(index)}`}
      onChange={event => movePoint(index, axis === 0 ? [rounded(event.currentTarget.valueAsNumber || 0), at[1]] : [at[0], rounded(event.currentTarget.valueAsNumber || 0)], '')} /></label>
  );
  return <div class="chosen"><strong>{nameOf(index)}</strong>{field(0, 'x')}{field(1, 'y')}</div>;
}

function Finish() {
  const it = here.value;
  const state = !it ? 'no points yet' : it.guessed ? 'proposed: please check' : 'labelled';
  return (
    <section aria-label="Finish" class="finish">
      <h2>3. Add the frame <span class={it && !it.guessed ? 'is-labelled' : 'soft'}>{state}</span></h2>
      <div class="buttons">
        <ActionButton label="Add" keys="Enter" isMain={it?.guessed ?? false} disabled={!it?.guessed} title="Confirm the points, so that the model learns from them" act={add} />
        <ActionButton label="Next" keys="N" isMain={it !== undefined && !it.guessed} title="Go to the next suggested frame" act={() => void next()} />
      </div>
    </section>
  );
}
