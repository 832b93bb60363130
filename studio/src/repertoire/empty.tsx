// The empty repertoire: first steps.
import { dragging, dropBeside } from './drag.ts';
import { acceptAll, isProposing } from './actions.ts';
import { AddClips } from './library.tsx';
import { NewStance } from './stance-bar.tsx';
import { reading } from '../state.ts';
import { acceptable, clips } from './selection.ts';
import { counted } from './texts.ts';

export function Empty() {
  const count = clips.value.length, ready = acceptable.value.length;
  return (
    <div class="empty" {...dropBeside()}>
      <svg viewBox="0 0 220 120" aria-hidden="true">
        <g class="empty-lines"><path d="M110 60 H40 M110 60 H180 M110 60 V104" /></g>
        <circle cx="110" cy="56" r="26" class="empty-stance" />
        <circle cx="34" cy="60" r="16" class="empty-gesture" /><circle cx="186" cy="60" r="16" class="empty-fidget" /><circle cx="110" cy="106" r="12" class="empty-transition" />
      </svg>
      <h2>{reading.value ? 'Importing clips …' : count === 0 ? 'Drop clips here' : `${counted(count, 'unplaced clip')}`}</h2>
      {count === 0
        ? <p>Vivant analyses their motion and proposes stances, gestures, fidgets and transitions.<br />BVH, FBX, GLB, glTF or VRMA; any number, or whole folders.</p>
        : <p>{isProposing.value ? 'Analysing motion …' : 'Accept the proposals, or drag a clip onto “New stance”.'}</p>}
      <div class="buttons">
        {ready > 0 && <button type="button" class="main" onClick={() => void acceptAll()}>Accept all</button>}
        <AddClips />
        <NewStance />
      </div>
      {dragging.value && 'files' in dragging.value && <span class="promise" aria-hidden="true"><b>Drop to add clips</b></span>}
    </div>
  );
}
