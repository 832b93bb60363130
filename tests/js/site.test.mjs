// The built documentation site in Chromium: every page opens without errors, loads nothing from other hosts, fits the
// screen and is accessible, and its live parts move. Build it first: `cargo xtask site`. VIVANT_SITE is another folder.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { openBrowser, withoutBrowser } from './lib/browser.mjs';
import { root } from './lib/pages.mjs';

const site = process.env.VIVANT_SITE ?? join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'site');
const isBuilt = existsSync(join(site, 'index.html'));
const skip = withoutBrowser || (!isBuilt && 'skipped: the site is not built; run `cargo xtask site`');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png', '.json': 'application/json' };
const LIVE = ['concepts/eyes.html', 'concepts/lids.html', 'concepts/planner.html'];
/** Pages that axe checks: one of each kind. */
const KINDS = ['index.html', 'start/index.html', 'guides/script.html', 'reference/intents.html', 'science/conversation.html', ...LIVE];
const WIDE = { width: 1440, height: 900 }, NARROW = { width: 390, height: 844 };
const axe = isBuilt ? readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8') : '';

const names = isBuilt ? readdirSync(site, { recursive: true }).filter(name => name.endsWith('.html') && name !== '404.html').sort() : [];
/** The path under which the site expects to be, as `cargo xtask site --base` set it. */
const base = isBuilt ? /href="([^"]*)favicon\.svg"/.exec(readFileSync(join(site, 'index.html'), 'utf8'))[1] : '/';

let server, browser, url;

before(async () => {
  if (skip) return;
  server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://here').pathname);
    const file = path.startsWith(base) ? join(site, path.slice(base.length)) : undefined;
    const found = file && existsSync(file) && statSync(file).isDirectory() ? join(file, 'index.html') : file;
    if (!found || !existsSync(found)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(found)] ?? 'application/octet-stream' }).end(readFileSync(found));
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${server.address().port}${base}`;
  ({ browser } = await openBrowser());
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens a tab and collects its errors and requests to other hosts. */
async function open(options = {}) {
  const context = await browser.newContext({ viewport: WIDE, ...options }), page = await context.newPage(), faults = [];
  page.on('pageerror', error => faults.push(error.message));
  page.on('console', message => message.type() === 'error' && faults.push(message.text()));
  page.on('request', request => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) faults.push(`asks for ${request.url()}`);
  });
  page.on('response', response => response.status() >= 400 && faults.push(`${response.status()} ${response.url()}`));
  return { page, faults, close: () => context.close() };
}

/** Calls `action` for each item, several at a time, each in a separate tab. */
async function each(items, options, action) {
  const waiting = [...items];
  await Promise.all(Array.from({ length: 4 }, async () => {
    const tab = await open(options);
    while (waiting.length) await action(tab, waiting.shift());
    await tab.close();
  }));
}

/** Opens and checks a page. Returns its anchors, and its links to anchors of other pages. */
async function look({ page, faults }, name) {
  await page.goto(url + name, { waitUntil: 'load' });
  await page.waitForSelector('h1');
  const seen = await page.evaluate(() => ({
    over: document.documentElement.scrollWidth - innerWidth,
    headings: document.querySelectorAll('h1').length,
    broken: [...document.images].filter(image => image.complete && !image.naturalWidth).map(image => image.src),
    ids: [...document.querySelectorAll('[id]')].map(element => element.id),
    links: [...document.querySelectorAll('.vp-doc a[href*="#"]')].map(link => link.href),
  }));
  assert.deepEqual(faults.splice(0), [], name);
  assert.ok(seen.over <= 0, `${name} is ${seen.over} px too wide`);
  assert.equal(seen.headings, 1, `${name}: headings of level 1`);
  assert.deepEqual(seen.broken, [], `${name}: pictures`);
  return seen;
}

test('every page opens at 1440 px', { skip, timeout: 120_000 }, async () => {
  assert.ok(names.length > 60, `${names.length} pages`);
  const seen = new Map();
  await each(names, {}, async (tab, name) => seen.set(name, await look(tab, name)));
  for (const [name, { links }] of seen) {
    for (const link of links) {
      const { href, hash } = new URL(link);
      if (!href.startsWith(url)) continue;
      const path = href.slice(url.length, href.length - hash.length), target = path === '' || path.endsWith('/') ? `${path}index.html` : path;
      assert.ok(seen.get(target)?.ids.includes(decodeURIComponent(hash.slice(1))), `${name}: dead anchor ${path}${hash}`);
    }
  }
});

test('start and live pages open at 390 px', { skip, timeout: 60_000 }, () =>
  each([...names.filter(name => name.startsWith('start/')), 'index.html', 'reference/lint.html', ...LIVE], { viewport: NARROW }, look));

test('pages are accessible, light and dark', { skip, timeout: 90_000 }, async () => {
  for (const colorScheme of ['light', 'dark']) {
    await each(colorScheme === 'light' ? KINDS : ['index.html', 'concepts/planner.html'], { colorScheme }, async ({ page }, name) => {
      await page.goto(url + name, { waitUntil: 'load' });
      await page.waitForSelector('h1');
      if (LIVE.includes(name)) await ready(page);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(' | ')}`);
      assert.deepEqual(found, [], `${name}, ${colorScheme}`);
    });
  }
});

