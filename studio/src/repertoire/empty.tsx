// What there is to do where there is no stance yet.
import { dragging, dropBeside } from './drag.ts';
import { acceptAll, isProposing } from './deeds.ts';
import { AddClips } from './library.tsx';
import { NewStance } from './rim.tsx';
import { reading } from '../state.ts';
import { acceptable, clips } from './selection.ts';
import { counted } from './words.ts';

export function Empty() {
  const count = clips.value.length, ready = acceptable.value.length;
  return (
    <div class="empty" {...dropBeside()}>
      <svg viewBox="0 0 220 120" aria-hidden="true">
        <g class="empty-lines"><path d="M110 60 H40 M110 60 H180 M110 60 V104" /></g>
        <circle cx="110" cy="56" r="26" class="empty-stance" />
        <circle cx="34" cy="60" r="16" class="empty-gesture" /><circle cx="186" cy="60" r="16" class="empty-fidget" /><circle cx="110" cy="106" r="12" class="empty-transition" />
      </svg>
      <h2>{reading.value ? 'Reading clips …' : count === 0 ? 'Drop clips here' : `${counted(count, 'clip')} wait${count === 1 ? 's' : ''} for a place`}</h2>
      {count === 0
        ? <p>Vivant looks at their motion and proposes where they belong: stances, gestures, fidgets and the ways between stances.<br />BVH, FBX, GLB, glTF or VRMA; many at once, or whole folders.</p>
        : <p>{isProposing.value ? 'Vivant looks at their motion …' : 'Accept what their motion suggests, or drag one onto “New stance”.'}</p>}
      <div class="buttons">
        {ready > 0 && <button type="button" class="main" onClick={() => void acceptAll()}>Accept them all</button>}
        <AddClips />
        <NewStance />
      </div>
      {dragging.value && 'files' in dragging.value && <span class="promise" aria-hidden="true"><b>Drop to add the clips</b></span>}
    </div>
  );
}
