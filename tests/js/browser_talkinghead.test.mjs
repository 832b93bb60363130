// `vivant/talkinghead` with a TalkingHead that runs in Node without audio.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { MathUtils, Object3D, PerspectiveCamera, Quaternion, Vector3 } from 'three';
import { signals } from 'vivant';
import { vivant } from 'vivant/talkinghead';
import { plainAvatar, talkingHead } from './lib/plain.mjs';
import { worldPosition } from './lib/scene.mjs';
import { avatarFile } from './lib/sheets.mjs';

let bytes;
before(() => { bytes = plainAvatar(readFileSync(avatarFile(1))); });

const IDLE = ['breathing', 'pose', 'head', 'eyes', 'blink'];
const queue = ({ animQueue }) => animQueue.map(({ template }) => template.name);

async function stage(options, settings) {
  const camera = new PerspectiveCamera(20, 1, 0.1, 20);
  camera.position.set(0.4, 1.6, 1.6);
  camera.updateMatrixWorld();
  const { head, frame } = await talkingHead(bytes, camera, settings);
  const life = await vivant(head, { bytes, seed: 5, ...options });
  const run = (seconds, each = () => {}) => {
    for (let i = 0; i < 30 * seconds; i++) {
      frame(1000 / 30);
      each(i);
    }
  };
  return { camera, head, life, run };
}

/** Angle between an eye's direction and a target in degrees. */
function off({ head, life }, target) {
  head.armature.updateWorldMatrix(true, true);
  const { after } = life.performer.info.bones[life.performer.bones.indexOf('leftEye')], eye = head.objectLeftEye;
  const turn = eye.getWorldQuaternion(new Quaternion()).multiply(new Quaternion(...after).conjugate());
  return MathUtils.radToDeg(new Vector3(0, 0, 1).applyQuaternion(turn).angleTo(worldPosition(target).sub(worldPosition(eye))));
}

/** Median, because a blink or a small saccade may happen at one time. */
const median = numbers => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

test('Vivant replaces blinks, gaze and idle motion; the lip-sync of TalkingHead stays', async () => {
  const { head, life, run } = await stage();
  assert.ok(queue(head).every(name => !IDLE.includes(name)), queue(head).join());
  head.setMood('happy');
  assert.ok(queue(head).every(name => !IDLE.includes(name)), 'nor after a change of mood');
  assert.ok(queue(head).includes('mouth'), 'the rest of the mood is there');
  const mouth = head.animFactory({ name: 'viseme', dt: [0, 2000, 100], vs: { viseme_aa: [0.8, 0.8, 0] } });
  head.animQueue.push(mouth);
  let blinks = 0, wasClosed = false, open = 0;
  const places = new Set();
  run(30, () => {
    const isClosed = head.mtAvatar.eyeBlinkLeft.applied > 0.6;
    if (isClosed && !wasClosed) blinks++;
    wasClosed = isClosed;
    open = Math.max(open, head.mtAvatar.viseme_aa.applied);
    places.add(head.objectHips.position.toArray().map(metres => metres.toFixed(4)).join());
    assert.equal(head.mtAvatar.eyesLookDown.applied, 0, 'eye bones turn the eyes');
    assert.equal(head.mtAvatar.eyeLookInLeft.applied, 0);
  });
  assert.ok(blinks >= 3 && blinks < 40, `${blinks} blinks in half a minute`);
  assert.ok(open > 0.3, `its mouth opened to ${open}`);
  assert.ok(places.size > 10, 'it shifts its weight');
  assert.ok(Math.abs(life.performer.time - 30) < 0.1);
  life.dispose();
});

test('bones are where the engine puts them', async () => {
  const { head, life, run } = await stage({ motions: 'builtin' });
  run(5);
  head.armature.updateWorldMatrix(true, true);
  const { info, frame: { rotations, root } } = life.performer, turns = [], places = [];
  info.bones.forEach(({ parent, rest, exists, node }, i) => {
    if (!exists) return;
    const own = new Quaternion().fromArray(rotations, 4 * i), above = parent ?? undefined;
    turns[i] = above === undefined ? own : turns[above].clone().multiply(own);
    places[i] = above === undefined ? new Vector3(...root)
      : new Vector3(...rest).sub(new Vector3(...info.bones[above].rest)).applyQuaternion(turns[above]).add(places[above]);
    assert.ok(Number.isInteger(node));
  });
  for (const [ours, theirs] of [['hips', 'Hips'], ['head', 'Head'], ['leftHand', 'LeftHand'], ['rightLowerLeg', 'RightLeg'], ['leftToes', 'LeftToeBase'], ['rightIndexDistal', 'RightHandIndex3']]) {
    const there = worldPosition(head.armature.getObjectByName(theirs)), here = places[life.performer.bones.indexOf(ours)];
    assert.ok(there.distanceTo(here) < 2e-3, `${ours} is ${1000 * there.distanceTo(here)} mm off`);
  }
  life.dispose();
});

