// The studio in headless Chromium, with a real server and a separate folder.
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { openBrowser } from './browser.mjs';
import { folder, live } from './vivant.mjs';

/** Window size of the guide's screenshots, and a tablet in landscape. */
export const DESK = { width: 1280, height: 720 };
export const TABLET = { width: 1024, height: 768 };

const shots = process.env.VIVANT_SHOTS ? resolve(import.meta.dirname, '../../../docs/studio') : null;

export const newHome = () => mkdtempSync(join(folder, 'home-'));

/**
 * Starts the server and opens the studio; both are closed after the test. `hints` shows the hints of the first visit,
 * `flags` are passed to Chromium, and `before` runs in the page before the studio.
 */
export async function openStudio(t, { home = newHome(), size = DESK, colorScheme = 'light', hints = false, flags, before } = {}) {
  let server = await live('--characters', home, '--seed', '3');
  const { browser, page, faults } = await openBrowser(flags);
  t.after(async () => {
    await browser.close();
    await server.stop();
  });
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme });
  if (!hints) await page.addInitScript(() => localStorage.setItem('vivant.hints', 'seen'));
  if (before) await page.addInitScript(before);
  const studio = { page, faults, home, get url() { return server.url; } };
  studio.open = async () => {
    await page.goto(server.url);
    await page.waitForSelector('html[data-ready=true]', { state: 'attached', timeout: 60_000 });
  };
  studio.stop = () => server.stop();
  studio.restart = async () => {
    await server.stop();
    server = await live('--characters', home, '--seed', '3');
    // Errors about the stopped server are expected.
    faults.length = 0;
    await studio.open();
    // The old page may have tried to reconnect.
    faults.splice(0, faults.length, ...faults.filter(fault => !fault.includes('ERR_CONNECTION_REFUSED')));
  };
  studio.api = path => fetch(`${server.url.replace(/\/$/, '')}/api${path}`).then(answer => answer.json());
  await studio.open();
  return studio;
}

/** Tab of a view. */
export const view = (page, name) => page.getByRole('tablist', { name: 'View' }).getByRole('tab', { name });

/** Creates a character: a copy of the current one, or an empty one. */
export async function newCharacter(page, name, { isEmpty = false } = {}) {
  await page.getByRole('combobox', { name: 'Character' }).selectOption({ label: 'New character…' });
  const dialog = page.getByRole('dialog', { name: 'New character' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('radio', { name: isEmpty ? /empty/ : /copy/ }).check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Character' }).locator('option:checked', { hasText: name }).waitFor({ state: 'attached' });
}

/** Simulates a drop of files. */
export async function dropFiles(target, paths) {
  const page = target.page();
  const transfer = await page.evaluateHandle(() => new DataTransfer());
  for (const path of paths) {
    const bytes = readFileSync(path).toString('base64');
    await transfer.evaluate((transfer, { name, bytes }) => {
      const content = Uint8Array.from(atob(bytes), letter => letter.charCodeAt(0));
      transfer.items.add(new File([content], name));
    }, { name: basename(path), bytes });
  }
  for (const event of ['dragenter', 'dragover', 'drop']) await target.dispatchEvent(event, { dataTransfer: transfer });
  await transfer.dispose();
}

/** Waits until a condition holds; `what` describes it in the error. */
export async function until(what, is, seconds = 120) {
  const end = Date.now() + 1000 * seconds;
  for (let last; ; last = await is()) {
    if (last) return last;
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
    await new Promise(done => setTimeout(done, 100));
  }
}

/** Takes a screenshot for docs/studio if VIVANT_SHOTS is set. */
export async function shot(page, name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

/** The shown time; `ago` is its distance from live in seconds. */
export async function shownTime(page) {
  const words = await page.getByRole('slider', { name: 'Shown time' }).getAttribute('aria-valuetext');
  return { isLive: words.startsWith('live'), ago: Number(/([\d.]+) seconds ago/.exec(words)?.[1] ?? 0) };
}

/** Returns controls without an accessible name. */
export async function unnamed(page) {
  return page.evaluate(() => {
    const seen = it => it.checkVisibility({ visibilityProperty: true });
    const named = it => [it.ariaLabel, it.innerText, it.title, it.alt, it.labels?.[0]?.innerText,
      document.getElementById(it.getAttribute('aria-labelledby'))?.innerText].some(text => text?.trim());
    const all = document.querySelectorAll('button, a[href], input:not([type=hidden]), select, textarea, [role=button], [role=tab], [role=slider], [role=option], [role=checkbox], canvas[tabindex]');
    return [...all].filter(it => seen(it) && !named(it)).map(it => it.outerHTML.slice(0, 200));
  });
}

/** Walks through all tab stops. Returns those without a visible focus, and their number. */
export async function walk(page, most = 60) {
  const bare = [], seen = new Set();
  for (let i = 0; i < most; i++) {
    await page.keyboard.press('Tab');
    const { id, isMarked, what } = await page.evaluate(() => {
      const it = document.activeElement, style = getComputedStyle(it);
      window.walked ??= new Map();
      if (!window.walked.has(it)) window.walked.set(it, window.walked.size);
      const isMarked = (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
      return { id: window.walked.get(it), isMarked: isMarked || it === document.body, what: it.outerHTML.slice(0, 160) };
    });
    if (seen.has(id)) break;
    seen.add(id);
    if (!isMarked) bare.push(what);
  }
  return { bare, count: seen.size };
}
