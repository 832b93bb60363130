// Voices in the studio: audio and mouth are synchronized, with espeak-ng, the browser's voice and a recording.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withoutBrowser } from './lib/browser.mjs';
import { dropFiles, openStudio, shot, until } from './lib/studio.mjs';
import { folder } from './lib/vivant.mjs';

const hasEspeak = spawnSync(process.env.VIVANT_ESPEAK ?? 'espeak-ng', ['--version']).status === 0;
const options = { skip: withoutBrowser, timeout: 300_000 };
const spoken = { ...options, skip: withoutBrowser || (hasEspeak ? false : 'skipped: espeak-ng is not installed') };

const line = page => page.getByRole('combobox', { name: 'Command' });

/** Runs in the page before the studio: records start times of sounds, sent messages, and arrival times of frames. */
function listen() {
  window.heard = { starts: [], sent: [], frames: [] };
  const { start } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (when = 0, ...rest) {
    if (this.context instanceof AudioContext) {
      const wait = when - this.context.currentTime + (this.context.outputLatency || 0);
      window.heard.starts.push({ at: performance.now() / 1000 + wait, seconds: this.buffer.duration });
    }
    return start.call(this, when, ...rest);
  };
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    window.heard.sent.push(JSON.parse(text));
    return send.call(this, text);
  };
  const Plain = WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...all) {
      super(...all);
      this.addEventListener('message', ({ data }) => {
        if (typeof data === 'string') return;
        const view = new DataView(data), bones = view.getUint16(4, true);
        const weights = [...new Float32Array(data, 84 + 16 * bones, view.getUint16(6, true))];
        window.heard.frames.push({ at: performance.now() / 1000, time: view.getFloat64(8, true), weights });
      });
    }
  };
}

async function open(t, before = listen) {
  const studio = await openStudio(t, { before });
  const { character } = await studio.api('/performers/main');
  const { channels } = await studio.api(`/characters/${character}/rig`);
  studio.channel = name => channels.findIndex(channel => (channel.name ?? channel) === name);
  studio.heard = () => studio.page.evaluate(() => window.heard);
  studio.tell = async words => {
    await line(studio.page).fill(words);
    await line(studio.page).press('Enter');
  };
  return studio;
}

const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** Time at which a weight is highest near a time of the performer. */
function peak(frames, channel, time, reach = 0.08) {
  const near = frames.filter(frame => Math.abs(frame.time - time) < reach);
  return near.reduce((best, frame) => frame.weights[channel] > (best?.weights[channel] ?? 0.3) ? frame : best, undefined);
}

test('the computer’s voice and the mouth stay within 40 ms', spoken, async t => {
  const studio = await open(t), { page, faults } = studio;
  assert.equal(await page.getByRole('combobox', { name: 'Voice source' }).inputValue(), 'computer');
  await page.waitForTimeout(2500);
  await studio.tell('say Papa and Bob may keep a map. Mama bought a big pump.');
  await until('a sound begins', async () => (await studio.heard()).starts.length > 0);
  await page.waitForTimeout(1500);
  await shot(page, 'voice');
  const { starts: [start], sent } = await studio.heard();
  await page.waitForTimeout(1000 * (start.seconds + 0.5));
  const { frames } = await studio.heard(), said = sent.find(one => one.phones?.length > 0);
  assert.ok(said.at > 0 && said.words.length === 12, JSON.stringify(said));

  // Delay of frames relative to the audio: the least delayed ones show the clock offset, the
  // others the load of the page.
  const during = frames.filter(({ time }) => time > said.at && time < said.at + start.seconds);
  const late = during.map(frame => 1000 * (frame.at - frame.time - (start.at - said.at))), clock = Math.min(...late);
  // Times of lip closure on the performer's clock, compared with the audio times of p, b and m.
  const lips = said.phones.filter(({ phone }) => /^[PBM]$/.test(phone)).flatMap(({ start: from, end }) => {
    const middle = said.at + (from + end) / 2, frame = peak(frames, studio.channel('viseme_PP'), middle);
    return frame ? [1000 * (frame.time - middle) + clock] : [];
  });
  t.diagnostic(`frames are ${clock.toFixed(1)} ms behind the sound, and ${median(late).toFixed(1)} ms in the median on this busy page; closed lips ${median(lips).toFixed(1)} ms in the median of ${lips.length}, ${median(lips.map(Math.abs)).toFixed(1)} ms either way`);
  assert.ok(lips.length >= 10, `${lips.length} closures were seen`);
  assert.ok(Math.abs(clock) < 40 && median(lips.map(Math.abs)) < 40, `${clock} ms, ${lips}`);
  assert.deepEqual(faults, []);
});