/** Waits until a live part has loaded the engine. */
const ready = page => page.waitForSelector('.live button:not([disabled])', { timeout: 60_000 });
/** Waits until the result of `read` changes. */
async function changes(page, read) {
  const first = await page.evaluate(read);
  await page.waitForFunction(([read, first]) => JSON.stringify((0, eval)(read)()) !== first, [`(${read})`, JSON.stringify(first)], { timeout: 20_000 });
}
const irises = () => [...document.querySelectorAll('.live circle[r="22"]')].map(circle => Number(circle.getAttribute('cx')));

test('the eyes follow the pointer and the keys', { skip, timeout: 60_000 }, async () => {
  const { page, faults, close } = await open();
  await page.goto(`${url}concepts/eyes.html`);
  await ready(page);
  await changes(page, irises);
  const box = await page.locator('.live svg').boundingBox();
  const reach = async (x, wanted) => {
    await page.mouse.move(box.x + x * box.width, box.y + box.height / 2);
    await page.waitForFunction(([sign]) => [...document.querySelectorAll('.live circle[r="22"]')].every(circle => sign * circle.getAttribute('cx') > 3), [wanted], { timeout: 20_000 });
  };
  await reach(0.95, 1);
  await reach(0.05, -1);
  await page.locator('.live svg').focus();
  for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => [...document.querySelectorAll('.live circle[r="22"]')].every(circle => circle.getAttribute('cx') > 3), undefined, { timeout: 20_000 });
  assert.deepEqual(faults, []);
  await close();
});

test('blinks play, and every profile is there', { skip, timeout: 60_000 }, async () => {
  const { page, faults, close } = await open();
  await page.goto(`${url}concepts/lids.html`);
  await ready(page);
  const curves = await page.evaluate(() => [...document.querySelectorAll('.live li')].map(item => [item.querySelector('code').textContent, item.querySelectorAll('svg')[1].querySelector('path').getAttribute('d')]));
  assert.deepEqual(curves.map(([name]) => name).sort(), ['asymmetric-ease', 'asymmetric-linear', 'evinger', 'pca', 'real', 'symmetric-ease', 'symmetric-linear']);
  assert.equal(new Set(curves.map(([, curve]) => curve)).size, 7, 'each profile has a different curve');
  await changes(page, () => document.querySelector('.live li clipPath path').getAttribute('d'));
  await page.click('text=New blinks');
  await page.click('.live button:has-text("Pause")');
  await page.locator('.live input[type=range]').fill('0.12');
  assert.deepEqual(faults, []);
  await close();
});

test('a plan is computed, and updated when an intent is added', { skip, timeout: 60_000 }, async () => {
  const { page, faults, close } = await open();
  await page.goto(`${url}concepts/planner.html`);
  await ready(page);
  await page.waitForSelector('.live svg svg text:has-text("wave")', { timeout: 20_000 });
  await changes(page, () => document.querySelector('.live rect')?.getAttribute('x'));
  await page.click('.live button:has-text("Fold the arms")');
  await page.waitForSelector('.live svg svg text:has-text("arms-folded")', { timeout: 20_000 });
  assert.deepEqual(faults, []);
  await close();
});

test('with reduced motion nothing moves until it is asked to', { skip, timeout: 60_000 }, async () => {
  const { page, close } = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}concepts/eyes.html`);
  await ready(page);
  const still = await page.evaluate(irises);
  await page.waitForTimeout(1500);
  assert.deepEqual(await page.evaluate(irises), still);
  await page.click('.live button:has-text("Play")');
  await changes(page, irises);
  await close();
});

test('without WebAssembly a message is shown', { skip, timeout: 60_000 }, async () => {
  const { page, faults, close } = await open();
  await page.addInitScript(() => { delete window.WebAssembly; });
  for (const name of LIVE) {
    await page.goto(url + name);
    await page.waitForSelector('.live .note:has-text("needs WebAssembly")', { timeout: 20_000 });
  }
  assert.deepEqual(faults, []);
  await close();
});

test('the search works without a network', { skip, timeout: 60_000 }, async () => {
  const { page, faults, close } = await open();
  for (const [words, wanted] of [['blink rate', 'concepts/lids'], ['access token', 'reference/protocol'], ['inter-blink interval', 'lids']]) {
    await page.goto(url);
    await page.keyboard.press('Control+k');
    await page.fill('.VPLocalSearchBox input', words);
    await page.waitForSelector(`.VPLocalSearchBox a[href*="${wanted}"]`, { timeout: 20_000 });
  }
  assert.deepEqual(faults, []);
  await close();
});
