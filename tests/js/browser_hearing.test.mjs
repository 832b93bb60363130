// The audio lip-sync model is loaded only for lines with a voice, automatically, in Node and in Chromium.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { withoutBrowser } from './lib/browser.mjs';
import { folder, openPackage } from './lib/package.mjs';
import { fresh } from './lib/vivant.mjs';

const LIP_SYNC = 'engine/lip-sync.lzma';

/** Code shared by Node and pages: a performer with a mouth, and half a second of /a/. */
const SCENE = `
  const RIG = { bones: { hips: [0, 0.97, 0], head: [0, 1.48, 0] }, expressions: ['aa', 'ih', 'ou', 'ee', 'oh'] };
  const rate = 16000, samples = Float32Array.from({ length: rate / 2 }, (_, i) => [730, 1090, 2440]
    .reduce((sum, hz, n) => sum + 0.1 / (n + 1) * Math.sin(2 * Math.PI * Math.round(hz / 120) * 120 * i / rate), 0));
  const voice = { rate, samples };
  const one = new vivant.Performer(RIG, { motions: 'none', unasked: false, events: true });
  const opened = (from, to) => {
    let most = 0;
    for (let t = from; t < to; t += 1 / 60) most = Math.max(most, ...one.advanceTo(t).weights);
    return most;
  };
`;

/** Runs code in a separate Node process with the package. */
function node(home, code) {
  const url = pathToFileURL(join(home, 'vivant.js')).href;
  const program = `import * as vivant from '${url}';\nawait vivant.default();\n${SCENE}\n${code}`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

function withoutLipSync() {
  const home = fresh('package');
  cpSync(folder, home, { recursive: true });
  rmSync(join(home, LIP_SYNC));
  return home;
}

test('in Node a voice moves the mouth at once', () => {
  const [number, open] = node(folder, 'console.log(JSON.stringify([one.say("", { voice }) ?? null, opened(0, 1)]));');
  assert.ok(open > 0.2, `it opened to ${open}, ${number}`);
});

test('in Node a missing lip-sync model is a clear error, and everything else works', () => {
  const [fault, later, open] = node(withoutLipSync(), `
    let fault;
    try { one.say('', { voice }); } catch (error) { fault = error.message; }
    const later = await vivant.hear().catch(error => error.message);
    one.say('Mama, papa.');
    console.log(JSON.stringify([fault, later, opened(0, 2)]));`);
  for (const message of [fault, later]) assert.match(message, /^cannot load the lip-sync model `engine\/lip-sync\.lzma` of this package; .*: ENOENT/);
  assert.ok(open > 0.2, `it opened to ${open}`);
});

test('the lip-sync model can be loaded from another source, and an invalid one is an error', () => {
  const [wrong, open] = node(withoutLipSync(), `
    const { readFileSync } = await import('node:fs');
    const wrong = await vivant.hear(new Uint8Array(9)).catch(error => error.message);
    await vivant.hear(readFileSync(${JSON.stringify(join(folder, LIP_SYNC))}));
    one.say('', { voice });
    console.log(JSON.stringify([wrong, opened(0, 1)]));`);
  assert.match(wrong, /these 9 bytes are not a lip-sync model/);
  assert.ok(open > 0.2, `it opened to ${open}`);
});

/** Opens a page with the package; `asked` are the requested URLs. */
async function inPage(act, { hearing } = {}) {
  const blank = fresh('html');
  writeFileSync(blank, '<!doctype html><link rel="icon" href="data:,">');
  const { page, faults, url, close } = await openPackage({ '/blank.html': blank });
  const asked = [];
  page.on('request', request => asked.push(request.url().replace(url, '')));
  if (hearing) await page.route(`**/${LIP_SYNC}`, hearing);
  try {
    await page.goto(`${url}/blank.html`);
    await page.addScriptTag({ type: 'module', content: `
      import * as vivant from '/vivant.js';
      await vivant.default();
      ${SCENE}
      Object.assign(window, { vivant, one, opened, voice, told: [] });
      window.addEventListener('error', ({ message }) => told.push(message));
      window.isReady = true;` });
    await page.waitForFunction(() => window.isReady);
    await act(page, asked, faults);
  } finally {
    await close();
  }
}

const timeout = 60_000;

test('in Chromium a voice moves the mouth once the lip-sync model is loaded, and the order is kept', { skip: withoutBrowser, timeout }, () => inPage(async (page, asked, faults) => {
  assert.ok(!asked.includes(`/${LIP_SYNC}`), 'the model is loaded before there is a voice');
  const before = await page.evaluate(() => {
    one.advanceTo(0.1);
    voice.samples = voice.samples.slice();
    const number = one.say('', { voice });
    one.intend({ blink: true });
    voice.samples.fill(0); // the page reuses its buffer
    return number;
  });
  assert.equal(before, undefined);
  await page.evaluate(() => vivant.hear());
  const [open, blinks] = await page.evaluate(() => [opened(0.15, 1), one.events().filter(({ what }) => JSON.stringify(what).includes('blink')).length]);
  assert.ok(open > 0.2, `it opened to ${open}`);
  assert.ok(blinks > 0, 'later intents are performed');
  assert.equal(asked.filter(path => path === `/${LIP_SYNC}`).length, 1);
  assert.deepEqual(faults, []);
}));

test('in Chromium a missing lip-sync model is reported, and everything else works', { skip: withoutBrowser, timeout }, () => inPage(async page => {
  await page.evaluate(() => {
    one.say('', { voice });
    one.say('Mama, papa.');
  });
  await page.waitForFunction(() => told.length > 0);
  assert.match((await page.evaluate(() => told))[0], /cannot load the lip-sync model `engine\/lip-sync\.lzma` of this package; .* returned 404/);
  assert.ok(await page.evaluate(() => opened(0, 2)) > 0.2);
}, { hearing: route => route.fulfill({ status: 404 }) }));
