// One character in five hosts: the command, the live server, Python, C and the npm package give bit-identical frames, with
// the models, behaviour and temperament of its folder.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { before, test } from 'node:test';
import init, { Character, Performer } from 'vivant';
import { folder, fresh, live, vivant } from './lib/vivant.mjs';

const SEED = 7, FPS = 60, SECONDS = 12, FRAMES = SECONDS * FPS + 1, BONES = 55;
const SCRIPT = [
  { be: 'listening' },
  { at: 1, say: 'Hello! [gesture:Wave] How *nice* that you came. [smile] Shall we go in?' },
  { at: 5, do: 'gesture:shrug' },
  { at: 6.5, act: 'gesture', clip: 'Wave' },
  { at: 9, look: [0.5, 1.2, 1] },
  { at: 10, blink: true },
];

const home = join(folder, 'characters'), eve = join(home, 'eve'), script = join(folder, 'script.jsonl');
/** Files of the models in the character folder; each one changes the performance. */
const MODELS = ['blinks.model.json', 'eyes.texture', 'behaviour.json'];

function makeCharacter() {
  mkdirSync(home, { recursive: true });
  vivant('mannequin', '--character', eve, '--seed', '3');
  const manifest = join(eve, 'character.toml');
  writeFileSync(manifest, `${readFileSync(manifest, 'utf8')}\npreset = "Friendly"\n[temperament]\nheadMovementFactor = 0.35\nlidTempo = 0.8\n`);
  // Models are learned from a synthetic recording.
  const trace = fresh('csv');
  vivant('trace', 'eyes', '--seconds', '120', '--state', 'speaking', '--seed', '5', '-o', trace);
  vivant('learn', 'blinks', trace, '-o', join(eve, MODELS[0]));
  vivant('learn', 'eyes', trace, '-o', join(eve, MODELS[1]));
  const arms = { states: [{ name: 'RG', kind: 'gesture', hand: 'R', duration: [1, 2], gap: [0.5] }], start: [1], matrix: [[1]] };
  writeFileSync(join(eve, MODELS[2]), JSON.stringify({ version: 1, origin: 'a test', always: { arms } }));
  writeFileSync(script, SCRIPT.map(intent => JSON.stringify(intent)).join('\n'));
}

const names = () => readdirSync(eve, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name).slice(eve.length + 1));

/** Frames of Vivant's JSON Lines as 32-bit floats. Unused expressions are not in the file. */
function framesOf(text, bones, expressions) {
  const frames = text.trim().split('\n').map(line => JSON.parse(line));
  return Float32Array.from(frames.flatMap(({ root, rotations, expressions: weights }) => [
    ...root, ...bones.flatMap(bone => rotations[bone] ?? [0, 0, 0, 1]), ...expressions.map(name => weights[name] ?? 0),
  ]));
}

function framesOfPerformer(performer) {
  const all = [];
  for (const intent of SCRIPT) performer.intend(intent);
  for (let frame = 0; frame < FRAMES; frame++) {
    const { root, rotations, weights } = performer.advanceTo(frame / FPS);
    all.push(...root, ...rotations, ...weights);
  }
  return Float32Array.from(all);
}

/**
 * Frames as stored in files: rotations are normalised in 32 bits and in the hemisphere of the previous frame, for
 * interpolation. Everything else is equal.
 */
function asInFile(frames) {
  const { fround, sqrt } = Math, width = 3 + 4 * BONES + expressions.length, written = frames.slice();
  for (let at = 0; at < frames.length; at++) {
    const place = at % width - 3;
    if (place < 0 || place >= 4 * BONES || place % 4 !== 0) continue;
    const square = i => fround(frames[at + i] * frames[at + i]);
    const dot = fround(fround(fround(square(0) + square(1)) + square(2)) + square(3));
    const scale = fround(1 / fround(sqrt(dot)));
    const unit = [0, 1, 2, 3].map(i => fround(frames[at + i] * scale));
    const before = at < width ? unit : written.subarray(at - width, at - width + 4);
    const side = unit.reduce((sum, number, i) => sum + number * before[i], 0) < 0 ? -1 : 1;
    unit.forEach((number, i) => { written[at + i] = side * number; });
  }
  return written;
}

const floats = file => {
  const { buffer, byteOffset, length } = readFileSync(file);
  return new Float32Array(buffer.slice(byteOffset, byteOffset + length));
};

/** Frames of the npm package, the reference for the others. */
let expected, bones, expressions;

/** Compares two numbers. NaN equals NaN, and minus zero equals zero, since files do not keep its sign. */
const isSame = (a, b) => a === b || (Number.isNaN(a) && Number.isNaN(b));

function assertSame(found, what, wanted = expected) {
  assert.equal(found.length, wanted.length, `${what}: ${found.length} numbers, and not ${wanted.length}`);
  const index = wanted.findIndex((number, i) => !isSame(number, found[i]));
  const width = 3 + 4 * BONES + expressions.length;
  const place = `number ${index % width} of frame ${Math.floor(index / width)}`;
  assert.equal(index, -1, `${what} differs from npm in ${place}: ${found[index]} and not ${wanted[index]}`);
}

function run(program, ...words) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: 'utf8' });
  assert.equal(status, 0, `${program} ${words.join(' ')}: ${error ?? ''}${stdout}${stderr}`);
}

