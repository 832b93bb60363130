// Mimicry without a camera: crops, number of people, texts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mannerOf, USUAL } from '../src/mimic/manner.ts';
import { ALONE, bodyBox, bodyOf, counted, handsAlong, handsOf, handSquares, headSquare, isAnother, pointsOf, type Landmark } from '../src/mimic/sight.ts';
import { addTiming, tempoOf, type Timings } from '../src/mimic/tempo.ts';
import { answerInWords, isFault, noticedInWords, paceInWords, stateInWords, whyNoCamera } from '../src/mimic/texts.ts';
import type { Noticed } from '../src/protocol.ts';

const [WIDTH, HEIGHT] = [400, 300];

/** A person standing upright, in fractions of the image; only the landmarks used here are realistic. */
function person(x: number, size = 1, visibility = 1): Landmark[] {
  const at = (right: number, down: number): Landmark => ({ x: x + size * right, y: 0.2 + size * down, z: 0, visibility });
  const body = Array.from({ length: 33 }, () => at(0, 0));
  [body[7], body[8]] = [at(0.03, 0), at(-0.03, 0)];
  [body[11], body[12]] = [at(0.08, 0.1), at(-0.08, 0.1)];
  [body[23], body[24]] = [at(0.05, 0.35), at(-0.05, 0.35)];
  [body[27], body[28]] = [at(0.05, 0.7), at(-0.05, 0.7)];
  return body;
}

test('the square surrounds the head and is a few heads wide', () => {
  const { left, top, side } = headSquare(person(0.5), WIDTH, HEIGHT, null);
  assert.ok(side > 2 * 0.06 * WIDTH && side < 5 * 0.06 * WIDTH, String(side));
  assert.deepEqual([left + side / 2, top + side / 2].map(Math.round), [200, 60]);
});

test('the square stays while the head is inside, and follows a head that leaves or comes closer', () => {
  const first = headSquare(person(0.5), WIDTH, HEIGHT, null);
  assert.equal(headSquare(person(0.51), WIDTH, HEIGHT, first), first);
  for (const other of [person(0.56), person(0.5, 1.4)]) assert.notEqual(headSquare(other, WIDTH, HEIGHT, first), first);
});

test('a head of size zero gets a square', () => {
  const dot = person(0.5, 0);
  assert.ok(headSquare(dot, WIDTH, HEIGHT, null).side > 0);
});

test('points of a square are converted to the image, and body points are rounded', () => {
  const face = pointsOf([{ x: 0, y: 0, z: 0 }, { x: 1, y: 0.5, z: -0.2 }], { left: 100, top: 30, side: 60 }, WIDTH, HEIGHT);
  assert.deepEqual(face, [[0.25, 0.1, 0], [0.4, 0.2, -0.03]]);
  assert.deepEqual(bodyOf([{ x: 0.123456, y: 1.00001, z: -2 }]), [[0.1235, 1, -2, 0]]);
});

/** A body with wrists at these positions, in fractions of the image, and the knuckles beyond them. */
function withWrists(left: [number, number], right: [number, number], visibility = 1): Landmark[] {
  const body = person(0.5);
  [left, right].forEach(([x, y], side) => [15, 17, 19].forEach((number, i) => {
    body[number + side] = { x: x + (i - 1) * 0.01 * Math.min(i, 1), y: y - 0.03 * Math.min(i, 1), z: 0, visibility };
  }));
  return body;
}

/** A MediaPipe hand in an image of two squares: its wrist is in the left or right one, fingers up. */
const handIn = (half: number, x: number, y: number): Landmark[] =>
  Array.from({ length: 21 }, (_, i) => ({ x: (half + x) / 2, y: y - 0.02 * (i % 5), z: -0.01 }));

