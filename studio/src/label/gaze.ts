// Gaze: a signal that is constant between keys (paper 5, Figure 1), and its estimation from the iris.
import { apertureOf, eyeOf, frameOf, IRIS, IRIS_AHEAD_MM, OPENING_MM, rounded, SHUT, SIDES, type Side } from './points.ts';
import type { GazeKey, LabelledFrame, Point, Points } from './types.ts';

export interface Direction { readonly yawDeg: number; readonly pitchDeg: number }
export const AHEAD: Direction = { yawDeg: 0, pitchDeg: 0 };

/** Limit of eye rotation in degrees. */
const MOST_DEG = 55;
/** Distance of the iris from the eyeball's centre, in eye widths: the displacement of a 90° rotation. */
export const REACH = IRIS_AHEAD_MM / OPENING_MM;

const DEG = 180 / Math.PI;
const within = (value: number): number => Math.round(Math.max(-MOST_DEG, Math.min(MOST_DEG, value)) * 10) / 10;
export const direction = (yawDeg: number, pitchDeg: number): Direction => ({ yawDeg: within(yawDeg), pitchDeg: within(pitchDeg) });

/** Returns the key in effect at a frame: the last one at or before it. */
export const keyAt = (keys: readonly GazeKey[], frame: number): GazeKey | undefined => keys.findLast(key => key.frame <= frame);

export function withKey(keys: readonly GazeKey[], key: GazeKey): readonly GazeKey[] {
  return [...keys.filter(({ frame }) => frame !== key.frame), key].sort((a, b) => a.frame - b.frame);
}

export const withoutKey = (keys: readonly GazeKey[], frame: number): readonly GazeKey[] => keys.filter(key => key.frame !== frame);

/** Returns the key before or after a frame. */
export const nextKey = (keys: readonly GazeKey[], frame: number, step: 1 | -1): GazeKey | undefined =>
  step === 1 ? keys.find(key => key.frame > frame) : keys.findLast(key => key.frame < frame);

/** Iris position relative to the middle between the corners: right and down in the image, in eye widths. */
function irisOf(points: Points, side: Side): readonly [number, number] {
  const eye = eyeOf(points, side), [along, down] = frameOf(eye).of(eye[IRIS]!);
  return [side === 'right' ? along - 0.5 : 0.5 - along, down];
}

/** Iris position of each eye when the person looks ahead. */
export type Neutral = Record<Side, readonly [number, number]>;

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b), half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
};

/** Converts the neutral iris position to image pixels. */
export function aheadIn(points: Points, side: Side, neutral: Neutral): Point {
  const [x, y] = neutral[side];
  return frameOf(eyeOf(points, side)).at([side === 'right' ? 0.5 + x : 0.5 - x, y]);
}

/**
 * Neutral iris position in eye widths: half way between the corners for both eyes together, since faces are symmetric, and a
 * little above their line. In the labels of two real films it is 0.04 and 0.11 above, and 0.03 from the middle to either side.
 */
const USUAL_AHEAD = [0, -0.05] as const;
/**
 * Weight of the median iris position, horizontally and vertically: people may look past the camera most of the
 * time, but eyes turn less far up and down, and how high the corners are differs from person to person.
 */
const MOST_COUNTS = [0.3, 0.7] as const;

/** Estimates the neutral iris position without gaze keys. */
export function neutralOf(frames: readonly LabelledFrame[]): Neutral {
  const open = openOf(frames);
  const most = (side: Side, axis: 0 | 1): number => median(open.map(({ points }) => irisOf(points, side)[axis]));
  // The difference between both eyes does not depend on the gaze.
  const place = (side: Side, axis: 0 | 1): number => {
    const both = (most('right', axis) + most('left', axis)) / 2;
    return USUAL_AHEAD[axis] + (open.length > 0 ? MOST_COUNTS[axis] * (both - USUAL_AHEAD[axis]) + most(side, axis) - both : 0);
  };
  return { right: [place('right', 0), place('right', 1)], left: [place('left', 0), place('left', 1)] };
}

/** Frames in which the iris is visible. */
const openOf = (frames: readonly LabelledFrame[]): readonly LabelledFrame[] => frames.filter(({ points }) => isOpen(points));
export const isOpen = (points: Points): boolean => SIDES.every(side => apertureOf(eyeOf(points, side)) > SHUT);

/** Calibration for a person: neutral iris position and scale. `keys` is the number of keys it was estimated from. */
export interface Person { readonly neutral: Neutral; readonly reach: number; readonly keys: number }

/**
 * Typical errors in eye widths: of a labelled iris and the gaze set for it, of the
 * neutral position, and of the reach, since eye openings differ between people and are foreshortened.
 */
const OFF = { seen: 0.015, ahead: 0.05, reach: 0.035 };

/**
 * Estimates the neutral iris position and the scale from keys set by hand. Without keys, they are the
 * usual position and the anatomical scale; each key corrects them (least squares with a prior).
 */
