// Mimicry without a camera: squares around heads, who else is there, and what is told in words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mannerOf, USUAL } from '../src/mimic/manner.ts';
import { ALONE, bodyBox, bodyOf, counted, handsAlong, handsOf, handSquares, headSquare, isAnother, pointsOf, type Landmark } from '../src/mimic/sight.ts';
import { passed, tempoOf, type Passed } from '../src/mimic/tempo.ts';
import { answerInWords, isFault, noticedInWords, paceInWords, stateInWords, whyNoCamera } from '../src/mimic/words.ts';
import type { Noticed } from '../src/protocol.ts';

const [WIDTH, HEIGHT] = [400, 300];

/** A body that stands upright at a place, in shares of a picture: only what is asked for here is where it belongs. */
function person(x: number, size = 1, visibility = 1): Landmark[] {
  const at = (right: number, down: number): Landmark => ({ x: x + size * right, y: 0.2 + size * down, z: 0, visibility });
  const body = Array.from({ length: 33 }, () => at(0, 0));
  [body[7], body[8]] = [at(0.03, 0), at(-0.03, 0)];
  [body[11], body[12]] = [at(0.08, 0.1), at(-0.08, 0.1)];
  [body[23], body[24]] = [at(0.05, 0.35), at(-0.05, 0.35)];
  [body[27], body[28]] = [at(0.05, 0.7), at(-0.05, 0.7)];
  return body;
}

test('the square is around the head, and a few heads wide', () => {
  const { left, top, side } = headSquare(person(0.5), WIDTH, HEIGHT, null);
  assert.ok(side > 2 * 0.06 * WIDTH && side < 5 * 0.06 * WIDTH, String(side));
  assert.deepEqual([left + side / 2, top + side / 2].map(Math.round), [200, 60]);
});

test('it stays while the head is well inside, and follows one that leaves or comes closer', () => {
  const first = headSquare(person(0.5), WIDTH, HEIGHT, null);
  assert.equal(headSquare(person(0.51), WIDTH, HEIGHT, first), first);
  for (const other of [person(0.56), person(0.5, 1.4)]) assert.notEqual(headSquare(other, WIDTH, HEIGHT, first), first);
});

test('a head of no size gets a square all the same', () => {
  const dot = person(0.5, 0);
  assert.ok(headSquare(dot, WIDTH, HEIGHT, null).side > 0);
});

test('points of a square are points of the picture, and points of a body are rounded', () => {
  const face = pointsOf([{ x: 0, y: 0, z: 0 }, { x: 1, y: 0.5, z: -0.2 }], { left: 100, top: 30, side: 60 }, WIDTH, HEIGHT);
  assert.deepEqual(face, [[0.25, 0.1, 0], [0.4, 0.2, -0.03]]);
  assert.deepEqual(bodyOf([{ x: 0.123456, y: 1.00001, z: -2 }]), [[0.1235, 1, -2, 0]]);
});

/** A body with its wrists at these places, in shares of the picture, and the knuckles beyond them. */
function withWrists(left: [number, number], right: [number, number], visibility = 1): Landmark[] {
  const body = person(0.5);
  [left, right].forEach(([x, y], side) => [15, 17, 19].forEach((number, i) => {
    body[number + side] = { x: x + (i - 1) * 0.01 * Math.min(i, 1), y: y - 0.03 * Math.min(i, 1), z: 0, visibility };
  }));
  return body;
}

/** A hand of MediaPipe's in a picture of two squares: the wrist at a place of the left or the right one, fingers up. */
const handIn = (half: number, x: number, y: number): Landmark[] =>
  Array.from({ length: 21 }, (_, i) => ({ x: (half + x) / 2, y: y - 0.02 * (i % 5), z: -0.01 }));

