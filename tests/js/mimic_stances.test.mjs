// Stances of different people are recognised from camera images.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { withoutBrowser } from './lib/browser.mjs';
import { openFinder } from './lib/finder.mjs';
import { NAMES, openPhotographer, WHOLE } from './lib/people.mjs';
import { fresh, vivant } from './lib/vivant.mjs';

const ANGLES = [0, 30, -30];
const SIZE = [240, 320];
const MIN_RIGHT = 0.9, MOST_WRONG = 0.05;

test('nine stances of five people from three sides', { skip: withoutBrowser, timeout: 300_000 }, async t => {
  const [photographer, finder] = await Promise.all([openPhotographer(), openFinder(t)]);
  t.after(photographer.close);
  const { photo, stances } = photographer, lines = [];
  const all = NAMES.flatMap(look => ANGLES.flatMap(turn => stances.map(stance => ({ look, stance, turn }))));
  // The next image is rendered during detection.
  let next = photo([all[0]], WHOLE, ...SIZE);
  for (const [i, one] of all.entries()) {
    const jpeg = await next;
    if (i + 1 < all.length) next = photo([all[i + 1]], WHOLE, ...SIZE);
    lines.push({ ...one, see: await finder.find(jpeg) });
  }
  const path = fresh('jsonl');
  writeFileSync(path, lines.map(({ see }) => `${JSON.stringify(see)}\n`).join(''));
  const { pictures } = vivant('mimic', path, '--stances');
  const missed = lines.flatMap(({ look, turn, stance }, i) => pictures[i].stance === stance ? [] : [{ stance, look, turn, taken: pictures[i].stance }]);
  const [right, wrong] = [1 - missed.length / lines.length, missed.filter(({ taken }) => taken).length / lines.length];
  for (const { stance, look, turn, taken } of missed) t.diagnostic(`${stance} (${look}, ${turn}°) was recognised as ${taken ?? 'unknown'}`);
  t.diagnostic(`${lines.length} images: ${(100 * right).toFixed(1)} % right, ${(100 * wrong).toFixed(1)} % wrong, the others unknown`);
  assert.ok(right >= MIN_RIGHT && wrong <= MOST_WRONG, `${right} right, ${wrong} wrong`);
  assert.deepEqual([...finder.faults, ...photographer.faults], []);
});
