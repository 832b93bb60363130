// The Khronos validator finds no errors in exported files.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import validator from 'gltf-validator';
import { convert, files, fresh, humanoid, name, skipped, some, vivant } from './lib/vivant.mjs';

async function check(path) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 20 });
  const errors = report.issues.messages.filter(issue => issue.severity === 0);
  assert.deepEqual(errors.map(issue => `${issue.pointer} ${issue.code}: ${issue.message}`), []);
  assert.equal(report.issues.numErrors, 0);
}

const avatars = humanoid(files('avatars', '.vrm', '.glb', '.fbx'));
const clips = humanoid([...files('avatars/vrma', '.vrma'), ...files('mocap', '.bvh', '.fbx')], true);

test('the built-in character and all its clips', async () => {
  await check(convert('builtin', 'glb'));
  const folder = fresh('character');
  vivant('mannequin', '--character', folder);
  const clips = readdirSync(join(folder, 'clips'));
  assert.equal(clips.length, vivant('inspect', 'builtin').clips.length);
  for (const clip of clips) await check(join(folder, 'clips', clip));
});

test('a performance of the built-in character', async () => {
  for (const ending of ['vrma', 'glb']) {
    const path = fresh(ending);
    vivant('perform', '--seconds', '10', '--fps', '24', '-o', path);
    await check(path);
  }
});

test('every real clip as VRMA and as a skeleton', { skip: skipped }, async t => {
  for (const clip of clips) {
    await t.test(name(clip), async () => {
      await check(convert(clip, 'vrma', '--fps', '30'));
      await check(convert(clip, 'glb', '--fps', '30'));
    });
  }
});

test('every real avatar with clips on it', { skip: skipped }, async t => {
  for (const avatar of avatars) {
    await t.test(name(avatar), async () => {
      for (const clip of some(clips)) {
        for (const ending of avatar.endsWith('.vrm') ? ['glb', 'vrm', 'vrma'] : ['glb', 'vrma']) {
          await check(convert(clip, ending, '--avatar', avatar, '--fps', '30'));
        }
      }
      const path = fresh('glb');
      vivant('perform', '--avatar', avatar, '--clips', ...some(clips), '--seconds', '5', '--fps', '30', '-o', path);
      await check(path);
    });
  }
});
