// Runs the code of the documentation. Shell commands run page by page in an empty folder, JSON and TOML are parsed and
// validated, Python is compiled. A block that cannot run here says why in a comment before it:
// `<!-- not run: needs a video -->`. Set VIVANT to the path of the command.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { availableParallelism } from 'node:os';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import Ajv from 'ajv/dist/2020.js';
import { codeBlocks, pages, root } from './lib/pages.mjs';
import { binary, folder, live } from './lib/vivant.mjs';

const run = promisify(execFile), python = spawnSync('python3', ['--version']).status === 0 ? 'python3' : undefined;
const all = pages().flatMap(codeBlocks), place = ({ page, line }) => `${page}:${line}`;
const of = (...languages) => all.filter(block => languages.includes(block.language));

/** Tests that cover the code of other languages: the test of each page, by language. */
const ELSEWHERE = {
  c: { 'docs/guides/c.md': 'crates/vivant-c/tests/page.rs' },
  cpp: { 'docs/guides/c.md': 'crates/vivant-c/tests/page.rs' },
  csharp: { 'docs/guides/c.md': 'crates/vivant-c/tests/page.rs' },
  html: { 'docs/guides/web.md': 'tests/js/browser_page.test.mjs' },
  js: { 'docs/guides/web.md': 'tests/js/browser_docs.test.mjs', 'docs/reference/javascript.md': 'tests/js/browser_docs.test.mjs' },
};
const KNOWN = ['', 'text', 'sh', 'json', 'jsonl', 'toml', 'python', 'rust', 'rust,no_run', 'rust,ignore', ...Object.keys(ELSEWHERE)];
/** First words of commands that may run. Everything else needs a reason. */
const COMMANDS = /^(vivant|cp|mkdir) /;

test('every block has a language that is run or checked', () => {
  for (const block of all) {
    assert.ok(KNOWN.includes(block.language), `${place(block)}: unknown language “${block.language}”`);
    const covered = ELSEWHERE[block.language];
    if (!covered || block.reason) continue;
    assert.ok(covered[block.page], `${place(block)}: no test runs this code; add a reason`);
    assert.ok(existsSync(join(root, covered[block.page])), covered[block.page]);
  }
});

/** Commands of a page, one per line; lines that end with a backslash continue. */
const commands = blocks => blocks.flatMap(({ code, line }) => code.replaceAll(/\\\n/g, '').split('\n').map((text, i) => ({ text, line: line + 1 + i })))
  .filter(({ text }) => text.trim() && !text.startsWith('#'));

const programs = join(folder, 'programs');
mkdirSync(programs);
symlinkSync(binary, join(programs, 'vivant'));

/** Runs the commands of a page in a folder of its own, in which `docs` is the documentation. */
async function runPage(page, blocks) {
  const cwd = join(folder, page.replaceAll(/\W+/g, '-'));
  mkdirSync(cwd);
  symlinkSync(join(root, 'docs'), join(cwd, 'docs'));
  const env = { ...process.env, HOME: cwd, PATH: `${programs}${delimiter}${process.env.PATH}` };
  for (const { text, line } of commands(blocks)) {
    await run('bash', ['-c', text], { cwd, env, maxBuffer: 1 << 26, timeout: 60_000 }).catch(error => {
      throw new Error(`${page}:${line}: ${text}\n${error.stderr || error.stdout || error.message}`);
    });
  }
}

describe('shell commands', { concurrency: Math.max(2, availableParallelism()) }, () => {
  const shell = of('sh').filter(block => !block.reason);
  for (const page of new Set(shell.map(block => block.page))) {
    const blocks = shell.filter(block => block.page === page);
    test(page, () => {
      for (const { text, line } of commands(blocks)) assert.match(text, COMMANDS, `${page}:${line}: this cannot run; add a reason`);
      return runPage(page, blocks);
    });
  }
});

const ajv = new Ajv({ strict: false, allowUnionTypes: true });
const schema = name => ajv.compile(JSON.parse(readFileSync(join(root, `docs/schema/${name}.schema.json`), 'utf8')));
const validators = { protocol: schema('protocol'), repertoire: schema('repertoire'), character: schema('character') };

function validate(name, value, where) {
  assert.ok(validators[name](value), `${where}: ${JSON.stringify(value).slice(0, 300)}\n${JSON.stringify(validators[name].errors?.slice(0, 3), null, 1)}`);
}

