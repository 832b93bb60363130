// The code in docs/guides/web.md and docs/reference/javascript.md runs and compiles with the types of the package. The
// package contains the expected files.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { before, test } from 'node:test';
import { VRMLoaderPlugin } from '@pixiv/three-vrm';
import { AnimationMixer, Object3D, PerspectiveCamera, Scene } from 'three';
import init, { Character, Performer } from 'vivant';
import { unpack } from '../../packages/vivant/unpack.js';
import { plainAvatar, talkingHead } from './lib/plain.mjs';
import { blocks, folderHere, run } from './lib/page.mjs';
import { loadGlb } from './lib/scene.mjs';
import { avatarFile } from './lib/sheets.mjs';

globalThis.self ??= globalThis;
const here = import.meta.dirname, folder = folderHere(), all = ['guides/web.md', 'reference/javascript.md'].flatMap(page => blocks(page, 'js'));
/** Returns the only block that contains this text. */
function block(words) {
  const found = all.filter(code => code.includes(words));
  assert.equal(found.length, 1, `${found.length} blocks have “${words}”`);
  return found[0];
}

let bytes;
before(() => { bytes = readFileSync(avatarFile(1)); });
const loadVrm = async () => (await loadGlb(bytes, parser => new VRMLoaderPlugin(parser))).userData.vrm;
const camera = new PerspectiveCamera(), scene = new Scene(), drawn = [];
const renderer = { render: (...words) => drawn.push(words) };
camera.position.set(0, 1.5, 1.5);

test('three lines for three-vrm', async () => {
  const vrm = await loadVrm();
  const { life, animate } = await run(folder, block('instead of vrm.update'), { vrm, camera, renderer, scene }, ['life', 'animate']);
  const before = vrm.humanoid.getRawBoneNode('leftUpperArm').quaternion.clone();
  for (let i = 0; i < 30; i++) animate(1 / 60);
  assert.ok(vrm.humanoid.getRawBoneNode('leftUpperArm').quaternion.angleTo(before) > 0.5);
  assert.equal(drawn.length, 30);
  life.dispose();
});

test('your own animations', async () => {
  const vrm = await loadVrm(), mixer = new AnimationMixer(vrm.scene);
  const code = `import { vivant } from 'vivant/three-vrm';\n${block('mixer.update')}`;
  const { life, animate } = await run(folder, code, { vrm, camera, mixer }, ['life', 'animate']);
  for (let i = 0; i < 30; i++) animate(1 / 60);
  assert.ok(Math.abs(mixer.time - 0.5) < 1e-9);
  life.dispose();
});

test('TalkingHead', async () => {
  const plain = plainAvatar(bytes);
  await talkingHead(plain, camera); // defines the browser globals that TalkingHead needs
  const avatar = { url: `data:model/gltf-binary;base64,${plain.toString('base64')}` };
  const settings = { avatarOnly: true, avatarOnlyCamera: camera, lipsyncModules: [] };
  const { head, life } = await run(folder, block('new TalkingHead'), { node: null, settings, avatar }, ['head', 'life']);
  head.animate(33);
  assert.ok(life.performer.time > 0);
  life.dispose();
});

test('a performer, bone positions, a crowd, a voice', async () => {
  const shown = [], show = (...words) => shown.push(words);
  const { eve, Performer } = await run(folder, block('await init()'), { bytes, show }, ['eve', 'Performer']);
  assert.equal(shown.length, 121);
  assert.deepEqual(shown[0].map(list => list.length), [55, 220, 3, eve.expressions.length, eve.expressions.length]);
  const { adam } = await run(folder, block('const adam'), { Performer }, ['adam']);
  assert.deepEqual(adam.expressions, ['eyeBlinkLeft', 'eyeBlinkRight', 'jawOpen']);
  const { crowd } = await run(folder, block('const crowd'), { eve }, ['crowd']);
  assert.equal(new Set(crowd.map(one => one.advanceTo(3).rotations.join())).size, 100);
  const audioBuffer = { numberOfChannels: 1, length: 4800, sampleRate: 48000, getChannelData: () => new Float32Array(4800) };
  await run(folder, block('audioBuffer'), { eve, audioBuffer, float32: new Float32Array(2400) }, []);
  eve.advanceTo(5);
});

