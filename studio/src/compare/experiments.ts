// What can be compared: the studies' own experiments, and those that people make up.
import { FIELDS, isSame, put, told } from '../director/fields.ts';
import { presets, withPreset } from '../director/tempering.ts';
import type { Temperament } from '../protocol.ts';

/** One of those that are compared. */
export interface Setting { name: string; temperament: Temperament }
export interface Experiment { name: string; about: string; make: (base: Temperament) => Setting[] }

/** Sets a few fields by their ids, and leaves the others. */
const having = (base: Temperament, values: Record<string, string | number>): Temperament =>
  Object.entries(values).reduce((it, [id, value]) => put(FIELDS.find(field => field.id === id)!, it, value), base);

/** The comparisons that the papers make, as they are most often asked for. */
const CLASSICS: readonly Experiment[] = [
  {
    name: 'No blinks against R+PGE', about: 'Never blinking, and blinking by the clock and with the gaze (Peters and Qureshi 2010).',
    make: base => [
      { name: 'No blinks (NB)', temperament: having(base, { blinks: 'none' }) },
      { name: 'R+PGE', temperament: having(base, { blinks: 'regular-probabilistic' }) },
    ],
  },
  {
    name: 'Linear against model blinks', about: 'Lids that move evenly, and lids that move as people’s do (Steptoe, Oyekoya and Steed 2010). See it at the eyes.',
    make: base => [
      { name: 'Linear', temperament: having(base, { blinkProfile: 'symmetric-linear' }) },
      { name: 'Model', temperament: having(base, { blinkProfile: 'evinger' }) },
    ],
  },
  {
    name: 'Head still against head along', about: 'A head that only moves when it must (HMF 0), and one that always joins the eyes (HMF 1).',
    make: base => [
      { name: 'HMF 0', temperament: having(base, { headMovementFactor: 0 }) },
      { name: 'HMF 1', temperament: having(base, { headMovementFactor: 1 }) },
    ],
  },
];

export const MOST = 4;

/** The classics, then each group of presets, as far as there is room on stage. */
export function experiments(): Experiment[] {
  const groups = [...new Set(presets.value.map(({ group }) => group))];
  return [...CLASSICS, ...groups.flatMap(group => {
    const all = presets.value.filter(preset => preset.group === group);
    const make = (base: Temperament) => spread(all, MOST).map(preset => ({ name: preset.name, temperament: withPreset(preset, base) }));
    return all.length < 2 ? [] : [{ name: group, about: spread(all, MOST).map(({ name }) => name).join(', '), make }];
  })];
}

/** At most so many of a list, over all of it. */
function spread<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, i) => all[Math.round((i * (all.length - 1)) / (most - 1))]!);
}

/** What each has that not all have, as short lines. */
export function differences(settings: readonly Setting[]): string[][] {
  const fields = FIELDS.filter(field => settings.some(one => !isSame(field, one.temperament, settings[0]!.temperament)));
  return settings.map(({ temperament }) => fields.map(field => `${field.name}: ${told(field, temperament)}`));
}
