// What can be done with the points of a frame, in the order in which it is done.
import { apart, apertureOf, eyeOf, nameOf, rounded, SIDES } from './points.ts';
import { busy, ENOUGH, film, frame, guess, here, labelled, points, selected } from './desk.ts';
import { add, copy, findFace, LEAST_FOR_GUESS, makeGuess, mirror, movePoint, next, placeByHand, remove, reset, showTruth, shutEyes, takeGuess, tryTrack } from './deeds.ts';

export function PointsPanel() {
  return <><Steps /><Propose /><Correct /><Finish /></>;
}

/** A button with its key. */
interface DoProps { label: string; keys?: string; title?: string; act: () => void; isMain?: boolean; disabled?: boolean }
export const Do = ({ label, keys, title, act, isMain = false, disabled = false }: DoProps) => (
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
  if (many === 0) return 'Put 18 points on the eyes of this frame. The face finder makes a start.';
  if (many < LEAST_FOR_GUESS) return `After ${LEAST_FOR_GUESS} frames the model makes guesses of its own, which you only correct.`;
  if (many < ENOUGH) return 'Take frames that differ: shut, half shut, looking aside, up and down. The guesses get better.';
  return 'That is enough for a good model. Track the film, and come back for frames where it is off.';
}

function Propose() {
  const isBusy = busy.value !== null, canGuess = labelled.value.filter(it => it.frame !== frame.value).length >= LEAST_FOR_GUESS;
  return (
    <section aria-label="Propose">
      <h2>1. Get points</h2>
      <div class="buttons">
        <Do label="Guess" keys="G" isMain={canGuess && !points.value} disabled={isBusy || !canGuess} act={() => void makeGuess()}
          title={canGuess ? 'Let the model of the labelled frames find the points' : `Needs ${LEAST_FOR_GUESS} other labelled frames`} />
        <Do label="Find the face" keys="F" isMain={!canGuess && !points.value} disabled={isBusy} title="Let MediaPipe's face mesh find the points" act={() => void findFace()} />
        <Do label="Copy last" keys="C" title="Take the points of the last labelled frame" act={copy} />
        <Do label="By hand" title="Two plain eyes to drag" act={placeByHand} />
        {film.value?.isDrawn && <Do label="As it was drawn" disabled={isBusy} title="This film is drawn, so it is known where the points are" act={() => void showTruth()} />}
        {canGuess && <Do label="Try it on the whole film" keys="T" disabled={isBusy} title="Let the model follow the eyes through the film, and see where it is not sure" act={() => void tryTrack()} />}
      </div>
    </section>
  );
}

/** What the model thinks of its own guess, and how far it is from what a person says. */
export function Guessed() {
  const it = guess.value;
  if (it?.frame !== frame.value) return null;
  const off = points.value && !here.value?.guessed ? apart(it.points, points.value) : null;
  const word = !it.trusted ? 'doubtful' : it.error <= 1.2 * it.usual ? 'good' : 'fair';
  return (
    <div class={`guessed ${word}`} role="status">
      <p><strong>{word[0]!.toUpperCase() + word.slice(1)} guess</strong> from {it.learnedFrom} frames. It leaves {percent(it.error)} of the picture unexplained; {percent(it.usual)} is usual.</p>
      {off !== null && <p>{off.toFixed(2)} px from your points, on average. <button type="button" class="quiet" onClick={takeGuess}>Take the guess</button></p>}
      {!it.trusted && <p>Something here is new to the model: correct it, and it has learned the most.</p>}
    </div>
  );
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

function Correct() {
  const it = points.value;
  return (
    <section aria-label="Correct">
      <h2>2. Correct them</h2>
      <p class="soft">Drag, or Tab and arrow keys. Shift-drag: all.</p>
      {it && <Selected />}
      <div class="buttons">
        <Do label="Shut eyes" keys="S" title="Bring the upper lids onto the lower ones (Shift+S: only the eye of the chosen point)" disabled={!it} act={() => shutEyes()} />
        <Do label="Mirror" keys="M" title="Make the other eye the mirror image of the chosen one" disabled={!it} act={mirror} />
        <Do label="Reset" keys="R" title="Back to how the points came" disabled={!it} act={reset} />
        <Do label="Remove" keys="Del" title="Take the points off this frame" disabled={!it} act={remove} />
      </div>
      {it && <p class="opening soft">Open: {SIDES.map(side => `${side} ${Math.max(0, 100 * apertureOf(eyeOf(it, side))).toFixed(0)} %`).join(', ')} of the width</p>}
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
  const state = !it ? 'no points yet' : it.guessed ? 'proposed: look closely' : 'labelled';
  return (
    <section aria-label="Finish" class="finish">
      <h2>3. Add it <span class={it && !it.guessed ? 'is-labelled' : 'soft'}>{state}</span></h2>
      <div class="buttons">
        <Do label="Add" keys="Enter" isMain={it?.guessed ?? false} disabled={!it?.guessed} title="The points are right: let the model learn from them" act={add} />
        <Do label="Next" keys="N" isMain={it !== undefined && !it.guessed} title="To the next suggested frame" act={() => void next()} />
      </div>
    </section>
  );
}
