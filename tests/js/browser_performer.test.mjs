// Performers of the browser package in Node: their API and their error messages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import init, { Performer, expressionOf, prepare, signals, version } from 'vivant';
import { Player, fail, reserve, takePanicMessage } from '../../packages/vivant/engine/engine.js';
import { avatarFile } from './lib/sheets.mjs';
import { convert } from './lib/vivant.mjs';

const RIG = {
  bones: { hips: [0, 0.97, 0], spine: [0, 1.07, 0], neck: [0, 1.42, 0], head: [0, 1.48, 0], leftEye: [0.03, 1.55, 0.07], rightEye: [-0.03, 1.55, 0.07] },
  expressions: ['Blink_L', 'eyeBlinkRight', 'A', 'mouthSmile'],
};
const still = { motions: 'none' };

test('calls before loading the engine are errors', () => {
  for (const ask of [() => new Performer(RIG), version, signals, () => expressionOf('A')]) {
    assert.throws(ask, /the engine is not loaded; call `await init\(\)` first/);
  }
});

let bytes, eve;
before(() => { bytes = readFileSync(avatarFile(1)); });
after(() => eve?.free());

test('the engine is loaded once', async () => {
  await assert.rejects(init(new Uint8Array([1, 2, 3])), WebAssembly.CompileError);
  await Promise.all([init(), init()]);
  await init();
  assert.match(version(), /^\d+\.\d+\.\d+$/);
  assert.equal(expressionOf('Blink_L'), 'blinkLeft');
  assert.equal(expressionOf('none of ours'), 'none of ours');
  assert.equal(signals().length, 14);
});

test('built-in motions are built in small steps', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await Promise.all([prepare(), prepare()]);
  clearInterval(timer);
  assert.ok(turns > 20, `it was interrupted ${turns} times`);
  await prepare();
});

test('an avatar is animated, and its frame is a view of the memory', () => {
  eve = new Performer(bytes, { seed: 7, events: true, name: 'eve.vrm' });
  assert.deepEqual([eve.bones.length, eve.bones[0], eve.time], [55, 'hips', 0]);
  assert.ok(eve.expressions.includes('eyeBlinkLeft'));
  assert.ok(eve.info.bones.every(({ exists, node }) => !exists || Number.isInteger(node)));
  assert.deepEqual(eve.warnings, []);
  const { frame } = eve, { rotations } = frame, first = rotations.slice();
  for (let i = 1; i <= 600; i++) assert.equal(eve.advanceTo(i / 60), frame);
  assert.deepEqual([rotations.length, frame.root.length, frame.weights.length, frame.signals.length], [220, 3, eve.expressions.length, 14]);
  assert.equal(frame.time, 10);
  assert.equal(frame.rotations, rotations, 'no array is allocated per frame');
  assert.notDeepEqual(rotations.slice(), first);
  for (let bone = 0; bone < 55; bone++) assert.ok(Math.abs(Math.hypot(...rotations.subarray(4 * bone, 4 * bone + 4)) - 1) < 1e-5);
  assert.ok(eve.events().some(({ what }) => what === 'blink'), 'it blinks within ten seconds');
  assert.deepEqual(eve.events(), [], 'each event is returned once');
});

test('views are valid after the memory has grown', () => {
  const { frame } = eve, kept = frame.rotations, were = kept.slice(), buffer = kept.buffer;
  reserve(buffer.byteLength);
  assert.equal(kept.length, 0, 'the memory did not grow');
  assert.notEqual(frame.rotations.buffer, buffer);
  assert.deepEqual(frame.rotations.slice(), were);
  eve.advanceTo(eve.time + 1);
  assert.notDeepEqual(frame.rotations.slice(), were);
});

test('the same intents give bit-identical frames at any frame rate', () => {
  const at = rate => {
    const one = new Performer(RIG, { ...still, seed: 3 });
    one.intend({ say: 'What a fine day!', at: 0.5 });
    for (let i = 0; i <= 5 * rate; i++) one.advanceTo(i / rate);
    const bits = [one.frame.rotations, one.frame.weights, one.frame.root].map(it => [...new Uint32Array(it.slice().buffer)]);
    one.free();
    return bits;
  };
  assert.deepEqual(at(24), at(60));
  assert.deepEqual(at(144), at(60));
});