test('hands are searched around visible wrists, with room for the fingers', () => {
  const [left, right] = handSquares(withWrists([0.7, 0.4], [0.3, 0.5]), WIDTH, HEIGHT);
  for (const [square, x, y] of [[left!, 0.7, 0.4], [right!, 0.3, 0.5]] as const) {
    const { left: from, top, side } = square;
    assert.ok(from < x * WIDTH && from + side > x * WIDTH && top < (y - 0.1) * HEIGHT && top + side > y * HEIGHT && side < 0.3 * WIDTH, JSON.stringify(square));
  }
  assert.deepEqual(handSquares(withWrists([0.7, 0.4], [0.3, 0.5], 0.2), WIDTH, HEIGHT), [null, null], 'hidden');
  assert.equal(handSquares(withWrists([0.7, 0.4], [0.3, 1.1]), WIDTH, HEIGHT)[1], null, 'below the picture');
  const moved = handSquares(withWrists([0.705, 0.4], [0.3, 0.5]), WIDTH, HEIGHT)[0]!;
  assert.ok(Math.abs(moved.left - left!.left - 0.005 * WIDTH) < 1e-9, 'it goes along');
});

test('a hand belongs to the nearest wrist, and is ignored if both are far', () => {
  const body = withWrists([0.7, 0.4], [0.3, 0.5]), squares = [{ left: 240, top: 70, side: 80 }, { left: 80, top: 100, side: 80 }];
  const [left, right] = handsOf([handIn(1, 0.5, 0.6), handIn(0, 0.5, 0.6)], squares, body, WIDTH, HEIGHT);
  assert.deepEqual([left![0], right![0]], [[0.7, 0.3933, -0.004], [0.3, 0.4933, -0.004]]);
  assert.deepEqual(handsOf([handIn(0, 0.02, 0.02)], squares, body, WIDTH, HEIGHT), [null, null]);
  // Folded hands are in both squares: the nearer one is used.
  const folded = withWrists([0.5, 0.5], [0.49, 0.5]), same = [{ left: 160, top: 110, side: 80 }, { left: 160, top: 110, side: 80 }];
  assert.deepEqual(handsOf([handIn(0, 0.5, 0.5), handIn(1, 0.52, 0.5)], same, folded, WIDTH, HEIGHT)[1], null);
  assert.deepEqual(handsOf([handIn(0, 0.5, 0.6)], [null, squares[1]!], body, WIDTH, HEIGHT), [null, null]);
});

test('between two detections a hand moves with its wrist, up to a limit', () => {
  const then = withWrists([0.7, 0.4], [0.3, 0.5]), [left] = handsOf([handIn(0, 0.5, 0.6)], [{ left: 240, top: 70, side: 80 }, null], then, WIDTH, HEIGHT);
  const along = (x: number, visibility = 1) => handsAlong([left!, null], then, withWrists([x, 0.4], [0.3, 0.5], visibility), WIDTH, HEIGHT);
  assert.deepEqual(along(0.705)[0]![0], [0.705, 0.3933, -0.004]);
  assert.deepEqual([along(0.9), along(0.7, 0.1)], [[null, null], [null, null]]);
});

test('the box of a body has a limited margin for hair and sleeves', () => {
  const { left, top, width, height } = bodyBox(person(0.5), WIDTH, HEIGHT);
  assert.ok(left < 0.42 * WIDTH && left + width > 0.58 * WIDTH && top < 0.2 * HEIGHT && top + height > 0.9 * HEIGHT);
  assert.ok(width < 0.3 * WIDTH && height < HEIGHT);
});

test('another person must be clearly visible and not much farther away', () => {
  const first = person(0.3);
  assert.ok(isAnother(person(0.7), first, WIDTH, HEIGHT));
  assert.ok(isAnother(person(0.7, 0.6), first, WIDTH, HEIGHT), 'someone behind');
  assert.ok(!isAnother(person(0.7, 0.2), first, WIDTH, HEIGHT), 'a picture on the wall');
  assert.ok(!isAnother(person(0.7, 1, 0.3), first, WIDTH, HEIGHT), 'low visibility');
});

test('two equal detections in a row are confirmed', () => {
  const looks = (...seen: number[]) => seen.reduce(counted, ALONE).people;
  assert.deepEqual([looks(2), looks(2, 2), looks(2, 1, 2), looks(2, 2, 1), looks(2, 2, 1, 1)], [1, 2, 1, 2, 1]);
});

