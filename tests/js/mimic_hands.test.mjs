// Hand detection: hands are found, assigned to the person's left and right, and classified by shape.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { withoutBrowser } from './lib/browser.mjs';
import { openFinder } from './lib/finder.mjs';
import { DESK, openPhotographer, WHOLE } from './lib/people.mjs';
import { fresh, vivant } from './lib/vivant.mjs';

/** Gesture, time in seconds, hand, and expected hand shape. */
const GESTURES = [
  ['wave', 1.5, 'right', 'open'], ['wave_small_left', 1.2, 'left', 'open'], ['offer_low_left', 1.2, 'left', 'open'],
  ['point_left', 1.2, 'left', 'pointing'], ['point_up', 1.2, 'right', 'pointing'], ['count_one_right', 1.2, 'right', 'pointing'],
];
const VIEWS = [[WHOLE, 480, 640], [DESK, 640, 480]], LOOKS = ['slight', 'curls'], TURNS = [0, 25];
/** Duration of each image in seconds, its rate per second, and the interval to the next one, with nobody in between. */
const SECONDS = 1, RATE = 10, APART = 2;
const MIN_FOUND = 0.85, MIN_RIGHT = 0.85, MOST_WRONG = 0.05;

/** Hands that `vivant mimic` recognises in each image: lists of {side, shape}. */
function shapesOf(sights) {
  const path = fresh('jsonl'), lines = sights.flatMap((sight, i) => [
    ...Array.from({ length: SECONDS * RATE }, (_, n) => ({ ...sight, time: APART * i + n / RATE })),
    { time: APART * i + SECONDS, people: 0 },
  ]);
  writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  const hands = vivant('mimic', path).deeds.filter(({ does }) => does === 'hand'); // prose:allow a stable JSON key
  return sights.map((_, i) => hands.filter(({ at }) => Math.floor(at / APART) === i));
}

test('hands that wave, offer and point', { skip: withoutBrowser, timeout: 300_000 }, async t => {
  const [photographer, finder] = await Promise.all([openPhotographer(), openFinder(t)]);
  t.after(photographer.close);
  const shots = VIEWS.flatMap(view => LOOKS.flatMap(look => TURNS.flatMap(turn => GESTURES.map(gesture => ({ view, look, turn, gesture })))));
  const sights = [];
  for (const { view: [view, ...size], look, turn, gesture: [name, at] } of shots) {
    sights.push(await finder.find(await photographer.photo([{ look, stance: 'arms-at-sides', gesture: [name, at], turn }], view, ...size)));
  }
  const told = shapesOf(sights), counts = { found: 0, right: 0, wrong: 0 };
  for (const [i, { look, turn, gesture: [name, , side, shape] }] of shots.entries()) {
    const isFound = Boolean(sights[i][`${side}Hand`]), seen = told[i].find(hand => hand.side === side)?.shape;
    counts.found += isFound;
    counts.right += seen === shape;
    counts.wrong += seen !== undefined && seen !== shape;
    if (seen !== shape) t.diagnostic(`${name} (${look}, ${turn}°): ${isFound ? `the ${side} hand has shape ${seen ?? 'unknown'}, expected ${shape}` : `no ${side} hand`}`);
  }
  t.diagnostic(`${shots.length} hands: ${counts.found} found, ${counts.right} with the right shape, ${counts.wrong} with a wrong one`);
  assert.ok(counts.found >= MIN_FOUND * shots.length && counts.right >= MIN_RIGHT * counts.found && counts.wrong <= MOST_WRONG * shots.length, JSON.stringify(counts));
  assert.deepEqual([...finder.faults, ...photographer.faults], []);

  await t.test('no other server is contacted', () => {
    const paths = finder.asked.map(({ pathname }) => pathname);
    for (const part of ['hands.js', 'hand_landmark_lite.tflite', 'hands_solution_simd_wasm_bin.wasm']) assert.ok(paths.includes(`/hands/${part}`), `${part} of ${paths.join(' ')}`);
    const elsewhere = finder.asked.filter(({ protocol, origin }) => !['data:', 'blob:'].includes(protocol) && origin !== finder.origin);
    assert.deepEqual(elsewhere.map(String), []);
  });
});
