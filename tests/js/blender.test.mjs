// Blender finds the same bones and morph targets in the built-in character as we do.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { fresh, vivant } from './lib/vivant.mjs';

const blender = process.env.VIVANT_BLENDER ?? 'blender';
const script = resolve(import.meta.dirname, '../blender/count.py');
const MARK = 'VIVANT ';

const version = spawnSync(blender, ['--version'], { encoding: 'utf8' });
const skip = version.status === 0 ? false
  : 'skipped: Blender not found; install it (Debian: apt install blender) or set VIVANT_BLENDER to its path';

/** Reads a file with Blender. Returns null if its glTF reader lacks numpy. */
function counted(path) {
  const { stdout, stderr } = spawnSync(blender, ['-b', '--factory-startup', '--python-exit-code', '1', '--python', script, '--', path], { encoding: 'utf8' });
  const line = stdout.split('\n').find(line => line.startsWith(MARK));
  if (!line && stdout.includes("No module named 'numpy'")) return null;
  assert.ok(line, `no output from Blender for ${path}: ${stdout}${stderr}`);
  return JSON.parse(line.slice(MARK.length));
}

test('Blender finds the same bones and shapes', { skip }, t => {
  const path = fresh('glb'), written = vivant('mannequin', '-o', path);
  const theirs = counted(path), ours = vivant('inspect', path);
  if (!theirs) return t.skip('skipped: Blender needs numpy to read glTF; install it (Debian: apt install python3-numpy)');
  t.diagnostic(`Blender ${theirs.version}: ${theirs.bones.length} bones, ${theirs.shapes.length} shape keys, ${theirs.triangles} triangles`);
  const bones = Object.keys(ours.humanoid);
  assert.deepEqual(theirs.bones.filter(bone => bone !== 'root'), bones.sort());
  assert.equal(theirs.shapes.length, ours.morphs);
  assert.equal(theirs.triangles, written.triangles);
});
