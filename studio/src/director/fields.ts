// The fields of a temperament with their labels, ranges and help texts.
import type { Temperament } from '../protocol.ts';

/** A numeric field. */
export interface NumberField {
  id: string; name: string; unit: '%' | '°' | '×' | 'm' | '/min'; least: number; most: number; step: number;
  /** Default value; for optional numbers, the initial slider position. */
  usual: number;
  /** Text shown if the number is not set; only for optional numbers. */
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
  help: 'Aperture of the eye at rest: 100 % is normal, less looks tired, more surprised.',
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
      plain('liveliness', { name: 'Liveliness', unit: '%', most: 1, usual: 1, help: 'Amount of spontaneous movement: small saccades, glances, corrections. 0 is completely still.' }),
      plain('attentiveness', { name: 'Attentiveness', unit: '%', most: 1, usual: 0.5, help: 'How long the gaze stays on the attended person: 50 % is human, 100 % is always.' }),
    ],
  },
  {
    title: 'Eyes and head',
    fields: [
      plain('headMovementFactor', { name: 'Head movement (HMF)', unit: '%', most: 1, usual: 0.69, help: 'Head-movement factor: 0 moves the head only if the eyes cannot reach the target, 100 % always moves it fully.' }),
      plain('eyeOnlyDeg', { name: 'Eye-only range', unit: '°', most: 90, step: 0.1, usual: 17.9, help: 'Horizontal gaze shifts up to this angle may use the eyes alone.' }),
      plain('vergence', { name: 'Vergence', unit: '%', most: 1, usual: 1, help: 'How much the eyes converge on near targets.' }),
      plain('viewerDistanceM', { name: 'Viewer distance', unit: 'm', most: 20, step: 0.1, usual: 2, none: 'not set', help: 'For a distant viewer the head moves more, because the eyes are hard to see.' }),
      choice('gaze', {
        name: 'Gaze model', usual: 'human', help: 'Model that splits a gaze shift between eyes, head and body.',
        options: [['human', 'human'], ['peters', 'Peters and Qureshi']],
      }),
      choice('mainSequence', {
        name: 'Main sequence', usual: 'collewijn', help: 'Duration of a saccade as a function of its amplitude.',
        options: [['collewijn', 'Collewijn'], ['eyes-alive', 'Eyes Alive'], ['carpenter', 'Carpenter']],
      }),
    ],
  },
  {
    title: 'Blinks',
    fields: [
      choice('blinks', {
        name: 'Blink strategy', usual: 'natural', help: 'When the character blinks.',
        options: [
          ['natural', 'natural'], ['none', 'no blinks (NB)'], ['regular', 'regular (RU)'], ['gaze-evoked', 'with every gaze shift (GE)'],
          ['probabilistic-gaze-evoked', 'with large gaze shifts (PGE)'], ['regular-probabilistic', 'regular and with gaze shifts (R+PGE)'],
        ],
      }),
      plain('blinksPerMinute', { name: 'Blink rate', unit: '/min', most: 60, step: 1, usual: 15, none: 'set by activity', help: 'Spontaneous blinks per minute. 9 looks intelligent, 18 friendly, 36 inactive (Takashima 2008).' }),
      plain('partialBlinks', { name: 'Partial blinks', unit: '%', most: 1, usual: 0.25, help: 'Share of blinks that do not close the eye.' }),
      plain('doubleBlinks', { name: 'Double blinks', unit: '%', most: 1, usual: 0.05, help: 'Share of blinks that are followed by a second one.' }),
      evoked('preset', { name: 'Gaze-evoked blinks', help: 'Probability of a blink with a gaze shift.', options: [['evinger', 'Evinger'], ['peters', 'Peters and Qureshi']] }),
      evoked('driver', { name: 'Evoked by', help: 'Which amplitude evokes a blink.', options: [['head', 'head rotation'], ['eccentricity', 'target eccentricity'], ['gaze', 'gaze amplitude']] }),
    ],
  },
  {
    title: 'Lids',
    fields: [
      choice('blinkProfile', {
        name: 'Blink profile', usual: 'auto', help: 'Lid movement during a blink.',
        options: [
          ['auto', 'character’s own'],
          ['evinger', 'measured (Evinger)'], ['symmetric-linear', 'linear, symmetric'], ['asymmetric-linear', 'linear, closing faster'],
          ['symmetric-ease', 'eased, symmetric'], ['asymmetric-ease', 'eased, closing faster'],
          ['pca', 'blink model (PCA)'], ['real', 'recorded blinks'],
        ],
      }),
      plain('lidTempo', { name: 'Lid speed', unit: '×', least: 0.1, most: 2, usual: 1, help: '1 is the measured speed; less looks tired.' }),
      aperture(0, 'Left aperture'),
      aperture(1, 'Right aperture'),
    ],
  },
];

export const FIELDS: readonly Field[] = GROUPS.flatMap(({ fields }) => fields);
export const isNumber = (field: Field): field is NumberField => 'unit' in field;

/** Returns the value of a field as a short text. */
export function fieldText(field: Field, it: Temperament): string {
  if (!isNumber(field)) return field.options.find(([value]) => value === valueOf(field, it))?.[1] ?? String(valueOf(field, it));
  const value = valueOf(field, it);
  return value === null ? field.none ?? '–' : amount(value as number, field.unit);
}

export function amount(value: number, unit: NumberField['unit']): string {
  if (unit === '%') return `${Math.round(100 * value)} %`;
  if (unit === '/min') return `${Math.round(value)} per minute`;
  const digits = unit === '×' ? 2 : 1;
  return unit === '°' ? `${value.toFixed(digits)}°` : `${value.toFixed(digits)} ${unit}`;
}

/** Returns the value or its default. Short names of blink strategies become long ones. */
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
