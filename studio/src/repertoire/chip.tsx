// One gesture, fidget or transition of the graph.
import { useComputed } from '@preact/signals';
import type { Fault } from '../protocol.ts';
import { faultWords, nameOf, sideOf, type Entry } from './edit.ts';
import type { ListState } from './listbox.ts';
import { faultsOf, selectedPaths } from './selection.ts';

const SIDE_WORDS = { L: 'left hand', R: 'right hand', LR: 'both hands' };

/** Returns the colour class of the first well-known tag. */
function toneOf(tags: readonly string[]): string | undefined {
  return ['positive', 'negative', 'beat', 'deictic'].find(tag => tags.includes(tag)) ?? (tags.length > 0 ? 'other' : undefined);
}

export function Mark({ found }: { found: readonly Fault[] }) {
  const first = found[0];
  if (!first) return null;
  return (
    <span class={first.isWarning ? 'mark warning-text' : 'mark fault-text'} title={found.map(faultWords).join('\n')}
      role="img" aria-label={first.isWarning ? 'Warning' : 'Error'}>{first.isWarning ? '▲' : '✖'}</span>
  );
}

function describe(entry: Entry, found: readonly Fault[]): string {
  const side = sideOf(entry.hand), faults = found.map(fault => `${fault.isWarning ? 'warning' : 'error'}: ${faultWords(fault)}`);
  return [...(side ? [SIDE_WORDS[side]] : []), ...(entry.tags ?? []), ...(entry.likelihood === 0 ? ['only on request'] : []), ...faults].join(', ');
}

export function Chip({ path, entry, state, isFallback }: { path: string; entry: Entry; state: ListState; isFallback: boolean }) {
  const isSelected = useComputed(() => selectedPaths.value.has(path)).value;
  const isActive = useComputed(() => state.active.value === path).value;
  const found = useComputed(() => faultsOf(path)).value, side = sideOf(entry.hand);
  return (
    <li class="chip" role="option" aria-label={nameOf(entry)} aria-description={describe(entry, found)} aria-selected={isSelected}
      tabIndex={isActive || isFallback ? 0 : -1} draggable data-id={path} data-path={path} data-clip={entry.clip ?? undefined}
      data-start={entry.start} data-end={entry.end ?? undefined} data-rare={entry.likelihood === 0 || undefined} title={entry.tags?.join(', ')}>
      <Mark found={found} />
      <span class="chip-name">{nameOf(entry)}</span>
      {side && <span class="hand">{side}</span>}
      {toneOf(entry.tags ?? []) && <span class="tone" data-tone={toneOf(entry.tags ?? [])} />}
    </li>
  );
}
