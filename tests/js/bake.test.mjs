// Exported performances play correctly in Blender: eyes, lids, expressions and bones, from GLB and BVH, and converted by
// Blender to FBX for Maya. Images rendered by Blender show a face that blinks.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { before, describe, test } from 'node:test';
import { Euler, Quaternion, Vector3 } from 'three';
import { openGlb } from './lib/scene.mjs';
import { folder, fresh, vivant } from './lib/vivant.mjs';

const FPS = 30, SECONDS = 8, SIZE = 160;
const METRES = 1e-5, RADIANS = 1e-3, WEIGHT = 1e-5;
const script = resolve(import.meta.dirname, '../../docs/script.jsonl');
const player = resolve(import.meta.dirname, '../blender/play.py');
const blender = process.env.VIVANT_BLENDER ?? 'blender';
const hasBlender = spawnSync(blender, ['-b', '--python-exit-code', '1', '--python-expr', 'import numpy']).status === 0;
const skip = hasBlender ? false
  : 'skipped: no Blender with numpy was found; install it (Debian: apt install blender python3-numpy) or set VIVANT_BLENDER to its path';

/** Exports the performance in a format. */
function performed(ending, ...options) {
  const path = fresh(ending);
  const { warnings } = vivant('perform', script, '--seconds', String(SECONDS), '--fps', String(FPS), '--seed', '4', '-o', path, ...options);
  return { path, warnings };
}

const lines = path => readFileSync(path, 'utf8').trim().split('\n').map(line => JSON.parse(line));

