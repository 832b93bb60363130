// The “Place…” dialog: places clips by keyboard.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { showMessage } from '../state.ts';
import { accept, acceptableSelected, movePaths, placeClips } from './actions.ts';
import { haveSameLayers, type Target } from './edit.ts';
import { chosen, focusSoon, repertoire, selectedClips, selectedPaths } from './selection.ts';
import { counted } from './texts.ts';

const isOpen = signal(false);
const query = signal('');

/** Opens the dialog for the selection. */
export function openPlaceMenu(): void {
  query.value = '';
  isOpen.value = selectedClips.value.size + selectedPaths.value.size > 0;
  if (!isOpen.value) showMessage('Select clips first.');
}

interface Item { name: string; act: () => Promise<void> }

/** Returns the targets: lists and transitions of the selected stance first, then the lists of other stances. */
function targets(): Target[] {
  const here = chosen.value, others = repertoire.value.stances.filter(stance => stance !== here);
  if (!here) return [{ group: 'stance' }];
  return [
    { group: 'gestures', stance: here.name }, { group: 'fidgets', stance: here.name },
    ...others.filter(stance => haveSameLayers(stance, here)).map(({ name }): Target => ({ group: 'transitions', stance: here.name, to: name })),
    { group: 'stance' },
    ...others.flatMap(({ name }): Target[] => [{ group: 'gestures', stance: name }, { group: 'fidgets', stance: name }]),
  ];
}

function nameOf(target: Target): string {
  if (target.group === 'stance') return 'New stance';
  if (target.group === 'transitions') return `Transition from ${target.stance} to ${target.to}`;
  return `${target.group === 'gestures' ? 'Gesture' : 'Fidget'} of ${target.stance}`;
}

function items(): Item[] {
  const clips = [...selectedClips.value], paths = [...selectedPaths.value], open = acceptableSelected();
  const proposed: Item[] = open.length > 0 ? [{ name: 'As proposed', act: () => accept(open) }] : [];
  const all = targets().map((target): Item => ({
    name: nameOf(target), act: () => clips.length > 0 ? placeClips(clips, target) : movePaths(paths, target),
  }));
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  return [...proposed, ...all].filter(item => words.every(word => item.name.toLowerCase().includes(word)));
}

function close(): void {
  isOpen.value = false;
  focusSoon('.clip-list [tabindex="0"], .graph [role="option"][tabindex="0"]');
}

function onKeyDown(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const stops = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>('input, [role="menuitem"]')];
  const next = stops.indexOf(document.activeElement as HTMLElement) + step;
  stops[(next + stops.length) % stops.length]?.focus();
}

export function PlaceMenu() {
  const dialog = useRef<HTMLDialogElement>(null), open = isOpen.value;
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  const found = open ? items() : [];
  const run = (item: Item | undefined): void => {
    if (!item) return;
    close();
    void item.act();
  };
  return (
    <dialog ref={dialog} class="place-menu" aria-label="Place" onClose={close} onKeyDown={onKeyDown}
      onClick={event => { if (event.target === dialog.current) close(); }}>
      {open && <>
        <h2>Place {counted(selectedClips.value.size + selectedPaths.value.size, 'clip')} as</h2>
        <input type="search" aria-label="Search places" placeholder="Type to find a place" autofocus value={query.value}
          onInput={event => { query.value = event.currentTarget.value; }}
          onKeyDown={event => { if (event.key === 'Enter') { event.preventDefault(); run(found[0]); } }} />
        <ul role="menu" aria-label="Places">
          {found.map(item => <li key={item.name} role="none"><button type="button" role="menuitem" onClick={() => run(item)}>{item.name}</button></li>)}
        </ul>
        {found.length === 0 && <p class="soft">No place matches the search.</p>}
      </>}
    </dialog>
  );
}

