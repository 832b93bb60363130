// The program under test, and the files to try it on.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
const built = ['release', 'debug'].map(profile => join(target, profile, 'vivant'));
const binary = process.env.VIVANT ?? built.find(existsSync) ?? 'vivant';

/** Runs vivant with --json and gives its result; a failure is thrown as its sentence. */
export function vivant(...words) {
  const { status, stdout, stderr, error } = spawnSync(binary, [...words, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error) throw error;
  if (status !== 0) throw new Error(`vivant ${words.join(' ')}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** Starts the live page; `stop` ends it. */
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

/** A folder for what is written; gone when the tests are over. */
export const folder = mkdtempSync(join(tmpdir(), 'vivant-js-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let written = 0;
/** A new file name with this ending. */
export const fresh = ending => join(folder, `${written++}.${ending}`);

/** Converts, and gives the path of what was written. */
export function convert(input, ending, ...options) {
  const output = fresh(ending);
  vivant('convert', input, output, ...options);
  return output;
}

/** Where we say that the joints are: an array of {bone: [x, y, z]}, one a frame, and the rate. */
export function ourPositions(input, ...options) {
  const path = fresh('jsonl');
  const { clips } = vivant('convert', input, path, '--positions', ...options);
  const lines = readFileSync(path, 'utf8').trim().split('\n').map(line => JSON.parse(line));
  return { rate: clips[0].rate, frames: lines.filter(line => line.positions).map(line => line.positions) };
}

const data = process.env.VIVANT_DATA;
/** Why tests on real files are skipped, or false. */
export const skipped = data ? false : 'skipped: VIVANT_DATA is not set';

/** Real files below a folder, with these endings. */
export function files(below, ...endings) {
  if (!data || !existsSync(join(data, below))) return [];
  const all = readdirSync(join(data, below), { recursive: true }).map(name => join(data, below, name)).sort();
  return all.filter(path => endings.some(ending => path.toLowerCase().endsWith(ending)));
}

/** Those of the files that are humanoid, and if `moving`, have a clip. */
export function humanoid(paths, moving = false) {
  return paths.filter(path => {
    const found = vivant('inspect', path);
    return found.humanoid.hips && found.humanoid.head && (!moving || found.clips.length > 0);
  });
}

/** The first and the last of a list, and one between: enough kinds to try with each of many others. */
export const some = list => [...new Set([list[0], list[list.length >> 1], list[list.length - 1]])].filter(Boolean);

export const name = path => basename(path);

/** Starts the label view on a film, or on a drawn one; `stop` ends it. */
export const labelling = (...options) => started('label', ...options);
