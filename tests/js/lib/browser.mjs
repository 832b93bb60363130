// A page in headless Chromium that shows avatars with three-vrm, without a bundler.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, extname, join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const here = resolve(import.meta.dirname, '..');
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript' };

/** Path of Chromium: VIVANT_CHROMIUM, or from the PATH. */
export function findChromium() {
  if (process.env.VIVANT_CHROMIUM) return process.env.VIVANT_CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap(name => folders.map(folder => join(folder, name))).find(existsSync);
}

/** Reason to skip browser tests, or false. VIVANT_BROWSER=required makes a missing browser a failure. */
export const withoutBrowser = findChromium() || process.env.VIVANT_BROWSER === 'required' ? false
  : 'skipped: Chromium not found; install it (Debian: apt install chromium) or set VIVANT_CHROMIUM to its path';

/** Serves the page, the libraries, and files passed to `share`. */
function serve() {
  const shared = [];
  const path = url => {
    const [, kind, ...rest] = decodeURIComponent(url.split('?')[0]).split('/');
    if (kind === 'shared') return shared[Number(rest[0])];
    return ['node_modules', 'page'].includes(kind) && !rest.includes('..') ? join(here, kind, ...rest) : undefined;
  };
  const server = createServer((request, response) => {
    const file = path(request.url);
    if (!file || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
  const share = file => `/shared/${shared.push(file) - 1}`;
  return new Promise(done => server.listen(0, '127.0.0.1', () => done({ server, share, port: server.address().port })));
}

/** Opens a page and collects its errors; `flags` are passed to Chromium. */
export async function openBrowser(flags = []) {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium not found; install it or set VIVANT_CHROMIUM to its path');
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic',
      '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', ...flags],
  });
  const page = await browser.newPage();
  const faults = [];
  page.on('pageerror', error => faults.push(error.message));
  page.on('console', message => message.type() === 'error' && faults.push(message.text()));
  return { browser, page, faults };
}

/**
 * Opens the stage. `run(name, ...arguments)` calls one of its functions (see page/stage.mjs), and `share(file)` returns
 * the URL of a file.
 */
export async function openStage() {
  const { server, share, port } = await serve();
  const { browser, page, faults } = await openBrowser();
  await page.goto(`http://127.0.0.1:${port}/page/stage.html`);
  await page.waitForFunction('window.stage').catch(error => {
    throw new Error(`the page did not start: ${faults.join('; ')} ${error.message}`);
  });
  const run = (name, ...words) => page.evaluate(([name, words]) => window.stage[name](...words), [name, words]);
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { run, share, faults, close };
}
