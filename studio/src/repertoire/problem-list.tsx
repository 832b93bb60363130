// “3 problems”: the list of all errors and warnings, with links to their places.
import { signal } from '@preact/signals';
import type { Fault } from '../protocol.ts';
import { entryAt, faultWords, nameOf, parsePath, whereIs } from './edit.ts';
import { faults, goTo, repertoire } from './selection.ts';
import { counted } from './texts.ts';

const isOpen = signal(false);

/** Describes the place of an error. */
function placeOf(path: string): string {
  const place = parsePath(path);
  if (!place) return path;
  const at = path.replace(/(\])\.[^[\]]*$/, '$1'), entry = entryAt(repertoire.value, at);
  return entry ? `${nameOf(entry)}, ${whereIs(repertoire.value, at)}` : whereIs(repertoire.value, path);
}

/** Hides the missing-stance error of an empty character, because the empty graph explains what to do. */
const isWorthSaying = ({ path }: Fault): boolean => path !== 'stances' || repertoire.value.stances.length > 0;

export function ProblemList() {
  const all = faults.value.filter(isWorthSaying), errors = all.filter(fault => !fault.isWarning).length;
  if (all.length === 0) return null;
  return (
    <div class="fault-list" onKeyDown={event => { if (event.key === 'Escape') isOpen.value = false; }}>
      <button type="button" aria-expanded={isOpen.value} class={errors > 0 ? 'fault-text' : 'warning-text'} onClick={() => { isOpen.value = !isOpen.value; }}>
        {errors > 0 ? '✖' : '▲'} {counted(all.length, 'problem')}
      </button>
      {isOpen.value && <ul aria-label="Problems">{all.map((fault, index) => <Item key={index} fault={fault} />)}</ul>}
    </div>
  );
}

function Item({ fault }: { fault: Fault }) {
  const isHere = parsePath(fault.path) !== null;
  return (
    <li>
      <button type="button" disabled={!isHere} onClick={() => { isOpen.value = false; goTo(fault.path); }}>
        <b class={fault.isWarning ? 'warning-text' : 'fault-text'}>{fault.isWarning ? '▲ Warning' : '✖ Error'}</b> {placeOf(fault.path)}
        <span class="message">{faultWords(fault)}</span>
      </button>
    </li>
  );
}
