// Other players put the joints of exported files at our positions, within a tenth of a millimetre.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { VRMLoaderPlugin, VRMUtils } from '@pixiv/three-vrm';
import { VRMAnimationLoaderPlugin, createVRMAnimationClip } from '@pixiv/three-vrm-animation';
import { Matrix4, Vector3 } from 'three';
import { loadBvh, loadGlb, openGlb, player, worldPosition } from './lib/scene.mjs';
import { convert, files, humanoid, name, ourPositions, skipped, some, vivant } from './lib/vivant.mjs';

const TOLERANCE_METRES = 1e-4;
const FRAMES = 16;

/**
 * Plays `show(seconds)` at frames over the whole length and compares `place(bone)`, a Vector3 in humanoid
 * space or null, with our own positions.
 */
function compare(ours, show, place) {
  const last = ours.frames.length - 1;
  let worst = { off: 0 }, compared = 0;
  for (let i = 0; i <= FRAMES; i++) {
    const frame = Math.round(last * i / FRAMES);
    show(frame / ours.rate);
    for (const [bone, expected] of Object.entries(ours.frames[frame])) {
      const found = place(bone);
      if (!found) continue;
      compared++;
      const off = found.distanceTo(new Vector3(...expected));
      if (!(off <= worst.off)) worst = { off, bone, frame, found: found.toArray(), expected };
    }
  }
  const enough = Math.min(15, Object.keys(ours.frames[0]).length) * (FRAMES + 1);
  assert.ok(compared >= enough, `only ${compared} of ${enough} joints were compared`);
  assert.ok(worst.off <= TOLERANCE_METRES, `off by ${worst.off} m: ${JSON.stringify(worst)}`);
}

/** Rotation from the file's space to ours, from the positions of hips, thighs and head. */
function alignment(theirs, ours) {
  const basis = place => {
    const [left, right, hips, head] = ['leftUpperLeg', 'rightUpperLeg', 'hips', 'head'].map(place);
    const x = left.clone().sub(right).normalize(), z = x.clone().cross(head.clone().sub(hips)).normalize();
    return new Matrix4().makeBasis(x, z.clone().cross(x), z);
  };
  return basis(ours).multiply(basis(theirs).transpose());
}

/** Nodes of the bones of a GLB, from its VRM data or the names found by inspect. */
function boneNodes(path, json) {
  const { VRMC_vrm, VRM } = json.extensions ?? {};
  if (VRMC_vrm) return Object.entries(VRMC_vrm.humanoid.humanBones).map(([bone, { node }]) => [bone, node]);
  if (VRM) return VRM.humanoid.humanBones.map(({ bone, node }) => [renamed(bone), node]);
  const { humanoid } = vivant('inspect', path);
  // Meshes often have the same names as joints.
  const joint = name => json.nodes.findIndex(n => n.name === name && n.mesh === undefined);
  return Object.entries(humanoid).map(([bone, node]) => [bone, joint(node)]);
}

/** VRM 1.0 renamed the thumb bones. */
const renamed = bone => bone.replace('ThumbIntermediate', 'Thumb#').replace('ThumbProximal', 'ThumbMetacarpal').replace('Thumb#', 'ThumbProximal');

async function checkGlb(input, ...options) {
  const path = convert(input, 'glb', ...options), bytes = readFileSync(path), { json } = openGlb(bytes);
  const ours = ourPositions(input, ...options);
  const gltf = await loadGlb(bytes);
  assert.ok(gltf.animations.length > 0, 'no animation');
  const nodes = {};
  for (const [bone, node] of boneNodes(path, json)) nodes[bone] = await gltf.parser.getDependency('node', node);
  const show = player(gltf.scene, gltf.animations.at(-1));
  show(0);
  const place = bone => nodes[bone] && worldPosition(nodes[bone]);
  const ofOurs = bone => new Vector3(...ours.frames[0][bone]);
  const ourSpace = alignment(place, ofOurs);
  const { VRMC_vrm, VRM } = json.extensions ?? {};
  // VRM 1.0 faces +Z, VRM 0.x −Z; other files have any orientation.
  if (VRMC_vrm) ourSpace.identity();
  if (VRM) ourSpace.makeRotationY(Math.PI);
  // The floor height of a file is arbitrary; ours is below the feet at rest.
  const floor = VRMC_vrm || VRM ? 0 : ofOurs('hips').y - place('hips').applyMatrix4(ourSpace).y;
  ourSpace.premultiply(new Matrix4().makeTranslation(0, floor, 0));
  compare(ours, show, bone => place(bone)?.applyMatrix4(ourSpace));
}

