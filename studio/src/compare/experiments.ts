// Comparisons: conditions of published experiments, and custom ones.
import { FIELDS, isSame, fieldText } from '../director/fields.ts';
import { presets } from '../director/temperament.ts';
import type { Preset, Temperament } from '../protocol.ts';

/** One compared setting. */
export interface Setting { name: string; temperament: Temperament; finding?: string }
export interface Experiment { name: string; settings: readonly Setting[] }

/** The most common comparisons: a preset group and two of its presets. */
const CLASSICS: readonly [name: string, group: string, these: readonly [string, string]][] = [
  ['No blinks vs. R+PGE', 'Blink strategy', ['NB', 'R+PGE']],
  ['Linear vs. model blinks', 'Lid movement', ['Linear', 'Model']],
  ['Fixed vs. moving head', 'Head movement', ['HMF 0', 'HMF 1']],
];

export const MOST = 4;

/** Returns the common comparisons, then each preset group, limited to `MOST` settings. */
export function experiments(): Experiment[] {
  const groups = [...new Set(presets.value.map(({ group }) => group))];
  const all = [
    ...CLASSICS.map(([name, group, these]) => ({ name, settings: these.flatMap(one => presets.value.filter(it => it.group === group && it.name === one)) })),
    ...groups.map(group => ({ name: group, settings: spread(presets.value.filter(preset => preset.group === group), MOST) })),
  ];
  return all.filter(({ settings }) => settings.length > 1);
}

/** Picks at most `most` items, evenly spread over the list. */
function spread<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, i) => all[Math.round((i * (all.length - 1)) / (most - 1))]!);
}

export const settingOf = ({ name, temperament, finding }: Preset): Setting => ({ name, temperament, finding });

/** Returns the fields in which the settings differ, as short lines for each setting. */
export function differences(settings: readonly Setting[]): string[][] {
  const fields = FIELDS.filter(field => settings.some(one => !isSame(field, one.temperament, settings[0]!.temperament)));
  return settings.map(({ temperament }) => fields.map(field => `${field.name}: ${fieldText(field, temperament)}`));
}
