// “3 things to mend”: all that is wrong, each with the way to it.
import { signal } from '@preact/signals';
import type { Fault } from '../protocol.ts';
import { entryAt, faultWords, nameOf, parsePath, whereIs } from './edit.ts';
import { faults, goTo, repertoire } from './selection.ts';
import { counted } from './words.ts';

const isOpen = signal(false);

/** The place of a fault, for people. */
function placeOf(path: string): string {
  const place = parsePath(path);
  if (!place) return path;
  const at = path.replace(/(\])\.[^[\]]*$/, '$1'), entry = entryAt(repertoire.value, at);
  return entry ? `${nameOf(entry)}, ${whereIs(repertoire.value, at)}` : whereIs(repertoire.value, path);
}

/** That an empty character has no stance is no surprise: the middle says what to do. */
const isWorthSaying = ({ path }: Fault): boolean => path !== 'stances' || repertoire.value.stances.length > 0;

export function FaultList() {
  const all = faults.value.filter(isWorthSaying), errors = all.filter(fault => !fault.isWarning).length;
  if (all.length === 0) return null;
  return (
    <div class="fault-list" onKeyDown={event => { if (event.key === 'Escape') isOpen.value = false; }}>
      <button type="button" aria-expanded={isOpen.value} class={errors > 0 ? 'fault-text' : 'warning-text'} onClick={() => { isOpen.value = !isOpen.value; }}>
        {errors > 0 ? '✖' : '▲'} {counted(all.length, 'thing')} to mend
      </button>
      {isOpen.value && <ul aria-label="Things to mend">{all.map((fault, index) => <Item key={index} fault={fault} />)}</ul>}
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
