// The built-in character is a valid file, is displayed correctly by other programs, and looks like a person.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import validator from 'gltf-validator';
import { openStage, withoutBrowser } from './lib/browser.mjs';
import { avatarFile, characterFolder, sheets } from './lib/sheets.mjs';
import { vivant } from './lib/vivant.mjs';

const root = resolve(import.meta.dirname, '../..');
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
/** Folder of the images; VIVANT_SHEETS=docs/mannequin keeps them. */
const folder = resolve(root, process.env.VIVANT_SHEETS ?? join(target, 'sheets'));
const PNG_MOST_BYTES = 400_000;
/** Rest expressions, which move nothing. */
const STILL = ['neutral', 'viseme_sil'];

test('the Khronos validator finds no error and no warning', async t => {
  for (const seed of [0, 1, 2, 3]) {
    const bytes = new Uint8Array(readFileSync(avatarFile(seed)));
    const { issues } = await validator.validateBytes(bytes, { maxIssues: 100 });
    const told = severity => issues.messages.filter(issue => issue.severity === severity)
      .map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`);
    assert.deepEqual([...told(0), ...told(1)], []);
    t.diagnostic(`seed ${seed}: ${issues.numInfos} infos, ${issues.numHints} hints: ${[...new Set(issues.messages.map(i => i.code))]}`);
  }
});

test('the same seed gives the same file, another seed another one', () => {
  const bytes = [5, 5, 6].map(seed => readFileSync(avatarFile(seed)));
  assert.ok(bytes[0].equals(bytes[1]));
  assert.ok(!bytes[0].equals(bytes[2]));
});

test('in three-vrm, in Chromium', { skip: withoutBrowser }, async t => {
  let stage, avatar;
  before(async () => {
    stage = await openStage();
    avatar = stage.share(avatarFile(0));
  });
  after(() => stage?.close());

  await t.test('it loads with all bones and expressions', async () => {
    const found = await stage.run('about', avatar), ours = vivant('inspect', 'builtin');
    assert.equal(found.bones, 55);
    assert.equal(found.lookAt, 'bone');
    assert.deepEqual(found.expressions.sort(), ours.expressions.sort());
  });

  await t.test('every expression moves the face', async () => {
    const moved = await stage.run('movements', avatar);
    const still = Object.keys(moved).filter(name => moved[name] < 2e-4);
    assert.deepEqual(still.filter(name => !STILL.includes(name)), []);
  });

  await t.test('both eyes look at the target', async () => {
    for (const [x, y] of [[0, 1.585], [1, 1.6], [-1.5, 1.2], [0.5, 2.4], [0, 0.6]]) {
      const off = await stage.run('lookAt', avatar, [x, y, 3]);
      // VRM rotates both eyes by the direction from their middle.
      assert.ok(Math.max(...off) < 1.5, `${x}, ${y}: off by ${off} degrees`);
    }
  });

  await t.test('contact sheets', async t => {
    mkdirSync(folder, { recursive: true });
    const avatars = [avatar, ...[1, 2, 3, 4, 5, 6, 7].map(seed => stage.share(avatarFile(seed)))];
    for (const [name, sheet] of Object.entries(sheets(avatars, characterFolder(), stage.share))) {
      await t.test(name, async () => check(name, await stage.run('sheet', sheet)));
    }
    assert.deepEqual(stage.faults, []);
  });
});

/** Checks that no image is empty, few are equal, and closed eyes hide the iris. */
function check(name, { png, cells }) {
  const bytes = Buffer.from(png, 'base64');
  writeFileSync(join(folder, `${name}.png`), bytes);
  assert.ok(bytes.length < PNG_MOST_BYTES, `${name}.png has ${bytes.length} bytes`);
  for (const { label, seen } of cells) assert.ok(seen > 0.02, `nothing is seen of “${label}”`);
  const different = new Set(cells.map(cell => cell.hash)).size;
  // Gestures start and end in the same pose, and may hold a pose.
  const least = name === 'gestures' ? 0.75 * cells.length : cells.length;
  assert.ok(different >= least, `only ${different} of ${cells.length} pictures differ`);
  if (name === 'eyes') checkIris(Object.fromEntries(cells.map(cell => [cell.label, cell.iris])));
}

function checkIris(iris) {
  assert.ok(iris['aperture 1'] > 0.005, `an open eye shows its iris: ${iris['aperture 1']}`);
  assert.ok(iris['aperture 0.5'] < iris['aperture 1'], 'a lid covers some of it');
  assert.equal(iris['aperture 0'], 0);
}