test('rate and latency cover the last seconds', () => {
  let all: Timings = [];
  assert.equal(tempoOf(all), null);
  for (let i = 0; i < 100; i++) all = addTiming(all, i / 10, i < 50 ? 1 : 0.08);
  const { perSecond, latencyMs } = tempoOf(all)!;
  assert.ok(Math.abs(perSecond - 10) < 1e-6 && Math.abs(latencyMs - 80) < 1e-6 && all.length < 40, `${perSecond} ${latencyMs} ${all.length}`);
  assert.equal(paceInWords({ perSecond, latencyMs }), '10 images per second, latency 80 ms');
  assert.equal(paceInWords({ perSecond: 6.52, latencyMs: 141.2 }), '6.5 images per second, latency 141 ms');
});

const NOTHING: Noticed = { state: 'nobody', sure: 0, nods: 0, shakes: 0, blinks: 0, waiting: [], answered: [], stance: null };

test('recognised values are described, and unknown ones are a dash', () => {
  const words = (part: Partial<Noticed>) => Object.fromEntries(noticedInWords({ ...NOTHING, ...part }));
  const { Counts: counts, ...others } = words({});
  assert.deepEqual([...new Set(Object.values(others))], ['–']);
  assert.equal(counts, 'nods 0, shakes 0, blinks 0');
  const all = words({ stance: 'arms-folded', sure: 0.857, weight: 'left', tilt: 'right', lean: -4.4, turn: 0.3, nods: 2, gesture: 'LR', leftHand: 'open', rightHand: 'pointing', smile: 0, brows: 0.5, gaze: [3.4, -0.2], head: [-8, 5, -9], blinks: 3 });
  assert.deepEqual(all, {
    Stance: 'arms-folded, 86 % sure', Weight: 'on the left leg', Lean: '4° right', Turn: 'to the camera', Gesture: 'both hands', Hands: 'left open, right pointing',
    Head: '8° right, 5° up, tilted right', Gaze: '3° left', Smile: '0 %', Brows: '50 % up', Counts: 'nods 2, shakes 0, blinks 3',
  });
  assert.equal(words({ gaze: [0.2, -0.1] })['Gaze'], 'ahead');
  assert.equal(words({ leftHand: 'fist', rightHand: 'fist' })['Hands'], 'both fists');
  assert.equal(words({ rightHand: 'fist' })['Hands'], 'right a fist');
});

test('camera errors are mapped to states', () => {
  const named = (name: string) => Object.assign(new Error(), { name });
  assert.deepEqual(['NotAllowedError', 'NotFoundError', 'OverconstrainedError', 'NotReadableError'].map(name => whyNoCamera(named(name))), ['refused', 'no-camera', 'no-camera', 'in-use']);
  assert.ok(isFault('refused') && !isFault('nobody') && stateInWords('refused').includes('Allow'));
});

test('invalid stored settings are replaced by defaults', () => {
  for (const text of [null, '', '{', 'null', '7', '{"amount": "much", "mirror": 1, "delay": -1}', '{"amount": 2, "delay": 1e9}']) assert.deepEqual(mannerOf(text), USUAL);
  assert.deepEqual(mannerOf('{"amount": 0.5, "mirror": false, "delay": 0}'), { amount: 0.5, mirror: false, delay: 0 });
});

test('answers are described', () => {
  for (const [intent, words] of [
    [{ stance: 'arms-folded', at: 3, priority: -1 }, 'stance arms-folded'],
    [{ do: 'weight:left', at: 3 }, 'weight to the left'],
    [{ do: 'smile' }, 'smile'],
    [{ blink: true }, 'blink'],
    [{ act: 'gesture', hand: 'L' }, 'gesture with the left hand'],
    [{ act: 'gesture', hand: 'LR' }, 'gesture with both hands'],
    [{ act: 'gesture', hand: 'R', tags: ['deictic'] }, 'point with the right hand'],
  ] as const) assert.equal(answerInWords(JSON.stringify(intent)), words);
});