test('intents work as objects and as JSON', () => {
  const one = new Performer(RIG, { ...still, temperament: { liveliness: 0 } });
  const [left, right] = ['blinkLeft', 'eyeBlinkRight'].map(name => one.expressions.indexOf(name));
  assert.ok(left >= 0 && right >= 0, one.expressions.join());
  one.intend({ blink: true, at: 0.1 });
  let closed = 0;
  for (let t = 0; t < 0.6; t += 1 / 120) closed = Math.max(closed, one.advanceTo(t).weights[left]);
  assert.ok(closed > 0.9, `lids closed to ${closed}`);
  one.follow([1, 1.55, 1]);
  one.advanceTo(2);
  assert.ok(one.frame.signals[signals().indexOf('gaze_yaw')] > 35, 'to its left');
  one.lookFreely();
  one.follow({ x: -1, y: 1.55, z: 1 });
  one.advanceTo(4);
  assert.ok(one.frame.signals[signals().indexOf('gaze_yaw')] < -35, 'to its right');
  one.follow(null);
  one.attend(new Float32Array([0, 1.5, 2]));
  one.temper({ liveliness: 1, blinks: 'none' });
  assert.equal(one.intend('{"look": "ahead"}'), undefined);
  one.advanceTo(1);
  assert.equal(one.time, 4, 'time does not run backwards');
  one.free();
});

/** Two seconds of /a/ with changing loudness: harmonics of a voice, filtered by formants. */
function vowel(rate) {
  const passed = hz => [[730, 1], [1090, 0.6], [2440, 0.3]].reduce((sum, [at, loud]) => sum + loud * Math.exp(-(((hz - at) / 150) ** 2)), 0);
  const harmonics = Array.from({ length: 24 }, (_, k) => 120 * (k + 1)).map(hz => [2 * Math.PI * hz / rate, 0.15 * passed(hz)]);
  return Float32Array.from({ length: 2 * rate }, (_, i) => Math.max(0, Math.sin(5 * Math.PI * i / rate)) * harmonics.reduce((sum, [step, loud]) => sum + loud * Math.sin(step * i), 0));
}

for (const [name, voice] of Object.entries({
  'Float32Array': { samples: vowel(16000), rate: 16000 },
  'Int16Array': { samples: Int16Array.from(vowel(16000), sample => sample * 32767), rate: 16000 },
  'AudioBuffer': { numberOfChannels: 2, length: 96000, sampleRate: 48000, getChannelData: () => vowel(48000) },
})) {
  test(`the mouth follows samples: ${name}`, () => {
    const one = new Performer({ ...RIG, expressions: ['aa', 'ih', 'ou', 'ee', 'oh'] }, still);
    one.advanceTo(0);
    one.say('', { at: 0.3, voice });
    let open = 0;
    for (let t = 0; t < 2; t += 1 / 60) open = Math.max(open, ...one.advanceTo(t).weights);
    one.free();
    assert.ok(open > 0.2, `it opened to ${open}`);
  });
}

test('the mouth follows a voice that arrives in chunks', () => {
  const one = new Performer({ ...RIG, expressions: ['aa', 'ih', 'ou', 'ee', 'oh'] }, still), rate = 16000, voice = vowel(rate);
  one.advanceTo(1);
  const open = Array.from({ length: 100 }, (_, i) => {
    const samples = voice.subarray(i * rate / 50, (i + 1) * rate / 50);
    one.say('', { line: 'live', more: true, voice: { samples, rate } });
    return Math.max(...one.advanceTo(1 + (i + 1) / 50).weights);
  });
  one.free();
  assert.ok(Math.max(...open.slice(40)) > 0.2, `${Math.max(...open)}`);
});

test('every intent of the types is accepted', () => {
  const range = { inputMaxDegrees: 90, outputScale: 10 };
  const lookAt = { byExpression: false, offsetFromHead: [0, 0.06, 0], inner: range, outer: range, down: range, up: range };
  const rig = { version: 1, name: 'Eve', ...RIG, lookAt, lids: { fullClosure: [0.9, 0.9], closing: { Blink_L: [1, 0] } } };
  new Performer(rig, { seed: 3, temperament: {}, unasked: false, lives: false, attend: [0, 1.5, 1], motions: { clips: {} }, name: 'eve', events: false }).free();
});

test('custom motions: clips, a repertoire, a behaviour model', () => {
  const clip = readFileSync(convert('builtin', 'vrma', '--clip', 'wave'));
  const repertoire = { version: 1, stances: [{ name: 'stand', gestures: [{ clip: 'wave.vrma', name: 'hello' }] }] };
  const one = new Performer(bytes, { unasked: false, motions: { repertoire, clips: { 'wave.vrma': clip } } });
  const arm = 4 * one.bones.indexOf('rightUpperArm'), raised = t => one.advanceTo(t).rotations.slice(arm, arm + 4);
  const hanging = raised(1);
  assert.equal(typeof one.intend({ act: 'gesture', clip: 'hello' }), 'number');
  const differences = Array.from({ length: 60 }, (_, i) => Math.hypot(...raised(1 + i / 30).map((part, axis) => part - hanging[axis])));
  assert.ok(Math.max(...differences) > 0.2, `${Math.max(...differences)}`);
  one.free();
  assert.throws(() => new Performer(RIG, { motions: { repertoire: { version: 1, stances: [] } } }), /stances/);
  assert.throws(() => new Performer(RIG, { motions: { repertoire, clips: { 'wave.vrma': new Uint8Array(9) } } }), /wave\.vrma/);
  assert.throws(() => new Performer(RIG, { motions: { repertoire, behaviour: { version: 1, idel: {} } } }), /idel/);
});

