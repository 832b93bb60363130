// The command under test, and test files.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
const built = ['release', 'debug'].map(profile => join(target, profile, 'vivant'));
export const binary = process.env.VIVANT ?? built.find(existsSync) ?? 'vivant';

/** Runs vivant with --json and returns its result. A failure throws its message. */
export function vivant(...words) {
  const { status, stdout, stderr, error } = spawnSync(binary, [...words, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error) throw error;
  if (status !== 0) throw new Error(`vivant ${words.join(' ')}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** Starts the studio server; `stop` ends it. */
export const live = (...options) => started(...options);

function started(...words) {
  const server = spawn(binary, [...words, '--listen', '127.0.0.1:0', '--no-open', '--json']);
  const isOver = () => server.exitCode !== null || server.signalCode !== null;
  const stop = () => new Promise(done => isOver() ? done() : server.once('exit', done) && server.kill('SIGINT'));
  return new Promise((started, failed) => {
    server.once('error', failed);
    server.once('exit', code => failed(new Error(`vivant ended with ${code}`)));
    server.stdout.once('data', line => started({ url: JSON.parse(line).listening, stop }));
  });
}

/** Temporary folder, deleted after the tests. */
export const folder = mkdtempSync(join(tmpdir(), 'vivant-js-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let written = 0;
/** Returns a new file path with this extension. */
export const fresh = ending => join(folder, `${written++}.${ending}`);

/** Converts a file and returns the path of the result. */
export function convert(input, ending, ...options) {
  const output = fresh(ending);
  vivant('convert', input, output, ...options);
  return output;
}

/** Our joint positions: an array of {bone: [x, y, z]}, one per frame, and the frame rate. */
export function ourPositions(input, ...options) {
  const path = fresh('jsonl');
  const { clips } = vivant('convert', input, path, '--positions', ...options);
  const lines = readFileSync(path, 'utf8').trim().split('\n').map(line => JSON.parse(line));
  return { rate: clips[0].rate, frames: lines.filter(line => line.positions).map(line => line.positions) };
}

const data = process.env.VIVANT_DATA;
/** Reason to skip tests with real files, or false. */
export const skipped = data ? false : 'skipped: VIVANT_DATA is not set';

/** Real files below a folder with these extensions. */
export function files(below, ...endings) {
  if (!data || !existsSync(join(data, below))) return [];
  const all = readdirSync(join(data, below), { recursive: true }).map(name => join(data, below, name)).sort();
  return all.filter(path => endings.some(ending => path.toLowerCase().endsWith(ending)));
}

/** Filters files that are humanoid and, if `moving`, have a clip. */
export function humanoid(paths, moving = false) {
  return paths.filter(path => {
    const found = vivant('inspect', path);
    return found.humanoid.hips && found.humanoid.head && (!moving || found.clips.length > 0);
  });
}

/** First, middle and last item of a list: a small sample for combinations. */
export const some = list => [...new Set([list[0], list[list.length >> 1], list[list.length - 1]])].filter(Boolean);

export const name = path => basename(path);

/** Starts the label view with a real or synthetic video; `stop` ends it. */
export const labelling = (...options) => started('label', ...options);
