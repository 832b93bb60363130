// The eighteen points: what they are called, and what can be done to them at once.
import type { Point, Points } from './types.ts';

export const POINTS = 18;
const EYE = 9;
export const [OUTER, UPPER, INNER, LOWER, IRIS] = [0, 2, 4, 6, 8] as const;

const PARTS = [
  'outer corner', 'upper lid, outer', 'upper lid, middle', 'upper lid, inner', 'inner corner',
  'lower lid, inner', 'lower lid, middle', 'lower lid, outer', 'iris',
] as const;

export type Side = 'right' | 'left';
/** The person's: the right eye is left in the picture. */
export const SIDES: readonly Side[] = ['right', 'left'];
export const sideOf = (index: number): Side => index < EYE ? 'right' : 'left';
export const partOf = (index: number): number => index % EYE;
export const nameOf = (index: number): string => `${sideOf(index) === 'right' ? 'Right' : 'Left'} eye, ${PARTS[partOf(index)]}`;

/** The points of one eye. */
export const eyeOf = (points: Points, side: Side): Points => side === 'right' ? points.slice(0, EYE) : points.slice(EYE);
const joined = (right: Points, left: Points): Points => [...right, ...left];
const withEye = (points: Points, side: Side, eye: Points): Points =>
  side === 'right' ? joined(eye, eyeOf(points, 'left')) : joined(eyeOf(points, 'right'), eye);

/** To a hundredth of a pixel: nobody sees less. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;
const tidy = (points: Points): Points => points.map(([x, y]) => [rounded(x), rounded(y)]);

export const moved = (points: Points, index: number, to: Point): Points =>
  points.map((point, i) => i === index ? [rounded(to[0]), rounded(to[1])] : point);

/** Nearer than this, points of an eye lie on each other: lids that are shut. */
const TOUCHING_PX = 0.05;

/** Moves a point, and with it those of the same eye that lie on it: shut lids stay shut. */
export const movedTogether = (points: Points, index: number, to: Point): Points =>
  points.reduce((all, point, i) => sideOf(i) === sideOf(index) && distance(point, points[index]!) < TOUCHING_PX ? moved(all, i, to) : all, points);

export const shifted = (points: Points, dx: number, dy: number): Points => tidy(points.map(([x, y]) => [x + dx, y + dy]));

const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(bx - ax, by - ay);

export const widthOf = (eye: Points): number => distance(eye[OUTER]!, eye[INNER]!);

/** How far the lids are apart, as a share of the eye's width. */
export function apertureOf(eye: Points): number {
  const [ox, oy] = eye[OUTER]!, [ix, iy] = eye[INNER]!, [ux, uy] = eye[UPPER]!, [lx, ly] = eye[LOWER]!;
  const ax = ix - ox, ay = iy - oy, side = ax >= 0 ? 1 : -1;
  return side * ((lx - ux) * -ay + (ly - uy) * ax) / Math.max(ax * ax + ay * ay, Number.MIN_VALUE);
}

/** Less open than this, of the iris too little is seen to tell anything by it. */
export const SHUT = 0.12;

/** Points of the upper lid, each above one of the lower lid. */
const LIDS: readonly (readonly [upper: number, lower: number])[] = [[1, 7], [2, 6], [3, 5]];

/** The eye shut: lids meet where the lower one is, and the iris lies between them. */
function shutEye(eye: Points): Points {
  const shut = [...eye];
  for (const [upper, lower] of LIDS) shut[upper] = eye[lower]!;
  shut[IRIS] = eye[LOWER]!;
  return shut;
}

export const shut = (points: Points, sides: readonly Side[] = SIDES): Points =>
  sides.reduce((all, side) => withEye(all, side, shutEye(eyeOf(all, side))), points);

/** The other eye as the mirror image of this one, between its own corners. */
export function mirrored(points: Points, from: Side): Points {
  const to = from === 'right' ? 'left' : 'right', [eye, other] = [eyeOf(points, from), eyeOf(points, to)];
  const place = frameOf(other), look = frameOf(eye);
  const lids = eye.map((point, i) => i === OUTER || i === INNER ? other[i]! : place.at(look.of(point)));
  // Both eyes look to the same side: what is towards the nose in one is towards the temple in the other.
  const [along, down] = look.of(eye[IRIS]!);
  lids[IRIS] = place.at([1 - along, down]);
  return withEye(points, to, tidy(lids));
}

/** Coordinates of an eye: along from its outer to its inner corner, and down, both in widths. */
export function frameOf(eye: Points): { of: (point: Point) => Point; at: (point: Point) => Point } {
  const [ox, oy] = eye[OUTER]!, [ix, iy] = eye[INNER]!;
  const ax = ix - ox, ay = iy - oy, square = Math.max(ax * ax + ay * ay, Number.MIN_VALUE), hand = ax >= 0 ? 1 : -1;
  return {
    of: ([x, y]) => [((x - ox) * ax + (y - oy) * ay) / square, hand * ((y - oy) * ax - (x - ox) * ay) / square],
    at: ([along, down]) => [ox + along * ax - hand * down * ay, oy + along * ay + hand * down * ax],
  };
}

/** An open eye, from its outer corner at (0, 0) to its inner one at (1, 0). */
const PLAIN: Points = [[0, 0], [0.24, -0.17], [0.5, -0.23], [0.76, -0.15], [1, 0.03], [0.76, 0.1], [0.5, 0.14], [0.24, 0.11], [0.5, -0.05]];

/** Where two eyes may be in a picture, to begin with. */
export function plainEyes(width: number, height: number): Points {
  const size = Math.min(width, height) * 0.16, y = height * 0.42;
  const eye = (x: number, hand: number): Points => PLAIN.map(([along, down]) => [x + hand * along * size, y + down * size]);
  return tidy(joined(eye(width / 2 - 1.6 * size, 1), eye(width / 2 + 1.6 * size, -1)));
}

/** The mean distance between two sets of points, in pixels. */
export const apart = (one: Points, other: Points): number =>
  one.reduce((sum, point, i) => sum + distance(point, other[i]!), 0) / one.length;

/** Opening and iris of an eye, for drawing. */
export const outline = (eye: Points): Points => eye.slice(0, IRIS);

/**
 * An adult's eye in millimetres: the eyeball's radius (Bekerman, Gottlieb and Vaiman 2014: 24.2 mm across), the iris as it
 * is seen (Rüfer, Schröder and Erb 2005: 11.71 ± 0.42 mm across) and the opening of the lids from corner to corner
 * (Farkas 1994: 30 to 31 mm). So the middle of the iris lies 10.5 mm before that of the eyeball.
 */
export const EYEBALL_MM = 12, IRIS_MM = 11.7, OPENING_MM = 30;
export const IRIS_AHEAD_MM = Math.sqrt(EYEBALL_MM ** 2 - (IRIS_MM / 2) ** 2);
export const irisRadius = (eye: Points): number => widthOf(eye) * (IRIS_MM / OPENING_MM) / 2;