export function personOf(frames: readonly LabelledFrame[], keys: readonly GazeKey[]): Person {
  const known = new Map(openOf(frames).map(it => [it.frame, it.points])), usual = neutralOf(frames);
  const seen = keys.flatMap(key => { const points = known.get(key.frame); return points && !key.guessed ? [{ turn: irisAt(key), points }] : []; });
  const hold = (OFF.seen / OFF.ahead) ** 2;
  const groups = SIDES.flatMap(side => ([0, 1] as const).map(axis => {
    const pairs = seen.map(({ turn, points }) => ({ turn: turn[axis], iris: irisOf(points, side)[axis] - usual[side][axis] }));
    const mean = (of: (pair: typeof pairs[number]) => number) => pairs.reduce((sum, pair) => sum + of(pair), 0) / (pairs.length + hold);
    const [turn, iris] = [mean(pair => pair.turn), mean(pair => pair.iris)];
    const sum = (of: (pair: typeof pairs[number]) => number) => pairs.reduce((total, pair) => total + of(pair), 0);
    return {
      side, axis, turn, iris,
      across: sum(pair => (pair.turn - turn) * (pair.iris - iris)) + hold * turn * iris, along: sum(pair => (pair.turn - turn) ** 2) + hold * turn ** 2,
    };
  }));
  const weight = (OFF.seen / OFF.reach) ** 2, total = (of: 'across' | 'along') => groups.reduce((sum, group) => sum + group[of], 0);
  const reach = Math.max(REACH / 2, (total('across') + weight * REACH) / (total('along') + weight));
  const ahead = (side: Side): readonly [number, number] => {
    const [x, y] = [0, 1].map(axis => groups.find(it => it.side === side && it.axis === axis)!).map(({ turn, iris }) => iris - reach * turn);
    return [usual[side][0] + x!, usual[side][1] + y!];
  };
  return { neutral: { right: ahead('right'), left: ahead('left') }, reach, keys: seen.length };
}

/** Estimates the gaze from the irises, as the mean of both eyes. */
export function gazeOf(points: Points, { neutral, reach }: Pick<Person, 'neutral' | 'reach'>): Direction {
  const turns = SIDES.map(side => {
    const [x, y] = irisOf(points, side), [x0, y0] = neutral[side];
    return turned(AHEAD, (x - x0) / reach, (y - y0) / reach);
  });
  return direction((turns[0]!.yawDeg + turns[1]!.yawDeg) / 2, (turns[0]!.pitchDeg + turns[1]!.pitchDeg) / 2);
}

/** Minimum change of the gaze in degrees. Smaller changes are labelling noise. */
const GLANCE_DEG = 3;

/** Proposes keys for all labelled frames in which the gaze changes by more than `GLANCE_DEG`. */
export function proposedKeys(frames: readonly LabelledFrame[], person: Person): readonly GazeKey[] {
  const keys: GazeKey[] = [];
  for (const { frame, secs, points } of openOf(frames)) {
    const seen = gazeOf(points, person), last = keys.at(-1);
    if (!last || Math.hypot(seen.yawDeg - last.yawDeg, seen.pitchDeg - last.pitchDeg) > GLANCE_DEG) keys.push({ frame, secs, ...seen, guessed: true });
  }
  return keys;
}

/** Converts a tracked gaze to fixations: a new one starts where two frames in a row differ from the current one. */
export function glances(frames: readonly LabelledFrame[], person: Person): readonly GazeKey[] {
  const seen = openOf(frames).map(({ frame, secs, points }) => ({ frame, secs, ...gazeOf(points, person) }));
  const rests: (typeof seen)[] = [];
  seen.forEach((now, i) => {
    const rest = rests.at(-1), after = seen[i + 1] ?? now;
    if (rest && !(isOff(rest, now) && isOff(rest, after))) rest.push(now);
    else rests.push([now]);
  });
  const long = rests.filter(rest => rest.length >= LEAST_REST);
  return long.map(rest => ({ frame: rest[0]!.frame, secs: rest[0]!.secs, ...middle(rest), guessed: true }));
}

/** Minimum duration of a fixation in frames. Shorter ones are tracking errors. */
const LEAST_REST = 3;
const middle = (rest: readonly Direction[]): Direction => direction(median(rest.map(it => it.yawDeg)), median(rest.map(it => it.pitchDeg)));
const isOff = (rest: readonly Direction[], now: Direction): boolean => {
  const { yawDeg, pitchDeg } = middle(rest);
  return Math.hypot(now.yawDeg - yawDeg, now.pitchDeg - pitchDeg) > GLANCE_DEG;
};

/** Position of the drawn iris, right and down in the image, in units of the eyeball's radius. */
export function irisAt({ yawDeg, pitchDeg }: Direction): readonly [number, number] {
  return [rounded(Math.sin(yawDeg / DEG) * Math.cos(pitchDeg / DEG)), rounded(-Math.sin(pitchDeg / DEG))];
}

/** Direction after dragging the front of the eyeball, in units of its radius. */
export function turned(from: Direction, right: number, down: number): Direction {
  const [x, y] = irisAt(from);
  const sine = (value: number) => Math.asin(Math.max(-0.98, Math.min(0.98, value))) * DEG;
  const pitchDeg = -sine(y + down);
  return direction(sine((x + right) / Math.max(0.2, Math.cos(pitchDeg / DEG))), pitchDeg);
}

/** Describes a direction from the person's point of view. */
export function directionText({ yawDeg, pitchDeg }: Direction): string {
  const part = (value: number, positive: string, negative: string) =>
    Math.abs(value) < 0.05 ? [] : [`${Math.abs(value).toFixed(1)}° ${value > 0 ? positive : negative}`];
  return [...part(yawDeg, 'to their left', 'to their right'), ...part(pitchDeg, 'up', 'down')].join(', ') || 'straight ahead';
}
