// Playback: stored frames and the shown time.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Frames } from '../src/playback/frames.ts';
import * as playback from '../src/playback.ts';
import type { Bar, Plan } from '../src/protocol.ts';
import { compared } from '../src/stage/cast.ts';
import { mode } from '../src/state.ts';
import { clock } from '../src/timeline/axis.ts';
import { around, merged } from '../src/timeline/bars.ts';
import type { Frame } from '../src/wire.ts';

const NONE = new Float32Array();
const frame = (time: number): Frame => ({ number: 0, time, root: NONE, signals: NONE, rotations: NONE, weights: NONE });
/** Adds frames of a performer, ten per second. */
const come = (from: number, to: number, name = 'main'): void => {
  for (let i = Math.round(from * 10); i <= Math.round(to * 10); i++) playback.addFrame(name, frame(i / 10));
};
const shown = (name = 'main'): number | undefined => playback.shown(name)?.time;

beforeEach(() => {
  mode.value = 'live';
  compared.value = [];
  come(0, 0);
  playback.goLive();
});

test('a frame is found by its time, and keeps its index while others are dropped', () => {
  const frames = new Frames();
  for (let i = 0; i < 5000; i++) frames.add(frame(i));
  const index = frames.indexAt(4321.5);
  assert.equal(frames.get(index)?.time, 4321);
  frames.forget(4000);
  assert.equal(frames.get(index)?.time, 4321);
  assert.deepEqual([frames.oldest?.time, frames.newest?.time, frames.end], [4000, 4999, 5000]);
  assert.equal(frames.get(frames.indexAt(12))?.time, 4000, 'a time before the first frame gives the oldest frame');
  assert.equal(frames.get(frames.indexAt(1e9))?.time, 4999);
  frames.add(frame(3));
  assert.deepEqual([frames.oldest?.time, frames.newest?.time], [3, 3], 'when time goes back a new performance begins');
});

test('the last two minutes are kept', () => {
  come(0.1, 200);
  assert.equal(playback.oldestTime(), 80);
  playback.scrub(10);
  assert.equal(shown(), 80);
});

test('a pause keeps the shown frame beyond the limit', () => {
  come(0.1, 20);
  playback.setPlaying(false);
  come(20.1, 250);
  playback.advance(0.1);
  assert.equal(shown(), 20);
  playback.goLive();
  assert.equal(shown(), 250);
});

test('slow motion falls behind, and full speed stays behind', () => {
  come(0.1, 10);
  playback.advance(0);
  playback.setSpeed(0.25);
  for (let i = 1; i <= 40; i++) {
    come(10 + i / 10, 10 + i / 10);
    playback.advance(0.1);
  }
  assert.ok(Math.abs(playback.transport.at.value - 11) < 1e-9 && !playback.transport.live.value);
  playback.setSpeed(1);
  come(14.1, 15);
  playback.advance(1);
  assert.ok(Math.abs(playback.transport.at.value - 12) < 1e-9);
});

test('playback that reaches the newest frame is live again', () => {
  come(0.1, 10);
  playback.scrub(9.5);
  playback.advance(1);
  assert.ok(playback.transport.live.value);
});

test('a loop repeats', () => {
  come(0.1, 30);
  playback.setLoop([12, 13]);
  const times = Array.from({ length: 12 }, () => (playback.advance(0.25), playback.transport.at.value));
  assert.ok(times.every(time => time >= 12 && time < 13), String(times));
  assert.ok(times.filter(time => time === 12).length >= 2);
  playback.setLoop(null);
  playback.advance(2);
  assert.ok(playback.transport.at.value > 13);
});

test('steps move by frames and stop at both ends', () => {
  come(0.1, 5);
  playback.advance(0);
  playback.step(-1);
  assert.deepEqual([shown(), playback.transport.playing.value], [4.9, false]);
  playback.step(1);
  playback.step(1);
  assert.equal(shown(), 5);
});

test('performers with different clocks are shown at the same time', () => {
  come(0.1, 100);
  mode.value = 'compare';
  compared.value = [{ performer: 'a', caption: 'A' }, { performer: 'b', caption: 'B' }];
  for (let i = 0; i <= 50; i++) {
    come(i / 10, i / 10, 'a');
    come(40 + i / 10, 40 + i / 10, 'b');
  }
  playback.scrub(2);
  assert.deepEqual([shown('a'), shown('b')], [2, 42]);
});

test('a new performance is shown live', () => {
  come(0.1, 50);
  playback.scrub(20);
  come(0, 1);
  assert.ok(playback.transport.live.value);
  assert.equal(shown(), 1);
});

const bar = (lane: Bar['lane'], start: number, end: number, planned = false): Bar =>
  ({ lane, kind: 'gesture', start, end, name: `${lane} ${start}`, asked: false, planned });
const plan = (at: number, since: number, bars: Bar[]): Plan => ({ performer: 'main', at, since, until: at + 30, bars });

test('finished bars stay, and planned bars are replaced by the newest plan', () => {
  const first = merged([], plan(10, 0, [bar('arms', 1, 3), bar('arms', 9, 12), bar('arms', 14, 15, true), bar('head', 16, 17, true)]));
  const next = merged(first, plan(12, 8, [bar('arms', 9, 11.5), bar('arms', 15, 16, true)]));
  assert.deepEqual(next.map(({ start, end }) => [start, end]), [[1, 3], [9, 11.5], [15, 16]]);
  assert.deepEqual(merged(next, plan(400, 390, [])), [], 'nothing is kept for ever');
});

test('current and next bar of a lane', () => {
  const bars = [bar('arms', 1, 3), bar('head', 2, 4), bar('arms', 5, 6)];
  assert.deepEqual(Object.values(around(bars, 'arms', 2)).map(one => one?.start), [1, 5]);
  assert.deepEqual(Object.values(around(bars, 'arms', 4)).map(one => one?.start), [undefined, 5]);
});

test('times are formatted as minutes and seconds', () => {
  const times: [number, number, string][] = [[0, 1, '0:00.0'], [9.96, 1, '0:10.0'], [59.99, 1, '1:00.0'], [62.5, 0, '1:03'], [3599, 0, '59:59'], [-3, 1, '0:00.0']];
  for (const [time, digits, text] of times) assert.equal(clock(time, digits), text);
});
