// Selection of the repertoire view: a stance, and clips of the library or entries of the graph.
import { batch, computed, effect, signal } from '@preact/signals';
import type { ClipInfo, Fault, Proposal, Repertoire, Stance } from '../protocol.ts';
import { character, proposals } from '../state.ts';
import { entryAt, faultsAt, parsePath, pathOf, type Entry } from './edit.ts';

const NOTHING: Repertoire = { version: 1, stances: [] };
export const repertoire = computed<Repertoire>(() => character.value?.repertoire ?? NOTHING);
export const clips = computed<ClipInfo[]>(() => character.value?.clips ?? []);
export const clipsByName = computed(() => new Map(clips.value.map(clip => [clip.clip, clip])));
export const faults = computed<Fault[]>(() => character.value?.faults ?? []);

const wanted = signal<string | null>(null);
/** The selected stance: the requested one if it exists, otherwise the first. */
export const chosen = computed<Stance | undefined>(() =>
  repertoire.value.stances.find(stance => stance.name === wanted.value) ?? repertoire.value.stances[0]);
export const chosenIndex = computed(() => chosen.value ? repertoire.value.stances.indexOf(chosen.value) : -1);

const NONE: ReadonlySet<string> = new Set();
/** Selected clips of the library. */
export const selectedClips = signal(NONE);
const markedPaths = signal(NONE);
/** Paths of selected graph entries that exist. */
export const selectedPaths = computed<ReadonlySet<string>>(() =>
  new Set([...markedPaths.value].filter(path => entryAt(repertoire.value, path))));
export const selectedEntries = computed<Entry[]>(() =>
  [...selectedPaths.value].flatMap(path => entryAt(repertoire.value, path) ?? []));

export const isOverview = signal(false);

export function selectClips(these: ReadonlySet<string>): void {
  batch(() => { selectedClips.value = these; markedPaths.value = NONE; });
}

export function selectPaths(these: ReadonlySet<string>): void {
  batch(() => { markedPaths.value = these; selectedClips.value = NONE; });
}

export function choose(name: string): void {
  batch(() => {
    wanted.value = name;
    isOverview.value = false;
    markedPaths.value = NONE;
    selectedClips.value = NONE;
  });
}

/** Shows and focuses a place of the repertoire. */
export function goTo(path: string): void {
  const place = parsePath(path), stance = place && repertoire.value.stances[place.stance];
  if (!stance) return;
  choose(stance.name);
  const at = pathOf(place.stance, place.group, place.index);
  if (place.group !== undefined) selectPaths(new Set([at]));
  const field = place.group === undefined && place.field ? [`[data-field="${place.field}"] :is(input, select, button, [tabindex])`] : [];
  focusSoon(...field, `[data-path="${at}"]`);
}

/** Focuses the first existing element after the next render. */
export function focusSoon(...selectors: string[]): void {
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const element = selectors.map(selector => document.querySelector<HTMLElement>(selector)).find(found => found !== null);
    element?.scrollIntoView({ block: 'nearest' });
    element?.focus();
  }));
}

/** Clips whose proposals “Accept all” skips. */
export const skippedClips = signal(NONE);

let known: { id: string; shape: string } | null = null;
effect(() => {
  const it = character.value;
  if (!it || it.id === known?.id) return;
  const shape = JSON.stringify(it.repertoire), isCopy = shape === known?.shape;
  known = { id: it.id, shape };
  // The first edit copies the built-in character; the selection is kept in the copy.
  if (isCopy) return;
  batch(() => {
    skippedClips.value = NONE;
    markedPaths.value = NONE;
    selectedClips.value = NONE;
  });
});

/** Proposals for unplaced clips. */
export const openProposals = computed<ReadonlyMap<string, Proposal>>(() => {
  const free = new Set(clips.value.filter(clip => clip.places.length === 0).map(clip => clip.clip));
  return new Map(proposals.value.filter(({ clip }) => free.has(clip)).map(proposal => [proposal.clip, proposal]));
});
export const acceptable = computed<string[]>(() =>
  [...openProposals.value.keys()].filter(clip => !skippedClips.value.has(clip)));

/** Errors and warnings at a path, the worst first. */
export const faultsOf = (path: string, deep = false): Fault[] => faultsAt(faults.value, path, deep);
