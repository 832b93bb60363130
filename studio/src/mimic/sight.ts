// Detected points of body, face and hands in the server's format, image crops for the detectors, and the number of people.

/** Fractions of the image size, or metres; the fourth number is the visibility from 0 to 1. */
export type BodyPoint = [x: number, y: number, z: number, visibility: number];
export type Point = [x: number, y: number, z: number];

/** The points of one image. Left is the person's left. */
export interface Sight {
  /** Seconds. */
  time: number;
  people: number;
  /** Image size in pixels. */
  size: [width: number, height: number];
  pose: BodyPoint[] | null;
  /** In metres, from the middle between the hips. */
  world: BodyPoint[] | null;
  face: Point[] | null;
  leftHand: Point[] | null;
  rightHand: Point[] | null;
}

/** A point in MediaPipe's format. */
export interface Landmark { x: number; y: number; z: number; visibility?: number }

/** MediaPipe's landmark indices. */
const HEAD = 11, NOSE = 0, SHOULDERS = [11, 12] as const, HIPS = [23, 24] as const;

const rounded = (number: number): number => Math.round(number * 1e4) / 1e4;

export const bodyOf = (points: readonly Landmark[]): BodyPoint[] =>
  points.map(({ x, y, z, visibility }) => [rounded(x), rounded(y), rounded(z), rounded(visibility ?? 0)]);

/** A square part of an image, in pixels. */
export interface Square { left: number; top: number; side: number }

/** Size of the head square relative to the head's width; and the movement and growth of the head before the square is updated. */
const SPANS = 3.2, SLACK = 0.12, GROWTH = 1.25;
/** Minimum side of a square in pixels. */
const LEAST_SIDE = 24;

/**
 * Returns the square in which the face is searched. It stays the same while the head is well inside, because tracking from
 * image to image needs a stable crop.
 */
export function headSquare(body: readonly Landmark[], width: number, height: number, before: Square | null): Square {
  const head = body.slice(0, HEAD).map(({ x, y }) => [x * width, y * height] as const);
  const span = Math.max(...head.flatMap(([x, y]) => head.map(other => Math.hypot(x - other[0], y - other[1]))));
  const side = Math.max(LEAST_SIDE, SPANS * span);
  const mean = (axis: 0 | 1) => head.reduce((sum, point) => sum + point[axis], 0) / head.length;
  const now = { left: mean(0) - side / 2, top: mean(1) - side / 2, side };
  return before && isNear(now, before) ? before : now;
}

function isNear(one: Square, other: Square): boolean {
  const middle = ({ left, top, side }: Square) => [left + side / 2, top + side / 2] as const;
  const [[x, y], [u, v]] = [middle(one), middle(other)], growth = one.side / other.side;
  return Math.hypot(x - u, y - v) < SLACK * other.side && growth < GROWTH && growth > 1 / GROWTH;
}

/** Converts points of a square to points of the image. Depth is a fraction of the image width, as in MediaPipe. */
export const pointsOf = (points: readonly Landmark[], { left, top, side }: Square, width: number, height: number): Point[] =>
  points.map(({ x, y, z }) => [rounded((left + x * side) / width), rounded((top + y * side) / height), rounded(z * side / width)]);

/** MediaPipe's indices of wrist and knuckles in the pose, left hand first. */
const WRISTS = [[15, 17, 19], [16, 18, 20]] as const;
/** Size of the hand square in torso lengths, or in lengths of a hand near the camera. */
const HAND_TRUNKS = 0.7, HAND_SPANS = 3.4;
/** Minimum visibility of a wrist whose hand is searched. */
const LEAST_WRIST = 0.5;

/**
 * Returns the squares in which the left and the right hand are searched; `null` for an invisible hand. They move with the
 * hands, so that a hand keeps its position in the square.
 */
export const handSquares = (body: readonly Landmark[], width: number, height: number): (Square | null)[] =>
  WRISTS.map(numbers => {
    const [wrist, ...knuckles] = numbers.map(number => body[number]!) as [Landmark, Landmark, Landmark];
    const isWithin = wrist.x > 0 && wrist.x < 1 && wrist.y > 0 && wrist.y < 1;
    if ((wrist.visibility ?? 0) < LEAST_WRIST || !isWithin) return null;
    const spans = knuckles.map(({ x, y }) => Math.hypot((x - wrist.x) * width, (y - wrist.y) * height));
    const side = Math.max(LEAST_SIDE, HAND_TRUNKS * torso(body, width, height), HAND_SPANS * Math.max(...spans));
    // The fingers extend beyond the knuckles about as far as the knuckles beyond the wrist.
    const x = (knuckles[0]!.x + knuckles[1]!.x) / 2 * width, y = (knuckles[0]!.y + knuckles[1]!.y) / 2 * height;
    return { left: x - side / 2, top: y - side / 2, side };
  });

