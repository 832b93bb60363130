// The example page and the page of docs/guides/web.md in Chromium, from a static server with a policy that forbids
// `eval`.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { withoutBrowser } from './lib/browser.mjs';
import { openPackage } from './lib/package.mjs';
import { blocks } from './lib/page.mjs';
import { avatarFile } from './lib/sheets.mjs';
import { files, folder as written, skipped } from './lib/vivant.mjs';

const skip = withoutBrowser;
const TIMEOUT = 120_000;

/** Share of pixels that differ from the corner of the image. */
const drawn = page => page.evaluate(() => new Promise(done => requestAnimationFrame(() => {
  const canvas = document.querySelector('canvas'), copy = document.createElement('canvas');
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const pen = copy.getContext('2d');
  pen.drawImage(canvas, 0, 0);
  const { data } = pen.getImageData(0, 0, copy.width, copy.height);
  let other = 0;
  for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i] - data[0]) + Math.abs(data[i + 1] - data[1]) + Math.abs(data[i + 2] - data[2]) > 24) other++;
  done(4 * other / data.length);
})));

async function example(avatar, act) {
  const { page, faults, url, close } = await openPackage({ '/example/avatar.vrm': avatar });
  try {
    await page.setViewportSize({ width: 700, height: 640 });
    await page.goto(`${url}/example/`);
    await page.waitForFunction(() => window.life?.performer.time > 0.2, undefined, { timeout: TIMEOUT });
    await act(page);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
}

/** Advances the character without rendering, because software rendering is slow. */
const live = (page, seconds) => page.evaluate(seconds => {
  for (let i = 0; i < 30 * seconds; i++) window.life.update(1 / 30);
}, seconds);

test('the example page animates a character and its controls work', { skip, timeout: TIMEOUT }, () => example(avatarFile(1), async page => {
  const share = await drawn(page);
  assert.ok(share > 0.05 && share < 0.8, `${share} of the image shows the character`);
  await page.evaluate(() => renderer.setAnimationLoop(null)); // software rendering is slow
  const arm = () => page.evaluate(() => {
    const at = 4 * life.performer.bones.indexOf('rightUpperArm');
    return [...life.performer.frame.rotations.subarray(at, at + 4)];
  });
  const hanging = await arm();
  await page.click('text=Wave');
  await live(page, 1.5);
  const waving = await arm();
  assert.ok(Math.hypot(...waving.map((part, i) => part - hanging[i])) > 0.2, 'it waves');
  if (process.env.VIVANT_SHOTS) {
    await page.setViewportSize({ width: 1000, height: 640 });
    await page.evaluate(() => renderer.render(avatar.parent, camera));
    await page.screenshot({ path: resolve(import.meta.dirname, '../../docs/browser/example.png') });
  }
  await page.fill('#text', 'Mama, papa.');
  await page.click('button[type=submit]');
  const open = await page.evaluate(() => {
    let most = 0;
    const { expressions } = life.performer, mouth = expressions.flatMap((name, i) => /^(aa|viseme_aa|jawOpen)$/.test(name) ? [i] : []);
    for (let i = 0; i < 90; i++) {
      life.update(1 / 30);
      most = Math.max(most, ...mouth.map(at => life.performer.frame.weights[at]));
    }
    return most;
  });
  assert.ok(open > 0.3, `its mouth opened to ${open}`);
  await page.selectOption('#looks', 'follow');
  await page.locator('[data-temper=liveliness]').fill('0');
  await page.selectOption('#be', 'listening');
  await page.selectOption('#mood', 'happy');
  await live(page, 3);
  const off = await page.evaluate(() => {
    const eye = avatar.getObjectByName('Normalized_leftEye');
    eye.updateWorldMatrix(true, false);
    const place = eye.getWorldPosition(camera.position.clone()), there = camera.position.clone().sub(place).normalize();
    return Math.acos(Math.min(1, there.dot(there.clone().set(0, 0, 1).transformDirection(eye.matrixWorld)))) * 180 / Math.PI;
  });
  assert.ok(off < 1, `${off}° past the camera`);
  assert.equal(await page.textContent('#note'), '');
}));

test('a VRM 0.x avatar on the example page', { skip: skip || skipped, timeout: TIMEOUT }, () =>
  example(files('avatars/vrm0', 'catbot.vrm')[0], async page => {
    await live(page, 1);
    const share = await drawn(page);
    assert.ok(share > 0.05, `${share} of the image shows the character`);
  }));

test('without an avatar the example page explains what to do', { skip, timeout: TIMEOUT }, async () => {
  const { page, url, close } = await openPackage();
  await page.goto(`${url}/example/?avatar=nobody.vrm`);
  await page.waitForFunction(() => document.getElementById('note').textContent.includes('vivant mannequin -o'), undefined, { timeout: TIMEOUT });
  await close();
});

test('the page of the documentation runs', { skip, timeout: TIMEOUT }, async () => {
  const [html] = blocks('guides/web.md', 'html'), path = join(written, 'docs.html');
  writeFileSync(path, html);
  const { page, faults, url, close } = await openPackage({ '/docs.html': path, '/example/avatar.vrm': avatarFile(1) });
  await page.goto(`${url}/docs.html`);
  await page.waitForSelector('canvas', { timeout: TIMEOUT });
  let share = 0;
  for (let i = 0; i < 100 && share < 0.05; i++) {
    await page.waitForTimeout(300);
    share = await drawn(page);
  }
  await close();
  assert.deepEqual(faults, []);
  assert.ok(share > 0.05, `${share} of the image shows the character`);
});
