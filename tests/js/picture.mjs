// Renders the animated image of the README: the built-in character performs a short script. Run it with `cargo xtask picture`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStage } from './lib/browser.mjs';
import { avatarFile } from './lib/sheets.mjs';
import { fresh, vivant } from './lib/vivant.mjs';

const [, , output] = process.argv;
const SECONDS = 9, FRAMES_PER_SECOND = 12, SEED = '4', MAX_BYTES = 2_000_000;
const SIZE = { width: 600, height: 420 };
const VIEW = { at: [-0.12, 1.46, 0], height: 0.66, yaw: 8 };
/** A glance aside, a greeting with a gesture, and a nod. */
const SCRIPT = [
  { be: 'listening' },
  { at: 0.8, look: [0.9, 1.45, 1.2] },
  { at: 1.8, look: 'freely' },
  { at: 2.4, say: 'Hello! Nice to meet you. What shall we talk about?' },
  { at: 2.4, act: 'gesture', clip: 'wave' },
  { at: 6.6, be: 'listening' },
  { at: 7.2, act: 'gesture', layer: 'head', tags: ['positive'] },
];

const script = fresh('jsonl'), motion = fresh('vrma'), frames = fresh('frames');
writeFileSync(script, SCRIPT.map(intent => JSON.stringify(intent)).join('\n'));
vivant('perform', script, '--seconds', String(SECONDS), '--seed', SEED, '-o', motion);
mkdirSync(frames);

const stage = await openStage();
const [avatar, url] = [avatarFile(0), motion].map(stage.share);
for (let frame = 0; frame < SECONDS * FRAMES_PER_SECOND; frame++) {
  const cast = [{ avatar, motions: [{ url, time: frame / FRAMES_PER_SECOND }] }];
  const png = await stage.run('picture', { cast, view: VIEW, ...SIZE });
  writeFileSync(join(frames, `${String(frame).padStart(4, '0')}.png`), Buffer.from(png, 'base64'));
}
await stage.close();
if (stage.faults.length > 0) throw new Error(stage.faults.join('; '));

const ffmpeg = process.env.VIVANT_FFMPEG ?? 'ffmpeg';
execFileSync(ffmpeg, ['-y', '-loglevel', 'error', '-framerate', String(FRAMES_PER_SECOND), '-i', join(frames, '%04d.png'),
  '-c:v', 'libwebp_anim', '-quality', '70', '-loop', '0', output]);
rmSync(frames, { recursive: true });
const { size } = statSync(output);
if (size > MAX_BYTES) throw new Error(`${output} has ${size} bytes; at most ${MAX_BYTES} are allowed`);
console.log(`${output}: ${size} bytes`);
process.exit(0);