test('the browser’s voice reports words as it speaks them', options, async t => {
  const studio = await open(t, `(${listen})(); (${mute})();`), { page } = studio;
  await page.getByRole('combobox', { name: 'Voice source' }).selectOption('browser');
  await studio.tell('say [nod] Hello big world');
  await until('the line has ended', async () => (await studio.heard()).sent.some(one => one.more === false));
  const { sent } = await studio.heard(), pieces = sent.filter(one => one.line?.startsWith('browser-'));
  assert.equal(pieces[0].say, '[nod] Hello big world');
  const words = pieces.flatMap(one => one.words ?? []);
  assert.deepEqual(words.map(({ word }) => word), ['Hello', 'big', 'world']);
  const told = await page.evaluate(() => window.told);
  words.forEach(({ start }, i) => assert.ok(Math.abs(start - told[i]) < 0.1, `${start} of ${told}`));
  const { frames } = await studio.heard();
  const opened = Math.max(...frames.filter(({ time }) => time > pieces[0].at).map(({ weights }) => weights[studio.channel('viseme_E')] + weights[studio.channel('viseme_oh')]));
  assert.ok(opened > 0.2, `the mouth opened by ${opened}`);
});

/** A fake browser voice that reports a word every 0.3 s; headless browsers have none. */
function mute() {
  const speak = utterance => {
    const words = [...utterance.text.matchAll(/\S+/g)], tell = (name, more) => utterance[`on${name}`]?.({ name: 'word', ...more });
    let began = 0;
    window.told = [];
    setTimeout(() => {
      began = performance.now();
      tell('start');
    }, 50);
    words.forEach((word, i) => setTimeout(() => {
      window.told.push((performance.now() - began) / 1000);
      tell('boundary', { charIndex: word.index });
    }, 150 + 300 * i));
    setTimeout(() => tell('end'), 150 + 300 * words.length);
  };
  Object.defineProperty(window, 'speechSynthesis', { value: { speak, cancel() {}, getVoices: () => [] } });
}

test('a dropped recording is played with audio lip-sync', options, async t => {
  const studio = await open(t), { page, faults } = studio;
  // Browsers allow sound only after a user action.
  await line(page).press('Home');
  const path = join(folder, 'hum.wav');
  writeFileSync(path, hum(2));
  await dropFiles(page.getByRole('region', { name: 'Director' }), [path]);
  await until('all samples are sent', async () => (await studio.heard()).sent.some(one => one.pcm && one.more === false));
  const { starts, sent } = await studio.heard(), pieces = sent.filter(one => one.pcm);
  assert.equal(starts.length, 1);
  const samples = pieces.reduce((sum, { pcm }) => sum + Buffer.from(pcm.data, 'base64').length / 2, 0);
  assert.ok(Math.abs(samples / 16_000 - 2) < 0.01, `${samples} samples`);
  await page.waitForTimeout(3500);
  const { frames } = await studio.heard(), { at } = pieces[0];
  const opened = time => Math.max(...frames.filter(frame => Math.abs(frame.time - at - time) < 0.4).map(frame => frame.weights[studio.channel('viseme_aa')] + frame.weights[studio.channel('viseme_E')] + frame.weights[studio.channel('viseme_oh')]));
  t.diagnostic(`open by ${opened(1).toFixed(2)} while it is heard`);
  assert.ok(opened(1) > 0.1 && opened(2.9) < 0.1, `${opened(1)}, ${opened(2.9)}`);
  assert.deepEqual(faults, []);
});

/** Syllable-like audio as a WAV file: a pulse train through two resonances. A constant sound would count as noise. */
function hum(seconds, rate = 16_000) {
  const data = Buffer.alloc(2 * seconds * rate), state = [[0, 0], [0, 0]];
  for (let i = 0; i < seconds * rate; i++) {
    let x = i % 133 === 0 && (i / rate) % 0.3 > 0.1 ? 1 : 0;
    [[700, 90], [1200, 110]].forEach(([hz, wide], n) => {
      const r = Math.exp(-Math.PI * wide / rate), y = x * (1 - r) + 2 * r * Math.cos(2 * Math.PI * hz / rate) * state[n][0] - r * r * state[n][1];
      state[n] = [y, state[n][0]];
      x = y;
    });
    data.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(x * 400_000))), 2 * i);
  }
  const header = Buffer.from('RIFF____WAVEfmt ________________data____');
  header.writeUInt32LE(36 + data.length, 4);
  [[16, 16], [20, 1 | 1 << 16], [24, rate], [28, 2 * rate], [32, 2 | 16 << 16]].forEach(([at, value]) => header.writeUInt32LE(value, at));
  return Buffer.concat([header.subarray(0, 36), Buffer.from('data'), Buffer.from(Uint32Array.of(data.length).buffer), data]);
}
