// TalkingHead itself, from npm, in Node: what its eyes, lids and head do.
import { readFileSync } from 'node:fs';
import { PerspectiveCamera, Quaternion } from '../../tests/js/node_modules/three/build/three.module.js';
import { plainAvatar, talkingHead } from '../../tests/js/lib/plain.mjs';
import { avatarFile } from '../../tests/js/lib/sheets.mjs';

/** Its own names of what closes lids and turns eyes, and ARKit's. It turns no bones of eyes. */
const SHAPES = {
  eyeBlinkLeft: 'eyeBlinkLeft', eyeBlinkRight: 'eyeBlinkRight',
  eyeLookOutLeft: 'eyeLookOutLeft', eyeLookInLeft: 'eyeLookInLeft', eyeLookOutRight: 'eyeLookOutRight', eyeLookInRight: 'eyeLookInRight',
  eyeLookUpLeft: 'eyesLookUp', eyeLookUpRight: 'eyesLookUp', eyeLookDownLeft: 'eyesLookDown', eyeLookDownRight: 'eyesLookDown',
};

/** Frames of it, idle or speaking. It listens with a microphone, which there is none of. */
export async function talking(state, seconds, rate) {
  const camera = new PerspectiveCamera(20, 1, 0.1, 20);
  camera.position.set(0, 1.6, 1.6);
  camera.updateMatrixWorld();
  const { head, frame } = await talkingHead(plainAvatar(readFileSync(avatarFile(1))), camera, { modelFPS: rate });
  Object.assign(head, { stateName: state, isSpeaking: state === 'speaking' });
  const bone = head.armature.getObjectByName('Head'), world = () => bone.getWorldQuaternion(new Quaternion()), rest = world().conjugate();
  const weight = name => head.mtAvatar[name]?.applied ?? head.mtAvatar[name]?.value ?? 0;
  const lines = [];
  for (let i = 0; i < seconds * rate; i++) {
    frame(1000 / rate);
    head.armature.updateMatrixWorld(true);
    const expressions = Object.entries(SHAPES).map(([arkit, own]) => [arkit, Math.min(1, Math.max(0, weight(own)))]);
    lines.push({ time: i / rate, rotations: { head: world().multiply(rest).toArray() }, expressions: Object.fromEntries(expressions) });
  }
  return lines;
}
