// The meta-graph (paper 4, Figures 2 and 3): the selected stance with its gestures, fidgets and transitions.
import { useEffect } from 'preact/hooks';
import { documentKeys } from '../keys.ts';
import { character, mode } from '../state.ts';
import { Chip, Mark } from './chip.tsx';
import { acceptAll, countOf, removePaths } from './actions.ts';
import { dragging, dropBeside, dropOn, onDragEnd, onDragLeaveView, onDragStart } from './drag.ts';
import { entryAt, isFirst, listOf, pathOf, transitionsBetween, type Group, type Stance, type Target, type StanceTransitions } from './edit.ts';
import { Empty } from './empty.tsx';
import { ProblemList } from './problem-list.tsx';
import { previews, stopPreview } from './hover.ts';
import { useHasActive, useListbox } from './listbox.ts';
import { Overview } from './overview.tsx';
import { openPlaceMenu, PlaceMenu } from './place-menu.tsx';
import { StanceBar } from './stance-bar.tsx';
import { focusSearch, Search } from './search.tsx';
import { choose, chosen, chosenIndex, faultsOf, isOverview, repertoire, selectedPaths, selectPaths } from './selection.ts';
import { counted, sentence } from './texts.ts';
import './repertoire.css';
import './graph.css';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Keys of the view: A or Ctrl+Enter accepts, P places, / searches, O shows the overview. */
function onKeyDown(event: KeyboardEvent): void {
  if (mode.value !== 'repertoire' || event.altKey || event.metaKey || document.querySelector('dialog[open]')) return;
  const accepts = event.ctrlKey && event.key === 'Enter';
  if (!accepts && (event.ctrlKey || event.defaultPrevented || isTyping(event.target))) return;
  const actions: Record<string, () => unknown> = { a: acceptAll, p: openPlaceMenu, '/': focusSearch, o: toggleOverview };
  const action = accepts ? acceptAll : actions[event.key.toLowerCase()];
  if (!action) return;
  event.preventDefault();
  void action();
}

documentKeys('Repertoire', [
  ['A · Ctrl+Enter', 'Accept all proposals'],
  ['/', 'Search everything'],
  ['O', 'Show the overview of all stances'],
  ['P', 'Place or move the selection'],
  ['In a list: arrows, Space, Shift + arrows, Ctrl+A', 'Move, toggle one, extend, select all'],
  ['Enter', 'Accept the clip’s proposal, or show its place'],
  ['Delete', 'Remove from the graph; in the list of clips, skip the proposal'],
]);

const toggleOverview = (): void => { isOverview.value = !isOverview.value; };

export function Graph() {
  useEffect(() => {
    // On the document, so that it runs before the studio's keys on the window.
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      stopPreview();
    };
  }, []);
  const it = character.value;
  return (
    <section class="graph" aria-label="Graph" data-dragging={dragging.value ? 'true' : undefined} {...previews}
      {...dropBeside()} onDragStart={onDragStart} onDragEnd={onDragEnd} onDragLeaveCapture={onDragLeaveView}>
      <div class="graph-bar">
        <Search />
        <ProblemList />
        <span class="space" />
        <button type="button" aria-pressed={isOverview.value} title="Key O" onClick={toggleOverview}>Overview</button>
      </div>
      {it && (isOverview.value ? <Overview /> : <Meta />)}
      <PlaceMenu />
    </section>
  );
}

function Meta() {
  const stance = chosen.value;
  if (!stance) return <Empty />;
  return (
    <>
      <StanceBar />
      <div class="meta">
        <Group group="gestures" title="Gestures" stance={stance} hint="Intentional movements: waves, beats, shrugs" />
        <Middle stance={stance} />
        <Group group="fidgets" title="Fidgets" stance={stance} hint="Small movements without meaning: scratches, sighs" />
        <Transitions stance={stance} />
      </div>
    </>
  );
}

/** Arrows: gestures and fidgets start and end in the stance; transitions leave it (Figure 2). */
function Arrows() {
  return (
    <>
      <svg class="arrows" viewBox="0 0 180 60" aria-hidden="true">
        <defs><marker id="tip" viewBox="0 0 8 8" refX="5" refY="4" markerWidth="4.5" markerHeight="4.5" orient="auto"><path d="M0 0 8 4 0 8z" /></marker></defs>
        <g class="arrow" data-group="gestures"><path d="M40 18 Q24 8 7 14" marker-end="url(#tip)" /><path d="M4 42 Q20 52 35 44" marker-end="url(#tip)" /></g>
        <g class="arrow" data-group="fidgets"><path d="M140 18 Q156 8 173 14" marker-end="url(#tip)" /><path d="M176 42 Q160 52 145 44" marker-end="url(#tip)" /></g>
      </svg>
      <span class="arrow-down" data-group="transitions" />
    </>
  );
}

