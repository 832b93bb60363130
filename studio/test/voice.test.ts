import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Clock } from '../src/voice/clock.ts';
import { fromBase64, pieces, RATE } from '../src/voice/pcm.ts';
import { spokenPart } from '../src/voice/tags.ts';

test('a clock uses the least delayed frame', () => {
  const clock = new Clock();
  assert.equal(clock.ahead, undefined);
  // The performer is 5 s ahead of the page; frames arrive 4 to 30 ms late.
  [4, 30, 12, 8].forEach((late, i) => clock.update(5 + i / 60, i / 60 + late / 1000));
  assert.ok(Math.abs(clock.ahead! - 4.996) < 1e-9);
  // After two seconds, only recent frames count.
  for (let i = 0; i < 200; i++) clock.update(6 + i / 60, 1 + i / 60 + 0.01);
  assert.ok(Math.abs(clock.ahead! - 4.99) < 1e-9);
  // The performance restarts.
  clock.update(0, 10);
  assert.equal(clock.ahead, -10);
});

test('samples are encoded in chunks and decoded without loss', () => {
  const samples = Float32Array.from({ length: RATE }, (_, i) => Math.sin(i / 20) * (i % 2 ? 0.5 : 2));
  const all = pieces(samples);
  assert.deepEqual(all.map(({ rate }) => rate), [RATE, RATE]);
  const back = new Int16Array(fromBase64(all[1]!.data));
  assert.equal(back.length, RATE / 2);
  back.forEach((sample, i) => assert.ok(Math.abs(sample / 32_767 - Math.max(-1, Math.min(1, samples[i + RATE / 2]!))) < 1e-4));
});

test('tags are not spoken', () => {
  const { plain, words } = spokenPart('[smile] Hello,  [look:left] you [not closed');
  assert.equal(plain, 'Hello, you [not closed');
  assert.deepEqual(words.slice(0, 2), [{ text: 'Hello,', at: 0 }, { text: 'you', at: 7 }]);
});