before(async () => {
  makeCharacter();
  await init();
  const character = new Character(Object.fromEntries(names().map(name => [name, readFileSync(join(eve, name))])));
  assert.equal(character.avatar.length, readFileSync(join(eve, 'avatar.vrm')).length);
  const performer = new Performer(character, { seed: SEED });
  ({ bones, expressions } = performer);
  expected = framesOfPerformer(performer);
  character.free();
});

test('npm: a fetched character equals one created from its files', async () => {
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url).replace('/eve/', '');
    if (!names().includes(name)) return response.writeHead(404).end();
    response.end(readFileSync(join(eve, name)));
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  try {
    const character = await Character.fetch(`http://127.0.0.1:${server.address().port}/eve`);
    assertSame(framesOfPerformer(new Performer(character, { seed: SEED })), 'a fetched character');
  } finally {
    server.close();
  }
});

test('the command', () => {
  const out = fresh('jsonl');
  vivant('perform', script, '--character', eve, '--seed', SEED, '--fps', FPS, '--seconds', SECONDS, '-o', out);
  assertSame(framesOf(readFileSync(out, 'utf8'), bones, expressions), 'the command', asInFile(expected));
});

test('the live server', async () => {
  const server = await live('--characters', home, '--fps', FPS);
  try {
    const api = `${server.url.replace(/\/$/, '')}/api/performers`;
    const cast = [{ performer: 'eve', character: 'eve', seed: SEED, script: SCRIPT }];
    const answer = await fetch(api, { method: 'POST', body: JSON.stringify(cast) });
    assert.equal(answer.status, 201, await answer.text());
    const time = async () => (await (await fetch(`${api}/eve`)).json()).time;
    while (await time() < SECONDS + 0.1) await new Promise(done => { setTimeout(done, 200); });
    const exported = await fetch(`${api}/eve/export.jsonl?from=0&to=${SECONDS}&rate=${FPS}`);
    assert.equal(exported.status, 200);
    assertSame(framesOf(await exported.text(), bones, expressions), 'the live server', asInFile(expected));
  } finally {
    await server.stop();
  }
});

const python = process.env.VIVANT_PYTHON_PACKAGE;
test('Python', { skip: python ? false : 'skipped: VIVANT_PYTHON_PACKAGE is not a Python with the package' }, () => {
  const out = fresh('f32');
  run(python, join(import.meta.dirname, 'doors/door.py'), eve, SEED, script, FPS, FRAMES, out);
  assertSame(floats(out), 'Python');
});

const library = process.env.VIVANT_C;
const hasCompiler = spawnSync('cc', ['--version']).status === 0;
test('C, from a folder and from files in memory', { skip: library && hasCompiler ? false : 'skipped: no C compiler, or VIVANT_C is not a folder with the C library' }, () => {
  const program = join(folder, 'door');
  const include = resolve(import.meta.dirname, '../../crates/vivant-c/include');
  run('cc', '-std=c99', '-O1', '-Wall', '-Wextra', '-Werror', `-I${include}`, join(import.meta.dirname, 'doors/door.c'),
    join(library, 'libvivant_c.a'), '-lpthread', '-ldl', '-lm', '-lgcc_s', '-o', program);
  for (const files of [[], names()]) {
    const out = fresh('f32');
    run(program, eve, JSON.stringify({ seed: SEED }), script, FPS, FRAMES, out, ...files);
    assertSame(floats(out), files.length ? 'C with files' : 'C with a folder');
  }
});

test('each file in the folder changes the performance', () => {
  const without = omitted => {
    const kept = names().filter(name => name !== omitted).map(name => [name, readFileSync(join(eve, name))]);
    return framesOfPerformer(new Performer(new Character(Object.fromEntries(kept)), { seed: SEED }));
  };
  for (const model of MODELS) {
    const other = without(model);
    assert.ok(expected.some((number, i) => !isSame(number, other[i])), `${model} is not used`);
  }
});

test('a role changes only the given fields of the temperament', () => {
  const files = Object.fromEntries(names().map(name => [name, readFileSync(join(eve, name))]));
  const character = new Character(files);
  const same = new Performer(character, { seed: SEED, temperament: { headMovementFactor: 0.35 } });
  assertSame(framesOfPerformer(same), 'a role that names what the character has');
  const other = framesOfPerformer(new Performer(character, { seed: SEED, temperament: { headMovementFactor: 0.9 } }));
  assert.ok(expected.some((number, i) => !isSame(number, other[i])));
});

test('wrong files give clear errors', () => {
  const manifest = 'version = 1\n';
  for (const [files, words] of [
    [{}, /no character\.toml and no repertoire\.json/],
    [{ 'character.toml': 'version = 9' }, /version 9/],
    [{ 'character.toml': manifest, 'repertoire.json': '{' }, /repertoire\.json/],
    [{ 'character.toml': 'version = 1\navatar = "../x.vrm"\n' }, /outside the character's folder/],
    [{ 'character.toml': 'version = 1\navatar = "me.vrm"\n', 'you.vrm': '' }, /me\.vrm: no such file/],
    [{ 'character.toml': manifest, 'repertoire.json': readFileSync(join(eve, 'repertoire.json')) }, /avatar\.vrm/],
  ]) assert.throws(() => new Character(files), words);
  assert.throws(() => new Character('eve'), /files/);
});
