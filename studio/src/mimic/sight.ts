// What a picture shows of a person: points of the body, the face and the hands, as the server takes them; and how many people.

/** Shares of the picture's size, or metres; the fourth number is how surely it is seen. */
export type BodyPoint = [x: number, y: number, z: number, visibility: number];
export type Point = [x: number, y: number, z: number];

/** One picture, in points. Left is the person's left. */
export interface Sight {
  /** Seconds. */
  time: number;
  people: number;
  /** Of the picture, in pixels. */
  size: [width: number, height: number];
  pose: BodyPoint[] | null;
  /** In metres, from between the hips. */
  world: BodyPoint[] | null;
  face: Point[] | null;
  leftHand: Point[] | null;
  rightHand: Point[] | null;
}

/** As MediaPipe tells a point. */
export interface Landmark { x: number; y: number; z: number; visibility?: number }

/** MediaPipe's numbers of what is asked for here. */
const HEAD = 11, NOSE = 0, SHOULDERS = [11, 12] as const, HIPS = [23, 24] as const;

const rounded = (number: number): number => Math.round(number * 1e4) / 1e4;

export const bodyOf = (points: readonly Landmark[]): BodyPoint[] =>
  points.map(({ x, y, z, visibility }) => [rounded(x), rounded(y), rounded(z), rounded(visibility ?? 0)]);

/** A part of a picture, in pixels. */
export interface Square { left: number; top: number; side: number }

/** How large the square around a head is, in spans from ear to ear; and how far a head may move in it before it is cut anew. */
const SPANS = 3.2, SLACK = 0.12, GROWTH = 1.25;
/** A smaller head is only a few pixels. */
const LEAST_SIDE = 24;

/**
 * The square in which to look for the face. It stays where it is while the head is well inside: what is followed from
 * picture to picture must not jump.
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

/** Points in a square of a picture, as points of the picture. Depth is in shares of the width, as MediaPipe has it. */
export const pointsOf = (points: readonly Landmark[], { left, top, side }: Square, width: number, height: number): Point[] =>
  points.map(({ x, y, z }) => [rounded((left + x * side) / width), rounded((top + y * side) / height), rounded(z * side / width)]);

/** MediaPipe's numbers of a wrist and of the knuckles that the pose has of its hand, the left ones first. */
const WRISTS = [[15, 17, 19], [16, 18, 20]] as const;
/** How large the square around a hand is, in lengths of the trunk, or in lengths of a hand that is near the camera. */
const HAND_TRUNKS = 0.7, HAND_SPANS = 3.4;
/** A wrist that is seen less has no hand to look for. */
const LEAST_WRIST = 0.5;

/**
 * The squares in which to look for the left and the right hand; `null` where there is none to be seen. They go along with the
 * hands, which so stay where they were last found in them.
 */
export const handSquares = (body: readonly Landmark[], width: number, height: number): (Square | null)[] =>
  WRISTS.map(numbers => {
    const [wrist, ...knuckles] = numbers.map(number => body[number]!) as [Landmark, Landmark, Landmark];
    const isWithin = wrist.x > 0 && wrist.x < 1 && wrist.y > 0 && wrist.y < 1;
    if ((wrist.visibility ?? 0) < LEAST_WRIST || !isWithin) return null;
    const spans = knuckles.map(({ x, y }) => Math.hypot((x - wrist.x) * width, (y - wrist.y) * height));
    const side = Math.max(LEAST_SIDE, HAND_TRUNKS * torso(body, width, height), HAND_SPANS * Math.max(...spans));
    // Fingers are as far beyond the knuckles as these are beyond the wrist.
    const x = (knuckles[0]!.x + knuckles[1]!.x) / 2 * width, y = (knuckles[0]!.y + knuckles[1]!.y) / 2 * height;
    return { left: x - side / 2, top: y - side / 2, side };
  });

/** How far a hand's wrist may be from the pose's, in sides of its square: another one is not theirs. */
const MOST_OFF = 0.4;

/**
 * The left and the right hand among those that were found in a picture of both squares side by side. Whose they are is told
 * by the nearest wrist of the pose: MediaPipe's own word for it is meant for mirrored pictures, and a guess.
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

/** Hands that were seen a moment ago, gone along with the wrists. Those that have gone farther than a palm is long are somewhere else. */
export const handsAlong = (hands: readonly (Point[] | null)[], then: readonly Landmark[], now: readonly Landmark[], width: number, height: number): (Point[] | null)[] =>
  hands.map((hand, i) => {
    const [from, to] = [then, now].map(body => body[WRISTS[i]![0]]!) as [Landmark, Landmark];
    if (!hand || (to.visibility ?? 0) < LEAST_WRIST) return null;
    const [right, down] = [to.x - from.x, to.y - from.y], [wrist, knuckle] = [hand[0]!, hand[9]!];
    const length = Math.hypot((knuckle[0] - wrist[0]) * width, (knuckle[1] - wrist[1]) * height);
    return Math.hypot(right * width, down * height) > length ? null : hand.map(([x, y, z]) => [rounded(x + right), rounded(y + down), z]);
  });

export interface Box { left: number; top: number; width: number; height: number }

/** How much of a body is beyond its points, as a share of its size: hair above, sleeves and fingers at the sides. */
const BEYOND = 0.15, SLENDER = 0.3;

/** What a body covers of a picture, generously, in pixels. Painted over, it leaves whoever else is there. */
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

/** Someone as small as a third of the first one is not meant, and nor are points that are hardly seen. */
const LEAST_SHARE = 1 / 3, LEAST_VISIBILITY = 0.6;

/** Whether what was found beside a body is another person who is there, too. */
export const isAnother = (other: readonly Landmark[], first: readonly Landmark[], width: number, height: number): boolean =>
  [NOSE, ...SHOULDERS].every(number => (other[number]!.visibility ?? 0) >= LEAST_VISIBILITY)
  && torso(other, width, height) >= LEAST_SHARE * torso(first, width, height);

/** How many are there, and what the last look said. */
export interface Count { people: number; last: number }
export const ALONE: Count = { people: 1, last: 1 };

/** One look may err: two in a row are believed. */
export const counted = ({ people, last }: Count, now: number): Count => ({ people: now === last ? now : people, last: now });
