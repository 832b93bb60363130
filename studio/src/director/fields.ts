// A temperament's fields, as people understand them.
import type { Temperament } from '../protocol.ts';

/** Where a number is in a temperament. */
export interface NumberField {
  id: string; name: string; unit: '%' | '°' | '×' | 'm' | '/min'; least: number; most: number; step: number;
  /** What it is by default; for numbers that may be left out, where the slider begins. */
  usual: number;
  /** What it means when the number is left out, if it may be. */
  none?: string;
  help: string;
  get: (it: Temperament) => number | null | undefined;
  set: (it: Temperament, value: number | null) => Temperament;
}
export interface ChoiceField {
  id: string; name: string; usual: string; help: string;
  options: readonly (readonly [value: string, name: string])[];
  get: (it: Temperament) => string | undefined;
  set: (it: Temperament, value: string) => Temperament;
}
export type Field = NumberField | ChoiceField;
export interface FieldGroup { title: string; fields: readonly Field[] }

type Numeric = 'headMovementFactor' | 'eyeOnlyDeg' | 'liveliness' | 'attentiveness' | 'partialBlinks' | 'doubleBlinks' | 'lidTempo' | 'vergence' | 'blinksPerMinute' | 'viewerDistanceM';
type NumberLook = Pick<NumberField, 'name' | 'unit' | 'most' | 'usual' | 'help'> & Partial<Pick<NumberField, 'least' | 'step' | 'none'>>;
const plain = (id: Numeric, look: NumberLook): NumberField => ({
  least: 0, step: 0.01, ...look, id, get: it => it[id], set: (it, value) => ({ ...it, [id]: value }),
});

type Named = 'blinks' | 'blinkProfile' | 'gaze' | 'mainSequence';
const choice = (id: Named, look: Pick<ChoiceField, 'name' | 'usual' | 'help' | 'options'>): ChoiceField => ({
  ...look, id, get: it => it[id], set: (it, value) => ({ ...it, [id]: value }),
});

const aperture = (side: 0 | 1, name: string): NumberField => ({
  id: `restingAperture.${side}`, name, unit: '%', least: 0, most: 1.3, step: 0.01, usual: 1,
  help: 'How open the eye rests: 100 % as usual, less when tired, more in surprise.',
  get: it => it.restingAperture?.[side],
  set: (it, value) => {
    const both: [number, number] = [...it.restingAperture ?? [1, 1]];
    both[side] = value ?? 1;
    return { ...it, restingAperture: both };
  },
});

const EVOKED = { preset: 'evinger', driver: 'gaze' } as const;
const evoked = (id: 'preset' | 'driver', look: Pick<ChoiceField, 'name' | 'help' | 'options'>): ChoiceField => ({
  ...look, id: `evoked.${id}`, usual: EVOKED[id], get: it => it.evoked?.[id], set: (it, value) => ({ ...it, evoked: { ...EVOKED, ...it.evoked, [id]: value } }),
});

