// Mirroring in the studio, with a fake camera that plays a video of the built-in character.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { withoutBrowser } from './lib/browser.mjs';
import { openPhotographer, PORTRAIT, WHOLE } from './lib/people.mjs';
import { openStudio, unnamed, until, walk } from './lib/studio.mjs';
import { fresh } from './lib/vivant.mjs';

const options = { skip: withoutBrowser, timeout: 300_000 };
const SIZE = [320, 320];
/** Frame rate of Chromium's fake camera. */
const RATE = 30;
/** Maximum time in seconds until the character takes the person's stance. */
const MAX_SECONDS = 4;

const alone = (stance, view = WHOLE) => ({ cast: [{ look: 'slight', stance }], view });
/** Scenes in front of the camera, their duration, and the colour of the sign on the wall. */
const SCENES = [
  { stance: 'arms-at-sides', seconds: 5, sign: 'fff', ...alone('arms-at-sides') },
  { stance: 'hands-on-hips', seconds: 6, sign: 'f00', ...alone('hands-on-hips') },
  { stance: 'arms-at-sides', seconds: 6, sign: '0f0', ...alone('arms-at-sides') },
  { seconds: 4, sign: '00f', cast: [], view: WHOLE },
  { seconds: 4, sign: 'ff0', ...alone('arms-at-sides', PORTRAIT) },
  { seconds: 6, sign: '0ff', view: WHOLE, cast: [{ look: 'slight', stance: 'arms-folded', at: [-0.5, 0, 0] }, { look: 'broad', stance: 'hands-clasped', at: [0.45, 0, 0] }] },
];

const words = page => page.getByRole('status', { name: 'Mimicry' });
const panel = page => page.getByRole('tabpanel', { name: 'Mirror' });
const says = (page, text, seconds = 40) => words(page).filter({ hasText: text }).waitFor({ timeout: 1000 * seconds });

/** Counts the character's frames, and records when the sign on the wall changes its colour. */
function watch() {
  window.noted = { frames: 0, signs: [] };
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...words) {
      super(...words);
      this.addEventListener('message', ({ data }) => { if (typeof data !== 'string') window.noted.frames++; });
    }
  };
  const canvas = new OffscreenCanvas(1, 1), pen = canvas.getContext('2d', { willReadFrequently: true });
  setInterval(() => {
    const video = document.querySelector('.watched video');
    if (!video?.videoWidth) return;
    // The sign is on the wall on the left, beside the head.
    pen.drawImage(video, 0.085 * video.videoWidth, 0.2 * video.videoHeight, 0.01 * video.videoWidth, 0.1 * video.videoHeight, 0, 0, 1, 1);
    const sign = [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)].map(part => part > 120 ? 'f' : '0').join('');
    if (window.noted.signs.at(-1)?.sign !== sign) window.noted.signs.push({ sign, at: Date.now() });
  }, 50);
}

/** Stance of the character, and its start in milliseconds of `Date.now`. */
async function stanceOf(studio) {
  const { at, bars } = await studio.api('/performers/main/plan'), now = Date.now();
  const bar = bars.find(({ lane, kind, start, end }) => lane === 'arms' && kind === 'stance' && start <= at && at < end);
  return bar && { stance: bar.name, since: now - 1000 * (at - bar.start) };
}

/** Shown texts, number of frames, and colours of the sign with their times. */
const noted = page => page.evaluate(() => {
  const words = name => document.querySelector(`[aria-label="${name}"]`)?.innerText ?? '';
  return { ...window.noted, said: words('Mimicry'), understood: words('Recognised') };
});

/**
 * Waits until the character has taken these stances in time, and has kept moving while all these messages were shown. Returns
 * the seconds until each stance was recognised and taken. The video loops, so a busy machine gets
 * further chances.
 */
async function follow(studio, stances, sayings) {
  const began = Date.now(), understood = new Map(), taken = new Map(), lived = new Set();
  const soonest = (map, stance, milliseconds) => map.set(stance, Math.min(map.get(stance) ?? Infinity, milliseconds / 1000));
  let before = await noted(studio.page);
  await until('all scenes are recognised', async () => {
    const [now, own] = [await noted(studio.page), await stanceOf(studio)];
    if (now.said === before.said && now.frames > before.frames) lived.add(sayings.find(text => now.said.includes(text)));
    before = now;
    for (const { stance, sign } of stances) {
      const changed = now.signs.findLast(it => it.sign === sign && it.at > began)?.at;
      if (changed && now.understood.includes(stance)) soonest(understood, stance, Date.now() - changed);
      if (changed && own?.stance === stance && own.since > changed) soonest(taken, stance, own.since - changed);
    }
    return stances.every(({ stance }) => taken.get(stance) <= MAX_SECONDS) && sayings.every(text => lived.has(text));
  }, 130);
  return { understood, taken };
}

/** Checks that the character still moves. */
async function lives(page) {
  const { frames } = await noted(page);
  await until('frames arrive', async () => (await noted(page)).frames > frames + 2, 60);
}