/** Maximum distance between the wrist of a hand and that of the pose, in sides of the square. */
const MOST_OFF = 0.4;

/**
 * Assigns hands found in an image of both squares side by side to left and right, by the nearest
 * wrist of the pose. MediaPipe's handedness assumes mirrored images and is unreliable.
 */
export function handsOf(found: readonly (readonly Landmark[])[], squares: readonly (Square | null)[], body: readonly Landmark[], width: number, height: number): (Point[] | null)[] {
  const hands: (Point[] | null)[] = [null, null], off = [Infinity, Infinity];
  for (const points of found) {
    const half = points[0]!.x < 0.5 ? 0 : 1, square = squares[half];
    if (!square) continue;
    const hand = pointsOf(points.map(({ x, y, z }) => ({ x: 2 * x - half, y, z: 2 * z })), square, width, height);
    const offs = WRISTS.map(([wrist]) => Math.hypot((hand[0]![0] - body[wrist]!.x) * width, (hand[0]![1] - body[wrist]!.y) * height) / square.side);
    const side = offs[0]! <= offs[1]! ? 0 : 1;
    if (offs[side]! < Math.min(MOST_OFF, off[side]!)) [hands[side], off[side]] = [hand, offs[side]!];
  }
  return hands;
}

/** Moves hands of an earlier detection with their wrists. A hand that moved more than the length of a palm becomes `null`. */
export const handsAlong = (hands: readonly (Point[] | null)[], then: readonly Landmark[], now: readonly Landmark[], width: number, height: number): (Point[] | null)[] =>
  hands.map((hand, i) => {
    const [from, to] = [then, now].map(body => body[WRISTS[i]![0]]!) as [Landmark, Landmark];
    if (!hand || (to.visibility ?? 0) < LEAST_WRIST) return null;
    const [right, down] = [to.x - from.x, to.y - from.y], [wrist, knuckle] = [hand[0]!, hand[9]!];
    const length = Math.hypot((knuckle[0] - wrist[0]) * width, (knuckle[1] - wrist[1]) * height);
    return Math.hypot(right * width, down * height) > length ? null : hand.map(([x, y, z]) => [rounded(x + right), rounded(y + down), z]);
  });

export interface Box { left: number; top: number; width: number; height: number }

/** Margin around the points as a fraction of the body's size: hair above, sleeves and fingers at the sides. */
const BEYOND = 0.15, SLENDER = 0.3;

/** Returns a generous bounding box of a body in pixels. It is painted over to find other people. */
export function bodyBox(body: readonly Landmark[], width: number, height: number): Box {
  const [xs, ys] = [body.map(({ x }) => x * width), body.map(({ y }) => y * height)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)], [right, bottom] = [Math.max(...xs), Math.max(...ys)];
  const margin = BEYOND * Math.max(right - left, SLENDER * (bottom - top));
  return { left: left - margin, top: top - 1.5 * margin, width: right - left + 2 * margin, height: bottom - top + 3 * margin };
}

function torso(body: readonly Landmark[], width: number, height: number): number {
  const middle = ([a, b]: readonly [number, number]) => [(body[a]!.x + body[b]!.x) / 2 * width, (body[a]!.y + body[b]!.y) / 2 * height] as const;
  const [[x, y], [u, v]] = [middle(SHOULDERS), middle(HIPS)];
  return Math.hypot(x - u, y - v);
}

/** Minimum size relative to the first person, and minimum visibility, of another person. */
const LEAST_SHARE = 1 / 3, LEAST_VISIBILITY = 0.6;

/** Returns true if a second detection is another visible person of similar size. */
export const isAnother = (other: readonly Landmark[], first: readonly Landmark[], width: number, height: number): boolean =>
  [NOSE, ...SHOULDERS].every(number => (other[number]!.visibility ?? 0) >= LEAST_VISIBILITY)
  && torso(other, width, height) >= LEAST_SHARE * torso(first, width, height);

/** The confirmed number of people, and the last detected one. */
export interface Count { people: number; last: number }
export const ALONE: Count = { people: 1, last: 1 };

/** Updates the count. A new number is confirmed by two equal detections in a row. */
export const counted = ({ people, last }: Count, now: number): Count => ({ people: now === last ? now : people, last: now });
