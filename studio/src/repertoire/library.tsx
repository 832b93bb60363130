// The library: all clips of the character, with their places or proposals.
import { computed, signal, useComputed, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { ClipInfo, Proposal } from '../protocol.ts';
import { character, reading } from '../state.ts';
import { accept, acceptableSelected, acceptAll, isProposing, skipProposals, proposeSoon, importFiles } from './actions.ts';
import { dragging, dropInLibrary, onDragEnd, onDragLeaveView, onDragStart } from './drag.ts';
import { faultWords, whereIs } from './edit.ts';
import { previews } from './hover.ts';
import { useHasActive, useListbox, type ListState } from './listbox.ts';
import { openPlaceMenu } from './place-menu.tsx';
import { acceptable, clips, faultsOf, goTo, skippedClips, openProposals, repertoire, selectClips, selectedClips } from './selection.ts';
import { counted, percent, proposed } from './texts.ts';
import './repertoire.css';
import './library.css';

const query = signal('');
const isFreeOnly = signal(false);
const isFree = (clip: ClipInfo): boolean => clip.places.length === 0;

const freeCount = computed(() => clips.value.filter(isFree).length);
const listed = computed(() => {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  return clips.value
    .filter(clip => (!isFreeOnly.value || isFree(clip)) && words.every(word => textOf(clip).includes(word)))
    .sort((one, other) => urgency(other) - urgency(one));
});

/** The searched text: name, and place or proposal. */
function textOf(clip: ClipInfo): string {
  const proposal = openProposals.value.get(clip.clip);
  const places = proposal ? [proposed(proposal)] : clip.places.map(path => whereIs(repertoire.value, path));
  return [clip.name, ...places].join(' ').toLowerCase();
}

/** Sort order: clips that need attention first, then unplaced ones. */
function urgency(clip: ClipInfo): number {
  if (clip.error) return 3;
  const sure = openProposals.value.get(clip.clip)?.confidence;
  return isFree(clip) ? (sure !== undefined && sure < 0.5 ? 2 : 1) : 0;
}

/** Key of everything that proposals depend on: unplaced clips and stances. */
const asking = computed(() => {
  const free = clips.value.filter(clip => isFree(clip) && !clip.error).map(clip => clip.clip);
  return free.length === 0 ? '' : JSON.stringify([character.value?.id, free, repertoire.value.stances.map(({ name }) => name)]);
});

export function Library() {
  const it = character.value;
  useSignalEffect(() => {
    if (asking.value === '') return;
    const soon = setTimeout(() => void proposeSoon(), 100);
    return () => clearTimeout(soon);
  });
  if (!it) return <section class="library" aria-label="Clips" />;
  return (
    <section class="library clips" aria-label="Clips" {...previews} {...dropInLibrary()} data-dragging={dragging.value ? 'true' : undefined}
      onDragStart={onDragStart} onDragEnd={onDragEnd} onDragLeaveCapture={onDragLeaveView}>
      <Top />
      <Waiting />
      <Clips />
      <ForSelected />
      <LibraryHint />
    </section>
  );
}

function Top() {
  const all = clips.value.length, free = freeCount.value;
  return (
    <div class="clips-top">
      <div class="clips-title">
        <h2>Clips <span class="count">{all}</span></h2>
        <AddClips />
      </div>
      <input type="search" aria-label="Search clips" placeholder="Search clips" value={query.value}
        onInput={event => { query.value = event.currentTarget.value; }} />
      <div class="segments" role="group" aria-label="Listed clips">
        <button type="button" aria-pressed={!isFreeOnly.value} onClick={() => { isFreeOnly.value = false; }}>All</button>
        <button type="button" aria-pressed={isFreeOnly.value} onClick={() => { isFreeOnly.value = true; }}>Unplaced <span class="count">{free}</span></button>
      </div>
    </div>
  );
}

export function AddClips() {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" onClick={() => picker.current?.click()}>Add clips…</button>
      <input ref={picker} type="file" multiple hidden accept=".bvh,.fbx,.glb,.gltf,.vrma,.vrm" aria-label="Clip files"
        onChange={event => {
          void importFiles([...event.currentTarget.files ?? []]);
          event.currentTarget.value = '';
        }} />
    </>
  );
}

/** Import progress, and the button that accepts all proposals. */
function Waiting() {
  const { done, total } = reading.value ?? {};
  const count = acceptable.value.length;
  if (total) return <p class="clips-work"><progress aria-label="Imported files" max={total} value={done! - 1} /> {done} of {total} files</p>;
  if (count === 0 && isProposing.value) return <p class="clips-work"><progress aria-label="Analysing motion" /> Analysing motion</p>;
  if (count === 0) return null;
  return (
    <button type="button" class="main" title="Key A, or Ctrl+Enter" onClick={() => void acceptAll()}>
      {count === 1 ? 'Accept 1 proposal' : `Accept all ${count} proposals`}
    </button>
  );
}

/** Actions for the selection, below the list so that the list does not move. */
function ForSelected() {
  const some = acceptableSelected().length, count = selectedClips.value.size;
  if (count === 0) return null;
  return (
    <div class="for-selected">
      <span class="soft">{count} selected</span>
      {some > 0 && <button type="button" title="Enter" onClick={() => void accept(acceptableSelected())}>Accept</button>}
      <button type="button" title="Key P" onClick={() => openPlaceMenu()}>Place…</button>
    </div>
  );
}

