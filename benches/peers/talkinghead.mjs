// Runs TalkingHead from npm in Node, and records its eyes, lids and head.
import { readFileSync } from 'node:fs';
import { PerspectiveCamera, Quaternion } from '../../tests/js/node_modules/three/build/three.module.js';
import { plainAvatar, talkingHead } from '../../tests/js/lib/plain.mjs';
import { avatarFile } from '../../tests/js/lib/sheets.mjs';

/** ARKit's names of shapes for lids and eyes, with TalkingHead's names. TalkingHead does not rotate eye bones. */
const SHAPES = {
  eyeBlinkLeft: 'eyeBlinkLeft', eyeBlinkRight: 'eyeBlinkRight',
  eyeLookOutLeft: 'eyeLookOutLeft', eyeLookInLeft: 'eyeLookInLeft', eyeLookOutRight: 'eyeLookOutRight', eyeLookInRight: 'eyeLookInRight',
  eyeLookUpLeft: 'eyesLookUp', eyeLookUpRight: 'eyesLookUp', eyeLookDownLeft: 'eyesLookDown', eyeLookDownRight: 'eyesLookDown',
};

/** Returns frames of TalkingHead, idle or speaking. Listening needs a microphone and is not recorded. */
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
