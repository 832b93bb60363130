// What is chosen in the repertoire view: a stance, and clips of the library or entries of the graph.
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
/** The stance in the middle: the wanted one while it exists, else the first. */
export const chosen = computed<Stance | undefined>(() =>
  repertoire.value.stances.find(stance => stance.name === wanted.value) ?? repertoire.value.stances[0]);
export const chosenIndex = computed(() => chosen.value ? repertoire.value.stances.indexOf(chosen.value) : -1);

const NONE: ReadonlySet<string> = new Set();
/** Clips of the library, by their spelling. */
export const selectedClips = signal(NONE);
const markedPaths = signal(NONE);
/** Entries of the graph, by their path, as far as there are any. */
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

/** Shows a place of the repertoire, with the focus on it. */
export function goTo(path: string): void {
  const place = parsePath(path), stance = place && repertoire.value.stances[place.stance];
  if (!stance) return;
  choose(stance.name);
  const at = pathOf(place.stance, place.group, place.index);
  if (place.group !== undefined) selectPaths(new Set([at]));
  const field = place.group === undefined && place.field ? [`[data-field="${place.field}"] :is(input, select, button, [tabindex])`] : [];
  focusSoon(...field, `[data-path="${at}"]`);
}

/** Goes to the first of these that there is, once the page shows what was just asked for. */
export function focusSoon(...selectors: string[]): void {
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const element = selectors.map(selector => document.querySelector<HTMLElement>(selector)).find(found => found !== null);
    element?.scrollIntoView({ block: 'nearest' });
    element?.focus();
  }));
}

/** Clips that were left where they are: “Accept all” passes them by. */
export const leftAlone = signal(NONE);

let known: { id: string; shape: string } | null = null;
effect(() => {
  const it = character.value;
  if (!it || it.id === known?.id) return;
  const shape = JSON.stringify(it.repertoire), isCopy = shape === known?.shape;
  known = { id: it.id, shape };
  // A copy of the built-in character is made when it is first edited: what is selected in it stays so.
  if (isCopy) return;
  batch(() => {
    leftAlone.value = NONE;
    markedPaths.value = NONE;
    selectedClips.value = NONE;
  });
});

/** Proposals for clips that still have no place. */
export const openProposals = computed<ReadonlyMap<string, Proposal>>(() => {
  const free = new Set(clips.value.filter(clip => clip.places.length === 0).map(clip => clip.clip));
  return new Map(proposals.value.filter(({ clip }) => free.has(clip)).map(proposal => [proposal.clip, proposal]));
});
export const acceptable = computed<string[]>(() =>
  [...openProposals.value.keys()].filter(clip => !leftAlone.value.has(clip)));

/** What is wrong at a place: the worst first, as the server sorts them. */
export const faultsOf = (path: string, deep = false): Fault[] => faultsAt(faults.value, path, deep);