test('a person in front of the camera is mirrored, and other situations are reported', options, async t => {
  const photographer = await openPhotographer(), pictures = [];
  for (const { cast, view, sign } of SCENES) pictures.push(await photographer.photo(cast, view, ...SIZE, `#${sign}`));
  await photographer.close();
  const path = fresh('mjpeg');
  writeFileSync(path, Buffer.concat(SCENES.flatMap(({ seconds }, i) => Array(seconds * RATE).fill(pictures[i]))));
  const flags = ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${path}`];
  const studio = await openStudio(t, { flags, size: { width: 900, height: 620 }, before: watch });
  const { page, faults } = studio, asked = [];
  page.on('request', request => asked.push(new URL(request.url())));
  await page.getByRole('tab', { name: 'Mirror' }).click();

  await t.test('nothing is loaded before mirroring starts', async () => {
    await panel(page).getByText('stay in this page').waitFor();
    assert.deepEqual(asked.filter(({ pathname }) => /person|pose|face_mesh|hands/.test(pathname)), []);
    assert.deepEqual(await unnamed(page), []);
  });

  await t.test('a blocked camera', async () => {
    await page.getByRole('button', { name: 'Use camera' }).click();
    await says(page, 'The camera is blocked.');
    await lives(page);
  });

  await page.context().grantPermissions(['camera']);
  await page.getByRole('slider', { name: 'Delay' }).press('Home');
  await page.getByRole('slider', { name: 'Amount' }).press('End');
  await page.getByRole('button', { name: 'Use camera' }).click();
  await says(page, 'You are in view.');

  await t.test('stances are mirrored, and problems are shown', async t => {
    const { understood, taken } = await follow(studio, SCENES.slice(1, 3), ['Nobody is in view.', 'Only part of you is in view', 'Several people are in view']);
    t.diagnostic(await page.locator('.pace').innerText());
    for (const [stance, seconds] of taken) t.diagnostic(`${stance}: recognised after ${understood.get(stance)?.toFixed(1)} s, taken after ${seconds.toFixed(1)} s`);
  });

  await t.test('all controls have names and can be reached by keyboard', async () => {
    assert.deepEqual(await unnamed(page), []);
    assert.deepEqual((await walk(page)).bare, []);
  });

  await t.test('no other server is contacted', () => {
    const others = asked.filter(({ protocol, origin }) => !['data:', 'blob:'].includes(protocol) && origin !== new URL(studio.url).origin);
    assert.deepEqual(others.map(String), []);
    assert.ok(asked.some(({ pathname }) => pathname === '/hands/hands.js'), 'hand detection is loaded');
  });

  await t.test('the timeline does not overlap the panel', async () => {
    const [timeline, side] = await Promise.all(['.timeline', '.side'].map(name => page.locator(name).boundingBox()));
    const farthest = await page.evaluate(() => Math.max(...[...document.querySelectorAll('.timeline > *')].map(part => part.getBoundingClientRect().right)));
    assert.ok(farthest <= side.x + 1 && timeline.x + timeline.width <= side.x + 1, `${farthest} beyond ${side.x}`);
  });

  await t.test('a disconnected camera is released', async () => {
    await page.evaluate(() => { [window.track] = document.querySelector('.watched video').srcObject.getVideoTracks(); });
    await page.evaluate(() => window.track.dispatchEvent(new Event('ended')));
    await says(page, 'The camera was disconnected.');
    assert.equal(await page.evaluate(() => window.track.readyState), 'ended');
    await lives(page);
  });

  await t.test('an invalid video file', async () => {
    await panel(page).getByLabel('Video', { exact: true }).setInputFiles({ name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no film') });
    await says(page, 'cannot play this video');
  });

  await t.test('a video is played to its end', { skip: hasFfmpeg() ? false : 'skipped: ffmpeg is not installed' }, async () => {
    const film = fresh('webm');
    const made = spawnSync(ffmpeg, ['-v', 'error', '-f', 'mjpeg', '-r', String(RATE), '-i', path, '-ss', '6', '-t', '4', '-c:v', 'vp8', '-deadline', 'realtime', '-b:v', '1M', film]);
    assert.equal(made.status, 0, String(made.stderr));
    await panel(page).getByLabel('Video', { exact: true }).setInputFiles(film);
    await says(page, 'You are in view.');
    await says(page, 'The video has ended.');
  });

  await t.test('Stop ends it, and a stopped server is reported', async () => {
    await page.getByRole('button', { name: 'Use camera' }).click();
    await until('the camera is on', () => page.evaluate(() => Boolean(document.querySelector('.watched video'))), 20);
    await page.evaluate(() => { [window.track] = document.querySelector('.watched video').srcObject.getVideoTracks(); });
    await panel(page).getByRole('button', { name: 'Stop' }).click();
    assert.equal(await page.evaluate(() => window.track.readyState), 'ended');
    assert.equal(await words(page).innerText(), '');
    assert.deepEqual(faults, []);
    await page.getByRole('button', { name: 'Use camera' }).click();
    await until('detection runs', async () => (await words(page).innerText()).includes('in view'), 40);
    await studio.stop();
    await says(page, 'The server is not running.');
  });
});

const ffmpeg = process.env.VIVANT_FFMPEG ?? 'ffmpeg';
function hasFfmpeg() {
  return spawnSync(ffmpeg, ['-version']).status === 0;
}
