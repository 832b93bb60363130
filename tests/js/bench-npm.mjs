// Time per frame of the browser package in Node, compared with native and with TalkingHead's `animate()`, which runs in
// the same process with the same avatar. All run in turns, and the best run of each second counts, because other
// processes disturb the measurement.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PerspectiveCamera } from 'three';
import init, { Performer } from 'vivant';
import { plainAvatar, talkingHead } from './lib/plain.mjs';
import { avatarFile } from './lib/sheets.mjs';
import { fresh } from './lib/vivant.mjs';
import { micros, minute } from './page/minute.mjs';

const script = join(import.meta.dirname, 'samples/minute.txt');
const ROUNDS = Number(process.argv[2] ?? 12);
const RATE = 60;

const vrm = readFileSync(avatarFile(1));
const plain = fresh('glb');
writeFileSync(plain, plainAvatar(vrm));

const native = () => {
  const { stdout, stderr, status } = spawnSync(process.env.VIVANT_MINUTE, [plain, script, RATE], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};

let begin = performance.now();
await init();
const loading = performance.now() - begin;
begin = performance.now();
const first = new Performer(readFileSync(plain), { seed: 7 });
const beginning = performance.now() - begin;
const text = readFileSync(script, 'utf8');
const ours = measure => {
  const performer = first.another({ seed: 7 });
  try {
    return measure(performer);
  } finally {
    performer.free();
  }
};
if (native().seconds.join() !== ours(performer => minute(performer, text, RATE)).seconds.join()) throw new Error('native and WebAssembly results differ');

const camera = new PerspectiveCamera(20, 1, 0.1, 20);
camera.position.set(0.4, 1.6, 1.6);
camera.updateMatrixWorld();
const { frame } = await talkingHead(readFileSync(plain), camera, { modelFPS: RATE });
/** TalkingHead is not reproducible, so its best second counts. */
const theirs = () => {
  const begin = performance.now();
  for (let n = 0; n < RATE; n++) frame(1000 / RATE);
  return [(performance.now() - begin) * 1e3 / RATE];
};

// Warm-up: Node optimises hot code while it runs.
for (let again = 0; again < 50; again++) ours(performer => micros(performer, RATE));

const best = { native: [], wasm: [], talkingHead: [] };
const note = (who, times) => times.forEach((time, i) => { best[who][i] = Math.min(best[who][i] ?? Infinity, time); });
for (let round = 0; round < ROUNDS; round++) {
  note('native', native().micros);
  for (let again = 0; again < 5; again++) note('wasm', ours(performer => micros(performer, RATE)));
  for (let again = 0; again < 20; again++) note('talkingHead', theirs());
}
const mean = times => times.reduce((sum, time) => sum + time, 0) / times.length;
const means = Object.fromEntries(Object.entries(best).map(([who, times]) => [who, mean(times)]));
console.log(JSON.stringify({ ...means, loading, beginning }));
process.exit(0);
