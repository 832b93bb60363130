// Edits of a repertoire as functions without page or server; `edit` and `place` of
// state.ts apply them. Every function may modify its argument, which is a copy.
import type { Action, BodyPart, Character, Fault, Hand, Layer, Repertoire, Stance, Transition } from '../protocol.ts';

export type Group = 'gestures' | 'fidgets' | 'transitions';
export const GROUPS: readonly Group[] = ['gestures', 'fidgets', 'transitions'];
export const LAYERS: readonly Layer[] = ['body', 'arms', 'head'];

/** The common fields of gestures, fidgets and transitions. */
export type Entry = Omit<Action, 'clip'> & { clip?: string | null; to?: string };

/** Location of a stance, an entry of a stance, or a field of either. */
export interface Place { stance: number; group?: Group; index?: number; field?: string }

/** Target for clips: a list of a stance, a transition to another stance, or a new stance. */
export type Target =
  | { group: 'gestures' | 'fidgets'; stance: string }
  | { group: 'transitions'; stance: string; to?: string }
  | { group: 'stance' };

const PATH = /^stances\[(\d+)\](?:\.(gestures|fidgets|transitions)\[(\d+)\])?(?:\.(.+))?$/;

/** Parses `stances[0].gestures[3].clip`. Returns `null` for other paths, such as files. */
export function parsePath(path: string): Place | null {
  const found = PATH.exec(path);
  if (!found) return null;
  const [, stance, group, index, field] = found;
  return {
    stance: Number(stance),
    ...(group === undefined ? {} : { group: group as Group, index: Number(index) }),
    ...(field === undefined ? {} : { field }),
  };
}

export function pathOf(stance: number, group?: Group, index?: number): string {
  return group === undefined ? `stances[${stance}]` : `stances[${stance}].${group}[${index}]`;
}

export const listOf = (stance: Stance, group: Group): Entry[] => stance[group] ?? [];

export function entryAt(repertoire: Repertoire, path: string): Entry | undefined {
  const place = parsePath(path), stance = place && repertoire.stances[place.stance];
  return stance && place.group !== undefined ? listOf(stance, place.group)[place.index!] : undefined;
}

export const stanceNamed = (repertoire: Repertoire, name: string): Stance | undefined =>
  repertoire.stances.find(stance => stance.name === name);