test('another performer shares body and motions', () => {
  const one = eve.another({ seed: 8 }), same = eve.another({ seed: 8 });
  one.advanceTo(5);
  same.advanceTo(5);
  assert.deepEqual(one.frame.rotations.slice(), same.frame.rotations.slice());
  assert.notDeepEqual(one.frame.rotations.slice(), eve.frame.rotations.slice());
  assert.deepEqual(one.expressions, eve.expressions);
  one.free();
  same.free();
});

test('invalid arguments give clear errors', () => {
  const one = new Performer(RIG, still);
  for (const [ask, words] of [
    [() => new Performer(), /expected an avatar/],
    [() => new Performer('eve.vrm'), /expected an avatar: the bytes of a VRM or GLB/],
    [() => new Performer(new Uint8Array(3), { name: 'eve.vrm' }), /eve\.vrm/],
    [() => new Performer({ bones: { hip: [0, 1, 0] } }), /did you mean `hips`\?[^]*`head` is missing/],
    [() => new Performer(RIG, 7), /options: expected an object/],
    [() => new Performer(RIG, { sed: 1 }), /did you mean `seed`\?/],
    [() => new Performer(RIG, { temperament: { liveliness: 2 } }), /temperament\.liveliness: 2 is out of range/],
    [() => new Performer(RIG, { motions: 'all' }), /motions: expected 'builtin', 'none' or an object/],
    [() => new Performer(RIG, { motions: { clip: {} } }), /motions: unknown field `clip`/],
    [() => new Performer(RIG, { motions: { clips: { a: 'b' } } }), /motions\.clips: a: expected bytes/],
    [() => new Performer(RIG, { ...still, blinkModel: {} }), /version/],
    [() => new Performer(RIG, { ...still, eyeTexture: 3 }), /eyeTexture: expected an object/],
    [() => one.intend(), /expected an intent/],
    [() => one.intend({ sayy: 'hi' }), /did you mean `say`/],
    [() => one.intend('{'), /line 1/],
    [() => one.intend({ cast: { performer: 'b' } }), /not a request for a single performer/],
    [() => one.intend({ be: 'listening' }), /no repertoire/],
    [() => one.intend({ act: 'gesture', clip: 'wave' }), /no repertoire/],
    [() => one.say(7), /say: expected a text/],
    [() => one.say('', { voice: { samples: [0], rate: 16000 } }), /voice\.samples: expected a Float32Array or an Int16Array/],
    [() => one.say('', { voice: { samples: new Float32Array(9) } }), /voice\.rate/],
    [() => one.say('', { voice: { samples: new Float32Array(9), rate: 7 } }), /rate/],
    [() => one.attend([0, 1]), /attend: expected a position/],
    [() => one.attend(null), /attend: expected a position/],
    [() => one.follow([0, NaN, 0]), /follow: expected a position/],
    [() => one.follow([0, 1e9, 0]), /follow/],
    [() => one.advanceTo(), /advanceTo: expected a time/],
    [() => one.advanceTo(Infinity), /advanceTo: expected a time/],
    [() => one.another(3), /another: expected an object/],
    [() => one.another({ motions: 'none' }), /motions/],
  ]) assert.throws(ask, words);
  one.advanceTo(1); // it still works
  one.free();
});

test('a freed performer cannot be used', () => {
  const one = new Performer(RIG, still), { frame } = one;
  one.free();
  one.free();
  for (const ask of [() => one.advanceTo(1), () => one.frame, () => frame.rotations, () => frame.time, () => one.intend({ blink: true }), () => one.warnings]) {
    assert.throws(ask, /this performer was freed/);
  }
  const dispose = Symbol.dispose && new Performer(RIG, still);
  dispose?.[Symbol.dispose]();
});

test('an internal error is reported, and other performers still work', () => {
  assert.throws(fail, WebAssembly.RuntimeError);
  assert.match(takePanicMessage(), /test panic/);
  assert.equal(takePanicMessage(), '');
  const unlucky = new Performer(RIG, still), { prototype } = Player, { advanceTo } = prototype;
  prototype.advanceTo = fail;
  assert.throws(() => unlucky.advanceTo(1), /internal error in Vivant; please report it: [^]*test panic/);
  prototype.advanceTo = advanceTo;
  for (const ask of [() => unlucky.advanceTo(1), () => unlucky.frame, () => unlucky.intend({ blink: true })]) {
    assert.throws(ask, /this performer failed earlier; create another one: [^]*test panic/);
  }
  unlucky.free();
  const one = new Performer(RIG, still);
  one.advanceTo(1);
  one.free();
});