export const GROUPS: readonly FieldGroup[] = [
  {
    title: 'Attention',
    fields: [
      plain('liveliness', { name: 'Liveliness', unit: '%', most: 1, usual: 1, help: 'How much happens by itself: small jumps of the eyes, glances, corrections. 0 is truly still.' }),
      plain('attentiveness', { name: 'Attentiveness', unit: '%', most: 1, usual: 0.5, help: 'How much the eyes stay on whom they attend to: 50 % as people do, 100 % always.' }),
    ],
  },
  {
    title: 'Eyes and head',
    fields: [
      plain('headMovementFactor', { name: 'Head joins the eyes', unit: '%', most: 1, usual: 0.69, help: 'How readily the head joins a shift of gaze: 0 only when it must, 100 % always and wholly (HMF).' }),
      plain('eyeOnlyDeg', { name: 'Eyes alone, up to', unit: '°', most: 90, step: 0.1, usual: 17.9, help: 'Shifts up to this far to a side may be left to the eyes alone.' }),
      plain('vergence', { name: 'Eyes converge', unit: '%', most: 1, usual: 1, help: 'How much the eyes turn towards each other for what is near.' }),
      plain('viewerDistanceM', { name: 'Distance of the viewer', unit: 'm', most: 20, step: 0.1, usual: 2, none: 'does not matter', help: 'From afar, heads say more than eyes.' }),
      choice('gaze', {
        name: 'Gaze is shared', usual: 'human', help: 'Whose rules share a shift of gaze between eyes, head and body.',
        options: [['human', 'as people do'], ['peters', 'as Peters and Qureshi have it']],
      }),
      choice('mainSequence', {
        name: 'Eyes jump', usual: 'collewijn', help: 'How long a jump of the eyes takes for its size.',
        options: [['collewijn', 'as Collewijn measured'], ['eyes-alive', 'as in Eyes Alive'], ['carpenter', 'as Carpenter measured']],
      }),
    ],
  },
  {
    title: 'Blinks',
    fields: [
      choice('blinks', {
        name: 'Blinks come', usual: 'natural', help: 'What makes the character blink.',
        options: [
          ['natural', 'naturally'], ['none', 'never (NB)'], ['regular', 'by the clock (RU)'], ['gaze-evoked', 'with every shift of gaze (GE)'],
          ['probabilistic-gaze-evoked', 'with large shifts of gaze (PGE)'], ['regular-probabilistic', 'by the clock and with gaze (R+PGE)'],
        ],
      }),
      plain('blinksPerMinute', { name: 'How often', unit: '/min', most: 60, step: 1, usual: 15, none: 'as the activity has it', help: 'Spontaneous blinks a minute. 9 seems intelligent, 18 friendly, 36 inactive (Takashima 2008).' }),
      plain('partialBlinks', { name: 'Half blinks', unit: '%', most: 1, usual: 0.25, help: 'The share of blinks that do not close the eye.' }),
      plain('doubleBlinks', { name: 'Double blinks', unit: '%', most: 1, usual: 0.05, help: 'The share of blinks that come twice.' }),
      evoked('preset', { name: 'Shifts of gaze evoke them', help: 'Whose numbers say how likely that is.', options: [['evinger', 'as Evinger measured'], ['peters', 'as Peters and Qureshi have it']] }),
      evoked('driver', { name: 'What counts is', help: 'Which size of a shift evokes a blink.', options: [['head', 'how far the head turns'], ['eccentricity', 'how far aside the target is'], ['gaze', 'how far the gaze goes']] }),
    ],
  },
  {
    title: 'Lids',
    fields: [
      choice('blinkProfile', {
        name: 'Lids move', usual: 'auto', help: 'How a lid closes and opens in a blink.',
        options: [
          ['auto', 'as this character'],
          ['evinger', 'as measured'], ['symmetric-linear', 'evenly, both ways alike'], ['asymmetric-linear', 'evenly, down faster'],
          ['symmetric-ease', 'softly, both ways alike'], ['asymmetric-ease', 'softly, down faster'],
          ['pca', 'as a model learned it'], ['real', 'as they were recorded'],
        ],
      }),
      plain('lidTempo', { name: 'Speed of the lids', unit: '×', least: 0.1, most: 2, usual: 1, help: '1 as measured, less when tired.' }),
      aperture(0, 'Left eye rests open'),
      aperture(1, 'Right eye rests open'),
    ],
  },
];

export const FIELDS: readonly Field[] = GROUPS.flatMap(({ fields }) => fields);
export const isNumber = (field: Field): field is NumberField => 'unit' in field;

/** What a field says, as a short text. */
export function told(field: Field, it: Temperament): string {
  if (!isNumber(field)) return field.options.find(([value]) => value === valueOf(field, it))?.[1] ?? String(valueOf(field, it));
  const value = valueOf(field, it);
  return value === null ? field.none ?? '–' : amount(value as number, field.unit);
}

export function amount(value: number, unit: NumberField['unit']): string {
  if (unit === '%') return `${Math.round(100 * value)} %`;
  if (unit === '/min') return `${Math.round(value)} a minute`;
  const digits = unit === '×' ? 2 : 1;
  return unit === '°' ? `${value.toFixed(digits)}°` : `${value.toFixed(digits)} ${unit}`;
}

/** The value, also where it is left out; short names of blink strategies become the long ones. */
export function valueOf(field: Field, it: Temperament): string | number | null {
  const value = field.get(it);
  if (isNumber(field)) return value ?? (field.none === undefined ? field.usual : null);
  return SHORT[value as string] ?? value ?? field.usual;
}

const SHORT: Record<string, string> = {
  nb: 'none', ru: 'regular', ge: 'gaze-evoked', pge: 'probabilistic-gaze-evoked', 'r+pge': 'regular-probabilistic',
};

const usualOf = (field: Field) => isNumber(field) && field.none !== undefined ? null : field.usual;
export const isUsual = (field: Field, it: Temperament): boolean => same(valueOf(field, it), usualOf(field));
export const reset = (field: Field, it: Temperament): Temperament => put(field, it, usualOf(field));
export const isSame = (field: Field, a: Temperament, b: Temperament): boolean => same(valueOf(field, a), valueOf(field, b));
export const put = (field: Field, it: Temperament, value: string | number | null): Temperament =>
  isNumber(field) ? field.set(it, value as number | null) : field.set(it, value as string);

const same = (a: string | number | null, b: string | number | null): boolean =>
  typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) < 1e-6 : a === b;