/** The values of a block: one value, or one per line. */
function values({ code }) {
  try {
    return [JSON.parse(code)];
  } catch {
    return code.trim().split('\n').map(line => JSON.parse(line));
  }
}

const VERBS = ['say', 'act', 'stance', 'be', 'look', 'blink', 'do', 'stop', 'watch', 'cast', 'dismiss', 'temperament', 'attend', 'follow', 'mimic', 'see'];

test('JSON is valid, and requests and repertoires fit their schemas', () => {
  for (const block of of('json', 'jsonl').filter(block => !block.reason)) {
    let parsed;
    assert.doesNotThrow(() => { parsed = values(block); }, undefined, `${place(block)}: not JSON`);
    for (const value of parsed) {
      if (value.stances) validate('repertoire', value, place(block));
      else if (VERBS.some(verb => verb in value)) validate('protocol', { request: value }, place(block));
    }
  }
});

test('TOML is valid, and characters fit their schema', { skip: !python && 'skipped: Python 3.11 is not installed' }, () => {
  const blocks = of('toml').filter(block => !block.reason);
  const script = 'import json, sys, tomllib\nprint(json.dumps([tomllib.loads(text) for text in json.load(sys.stdin)]))';
  const { stdout, stderr, status } = spawnSync(python, ['-c', script], { input: JSON.stringify(blocks.map(block => block.code)), encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  JSON.parse(stdout).forEach((value, i) => value.version && validate('character', value, place(blocks[i])));
});

test('Python compiles', { skip: !python && 'skipped: Python 3.11 is not installed' }, () => {
  const script = 'import ast, json, sys\nfor place, code in json.load(sys.stdin):\n    ast.parse(code, place)';
  const input = JSON.stringify(of('python').map(block => [place(block), block.code]));
  const { status, stderr } = spawnSync(python, ['-c', script], { input, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('Rust is compiled by a doctest', () => {
  const library = readFileSync(join(root, 'crates/vivant-io/src/lib.rs'), 'utf8');
  for (const block of of('rust', 'rust,no_run')) assert.ok(library.includes(`${block.page}"`), `${place(block)}: vivant-io does not compile this page`);
});

/** Requests that pages show with curl. */
test('the server accepts the requests of the pages', async () => {
  const { url, stop } = await live();
  try {
    const ask = async (method, path, body) => {
      const response = await fetch(new URL(path, url), { method, body: body && JSON.stringify(body) });
      assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`);
      return response;
    };
    await ask('POST', '/api/performers/main/intents', { say: 'Hello, how are you?' });
    await ask('POST', '/api/performers', [{ performer: 'eve', seed: 5 }, { performer: 'adam', seed: 6 }]);
    await ask('POST', '/api/performers/eve/intents', { say: 'Hello Adam.' });
    await ask('POST', '/api/performers/eve/intents', [{ say: 'One.' }, { say: 'Two.', at: 30 }]);
    await ask('DELETE', '/api/performers/adam');
    for (const path of ['/api', '/api/performers', '/api/performers/main/plan', '/api/schema/protocol', '/api/presets']) await ask('GET', path);
    // The server reads the intents of all pages unchanged.
    const intents = of('json', 'jsonl').filter(block => !block.reason).flatMap(values).filter(value => VERBS.slice(0, 8).some(verb => verb in value) && !value.pcm);
    for (const { performer, id, ...intent } of intents) await ask('POST', '/api/performers/eve/intents', intent);
  } finally {
    await stop();
  }
});

test('links between pages are valid', () => {
  for (const page of [...pages(), 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'fuzz/README.md', 'tests/labels/README.md', 'packages/vivant/README.md']) {
    const text = readFileSync(join(root, page), 'utf8').replaceAll(/```[^]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
    for (const [, href] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(href)) continue;
      const [path, anchor] = href.split('#'), file = join(root, page, '..', path), target = path ? file : join(root, page);
      assert.ok(existsSync(target), `${page}: dead link ${href}`);
      if (anchor) assert.ok(anchors(target).includes(anchor), `${page}: dead anchor ${href}; there are ${anchors(target).join(', ')}`);
    }
  }
});

/** Anchors of a page's headings, as GitHub and the site make them. */
function anchors(file) {
  const headings = readFileSync(file, 'utf8').replaceAll(/```[^]*?```/g, '').match(/^#+ .*$/gm) ?? [];
  return headings.map(heading => heading.replace(/^#+ /, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim().toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));
}
