// The bar of all stances, grouped by layers. A clip dropped on a stance becomes a transition to it.
import { useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Mark } from './chip.tsx';
import { addStance, countOf } from './actions.ts';
import { dragging, dropOn } from './drag.ts';
import { byLayers, freshName, haveSameLayers, pathOf, type Stance, type Target } from './edit.ts';
import { choose, chosen, faultsOf, repertoire } from './selection.ts';
import { counted, layerWords, sentence } from './texts.ts';

function onKeyDown(event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const nodes = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>('button')];
  nodes[(nodes.indexOf(event.target as HTMLElement) + step + nodes.length) % nodes.length]?.focus();
}

export function StanceBar() {
  const groups = byLayers(repertoire.value.stances);
  return (
    <div class="rim" role="group" aria-label="Stances" onKeyDown={onKeyDown}>
      {groups.map(({ layers, stances }) => (
        <div key={layers.join()} class="rim-group" role="group" aria-label={`Stances: ${layerWords(layers)}`}>
          {groups.length > 1 && <span class="rim-title">{layerWords(layers)}</span>}
          {stances.map(stance => <Node key={stance.name} stance={stance} />)}
        </div>
      ))}
      <NewStance />
    </div>
  );
}

function Node({ stance }: { stance: Stance }) {
  const here = chosen.value, isChosen = here === stance;
  const found = useComputed(() => faultsOf(pathOf(repertoire.value.stances.indexOf(stance)), true)).value;
  const target: Target | null = here && !isChosen && haveSameLayers(here, stance) ? { group: 'transitions', stance: here.name, to: stance.name } : null;
  const count = (stance.gestures?.length ?? 0) + (stance.fidgets?.length ?? 0);
  return (
    <button type="button" class="rim-node" aria-pressed={isChosen} aria-label={stance.name} aria-description={counted(count, 'clip')} tabIndex={isChosen ? 0 : -1}
      data-clip={stance.clip ?? undefined} data-start={stance.start} data-end={stance.end ?? undefined}
      data-group={target ? 'transitions' : 'stance'} data-target={target ? 'true' : undefined}
      onClick={() => choose(stance.name)} {...(target ? dropOn(target) : {})}>
      <Mark found={found} />{stance.name} <span class="count">{count}</span>
      {target && dragging.value && <span class="promise" aria-hidden="true"><b>{sentence(countOf(dragging.value), target)}</b></span>}
    </button>
  );
}

/** Drop target for new stances; a click adds one with the neutral pose. */
export function NewStance() {
  const target: Target = { group: 'stance' }, dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" class="rim-node new-stance" data-group="stance" data-target="true" {...dropOn(target)} onClick={() => dialog.current?.showModal()}>
        + New stance
        {dragging.value && <span class="promise" aria-hidden="true"><b>{sentence(countOf(dragging.value), target)}</b></span>}
      </button>
      <dialog ref={dialog} class="place-menu" aria-label="New stance">
        <form method="dialog" onSubmit={event => {
          const field = event.currentTarget.elements.namedItem('name') as HTMLInputElement;
          if (field.value.trim()) void addStance(freshName(repertoire.value, field.value.trim()));
          field.value = '';
        }}>
          <h2>New stance</h2>
          <p class="soft">A pose that can be held, such as standing or sitting. It starts as the neutral pose; to use a clip, drop it on “New stance”.</p>
          <input name="name" aria-label="Name of the new stance" placeholder="Name, such as sitting" maxLength={200} autofocus />
          <div class="buttons"><button type="submit" class="main">Add</button><button type="button" onClick={() => dialog.current?.close()}>Cancel</button></div>
        </form>
      </dialog>
    </>
  );
}
