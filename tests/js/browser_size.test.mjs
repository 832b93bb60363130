// Download size before a character is animated: less than 600 kB with compression, and not much more without.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { isPacked, unpack } from '../../packages/vivant/unpack.js';

const home = resolve(import.meta.dirname, '../../packages/vivant');
const LOADED = ['engine/engine.lzma', 'engine/engine.js', 'vivant.js', 'unpack.js'];
const MAX_BYTES = 600_000;
/** Files loaded only for a voice. */
const LIP_SYNC = 'engine/lip-sync.lzma', MOST_BYTES_OF_LIP_SYNC = 90_000;

const read = file => readFileSync(join(home, file));
const sum = numbers => numbers.reduce((one, other) => one + other, 0);

test('engine and loader are small', context => {
  const gzipped = LOADED.map(file => gzipSync(read(file), { level: 9 }).length);
  context.diagnostic(LOADED.map((file, i) => `${file} ${gzipped[i]}`).join(', '));
  assert.ok(sum(gzipped) < MAX_BYTES, `${sum(gzipped)} bytes with gzip`);
  const plain = sum(LOADED.map(file => read(file).length));
  assert.ok(plain < MAX_BYTES + 50_000, `${plain} bytes as they are`);
});

test('the lip-sync model is small and a separate file', context => {
  const { length } = gzipSync(read(LIP_SYNC), { level: 9 });
  context.diagnostic(`${LIP_SYNC} ${length}`);
  assert.ok(length < MOST_BYTES_OF_LIP_SYNC, `${length} bytes with gzip`);
  assert.ok(isPacked(read(LIP_SYNC)));
  assert.deepEqual(Buffer.from(unpack(read(LIP_SYNC))), readFileSync(join(home, '../../crates/vivant/src/speech/audio/standard.bin')));
});

test('no other files are built', () => {
  assert.deepEqual(readdirSync(join(home, 'engine')).sort(), ['engine.js', 'engine.lzma', 'lip-sync.lzma']);
  const imported = file => [...read(file).toString().matchAll(/^import .* from '\.\/(.*)';$/gm)].map(([, path]) => path);
  assert.deepEqual(imported('vivant.js').sort(), ['engine/engine.js', 'unpack.js']);
  assert.deepEqual([...imported('unpack.js'), ...imported('engine/engine.js')], []);
});

test('the engine is unpacked correctly and contains no local paths', () => {
  const packed = read('engine/engine.lzma');
  assert.ok(isPacked(packed));
  const module = unpack(packed);
  assert.ok(!isPacked(module) && WebAssembly.validate(module));
  assert.ok(!/\/(home|root|Users|work)\//.test(Buffer.from(module).toString('latin1')), 'it contains a local path');
});
