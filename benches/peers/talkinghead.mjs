// TalkingHead itself, from npm, in Node: what its eyes, lids and head do.
import { readFileSync } from 'node:fs';
import { PerspectiveCamera, Quaternion } from '../../tests/js/node_modules/three/build/three.module.js';
import { plainAvatar, talkingHead } from '../../tests/js/lib/plain.mjs';
import { avatarFile } from '../../tests/js/lib/sheets.mjs';

const SHAPES = ['eyeBlinkLeft', 'eyeBlinkRight', 'eyeLookOutLeft', 'eyeLookInLeft', 'eyeLookUpLeft', 'eyeLookDownLeft',
  'eyeLookOutRight', 'eyeLookInRight', 'eyeLookUpRight', 'eyeLookDownRight'];

/** Frames of it, idle or speaking. It listens with a microphone, which there is none of. */
export async function talking(state, seconds, rate) {
  const camera = new PerspectiveCamera(20, 1, 0.1, 20);
  camera.position.set(0, 1.6, 1.6);
  camera.updateMatrixWorld();
  const { head, frame } = await talkingHead(plainAvatar(readFileSync(avatarFile(1))), camera, { modelFPS: rate });
  Object.assign(head, { stateName: state, isSpeaking: state === 'speaking' });
  const bones = Object.fromEntries(['Head', 'LeftEye', 'RightEye'].map(name => [name, head.armature.getObjectByName(name)]));
  const world = bone => bone.getWorldQuaternion(new Quaternion());
  const rest = Object.fromEntries(Object.entries(bones).map(([name, bone]) => [name, world(bone).conjugate()]));
  const turned = name => world(bones[name]).multiply(rest[name]);
  const weight = name => head.mtAvatar[name]?.applied ?? head.mtAvatar[name]?.value ?? 0;
  const lines = [];
  for (let i = 0; i < seconds * rate; i++) {
    frame(1000 / rate);
    head.armature.updateMatrixWorld(true);
    const own = turned('Head'), eye = name => own.clone().conjugate().multiply(turned(name)).toArray();
    lines.push({
      time: i / rate,
      rotations: { head: own.toArray(), leftEye: eye('LeftEye'), rightEye: eye('RightEye') },
      expressions: Object.fromEntries(SHAPES.map(name => [name, Math.min(1, Math.max(0, weight(name)))])),
    });
  }
  return lines;
}
