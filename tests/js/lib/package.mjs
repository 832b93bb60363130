// The browser package in headless Chromium: served by a static server, with three.js from node_modules instead of
// the CDN.
import { createServer } from 'node:http';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { openBrowser } from './browser.mjs';

export const folder = resolve(import.meta.dirname, '../../../packages/vivant');
const modules = resolve(import.meta.dirname, '../node_modules');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };
/** Forbids `eval`; allows inline import maps and the CDN of three.js. */
const POLICY = 'script-src \'self\' \'unsafe-inline\' \'wasm-unsafe-eval\' https://cdn.jsdelivr.net';
const CDN = /^https:\/\/cdn\.jsdelivr\.net\/npm\/((?:@[^/]+\/)?[^@/]+)@([^/]+)\/(.*)$/;

function fileOf(path) {
  const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
  return file.startsWith(folder) && existsSync(file) && statSync(file).isFile() ? file : undefined;
}

/** Serves the package; `extra` are files of tests by URL path. */
function serve(extra) {
  const server = createServer(({ url }, response) => {
    const path = decodeURIComponent(url.split('?')[0]), file = extra[path] ?? fileOf(path);
    if (!file) return response.writeHead(404).end();
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(readFileSync(file));
  });
  return new Promise(done => server.listen(0, '127.0.0.1', () => done(server)));
}

/** Opens a page. Requests to the CDN are answered from node_modules, which must have the same version. */
export async function openPackage(extra = {}) {
  const server = await serve(extra), { browser, page, faults } = await openBrowser();
  const url = `http://127.0.0.1:${server.address().port}`;
  await page.route(address => !address.href.startsWith(url) && !/^(blob|data):/.test(address.href), route => {
    const [, name, version, path] = CDN.exec(route.request().url()) ?? [];
    const home = name && join(modules, name);
    if (!home || JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version !== version) {
      faults.push(`requests ${route.request().url()}`);
      return route.abort();
    }
    return route.fulfill({ path: join(home, path), contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' } });
  });
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { page, faults, url, close };
}
