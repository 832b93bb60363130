// What can be compared: the studies' own experiments, and those that people make up.
import { FIELDS, isSame, told } from '../director/fields.ts';
import { presets } from '../director/tempering.ts';
import type { Preset, Temperament } from '../protocol.ts';

/** One of those that are compared. */
export interface Setting { name: string; temperament: Temperament; finding?: string }
export interface Experiment { name: string; settings: readonly Setting[] }

/** The comparisons that are asked for most often: a group of presets, and two of it. */
const CLASSICS: readonly [name: string, group: string, these: readonly [string, string]][] = [
  ['No blinks against R+PGE', 'When it blinks', ['NB', 'R+PGE']],
  ['Linear against model blinks', 'How lids move', ['Linear', 'Model']],
  ['Head still against head along', 'How much the head moves', ['HMF 0', 'HMF 1']],
];

export const MOST = 4;

/** The classics, then each group of presets as far as there is room on stage. */
export function experiments(): Experiment[] {
  const groups = [...new Set(presets.value.map(({ group }) => group))];
  const all = [
    ...CLASSICS.map(([name, group, these]) => ({ name, settings: these.flatMap(one => presets.value.filter(it => it.group === group && it.name === one)) })),
    ...groups.map(group => ({ name: group, settings: spread(presets.value.filter(preset => preset.group === group), MOST) })),
  ];
  return all.filter(({ settings }) => settings.length > 1);
}

/** At most so many of a list, over all of it. */
function spread<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, i) => all[Math.round((i * (all.length - 1)) / (most - 1))]!);
}

export const settingOf = ({ name, temperament, finding }: Preset): Setting => ({ name, temperament, finding });

/** What each has that not all have, as short lines. */
export function differences(settings: readonly Setting[]): string[][] {
  const fields = FIELDS.filter(field => settings.some(one => !isSame(field, one.temperament, settings[0]!.temperament)));
  return settings.map(({ temperament }) => fields.map(field => `${field.name}: ${told(field, temperament)}`));
}