/** Default name of a clip: its name in the file, or the file name without folder and extension. */
export function clipName(clip: string): string {
  const hash = clip.lastIndexOf('#');
  if (hash >= 0) return clip.slice(hash + 1);
  return clip.slice(clip.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
}

export const nameOf = (entry: Entry): string => entry.name || (entry.clip ? clipName(entry.clip) : `to ${entry.to}`);

/** Layers of a stance; all if none are given. */
export const layersOf = (stance: Stance): Layer[] => LAYERS.filter(layer => stance.layers?.includes(layer) ?? true);

export const haveSameLayers = (one: Stance, other: Stance): boolean => layersOf(one).join() === layersOf(other).join();

/** Layers on which an entry is played. */
export const playedOn = (stance: Stance, entry: Entry): Layer[] =>
  layersOf(stance).filter(layer => !entry.layers?.length || entry.layers.includes(layer));

export type Part = Exclude<BodyPart, 'arms'>;
export const PARTS: readonly Part[] = ['head', 'spine', 'leftArm', 'rightArm', 'legs'];

/** Body parts moved by each layer (paper 4, section 5). */
const INFLUENCE: Record<Layer, readonly Part[]> = {
  body: ['head', 'spine', 'legs'], arms: ['head', 'spine', 'leftArm', 'rightArm'], head: ['head', 'spine'],
};

export const partsOf = (layers: readonly Layer[]): Part[] =>
  PARTS.filter(part => layers.some(layer => INFLUENCE[layer].includes(part)));

const single = (mask: readonly BodyPart[]): Part[] =>
  PARTS.filter(part => mask.includes(part) || (mask.includes('arms') && /Arm$/.test(part)));

/** Body parts that an entry moves: its mask, or the parts of its layers. */
export const moves = (entry: Entry, layers: readonly Layer[]): Part[] =>
  entry.mask?.length ? single(entry.mask) : partsOf(layers);

/** Returns the shortest mask; undefined if it equals the parts of the layers. */
export function maskOf(parts: readonly Part[], layers: readonly Layer[]): BodyPart[] | undefined {
  if (PARTS.filter(part => parts.includes(part)).join() === partsOf(layers).join()) return undefined;
  const both = parts.includes('leftArm') && parts.includes('rightArm');
  return [...PARTS.filter(part => parts.includes(part) && !(both && /Arm$/.test(part))), ...(both ? ['arms' as const] : [])];
}

export type Side = 'L' | 'R' | 'LR';
const SIDES: Record<Hand, Side> = { L: 'L', R: 'R', LR: 'LR', left: 'L', right: 'R', both: 'LR' };
export const sideOf = (hand: Hand | null | undefined): Side | undefined => hand ? SIDES[hand] : undefined;

/** Sets fields; `undefined` removes a field, which restores its default. */
function assign<T extends object>(it: T, fields: Partial<T>): void {
  for (const [key, value] of Object.entries(fields) as [keyof T, T[keyof T] | undefined][]) {
    if (value === undefined) delete it[key];
    else it[key] = value;
  }
}

export function setFields(repertoire: Repertoire, paths: readonly string[], fields: Partial<Entry>): Repertoire {
  for (const path of paths) {
    const entry = entryAt(repertoire, path);
    if (entry) assign(entry, fields);
  }
  return repertoire;
}

export function setStance(repertoire: Repertoire, name: string, fields: Partial<Stance>): Repertoire {
  const stance = stanceNamed(repertoire, name);
  if (stance) assign(stance, fields);
  return repertoire;
}

/** Adds a tag to entries or removes it. */
export function setTag(repertoire: Repertoire, paths: readonly string[], tag: string, isOn: boolean): Repertoire {
  for (const path of paths) {
    const entry = entryAt(repertoire, path);
    if (!entry) continue;
    const others = (entry.tags ?? []).filter(other => other !== tag);
    assign(entry, { tags: isOn ? [...others, tag] : others.length > 0 ? others : undefined });
  }
  return repertoire;
}

/** Removes entries from their lists. Returns them in the order of the paths. */
function take(repertoire: Repertoire, paths: readonly string[]): Entry[] {
  const taken = paths.map(path => entryAt(repertoire, path)).filter(entry => entry !== undefined);
  const isTaken = new Set<Entry>(taken);
  for (const stance of repertoire.stances) {
    for (const group of GROUPS) {
      const left = listOf(stance, group).filter(entry => !isTaken.has(entry));
      assign(stance, { [group]: left.length > 0 ? left : undefined });
    }
  }
  return taken;
}

export function remove(repertoire: Repertoire, paths: readonly string[]): Repertoire {
  take(repertoire, paths);
  return repertoire;
}

/** Converts an entry for another list: only transitions have `to`, only gestures and fidgets have layers and loops. */
function converted(entry: Entry, target: Target): Entry {
  const { to: _to, layers, loop, ...rest } = entry;
  if (target.group === 'transitions') return { ...rest, to: target.to ?? entry.to ?? '' };
  return { ...rest, ...(layers ? { layers } : {}), ...(loop === undefined ? {} : { loop }) };
}

/** Returns a stance name that is not in use. */
export function freshName(repertoire: Repertoire, wanted: string): string {
  let name = wanted;
  for (let number = 2; stanceNamed(repertoire, name); number++) name = `${wanted} ${number}`;
  return name;
}

function becomeStance(repertoire: Repertoire, entry: Entry): string {
  const stance: Stance = { name: freshName(repertoire, nameOf(entry)) };
  assign(stance, { clip: entry.clip ?? undefined, start: entry.start, end: entry.end ?? undefined });
  repertoire.stances.push(stance);
  return pathOf(repertoire.stances.length - 1);
}

/** Moves entries. Returns their new paths in the same order. */
export function move(repertoire: Repertoire, paths: readonly string[], target: Target): { repertoire: Repertoire; paths: string[] } {
  const at = target.group === 'stance' ? -1 : repertoire.stances.findIndex(stance => stance.name === target.stance);
  if (target.group !== 'stance' && at < 0) return { repertoire, paths: [...paths] };
  const taken = take(repertoire, paths);
  if (target.group === 'stance') return { repertoire, paths: taken.map(entry => becomeStance(repertoire, entry)) };
  const stance = repertoire.stances[at]!, before = listOf(stance, target.group);
  assign(stance, { [target.group]: [...before, ...taken.map(entry => converted(entry, target))] });
  return { repertoire, paths: taken.map((_, index) => pathOf(at, target.group as Group, before.length + index)) };
}

/** Returns true if an entry is already at the target. */
export function isThere(repertoire: Repertoire, path: string, target: Target): boolean {
  const place = parsePath(path);
  if (!place || target.group === 'stance' || place.group !== target.group) return false;
  if (repertoire.stances[place.stance]?.name !== target.stance) return false;
  return target.group !== 'transitions' || target.to === undefined || entryAt(repertoire, path)?.to === target.to;
}

/** Renames a stance and updates the transitions to it. */
export function renameStance(repertoire: Repertoire, from: string, to: string): Repertoire {
  for (const stance of repertoire.stances) {
    if (stance.name === from) stance.name = to;
    for (const way of stance.transitions ?? []) if (way.to === from) way.to = to;
  }
  return repertoire;
}

/** Deletes a stance and the transitions to it. */
export function removeStance(repertoire: Repertoire, name: string): Repertoire {
  repertoire.stances = repertoire.stances.filter(stance => stance.name !== name);
  for (const stance of repertoire.stances) {
    const left = stance.transitions?.filter(way => way.to !== name);
    assign(stance, { transitions: left?.length ? left : undefined });
  }
  return repertoire;
}

/** Returns true if performances start in this stance: the first one of its layers. */
export const isFirst = (repertoire: Repertoire, stance: Stance): boolean =>
  repertoire.stances.find(other => haveSameLayers(other, stance)) === stance;

/** Makes performances start in this stance, by moving it before the others of its layers. */
export function startHere(repertoire: Repertoire, name: string): Repertoire {
  const stance = stanceNamed(repertoire, name);
  if (!stance) return repertoire;
  const others = repertoire.stances.filter(other => other !== stance);
  const first = others.findIndex(other => haveSameLayers(other, stance));
  if (first >= 0) repertoire.stances = others.toSpliced(first, 0, stance);
  return repertoire;
}

/** Paths of the transitions from a stance to another, and back. */
export interface StanceTransitions { to: string; there: string[]; back: string[] }

export function transitionsBetween(repertoire: Repertoire, from: Stance): StanceTransitions[] {
  const paths = (stance: Stance, to: string): string[] => (stance.transitions ?? []).flatMap((way, index) =>
    way.to === to ? [pathOf(repertoire.stances.indexOf(stance), 'transitions', index)] : []);
  const names = repertoire.stances.filter(other => other !== from && haveSameLayers(other, from)).map(other => other.name);
  const lost = (from.transitions ?? []).map(way => way.to).filter(to => !names.includes(to));
  return [...names, ...new Set(lost)].map(to => {
    const other = stanceNamed(repertoire, to);
    return { to, there: paths(from, to), back: other && other !== from ? paths(other, from.name) : [] };
  });
}

/** Groups stances by layers, whole body first. */
export function byLayers(stances: readonly Stance[]): { layers: Layer[]; stances: Stance[] }[] {
  const groups = new Map<string, Stance[]>();
  for (const stance of stances) {
    const key = layersOf(stance).join();
    groups.set(key, [...groups.get(key) ?? [], stance]);
  }
  return [...groups.values()]
    .map(those => ({ layers: layersOf(those[0]!), stances: those }))
    .sort((one, other) => other.layers.length - one.layers.length);
}

/** A common value, or `mixed` if the values differ. */
export type Shared<T> = { value: T } | 'mixed';

export function shared<S, T>(those: readonly S[], of: (one: S) => T): Shared<T> {
  const [first, ...rest] = those.map(of);
  return rest.every(value => JSON.stringify(value) === JSON.stringify(first)) ? { value: first as T } : 'mixed';
}

const COMMON_TAGS = ['positive', 'negative', 'neutral', 'beat', 'deictic', 'iconic', 'metaphoric', 'greeting', 'question', 'thinking'];

/** Returns all used tags, then common ones. */
export function knownTags(repertoire: Repertoire): string[] {
  const used = repertoire.stances.flatMap(stance => GROUPS.flatMap(group => listOf(stance, group).flatMap(entry => entry.tags ?? [])));
  return [...new Set([...used.sort(), ...COMMON_TAGS])];
}

/** Returns the errors at a path, and with `deep` also those of its children. */
export function faultsAt(faults: readonly Fault[], path: string, deep = false): Fault[] {
  return faults.filter(fault => {
    if (fault.path === path) return true;
    if (!fault.path.startsWith(path)) return false;
    const rest = fault.path.slice(path.length);
    return rest.startsWith('.') && (deep || !/\[/.test(rest));
  });
}

const FIELD_WORDS: Record<string, string> = {
  start: 'The start', end: 'The end', likelihood: 'The likelihood', blendIn: 'The blend in', blendOut: 'The blend out', name: 'The name',
};

/** Returns an error message that is understandable away from its field. */
export function faultWords({ path, message }: Fault): string {
  const field = FIELD_WORDS[parsePath(path)?.field ?? ''];
  return field && /^is /.test(message) ? `${field} ${message}` : message;
}

/** A search result. */
export interface Hit { kind: 'stance' | 'entry' | 'clip'; name: string; detail: string; at: string }

const SINGULAR: Record<Group, string> = { gestures: 'gesture', fidgets: 'fidget', transitions: 'transition' };

/** Describes the place at a path, such as “gesture of standing” or “from standing to sitting”. */
export function whereIs(repertoire: Repertoire, path: string): string {
  const place = parsePath(path), stance = place && repertoire.stances[place.stance];
  if (!stance) return path;
  if (place.group === undefined) return `stance ${stance.name}`;
  const to = entryAt(repertoire, path)?.to;
  return to === undefined ? `${SINGULAR[place.group]} of ${stance.name}` : `from ${stance.name} to ${to}`;
}

/** Returns all searchable items. */
export function allHits({ repertoire, clips }: Pick<Character, 'repertoire' | 'clips'>): Hit[] {
  const hits: Hit[] = repertoire.stances.map(({ name }, index) => ({ kind: 'stance', name, detail: 'stance', at: pathOf(index) }));
  repertoire.stances.forEach((stance, index) => GROUPS.forEach(group => listOf(stance, group).forEach((entry, number) => {
    const at = pathOf(index, group, number), tags = entry.tags?.length ? ` · ${entry.tags.join(', ')}` : '';
    hits.push({ kind: 'entry', name: nameOf(entry), detail: whereIs(repertoire, at) + tags, at });
  })));
  const free = clips.filter(clip => clip.places.length === 0);
  return [...hits, ...free.map(({ name, clip }): Hit => ({ kind: 'clip', name, detail: 'unplaced clip', at: clip }))];
}

/** Returns items that contain every word in name, place or tags; names that start with the first word come first. */
export function search(hits: readonly Hit[], words: string): Hit[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const text = (hit: Hit): string => `${hit.name} ${hit.detail}`.toLowerCase();
  const rank = (hit: Hit): number => {
    const name = hit.name.toLowerCase();
    return name.startsWith(wanted[0]!) ? 0 : name.includes(wanted[0]!) ? 1 : 2;
  };
  return hits.filter(hit => wanted.every(word => text(hit).includes(word))).sort((one, other) => rank(one) - rank(other));
}

export type { Action, Layer, Repertoire, Stance, Transition };