test('a character folder', async () => {
  const repertoire = { version: 1, stances: [{ name: 'standing', gestures: [{ clip: 'builtin#wave' }] }] };
  const files = { 'character.toml': 'version = 1\nname = "Ida"\n', 'avatar.vrm': bytes, 'repertoire.json': JSON.stringify(repertoire) };
  const server = createServer(({ url }, response) => {
    const file = files[url.replace('/characters/eve/', '')];
    response.writeHead(file ? 200 : 404).end(file);
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  globalThis.location = { href: `http://127.0.0.1:${server.address().port}/` };
  try {
    const { character, ida } = await run(folder, block('Character.fetch'), { Character, Performer }, ['character', 'ida']);
    assert.deepEqual([character.name, character.avatar.length], ['Ida', bytes.length]);
    assert.ok(ida.advanceTo(2).weights.length > 50);
  } finally {
    delete globalThis.location;
    server.close();
  }
});

test('every block of the page is run by a test', () => {
  const run = readFileSync(import.meta.filename, 'utf8').match(/block\('[^']*'\)/g).map(call => call.slice(7, -2));
  for (const code of all) assert.ok(run.some(words => code.includes(words)), code);
});

const RIG = { bones: { hips: [0, 1, 0], head: [0, 1.5, 0] } };

/** Declarations that all blocks can use. */
const KNOWN = `
import type { VRM } from '@pixiv/three-vrm';
import type { AnimationMixer, Camera, Scene, WebGLRenderer } from 'three';
declare const vrm: VRM, camera: Camera, scene: Scene, renderer: WebGLRenderer, mixer: AnimationMixer;
declare const node: HTMLElement, settings: object, avatar: { url: string };
declare const bytes: Uint8Array, audioBuffer: AudioBuffer, float32: Float32Array;
declare function show(...words: unknown[]): void;
`;

test('the types are correct, also for the code of the page', async () => {
  await init();
  const imports = [
    ['mixer.update', 'import { vivant } from \'vivant/three-vrm\';\n'],
    ['Character.fetch', 'import { Character, Performer } from \'vivant\';\n'],
    ['const adam', 'import { Performer } from \'vivant\';\n'],
    ['const crowd', 'import type { Performer } from \'vivant\';\ndeclare const eve: Performer;\n'],
    ['audioBuffer', 'import type { Performer } from \'vivant\';\ndeclare const eve: Performer;\n'],
  ];
  const files = all.map((code, i) => {
    const file = join(folder, `block-${i}.ts`), [, first = ''] = imports.find(([words]) => code.includes(words)) ?? [];
    writeFileSync(file, `${KNOWN}${first}${code.replaceAll('(delta)', '(delta: number)').replace(/^( *(?:life|vrm|mixer)\.update\(delta): number/gm, '$1')}\nexport {};\n`);
    return file;
  });
  const bones = join(folder, 'bones.ts'), named = new Performer(RIG, { motions: 'none' }).bones.map(name => `${name}: 1`);
  writeFileSync(bones, `import type { BoneName } from 'vivant';\nexport default { ${named.join(', ')} } satisfies Record<BoneName, 1>;\n`);
  const untyped = join(folder, 'talkinghead.d.ts');
  writeFileSync(untyped, 'declare module \'@met4citizen/talkinghead\' { export const TalkingHead: any; }\n');
  const config = {
    compilerOptions: {
      target: 'esnext', module: 'esnext', moduleResolution: 'bundler', preserveSymlinks: true, lib: ['esnext', 'dom'], types: [], strict: true,
      exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true, skipLibCheck: false, allowImportingTsExtensions: true,
    },
    files: [...files, bones, untyped, join(here, 'types/usage.ts')],
  };
  const path = join(folder, 'tsconfig.json');
  writeFileSync(path, JSON.stringify(config));
  const { stdout, status } = spawnSync(process.execPath, [join(here, 'node_modules/typescript/bin/tsc'), '-p', path], { encoding: 'utf8' });
  // Errors in declarations of other packages are ignored.
  const faults = stdout.split('\n').filter(line => /error TS/.test(line) && !/^node_modules\//.test(line.replace(/^(\.\.\/)*/, '')));
  assert.deepEqual(faults, [], `tsc ended with ${status}`);
});

test('the package contains the needed files and no local paths', () => {
  const home = resolve(here, '../../packages/vivant');
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json'], { cwd: home, encoding: 'utf8' });
  const [{ files }] = JSON.parse(stdout), names = files.map(({ path }) => path).sort();
  assert.ok(names.includes('engine/engine.js'), 'the engine is built (cargo xtask npm)');
  for (const licence of ['LICENSE-APACHE', 'LICENSE-MIT']) {
    assert.equal(readFileSync(join(home, licence), 'utf8'), readFileSync(resolve(home, '../..', licence), 'utf8'));
  }
  assert.deepEqual(names.filter(path => !path.startsWith('engine/')), ['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'body.js', 'carried.d.ts', 'carried.js', 'example/example.css', 'example/example.mjs',
    'example/index.html', 'file.js', 'life.js', 'package.json', 'protocol.d.ts', 'talkinghead.d.ts', 'talkinghead.js', 'three-vrm.d.ts',
    'three-vrm.js', 'unpack.js', 'vivant.d.ts', 'vivant.js']);
  const engine = Buffer.from(unpack(readFileSync(join(home, 'engine/engine.lzma')))).toString('latin1');
  assert.deepEqual(engine.match(/\/(home|root|Users|work)\/[\w./-]*/g) ?? [], [], 'it contains local paths');
  for (const name of names.filter(path => /\.(m?js|html)$/.test(path))) {
    const text = readFileSync(join(home, name), 'utf8');
    assert.ok(!/\beval\(|new Function\(/.test(text), name);
    assert.ok(!/from '(three|@pixiv)/.test(text) || name.startsWith('example/'), `${name} imports three.js`);
  }
  const { exports } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  for (const file of Object.values(exports).flatMap(entry => typeof entry === 'string' ? [entry] : Object.values(entry))) {
    assert.ok(names.includes(file.slice(2)), file);
  }
});
