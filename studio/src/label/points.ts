// The 18 eye points: names and operations.
import type { Point, Points } from './types.ts';

export const POINTS = 18;
const EYE = 9;
export const [OUTER, UPPER, INNER, LOWER, IRIS] = [0, 2, 4, 6, 8] as const;

const PARTS = [
  'outer corner', 'upper lid, outer', 'upper lid, middle', 'upper lid, inner', 'inner corner',
  'lower lid, inner', 'lower lid, middle', 'lower lid, outer', 'iris',
] as const;

export type Side = 'right' | 'left';
/** The person's sides: the right eye is on the left of the image. */
export const SIDES: readonly Side[] = ['right', 'left'];
export const sideOf = (index: number): Side => index < EYE ? 'right' : 'left';
export const partOf = (index: number): number => index % EYE;
export const nameOf = (index: number): string => `${sideOf(index) === 'right' ? 'Right' : 'Left'} eye, ${PARTS[partOf(index)]}`;

/** The points of one eye. */
export const eyeOf = (points: Points, side: Side): Points => side === 'right' ? points.slice(0, EYE) : points.slice(EYE);
const joined = (right: Points, left: Points): Points => [...right, ...left];
const withEye = (points: Points, side: Side, eye: Points): Points =>
  side === 'right' ? joined(eye, eyeOf(points, 'left')) : joined(eyeOf(points, 'right'), eye);

/** Rounds to a hundredth of a pixel. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;
const tidy = (points: Points): Points => points.map(([x, y]) => [rounded(x), rounded(y)]);

export const moved = (points: Points, index: number, to: Point): Points =>
  points.map((point, i) => i === index ? [rounded(to[0]), rounded(to[1])] : point);

/** Distance below which points of an eye coincide, because the lids are closed. */
const TOUCHING_PX = 0.05;

/** Moves a point and the coinciding points of the same eye, so that closed lids stay closed. */
export const movedTogether = (points: Points, index: number, to: Point): Points =>
  points.reduce((all, point, i) => sideOf(i) === sideOf(index) && distance(point, points[index]!) < TOUCHING_PX ? moved(all, i, to) : all, points);

export const shifted = (points: Points, dx: number, dy: number): Points => tidy(points.map(([x, y]) => [x + dx, y + dy]));

const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(bx - ax, by - ay);

export const widthOf = (eye: Points): number => distance(eye[OUTER]!, eye[INNER]!);

/** Distance between the lids as a fraction of the eye width. */
export function apertureOf(eye: Points): number {
  const [ox, oy] = eye[OUTER]!, [ix, iy] = eye[INNER]!, [ux, uy] = eye[UPPER]!, [lx, ly] = eye[LOWER]!;
  const ax = ix - ox, ay = iy - oy, side = ax >= 0 ? 1 : -1;
  return side * ((lx - ux) * -ay + (ly - uy) * ax) / Math.max(ax * ax + ay * ay, Number.MIN_VALUE);
}

/** Aperture below which too little of the iris is visible to estimate the gaze. */
export const SHUT = 0.12;

/** Points of the upper lid, each above one of the lower lid. */
const LIDS: readonly (readonly [upper: number, lower: number])[] = [[1, 7], [2, 6], [3, 5]];

/** Closes an eye: the upper lid moves onto the lower one, and the iris between them. */
function shutEye(eye: Points): Points {
  const shut = [...eye];
  for (const [upper, lower] of LIDS) shut[upper] = eye[lower]!;
  shut[IRIS] = eye[LOWER]!;
  return shut;
}

export const shut = (points: Points, sides: readonly Side[] = SIDES): Points =>
  sides.reduce((all, side) => withEye(all, side, shutEye(eyeOf(all, side))), points);

/** Mirrors one eye to the other, whose corners stay. */
export function mirrored(points: Points, from: Side): Points {
  const to = from === 'right' ? 'left' : 'right', [eye, other] = [eyeOf(points, from), eyeOf(points, to)];
  const place = frameOf(other), look = frameOf(eye);
  const lids = eye.map((point, i) => i === OUTER || i === INNER ? other[i]! : place.at(look.of(point)));
  // Both eyes look to the same side, so the iris is not mirrored.
  const [along, down] = look.of(eye[IRIS]!);
  lids[IRIS] = place.at([1 - along, down]);
  return withEye(points, to, tidy(lids));
}

/** Coordinate system of an eye: along the line from outer to inner corner, and down, both in eye widths. */
export function frameOf(eye: Points): { of: (point: Point) => Point; at: (point: Point) => Point } {
  const [ox, oy] = eye[OUTER]!, [ix, iy] = eye[INNER]!;
  const ax = ix - ox, ay = iy - oy, square = Math.max(ax * ax + ay * ay, Number.MIN_VALUE), hand = ax >= 0 ? 1 : -1;
  return {
    of: ([x, y]) => [((x - ox) * ax + (y - oy) * ay) / square, hand * ((y - oy) * ax - (x - ox) * ay) / square],
    at: ([along, down]) => [ox + along * ax - hand * down * ay, oy + along * ay + hand * down * ax],
  };
}

/** Default open eye, from its outer corner at (0, 0) to its inner one at (1, 0). */
const PLAIN: Points = [[0, 0], [0.24, -0.17], [0.5, -0.23], [0.76, -0.15], [1, 0.03], [0.76, 0.1], [0.5, 0.14], [0.24, 0.11], [0.5, -0.05]];

/** Default points of two eyes in an image. */
export function plainEyes(width: number, height: number): Points {
  const size = Math.min(width, height) * 0.16, y = height * 0.42;
  const eye = (x: number, hand: number): Points => PLAIN.map(([along, down]) => [x + hand * along * size, y + down * size]);
  return tidy(joined(eye(width / 2 - 1.6 * size, 1), eye(width / 2 + 1.6 * size, -1)));
}

/** Mean distance between two sets of points in pixels. */
export const apart = (one: Points, other: Points): number =>
  one.reduce((sum, point, i) => sum + distance(point, other[i]!), 0) / one.length;

/** Lid contour of an eye, without the iris. */
export const outline = (eye: Points): Points => eye.slice(0, IRIS);

/**
 * An adult's eye in millimetres: radius of the eyeball (Bekerman, Gottlieb and Vaiman 2014: 24.2 mm across), diameter of the visible
 * iris (Rüfer, Schröder and Erb 2005: 11.71 ± 0.42 mm across) and distance between the corners
 * (Farkas 1994: 30 to 31 mm). So the centre of the iris is 10.5 mm in front of that of the eyeball.
 */
export const EYEBALL_MM = 12, IRIS_MM = 11.7, OPENING_MM = 30;
export const IRIS_AHEAD_MM = Math.sqrt(EYEBALL_MM ** 2 - (IRIS_MM / 2) ** 2);
export const irisRadius = (eye: Points): number => widthOf(eye) * (IRIS_MM / OPENING_MM) / 2;