async function checkVrma(avatar, input, ...options) {
  const path = convert(input, 'vrma', '--avatar', avatar, ...options);
  const ours = ourPositions(input, '--avatar', avatar, ...options);
  const { userData: { vrm } } = await loadGlb(readFileSync(avatar), parser => new VRMLoaderPlugin(parser));
  VRMUtils.rotateVRM0(vrm);
  const { userData: { vrmAnimations } } = await loadGlb(readFileSync(path), parser => new VRMAnimationLoaderPlugin(parser));
  const show = player(vrm.scene, createVRMAnimationClip(vrmAnimations[0], vrm));
  const showRaw = seconds => {
    show(seconds);
    vrm.humanoid.update();
    vrm.scene.updateMatrixWorld(true);
  };
  compare(ours, showRaw, bone => {
    const node = vrm.humanoid.getRawBoneNode(bone);
    return node && worldPosition(node);
  });
}

function checkBvh(input, ...options) {
  const path = convert(input, 'bvh', ...options), ours = ourPositions(input, ...options);
  const { skeleton, clip } = loadBvh(readFileSync(path, 'utf8'));
  const root = skeleton.bones[0], show = player(root, clip);
  // Joints are mapped to bones by name.
  const { humanoid } = vivant('inspect', path);
  const joint = bone => skeleton.bones.find(b => b.name === humanoid[bone]);
  show(0);
  const hips = ours.frames[0].hips[1], scale = hips / worldPosition(joint('hips')).y;
  const power = Math.round(Math.log10(scale));
  assert.ok(Math.abs(scale / 10 ** power - 1) < 1e-3, `BVH lengths are in no metric unit: ${scale}`);
  compare(ours, show, bone => joint(bone) && worldPosition(joint(bone)).multiplyScalar(10 ** power));
}

const avatars = humanoid(files('avatars', '.vrm', '.glb', '.fbx'));
const clips = humanoid([...files('avatars/vrma', '.vrma'), ...files('mocap', '.bvh', '.fbx')], true);
const starters = ['wave', 'weight_shift_left', 'stretch'];

test('GLTFLoader plays the built-in clips', async () => {
  for (const clip of starters) await checkGlb('builtin', '--clip', clip);
});

test('BVHLoader plays the built-in clips', () => {
  for (const clip of starters) checkBvh('builtin', '--clip', clip);
});

test('GLTFLoader and BVHLoader play every real clip', { skip: skipped }, async t => {
  for (const clip of clips) {
    await t.test(name(clip), async () => {
      await checkGlb(clip);
      checkBvh(clip, '--fps', '30');
    });
  }
});

test('GLTFLoader plays clips on every real avatar', { skip: skipped }, async t => {
  for (const avatar of avatars) {
    await t.test(name(avatar), async () => {
      for (const clip of ['builtin', ...some(clips)]) {
        const which = clip === 'builtin' ? ['--clip', 'wave'] : [];
        await checkGlb(clip, '--avatar', avatar, '--fps', '30', ...which);
      }
    });
  }
});

test('three-vrm plays VRMA on every real VRM', { skip: skipped }, async t => {
  for (const avatar of avatars.filter(path => path.endsWith('.vrm'))) {
    await t.test(name(avatar), async () => {
      for (const clip of ['builtin', ...some(clips)]) {
        const which = clip === 'builtin' ? ['--clip', 'wave'] : [];
        await checkVrma(avatar, clip, '--fps', '30', ...which);
      }
    });
  }
});
