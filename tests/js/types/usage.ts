// Compiled by browser_docs.test.mjs but not run: tests what the types accept and reject.
import type { VRM } from '@pixiv/three-vrm';
import type { PerspectiveCamera } from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import init, { Character, Performer, prepare, signals, type BoneName, type Intent, type Options, type Rig, type Temperament } from 'vivant';
import { vivant as talking } from 'vivant/talkinghead';
import { vivant, type Life } from 'vivant/three-vrm';

declare const bytes: Uint8Array, buffer: ArrayBuffer, audio: AudioBuffer, vrm: VRM, gltf: GLTF, camera: PerspectiveCamera;

await init();
await prepare();
await init(new URL('https://example.org/engine.wasm'));
await init(bytes as Uint8Array<ArrayBuffer>);

const temperament: Temperament = { liveliness: 0.5, blinks: 'natural', evoked: { driver: 'head', preset: 'peters' } };
const options: Options = { seed: 7, temperament, motions: 'none', events: true, attend: [0, 1.5, 1] };
const rig: Rig = { bones: { hips: [0, 1, 0], head: [0, 1.5, 0], leftThumbMetacarpal: [0.7, 1.4, 0] }, expressions: ['aa'], lids: { closing: { aa: [0, 0] } } };
using eve = new Performer(bytes, options);
using character = await Character.fetch('/characters/eve/');
const ida = new Performer(character, { seed: 7, temperament: { liveliness: 0.5 }, events: true });
const packed: string = new Character({ 'character.toml': 'version = 1', 'avatar.vrm': bytes }).name;
const adam = new Performer(rig, { motions: { repertoire: { version: 1, stances: [{ name: 'standing' }] }, clips: { 'a.vrma': buffer } } });
const intents: Intent[] = [
  { say: 'Hello!', at: 1, words: [{ word: 'Hello!', start: 0 }] }, { act: 'gesture', clip: 'wave', hand: 'left' }, { stance: 'standing' },
  { be: 'listening', mood: 'happy' }, { look: [0, 1, 1] }, { look: 'away' }, { blink: true }, { stop: true, layer: 'arms' },
];
const numbers: (number | undefined)[] = intents.map(intent => eve.intend(intent));
eve.say('Hi.', { voice: audio });
eve.say('', { line: 'a', more: true, voice: { samples: new Float32Array(9), rate: 24000 } });
eve.attend([0, 1, 1]);
eve.follow(camera.position);
eve.follow(null);
const { rotations, root, weights } = eve.advanceTo(1);
const sum: number = rotations[0]! + root[1]! + weights[0]! + eve.frame.signals[signals().indexOf('blink')]!;
const names: BoneName[] = eve.bones;
for (const { at, what } of eve.events()) if (what !== 'blink' && 'began' in what) console.log(at, what.began.name);
const morphs: number[] = eve.info.channels.flatMap(({ morphs = [] }) => morphs.map(({ target }) => target));
adam.another({ seed: 2 }).free();

const life: Life = await vivant(vrm, { body: false, updateVrm: false });
(await vivant(gltf, { seed: 2 })).lookAt(camera);
(await vivant(gltf.scene, { bytes: buffer })).attend(null);
life.lookAt({ x: 0, y: 1, z: 2 });
life.performer.temper({ attentiveness: 1 });
(await talking({ armature: {}, avatar: { url: '' }, opt: {}, mtAvatar: {} }, { mouth: true })).dispose();

// @ts-expect-error a misspelled verb
eve.intend({ sayy: 'Hello!' });
// @ts-expect-error no such activity
eve.intend({ be: 'sleepy' });
// @ts-expect-error not a number
new Performer(bytes, { temperament: { liveliness: 'much' } });
// @ts-expect-error no such option
new Performer(bytes, { sed: 1 });
// @ts-expect-error no head
new Performer({ bones: { hips: [0, 1, 0] } });
// @ts-expect-error no such bone
new Performer({ bones: { hips: [0, 1, 0], head: [0, 1, 0], tail: [0, 1, 0] } });
// @ts-expect-error a file name is not an avatar
new Performer('eve.vrm');
// @ts-expect-error frames are read-only
eve.frame.rotations = new Float32Array(220);
// @ts-expect-error a missing target
life.lookAt('camera');
// @ts-expect-error no such option
await vivant(vrm, { bodies: false });

export { numbers, sum, names, morphs };