function onKey(key: string, id: string, event: KeyboardEvent): boolean {
  const ids = selectedClips.value.has(id) ? [...selectedClips.value] : [id];
  if (key === 'Enter' && !event.ctrlKey) return enter(id, ids);
  if (key === 'Delete' || key === 'Backspace') {
    skipProposals(ids, !skippedClips.value.has(id));
    return true;
  }
  return false;
}

/** Accepts the proposals of clips, or goes to the place of a placed clip. */
function enter(id: string, ids: string[]): boolean {
  const open = ids.filter(clip => openProposals.value.has(clip));
  const place = clips.value.find(clip => clip.clip === id)?.places[0];
  if (open.length > 0) void accept(open);
  else if (place !== undefined) goTo(place);
  return true;
}

function Clips() {
  const { state, handlers } = useListbox({ selected: selectedClips, select: selectClips, onKey });
  const these = listed.value;
  const hasActive = useHasActive(state, these.map(clip => clip.clip));
  if (these.length === 0) return <Nothing />;
  return (
    <ul class="clip-list" role="listbox" aria-multiselectable="true" aria-label="Clips" {...handlers}>
      {these.map((clip, index) => <Clip key={clip.clip} clip={clip} state={state} isFallback={!hasActive && index === 0} />)}
    </ul>
  );
}

function Nothing() {
  if (clips.value.length > 0) return <p class="soft">{isFreeOnly.value && query.value === '' ? 'All clips are placed.' : 'No clip matches the search.'}</p>;
  if (reading.value) return null;
  return <p class="soft">No clips yet. Drop BVH, FBX, GLB or VRMA files here, or whole folders of them.</p>;
}

function describe(clip: ClipInfo, proposal: Proposal | undefined): string {
  if (clip.error) return `cannot be read: ${clip.error}`;
  const seconds = `${clip.seconds.toFixed(1)} seconds`;
  if (clip.places.length > 0) return `${seconds}, ${clip.places.map(path => whereIs(repertoire.value, path)).join(', ')}`;
  if (!proposal) return `${seconds}, unplaced`;
  return `${seconds}, proposed ${proposed(proposal)}, confidence ${percent(proposal.confidence)}${proposal.confidence < 0.5 ? ', please check' : ''}`;
}

function Clip({ clip, state, isFallback }: { clip: ClipInfo; state: ListState; isFallback: boolean }) {
  const id = clip.clip;
  const isSelected = useComputed(() => selectedClips.value.has(id)).value;
  const isActive = useComputed(() => state.active.value === id).value;
  const proposal = useComputed(() => openProposals.value.get(id)).value;
  const isLeft = useComputed(() => skippedClips.value.has(id)).value;
  return (
    <li class="clip" role="option" aria-label={clip.name} aria-description={describe(clip, proposal)} aria-selected={isSelected}
      tabIndex={isActive || isFallback ? 0 : -1} draggable={!clip.error} data-id={id} data-clip={clip.error ? undefined : id}
      data-start={proposal?.start} data-end={proposal?.end} data-left={isLeft || undefined} data-free={isFree(clip) || undefined}>
      <span class="clip-name">{clip.name}</span>
      <span class="clip-seconds">{clip.error ? '' : `${clip.seconds.toFixed(1)} s`}</span>
      {clip.error ? <span class="fault-text">✖ {clip.error}</span> : isFree(clip) ? <Suggestion proposal={proposal} isLeft={isLeft} /> : <Places clip={clip} />}
    </li>
  );
}

function Places({ clip }: { clip: ClipInfo }) {
  const found = clip.places.flatMap(path => faultsOf(path))[0];
  const [first, ...rest] = clip.places.map(path => whereIs(repertoire.value, path));
  return (
    <span class="clip-place">
      {found && <span class={found.isWarning ? 'warning-text' : 'fault-text'} title={faultWords(found)}>{found.isWarning ? '▲ ' : '✖ '}</span>}
      {first}{rest.length > 0 && ` and ${counted(rest.length, 'place')} more`}
    </span>
  );
}

function Suggestion({ proposal, isLeft }: { proposal: Proposal | undefined; isLeft: boolean }) {
  if (!proposal) return <span class="clip-place">unplaced</span>;
  const isDoubtful = proposal.confidence < 0.5;
  return (
    <span class="suggestion" data-type={proposal.type} title={proposal.reasons}>
      <span class="suggested">{isLeft ? 'skipped' : `${proposed(proposal)}?`}</span>
      <span class="confidence" data-doubtful={isDoubtful || undefined}>
        <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
          <rect width="100" height="8" class="sure-all" /><rect width={100 * proposal.confidence} height="8" class="sure-part" />
        </svg>
        {percent(proposal.confidence)}{isDoubtful && <b> please check</b>}
      </span>
    </span>
  );
}

function LibraryHint() {
  const load = dragging.value;
  if (!load || 'clips' in load) return null;
  return <p class="drop-hint" aria-hidden="true">{'files' in load ? 'Drop to add clips' : 'Drop to remove from the repertoire'}</p>;
}