/** The selected stance. */
function Middle({ stance }: { stance: Stance }) {
  const path = pathOf(chosenIndex.value);
  return (
    <div class="middle">
      <Arrows />
      <button type="button" class="stance-node" data-path={path} data-clip={stance.clip ?? undefined} data-start={stance.start} data-end={stance.end ?? undefined}
        aria-label={`Stance ${stance.name}`} onClick={() => selectPaths(new Set())}>
        <Mark found={faultsOf(path)} />
        <strong>{stance.name}</strong>
        <span>{stance.clip ? 'stance' : 'neutral pose'}</span>
        {isFirst(repertoire.value, stance) && <span class="begins">start</span>}
      </button>
    </div>
  );
}

function onKey(key: string, id: string): boolean {
  const paths = selectedPaths.value.has(id) ? [...selectedPaths.value] : [id];
  if (key === 'Delete' || key === 'Backspace') void removePaths(paths);
  else if (key === 'Enter') selectPaths(new Set([id]));
  else return false;
  return true;
}

function Chips({ label, paths }: { label: string; paths: readonly string[] }) {
  const { state, handlers } = useListbox({ selected: selectedPaths, select: selectPaths, onKey });
  const hasActive = useHasActive(state, paths);
  if (paths.length === 0) return null;
  return (
    <ul class="chips" role="listbox" aria-multiselectable="true" aria-label={label} {...handlers}>
      {paths.map((path, index) => {
        const entry = entryAt(repertoire.value, path);
        return entry && <Chip key={path} path={path} entry={entry} state={state} isFallback={!hasActive && index === 0} />;
      })}
    </ul>
  );
}

/** Describes the result of a drop. */
export function Outcome({ target }: { target: Target }) {
  const load = dragging.value;
  return load && <span class="promise" aria-hidden="true"><b>{sentence(countOf(load), target)}</b></span>;
}

function Group({ group, title, stance, hint }: { group: 'gestures' | 'fidgets'; title: string; stance: Stance; hint: string }) {
  const label = `${title} of ${stance.name}`, target: Target = { group, stance: stance.name };
  const paths = listOf(stance, group).map((_, index) => pathOf(chosenIndex.value, group as Group, index));
  return (
    <div class="list-node" role="group" aria-label={label} data-group={group} {...dropOn(target)}>
      <h2>{title} <span class="count">{paths.length}</span></h2>
      <Chips key={stance.name} label={label} paths={paths} />
      {paths.length === 0 && <p class="soft">{hint}. Drop clips here.</p>}
      <Outcome target={target} />
    </div>
  );
}

function Transitions({ stance }: { stance: Stance }) {
  const ways = transitionsBetween(repertoire.value, stance), target: Target = { group: 'transitions', stance: stance.name };
  const used = ways.filter(way => way.there.length + way.back.length > 0);
  return (
    <div class="list-node transitions" role="group" aria-label={`Transitions of ${stance.name}`} data-group="transitions" {...dropOn(target)}>
      <h2>Transitions <span class="count">{stance.transitions?.length ?? 0}</span></h2>
      <div class="ways">
        {used.map(way => <Way key={way.to} way={way} stance={stance} />)}
        {used.length === 0 && <p class="soft">{ways.length === 0
          ? 'Transitions need another stance. Drop a clip on “New stance”.'
          : 'Transitions to other stances. Drop clips here, or on the target stance above.'}</p>}
      </div>
      <Outcome target={target} />
    </div>
  );
}

function Way({ way, stance }: { way: StanceTransitions; stance: Stance }) {
  const target: Target = { group: 'transitions', stance: stance.name, to: way.to }, label = `Transitions from ${stance.name} to ${way.to}`;
  const exists = repertoire.value.stances.some(other => other.name === way.to);
  return (
    <div class="way" role="group" aria-label={label} {...dropOn(target)}>
      <button type="button" class="way-to" disabled={!exists} onClick={() => choose(way.to)}
        aria-label={`Go to ${way.to}: ${counted(way.there.length, 'transition')} there, ${counted(way.back.length, 'transition')} back`}>
        → {way.to}<span class="count" title={`${counted(way.back.length, 'transition')} back`}> ← {way.back.length}</span>
      </button>
      <Chips label={label} paths={way.there} />
      {way.there.length === 0 && <span class="soft">no transition</span>}
      <Outcome target={target} />
    </div>
  );
}