test('it looks at the targets that TalkingHead requests, then freely', async () => {
  const it = await stage({ temperament: { liveliness: 0 } }), { head, camera, life, run } = it;
  const seen = (seconds, target) => {
    const all = [];
    run(1);
    run(seconds - 1, () => all.push(off(it, target)));
    return median(all);
  };
  const yaw = () => life.performer.frame.signals[signals().indexOf('gaze_yaw')];
  head.lookAtCamera(3000);
  assert.ok(seen(3, camera) < 1);
  const straight = yaw();
  head.nodeAvatar = { getBoundingClientRect: () => ({ left: 0, top: 0, width: 400, height: 400 }) };
  head.lookAt(-400, 200, 3000);
  const beside = seen(3, camera);
  assert.ok(beside > 4, `a point beside the page is ${beside}° beside the camera`);
  assert.ok(yaw() < straight - 4, 'the left of the page is to the right of the character');
  head.lookAhead(2000);
  run(1.5);
  assert.ok(Math.abs(yaw()) < 3, 'straight ahead');
  head.speakTo = new Object3D();
  head.speakTo.position.set(-1, 1.5, 1.5);
  head.speakTo.updateMatrixWorld();
  head.makeEyeContact(3000);
  assert.ok(seen(3, head.speakTo) < 1);
  life.lookAt(camera);
  assert.ok(seen(3, camera) < 1);
  life.dispose();
});

test('animations, poses and gestures of the app take precedence and blend without a jump', async () => {
  const it = await stage({ temperament: { liveliness: 0 } }), { head, camera, life, run } = it;
  life.lookAt(camera);
  run(2);
  const arm = head.armature.getObjectByName('LeftArm'), ours = arm.quaternion.clone();
  head.playGesture('handup', 10);
  run(2);
  assert.ok(arm.quaternion.angleTo(head.poseAvatar.props['LeftArm.quaternion']) < 1e-6);
  assert.ok(arm.quaternion.angleTo(head.poseTarget.props['LeftArm.quaternion']) < 0.05, 'the hand follows TalkingHead\'s gesture');
  head.stopGesture();
  run(3);
  assert.ok(arm.quaternion.angleTo(ours) < 0.3, 'the arm returns');
  // An animation of the whole body.
  const spine = head.armature.getObjectByName('Spine'), rest = spine.quaternion.clone();
  const bow = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), 0.3);
  head.mixer = { update: () => spine.quaternion.multiply(bow), timeScale: 1, removeEventListener() {}, stopAllAction() {}, uncacheRoot() {} };
  run(1);
  const before = spine.quaternion.clone(), jumps = [];
  head.mixer = null;
  let last = before;
  run(1, () => {
    jumps.push(spine.quaternion.angleTo(last));
    last = spine.quaternion.clone();
  });
  assert.ok(before.angleTo(rest) > 0.2, 'the animation is visible');
  assert.ok(Math.max(...jumps) < 0.35, `a jump of ${Math.max(...jumps)}`);
  head.playPose('straight', null, 10);
  run(2);
  assert.ok(spine.quaternion.angleTo(head.poseAvatar.props['Spine.quaternion']) < 1e-6);
  head.stopPose();
  life.dispose();
});

test('winks and nods of emojis are added', async () => {
  const { head, life, run } = await stage({ temperament: { liveliness: 0, blinks: 'none' } });
  run(1);
  head.animQueue.push(head.animFactory({ name: 'wink', dt: [200, 400, 200], vs: { eyeBlinkLeft: [0.9, 0.9, 0], headRotateX: [0.3, 0.3, 0] } }));
  let winked = 0, nodded = 0;
  const { quaternion } = head.objectHead, upright = quaternion.clone();
  run(1, () => {
    winked = Math.max(winked, head.mtAvatar.eyeBlinkLeft.applied);
    nodded = Math.max(nodded, quaternion.angleTo(upright));
  });
  assert.ok(winked > 0.6 && nodded > 0.2, `${winked} ${nodded}`);
  life.dispose();
});

test('with body: false, TalkingHead controls poses and breathing', async () => {
  const { head, life, run } = await stage({ body: false });
  assert.deepEqual(queue(head).filter(name => IDLE.includes(name)), ['breathing', 'pose']);
  run(3);
  assert.ok(head.objectHips.quaternion.angleTo(head.poseTarget.props['Hips.quaternion']) < 0.5);
  assert.equal(head.mtAvatar.eyesLookDown.applied, 0);
  life.dispose();
});

test('dispose restores the TalkingHead, and the app\'s own update is always called', async () => {
  let calls = 0;
  const update = () => calls++;
  const { head, life, run } = await stage({ motions: 'none' }, { update });
  run(1);
  assert.equal(calls, 30);
  life.dispose();
  assert.equal(head.opt.update, update);
  for (const name of ['lookAt', 'lookAtCamera', 'lookAhead', 'makeEyeContact', 'setMood', 'playPose', 'stopAnimation', 'animate']) {
    assert.equal(Object.hasOwn(head, name), name === 'animate', name);
  }
  for (const name of IDLE) assert.ok(queue(head).includes(name), name);
  assert.ok(Object.values(head.mtAvatar).every(({ realtime }) => realtime === null));
  run(1);
});

test('invalid arguments give clear errors', async () => {
  await assert.rejects(vivant(), /expected a TalkingHead/);
  await assert.rejects(vivant({ mtAvatar: {}, opt: {} }), /has no avatar yet/);
  const { head, life } = await stage({ motions: 'none' });
  life.dispose();
  await assert.rejects(vivant(head, { bytes: new Uint8Array(9) }), /avatar/);
});