test('hands are looked for around wrists that are seen, with room for the fingers', () => {
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

test('a hand is whose wrist is nearest, whatever it is called, and one that is far from both is nobody’s', () => {
  const body = withWrists([0.7, 0.4], [0.3, 0.5]), squares = [{ left: 240, top: 70, side: 80 }, { left: 80, top: 100, side: 80 }];
  const [left, right] = handsOf([handIn(1, 0.5, 0.6), handIn(0, 0.5, 0.6)], squares, body, WIDTH, HEIGHT);
  assert.deepEqual([left![0], right![0]], [[0.7, 0.3933, -0.004], [0.3, 0.4933, -0.004]]);
  assert.deepEqual(handsOf([handIn(0, 0.02, 0.02)], squares, body, WIDTH, HEIGHT), [null, null]);
  // Folded hands are in both squares: the nearer one counts.
  const folded = withWrists([0.5, 0.5], [0.49, 0.5]), same = [{ left: 160, top: 110, side: 80 }, { left: 160, top: 110, side: 80 }];
  assert.deepEqual(handsOf([handIn(0, 0.5, 0.5), handIn(1, 0.52, 0.5)], same, folded, WIDTH, HEIGHT)[1], null);
  assert.deepEqual(handsOf([handIn(0, 0.5, 0.6)], [null, squares[1]!], body, WIDTH, HEIGHT), [null, null]);
});

test('between two looks a hand goes along with its wrist, and not far', () => {
  const then = withWrists([0.7, 0.4], [0.3, 0.5]), [left] = handsOf([handIn(0, 0.5, 0.6)], [{ left: 240, top: 70, side: 80 }, null], then, WIDTH, HEIGHT);
  const along = (x: number, visibility = 1) => handsAlong([left!, null], then, withWrists([x, 0.4], [0.3, 0.5], visibility), WIDTH, HEIGHT);
  assert.deepEqual(along(0.705)[0]![0], [0.705, 0.3933, -0.004]);
  assert.deepEqual([along(0.9), along(0.7, 0.1)], [[null, null], [null, null]]);
});

test('what a body covers has room for hair and sleeves, and none of it goes far', () => {
  const { left, top, width, height } = bodyBox(person(0.5), WIDTH, HEIGHT);
  assert.ok(left < 0.42 * WIDTH && left + width > 0.58 * WIDTH && top < 0.2 * HEIGHT && top + height > 0.9 * HEIGHT);
  assert.ok(width < 0.3 * WIDTH && height < HEIGHT);
});

test('another person is one who is clearly seen and not much farther away', () => {
  const first = person(0.3);
  assert.ok(isAnother(person(0.7), first, WIDTH, HEIGHT));
  assert.ok(isAnother(person(0.7, 0.6), first, WIDTH, HEIGHT), 'someone behind');
  assert.ok(!isAnother(person(0.7, 0.2), first, WIDTH, HEIGHT), 'a picture on the wall');
  assert.ok(!isAnother(person(0.7, 1, 0.3), first, WIDTH, HEIGHT), 'a coat on a hook');
});

test('two looks in a row are believed', () => {
  const looks = (...seen: number[]) => seen.reduce(counted, ALONE).people;
  assert.deepEqual([looks(2), looks(2, 2), looks(2, 1, 2), looks(2, 2, 1), looks(2, 2, 1, 1)], [1, 2, 1, 2, 1]);
});

test('the tempo is that of the last seconds', () => {
  let all: Passed = [];
  assert.equal(tempoOf(all), null);
  for (let i = 0; i < 100; i++) all = passed(all, i / 10, i < 50 ? 1 : 0.08);
  const { perSecond, latencyMs } = tempoOf(all)!;
  assert.ok(Math.abs(perSecond - 10) < 1e-6 && Math.abs(latencyMs - 80) < 1e-6 && all.length < 40, `${perSecond} ${latencyMs} ${all.length}`);
  assert.equal(paceInWords({ perSecond, latencyMs }), '10 pictures a second, answered after 80 ms');
  assert.equal(paceInWords({ perSecond: 6.52, latencyMs: 141.2 }), '6.5 pictures a second, answered after 141 ms');
});

const NOTHING: Noticed = { state: 'nobody', sure: 0, nods: 0, shakes: 0, blinks: 0, waiting: [], answered: [], stance: null };

test('what was noticed is told in words, and what was not is a dash', () => {
  const words = (part: Partial<Noticed>) => Object.fromEntries(noticedInWords({ ...NOTHING, ...part }));
  const { 'So far': soFar, ...others } = words({});
  assert.deepEqual([...new Set(Object.values(others))], ['–']);
  assert.equal(soFar, 'nods 0, shakes 0, blinks 0');
  const all = words({ stance: 'arms-folded', sure: 0.857, weight: 'left', tilt: 'right', lean: -4.4, turn: 0.3, nods: 2, gesture: 'LR', leftHand: 'open', rightHand: 'pointing', smile: 0, brows: 0.5, gaze: [3.4, -0.2], head: [-8, 5, -9], blinks: 3 });
  assert.deepEqual(all, {
    Stance: 'arms-folded, 86 % sure', Weight: 'on the left leg', Leans: '4° right', Turned: 'to the camera', Gesture: 'both hands', Hands: 'left open, right pointing',
    Head: '8° right, 5° up, tilted right', Looks: '3° left', Smile: '0 %', Brows: '50 % up', 'So far': 'nods 2, shakes 0, blinks 3',
  });
  assert.equal(words({ gaze: [0.2, -0.1] })['Looks'], 'ahead');
  assert.equal(words({ leftHand: 'fist', rightHand: 'fist' })['Hands'], 'both fists');
  assert.equal(words({ rightHand: 'fist' })['Hands'], 'right a fist');
});

test('why there is no camera', () => {
  const named = (name: string) => Object.assign(new Error(), { name });
  assert.deepEqual(['NotAllowedError', 'NotFoundError', 'OverconstrainedError', 'NotReadableError'].map(name => whyNoCamera(named(name))), ['refused', 'no-camera', 'no-camera', 'in-use']);
  assert.ok(isFault('refused') && !isFault('nobody') && stateInWords('refused').includes('Allow'));
});

test('what a browser has kept is taken as far as it makes sense', () => {
  for (const text of [null, '', '{', 'null', '7', '{"amount": "much", "mirror": 1, "delay": -1}', '{"amount": 2, "delay": 1e9}']) assert.deepEqual(mannerOf(text), USUAL);
  assert.deepEqual(mannerOf('{"amount": 0.5, "mirror": false, "delay": 0}'), { amount: 0.5, mirror: false, delay: 0 });
});

test('answers are words', () => {
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
