// Whoever starts vivant sees its character, alive, in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, withoutBrowser } from './lib/browser.mjs';
import { live } from './lib/vivant.mjs';

test('the live page shows the avatar, and it moves', { skip: withoutBrowser, timeout: 120_000 }, async t => {
  const { url, stop } = await live('--seed', '3');
  const { browser, page, faults } = await openBrowser();
  t.after(async () => { await browser.close(); await stop(); });
  await page.setViewportSize({ width: 640, height: 480 });
  await page.goto(url);
  await page.waitForSelector('html[data-ready=true]', { state: 'attached', timeout: 60_000 });
  assert.equal(await page.textContent('#avatar'), 'Vivant mannequin');
  assert.match(await page.textContent('#clock'), /^\d+:\d\d\.\d$/);

  await t.test('each view is another picture', async () => {
    const pictures = [];
    for (const view of ['Body', 'Bust', 'Eyes']) {
      await page.getByRole('button', { name: view }).press('Enter');
      await page.waitForTimeout(400);
      pictures.push(await skin(page));
    }
    const [body, bust, eyes] = pictures;
    assert.ok(body > 0.002, `the body shows ${body} of skin`);
    assert.ok(bust > 3 * body && eyes > 2 * bust, `skin in the three views: ${pictures}`);
  });

  await t.test('nothing is still, and nothing failed', async () => {
    const first = await page.screenshot();
    await page.waitForTimeout(1500);
    assert.ok(!first.equals(await page.screenshot()), 'the picture does not change');
    assert.deepEqual(faults, []);
  });
});

/** How much of the page has the colour of skin, from 0 to 1. */
async function skin(page) {
  const picture = (await page.screenshot()).toString('base64');
  const blank = await page.context().browser().newPage(); // the live page lets no foreign script in
  const share = await blank.evaluate(async picture => {
    const bytes = Uint8Array.from(atob(picture), c => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    canvas.drawImage(bitmap, 0, 0);
    const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b] = data.subarray(i, i + 3);
      if (r > 170 && r - b > 40 && r - b < 130 && g > b && r - g < 85 && g > 0.55 * r && b > 0.45 * r) count++;
    }
    return count / (data.length / 4);
  }, picture);
  await blank.close();
  return share;
}
