// Label view without a page: points, gaze, zoom and history.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eyesIn, MESH_POINTS } from '../src/label/face.ts';
import { gazeOf, glances, irisAt, keyAt, neutralOf, nextKey, personOf, proposedKeys, REACH, directionText, turned, withKey, withoutKey } from '../src/label/gaze.ts';
import { recordStep, NOTHING, redone, undone } from '../src/label/history.ts';
import { apart, apertureOf, eyeOf, frameOf, INNER, IRIS, LOWER, mirrored, moved, movedTogether, nameOf, OUTER, plainEyes, shifted, shut, UPPER, widthOf } from '../src/label/points.ts';
import type { GazeKey, Labels, Point, Points } from '../src/label/types.ts';
import { eyesOf, held, inPicture, onScreen, whole, zoomed } from '../src/label/view-box.ts';

const eyes = plainEyes(640, 480);
const near = (a: number, b: number, by = 1e-9) => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b}`);
const labels = (frames: Labels['frames'] = []): Labels => ({ version: 1, film: 'a.mp4', width: 640, height: 480, frames, gaze: [] });

/** The default eyes, rotated and scaled. */
function tilted(angle: number, size: number): Points {
  const [cos, sin] = [size * Math.cos(angle), size * Math.sin(angle)];
  return eyes.map(([x, y]): Point => [cos * x - sin * y + 40, sin * x + cos * y - 7]);
}

/** The default eyes, with both irises moved right and down in the image, in eye widths. */
function looking(right: number, down: number): Points {
  const width = widthOf(eyeOf(eyes, 'right'));
  return eyes.map(([x, y], i): Point => i % 9 === IRIS ? [x + right * width, y + down * width] : [x, y]);
}

test('the right eye comes first, on the left of the image, and point names are unique', () => {
  assert.equal(new Set(eyes.map((_, i) => nameOf(i))).size, 18);
  assert.equal(nameOf(0), 'Right eye, outer corner');
  assert.ok(eyes[0]![0] < eyes[4]![0] && eyes[4]![0] < eyes[13]![0] && eyes[13]![0] < eyes[9]![0]);
});

test('an aperture is the same in both eyes, at any size and tilt', () => {
  for (const side of ['right', 'left'] as const) {
    const open = apertureOf(eyeOf(eyes, side));
    near(open, 0.37, 0.02);
    near(apertureOf(eyeOf(tilted(0.4, 3), side)), open);
  }
});

test('closed eyes have coinciding lids with the iris between; the other eye stays', () => {
  const both = shut(eyes);
  for (const side of ['right', 'left'] as const) {
    const eye = eyeOf(both, side);
    assert.deepEqual([eye[1], eye[UPPER], eye[3], eye[IRIS]], [eye[7], eye[LOWER], eye[5], eye[LOWER]]);
    assert.deepEqual([eye[OUTER], eye[INNER]], [eyeOf(eyes, side)[OUTER], eyeOf(eyes, side)[INNER]]);
  }
  const one = shut(eyes, ['left']);
  assert.deepEqual(eyeOf(one, 'right'), eyeOf(eyes, 'right'));
  assert.deepEqual(eyeOf(one, 'left'), eyeOf(both, 'left'));
});

test('a mirrored eye has the mirrored shape between its own corners, and looks to the same side', () => {
  const odd = moved(tilted(0.2, 2), 2, [260, 300]), from = eyeOf(odd, 'right');
  const other = eyeOf(mirrored(odd, 'right'), 'left');
  assert.deepEqual(eyeOf(mirrored(odd, 'right'), 'right'), from);
  for (const corner of [OUTER, INNER]) near(apart([other[corner]!], [eyeOf(odd, 'left')[corner]!]), 0, 0.01);
  near(apertureOf(other), apertureOf(from), 1e-3);
  const aside = mirrored(looking(0.1, 0), 'right');
  assert.ok(eyeOf(aside, 'left')[IRIS]![0] > eyeOf(eyes, 'left')[IRIS]![0] + 5);
});

test('closed lids move together, and those of the other eye stay', () => {
  const both = shut(eyes), to: Point = [both[6]![0], both[6]![1] + 3], after = movedTogether(both, 6, to);
  for (const index of [2, 6, 8]) near(apart([after[index]!], [to]), 0, 0.01);
  assert.deepEqual([after[1], after[7], after[15]], [both[1], both[7], both[15]]);
  assert.deepEqual(movedTogether(eyes, 6, to)[2], eyes[2], 'open lids move by themselves');
});

test('eye coordinates are invertible', () => {
  for (const side of ['right', 'left'] as const) {
    const { of, at } = frameOf(eyeOf(tilted(-0.3, 1.5), side)), point: Point = [123, 45];
    const back = at(of(point));
    near(back[0], point[0], 1e-6);
    near(back[1], point[1], 1e-6);
    assert.ok(of(eyeOf(tilted(-0.3, 1.5), side)[LOWER]!)[1] > 0, 'down is down');
  }
});

test('points are moved singly or together, and the mean distance shows it', () => {
  near(apart(shifted(eyes, 3, 4), eyes), 5);
  near(apart(moved(eyes, 5, [eyes[5]![0] + 18, eyes[5]![1]]), eyes), 1);
});

test('the face mesh returns both eyes in our order, in pixels', () => {
  const face = Array.from({ length: 478 }, (_, i): Point => [i / 1000, i / 2000]);
  const found = eyesIn(face, 1000, 2000);
  assert.deepEqual(found[0], [32.5, 32.5]);
  assert.deepEqual(found[17], [472.5, 472.5]);
  assert.equal(new Set(MESH_POINTS).size, 18);
});

test('the gaze at a frame is that of the last key', () => {
  const key = (frame: number, yawDeg: number): GazeKey => ({ frame, secs: frame / 25, yawDeg, pitchDeg: 0 });
  const keys = withKey(withKey([key(30, 5)], key(10, -3)), key(30, 8));
  assert.deepEqual(keys, [key(10, -3), key(30, 8)]);
  assert.deepEqual([9, 10, 29, 30, 99].map(frame => keyAt(keys, frame)?.yawDeg), [undefined, -3, -3, 8, 8]);
  assert.deepEqual([nextKey(keys, 10, 1)?.frame, nextKey(keys, 10, -1), nextKey(keys, 31, -1)?.frame], [30, undefined, 30]);
  assert.deepEqual(withoutKey(keys, 10), [key(30, 8)]);
});

test('the gaze is estimated from the iris: right in the image is their left, high is up', () => {
  const iris = (side: 'right' | 'left') => { const eye = eyeOf(eyes, side), [along, down] = frameOf(eye).of(eye[IRIS]!); return [side === 'right' ? along - 0.5 : 0.5 - along, down] as const; };
  const irises = { right: iris('right'), left: iris('left') };
  const person = { ...personOf([{ frame: 0, secs: 0, points: eyes }], []), neutral: irises };
  assert.equal(person.reach, REACH);
  near(REACH, 0.35, 0.002);
  const share = REACH * Math.sin(15 * Math.PI / 180);
  for (const [right, down, yaw, pitch] of [[0, 0, 0, 0], [share, 0, 15, 0], [-share, 0, -15, 0], [0, -share, 0, 15], [0, share, 0, -15]] as const) {
    const { yawDeg, pitchDeg } = gazeOf(looking(right, down), person);
    near(yawDeg, yaw, 0.3);
    near(pitchDeg, pitch, 0.3);
  }
});

test('straight ahead is half way between the corners, with a small weight of the median iris position', () => {
  const at = (x: number, y: number) => neutralOf([{ frame: 0, secs: 0, points: looking(x, y) }]);
  const { right, left } = at(0.1, 0);
  near((right[0] + left[0]) / 2, 0.03, 2e-3);
  assert.ok(right[1] < -0.04 && right[1] > -0.07, String(right[1]));
  // An offset towards the nose in both eyes is anatomy, not gaze.
  const nasal = looking(0, 0).map(([x, y], i): Point => i === IRIS ? [x + 5, y] : i === IRIS + 9 ? [x - 5, y] : [x, y]);
  near(gazeOf(nasal, { neutral: neutralOf([{ frame: 0, secs: 0, points: nasal }]), reach: REACH }).yawDeg, 0, 0.1);
  near(neutralOf([]).left[1], -0.05);
});

test('keys set by hand calibrate the gaze; proposals do not', () => {
  // The iris of this person moves a fifth more, and the gaze is averted in most frames.
  const reach = 1.2 * REACH, turns = [-20, -10, 0, 12, 18, 12, 12, 12].map(yawDeg => ({ yawDeg, pitchDeg: yawDeg / -3 }));
  const frames = turns.map((turn, i) => { const [x, y] = irisAt(turn); return { frame: i, secs: i, points: looking(reach * x, reach * y) }; });
  const keys = turns.map((turn, i): GazeKey => ({ frame: i, secs: i, ...turn }));
  const off = (person: ReturnType<typeof personOf>) => Math.max(...frames.map(({ points }, i) => Math.abs(gazeOf(points, person).yawDeg - turns[i]!.yawDeg)));
  const none = personOf(frames, []), proposed = personOf(frames, keys.map(key => ({ ...key, guessed: true })));
  assert.deepEqual(proposed, none);
  const errors = [0, 1, 3, 5].map(many => off(personOf(frames, keys.slice(0, many))));
  assert.ok(errors[0]! > 5 && errors[1]! < errors[0]! && errors[2]! < 4 && errors[3]! < 2, errors.join(' '));
  near(personOf(frames, keys).reach, reach, 0.03);
  assert.deepEqual(personOf([], keys), personOf([], []), 'keys on frames without points tell nothing');
});

test('one key is proposed per fixation, and none while the eyes are closed', () => {
  const frames = [eyes, looking(0.005, 0), shut(eyes), looking(0.1, 0), looking(0.1, 0.004), eyes].map((points, i) => ({ frame: 10 * i, secs: i, points }));
  assert.deepEqual(proposedKeys(frames, personOf(frames, [])).map(({ frame }) => frame), [0, 30, 50]);
  assert.ok(proposedKeys(frames, personOf(frames, [])).every(({ guessed }) => guessed));
});

test('a noisy tracked iris becomes fixations, and single wrong frames are ignored', () => {
  const tremble = (i: number) => 0.006 * Math.sin(7 * i);
  const at = (i: number) => i === 8 ? 0.2 : i < 20 ? 0 : i < 35 ? 0.12 : -0.08;
  const frames = Array.from({ length: 50 }, (_, i) => ({ frame: i, secs: i / 25, points: looking(at(i) + tremble(i), tremble(i + 3)) }));
  const found = glances(frames, personOf(frames, []));
  assert.deepEqual(found.map(({ frame }) => frame), [0, 20, 35]);
  assert.ok(found[1]!.yawDeg > found[0]!.yawDeg + 10 && found[2]!.yawDeg < found[0]!.yawDeg - 8, JSON.stringify(found));
});

test('a dragged eyeball follows the pointer, there and back', () => {
  const there = turned({ yawDeg: 0, pitchDeg: 0 }, 0.3, -0.2);
  assert.ok(there.yawDeg > 15 && there.pitchDeg > 10, directionText(there));
  const [x, y] = irisAt(there);
  near(x, 0.3, 0.02);
  near(y, -0.2, 0.02);
  const back = turned(there, -0.3, 0.2);
  near(back.yawDeg, 0, 0.7);
  near(back.pitchDeg, 0, 0.7);
  assert.ok(Math.abs(turned(there, 9, 9).yawDeg) <= 55);
  assert.equal(directionText(there).includes('to their left'), true);
});

test('zooming keeps the point under the pointer, and screen positions are invertible', () => {
  const screen = { width: 900, height: 600 }, view = whole({ width: 640, height: 480 }, screen), at: Point = [333, 222];
  const before = inPicture(view, at), after = inPicture(zoomed(view, 3, at), at);
  near(before[0], after[0], 1e-9);
  near(before[1], after[1], 1e-9);
  assert.deepEqual(onScreen({ scale: 10, x: 0, y: 0 }, [0, 0]), [5, 5], 'whole numbers are the middles of pixels');
});

test('both eyes fit on the screen, and the image cannot be panned away', () => {
  const screen = { width: 900, height: 600 }, view = eyesOf(eyes, screen);
  for (const point of eyes) {
    const [x, y] = onScreen(view, point);
    assert.ok(x > 0 && x < 900 && y > 0 && y < 600, `${x}, ${y}`);
  }
  const lost = held({ scale: 1, x: 9999, y: -9999 }, { width: 640, height: 480 }, screen);
  assert.deepEqual([lost.x, lost.y], [840, -420]);
});

test('a change is undone and redone until another change', () => {
  const [one, two, three] = [labels(), labels([{ frame: 1, secs: 0, points: eyes }]), labels([{ frame: 2, secs: 0, points: eyes }])];
  const history = recordStep(recordStep(NOTHING, { what: 'a', frame: 1, labels: one }), { what: 'b', frame: 2, labels: two });
  const back = undone(history, three)!;
  assert.deepEqual([back.step.what, back.step.labels], ['b', two]);
  const forth = redone(back.history, two)!;
  assert.deepEqual([forth.step.what, forth.step.labels, forth.history.past.length], ['b', three, 2]);
  assert.equal(redone(recordStep(back.history, { what: 'c', frame: 1, labels: two }), three), null);
  assert.equal(undone(NOTHING, one), null);
});
