// The browser package is bit-identical to the native engine, in Node and in Chromium, at any frame rate.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import init, { Performer } from 'vivant';
import { openBrowser, withoutBrowser } from './lib/browser.mjs';
import { avatarFile } from './lib/sheets.mjs';
import { files, name } from './lib/vivant.mjs';
import { minute } from './page/minute.mjs';

const root = resolve(import.meta.dirname, '../..');
const script = join(import.meta.dirname, 'samples/minute.txt');
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
const RATES = [60, 24, 144];
const SEED = 7;

/** Real avatars of both VRM versions, or the built-in character if there are none. */
function avatars() {
  const real = [...files('avatars/vrm0', '.vrm').slice(-3, -1), ...files('avatars/vrm1', '.vrm').slice(-1)];
  return real.length > 0 ? real : [avatarFile(1)];
}

/** Results of the native engine for each frame rate. */
function native(avatar) {
  const program = process.env.VIVANT_MINUTE ?? join(target, 'release/minute');
  const { status, stdout, stderr, error } = spawnSync(program, [avatar, script, ...RATES], { encoding: 'utf8' });
  assert.equal(status, 0, `${program} (build it with cargo build --release -p vivant-tools --bin minute): ${error ?? stderr}`);
  return stdout.trim().split('\n').map(line => JSON.parse(line));
}

function assertSame(found, expected, what) {
  const second = expected.seconds.findIndex((hash, i) => hash !== found.seconds[i]);
  assert.equal(second, -1, `${what}: frames first differ from native ones in second ${second}`);
  assert.equal(found.common, expected.common, what);
}

const expected = new Map();
before(async () => {
  for (const avatar of avatars()) expected.set(avatar, native(avatar));
  await init();
});

test('a minute in Node is bit-identical to native, at 24, 60 and 144 frames per second', () => {
  for (const [avatar, all] of expected) {
    const first = new Performer(readFileSync(avatar), { seed: SEED });
    for (const one of all) {
      const performer = first.another({ seed: SEED });
      assertSame(minute(performer, readFileSync(script, 'utf8'), one.rate), one, `${name(avatar)} at ${one.rate} Hz`);
      assert.equal(one.common, all[0].common, `${name(avatar)}: ${one.rate} Hz differs from ${all[0].rate} Hz`);
      performer.free();
    }
    first.free();
  }
});

/** Serves the package, the test page, and the avatars by index. */
function serve(avatars) {
  const TYPES = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.html': 'text/html', '.wasm': 'application/wasm' };
  const PAGE = '<!doctype html><script type="module">import init, * as vivant from "/packages/vivant/vivant.js"; import { minute } from "/tests/js/page/minute.mjs"; await init(); await vivant.hear(); window.ready = { ...vivant, minute };</script>';
  const server = createServer((request, response) => {
    const [, kind, ...rest] = request.url.split('?')[0].split('/');
    if (kind === '') return response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    const file = kind === 'avatar' ? avatars[Number(rest[0])] : join(root, kind, ...rest);
    if (rest.includes('..') || !file || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
  });
  return new Promise(done => server.listen(0, '127.0.0.1', () => done(server)));
}

let browser, server;
after(async () => {
  await browser?.close();
  server?.close();
});

test('a minute in Chromium is bit-identical to native', { skip: withoutBrowser }, async () => {
  const all = [...expected.keys()];
  server = await serve(all);
  const opened = await openBrowser();
  ({ browser } = opened);
  await opened.page.goto(`http://127.0.0.1:${server.address().port}/`);
  await opened.page.waitForFunction('window.ready').catch(error => assert.fail(`${opened.faults.join('; ')} ${error.message}`));
  for (const [number, avatar] of all.entries()) {
    const [one] = expected.get(avatar);
    const found = await opened.page.evaluate(async ([number, script, seed, rate]) => {
      const { Performer, minute } = window.ready;
      const bytes = await (await fetch(`/avatar/${number}`)).arrayBuffer();
      return minute(new Performer(bytes, { seed }), script, rate);
    }, [number, readFileSync(script, 'utf8'), SEED, one.rate]);
    assertSame(found, one, `${name(avatar)} in Chromium`);
  }
  assert.deepEqual(opened.faults.filter(fault => !/favicon|404/.test(fault)), []);
});