/** Reads a file with Blender. */
function played(options) {
  const words = ['-b', '--factory-startup', '--python-exit-code', '1', '--python', player, '--', JSON.stringify({ fps: FPS, ...options })];
  const { stdout, stderr } = spawnSync(blender, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  const line = stdout.split('\n').find(line => line.startsWith('VIVANT '));
  assert.ok(line, `Blender says nothing of ${options.file}: ${stdout.slice(-2000)}${stderr}`);
  return JSON.parse(line.slice(7));
}

/** Converts a GLB to FBX with the script of docs/guides/export.md. */
function throughBlender(glb) {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/guides/export.md'), 'utf8');
  const [, code] = page.match(/```python\r?\n([^]*?)```/);
  const place = join(folder, 'to-fbx');
  mkdirSync(place);
  writeFileSync(join(place, 'to_fbx.py'), code);
  copyFileSync(glb, join(place, 'show.glb'));
  const words = ['-b', '--factory-startup', '--python-exit-code', '1', '--python', 'to_fbx.py'];
  // Blender reads the working directory from the environment.
  const env = { ...process.env, PWD: place };
  const { status, stdout, stderr } = spawnSync(blender, words, { encoding: 'utf8', cwd: place, env });
  assert.equal(status, 0, `${stdout.slice(-2000)}${stderr}`);
  return join(place, 'show.fbx');
}

/** Compares joint positions with ours; for `names` also rotations. */
function compareJoints(theirs, ours, names = []) {
  for (const [bone, place] of Object.entries(ours.positions)) {
    const off = new Vector3(...theirs[bone].place).distanceTo(new Vector3(...place));
    assert.ok(off < METRES, `${bone} is ${off} m off at ${ours.time} s`);
  }
  for (const bone of names) {
    const off = new Quaternion(...theirs[bone].turn).angleTo(turned(ours, bone));
    assert.ok(off < RADIANS, `${bone} is turned ${off} too far at ${ours.time} s`);
  }
}

const ABOVE = { leftEye: 'head', rightEye: 'head', head: 'neck', neck: 'upperChest', upperChest: 'chest', chest: 'spine', spine: 'hips' };

/** Rotation of a bone in model space, from the rotations of its ancestors. */
function turned(frame, bone) {
  const own = new Quaternion(...frame.rotations[bone]);
  return ABOVE[bone] ? turned(frame, ABOVE[bone]).multiply(own) : own;
}

/** Returns the morph targets of our expressions, from the avatar file. */
function morphs(glb, expressions) {
  const { json } = openGlb(readFileSync(glb)), { preset, custom } = json.extensions.VRMC_vrm.expressions;
  const targets = {};
  for (const [name, { morphTargetBinds = [] }] of Object.entries({ ...preset, ...custom }))
    for (const { node, index, weight } of morphTargetBinds) {
      const mesh = json.meshes[json.nodes[node].mesh], target = `${json.nodes[node].name}/${mesh.extras.targetNames[index]}`;
      targets[target] = (targets[target] ?? 0) + weight * (expressions[name] ?? 0);
    }
  return targets;
}

function compareMorphs(theirs, expected, where) {
  for (const [target, weight] of Object.entries(expected))
    assert.ok(Math.abs(theirs[target] - Math.min(weight, 1)) < WEIGHT, `${target} is ${theirs[target]} and not ${weight} ${where}`);
}

describe('baked performances', () => {
  let ours, shut, open, frames;
  before(() => {
    ours = lines(performed('jsonl', '--positions').path);
    assert.equal(ours.length, SECONDS * FPS + 1);
    const blink = frame => ours[frame].expressions.blinkLeft;
    shut = ours.reduce((most, _, frame) => blink(frame) > blink(most) ? frame : most, 0);
    open = [shut - 8, shut + 12].find(frame => frame >= 0 && blink(frame) < 0.05);
    assert.ok(blink(shut) > 0.9 && open !== undefined, 'the performance contains a blink');
    frames = [0, open, shut, 97, 163, 200, SECONDS * FPS];
  });

  test('the curves match the performance, in degrees and centimetres', () => {
    const [header, ...rows] = readFileSync(performed('curves.csv').path, 'utf8').trim().split('\n').map(line => line.split(','));
    assert.equal(rows.length, ours.length);
    const column = name => { const at = header.indexOf(name); assert.ok(at >= 0, name); return at; };
    for (const [n, row] of rows.entries()) {
      const { root, rotations, expressions } = ours[n];
      assert.equal(Number(row[0]), n);
      assert.ok(Math.abs(row[column('hips.translateY [cm]')] - 100 * root[1]) < 1e-4);
      for (const [bone, rotation] of Object.entries(rotations)) {
        const [x, y, z] = ['X', 'Y', 'Z'].map(axis => row[column(`${bone}.rotate${axis} [deg]`)] * Math.PI / 180);
        // First about X, then Y, then Z: three.js names this order in reverse.
        const off = new Quaternion().setFromEuler(new Euler(x, y, z, 'ZYX')).angleTo(new Quaternion(...rotation));
        assert.ok(off < RADIANS, `${bone} at ${n}: ${off}`);
      }
      for (const [name, weight] of Object.entries(expressions))
        assert.ok(Math.abs(row[column(`${name} [0-1]`)] - weight) < 1e-5, name);
    }
  });

  test('Blender plays the GLB correctly, and renders a face that blinks', { skip, timeout: 600_000 }, t => {
    const { path, warnings } = performed('glb');
    assert.deepEqual(warnings, []);
    const theirs = played({
      file: path, frames, size: SIZE, render: join(folder, 'face{}.png'), renderFrames: [open, shut],
    });
    assert.deepEqual(theirs.range, [0, SECONDS * FPS], 'frames are not resampled');
    for (const frame of frames) {
      compareJoints(theirs.frames[frame].joints, ours[frame], ['head', 'leftEye', 'rightEye']);
      compareMorphs(theirs.frames[frame].shapes, morphs(path, ours[frame].expressions), `at frame ${frame}`);
    }
    assert.ok(theirs.frames[shut].shapes['face/eyeBlinkLeft'] > 0.9, 'lids close');
    const eyes = frames.map(frame => theirs.frames[frame].joints.leftEye.turn[1]);
    assert.ok(Math.max(...eyes) - Math.min(...eyes) > 0.01, 'eyes move');
    checkPictures(theirs.render);
    keepPictures();
    t.diagnostic(`Blender ${theirs.version}: ${frames.length} frames, actions ${theirs.actions.join(', ')}`);
  });

  test('Blender converts it to FBX with the script of docs/guides/export.md', { skip, timeout: 600_000 }, () => {
    const { path } = performed('glb');
    checkFbx(throughBlender(path), path);
  });

  test('Blender reads the joint positions of the BVH correctly', { skip, timeout: 300_000 }, () => {
    const { path, warnings } = performed('bvh');
    assert.match(warnings[0].message, /expressions were dropped; BVH cannot store expressions/);
    // Blender starts motion capture at frame 1.
    const theirs = played({ file: path, frames: frames.map(frame => frame + 1) });
    for (const frame of frames) compareJoints(theirs.frames[frame + 1].joints, ours[frame], ['head', 'leftEye', 'rightEye']);
  });

  /** Checks that the image is not blank, and that closed lids change the image at the eyes. */
  function checkPictures({ eyes, pictures: [seen, shut] }) {
    const all = seen.flat(), mean = all.reduce((sum, v) => sum + v) / all.length;
    const spread = Math.sqrt(all.reduce((sum, v) => sum + (v - mean) ** 2, 0) / all.length);
    assert.ok(spread > 0.1, `the picture is blank: ${spread}`);
    const near = (x, y) => eyes.some(([u, v]) => Math.hypot((x + 0.5) / SIZE - u, (y + 0.5) / SIZE - v) < 0.07);
    const sums = { near: [0, 0], far: [0, 0] };
    for (const [y, row] of seen.entries())
      for (const [x, value] of row.entries()) {
        const sum = sums[near(x, y) ? 'near' : 'far'];
        sum[0] += Math.abs(value - shut[y][x]);
        sum[1]++;
      }
    const [at, elsewhere] = [sums.near, sums.far].map(([sum, count]) => sum / count);
    assert.ok(at > 0.04 && at > 5 * elsewhere, `the lids are not seen to close: ${at} at the eyes, ${elsewhere} elsewhere`);
    // The iris is darker than the lid that covers it.
    for (const [u, v] of eyes) {
      const [x, y] = [u, v].map(share => Math.round(share * SIZE));
      assert.ok(seen[y][x] < shut[y][x] - 0.05, `there is no eye at ${x}, ${y}: ${seen[y][x]} and ${shut[y][x]}`);
    }
  }

  /** Copies images to the folder `VIVANT_PICTURES`, if it is set. */
  function keepPictures() {
    const to = process.env.VIVANT_PICTURES;
    if (!to) return;
    mkdirSync(to, { recursive: true });
    for (const frame of [open, shut]) copyFileSync(join(folder, `face${frame}.png`), join(to, `blender-${frame}.png`));
  }

  /** Reads Blender's FBX with our own reader (ufbx) and compares it with the performance. */
  function checkFbx(path, glb) {
    const out = fresh('jsonl');
    vivant('convert', path, out, '--positions');
    const theirs = lines(out);
    assert.equal(theirs.length, ours.length);
    for (const frame of frames) {
      for (const [bone, place] of Object.entries(ours[frame].positions)) {
        const off = new Vector3(...theirs[frame].positions[bone]).distanceTo(new Vector3(...place));
        assert.ok(off < METRES, `in the FBX ${bone} is ${off} m off at frame ${frame}`);
      }
      const expected = morphs(glb, ours[frame].expressions);
      for (const [name, weight] of Object.entries(theirs[frame].expressions)) {
        const target = `face/${name}`;
        if (target in expected)
          assert.ok(Math.abs(weight - Math.min(expected[target], 1)) < 1e-4, `in the FBX ${name} is ${weight} at frame ${frame}`);
      }
    }
    assert.ok(Object.keys(theirs[0].expressions).length > 10, 'expressions are animated in the FBX');
  }
});
