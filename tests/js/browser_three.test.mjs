// `vivant/three-vrm` with avatars loaded by three-vrm and GLTFLoader: VRM 0.x and 1.0, and plain glTF.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { VRMLoaderPlugin, VRMUtils } from '@pixiv/three-vrm';
import { MathUtils, Object3D, Quaternion, Scene, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import init, { Performer } from 'vivant';
import { vivant } from 'vivant/three-vrm';
import { bytesOf } from '../../packages/vivant/file.js';
import { plainAvatar } from './lib/plain.mjs';
import { loadGlb, openGlb, withoutPictures, worldPosition } from './lib/scene.mjs';
import { avatarFile } from './lib/sheets.mjs';
import { convert, files, name, skipped } from './lib/vivant.mjs';

globalThis.self ??= globalThis;
const builtIn = readFileSync(avatarFile(1)), plain = plainAvatar(builtIn);
const still = { motions: 'none', temperament: { liveliness: 0 } };
const load = bytes => loadGlb(bytes, parser => new VRMLoaderPlugin(parser));
const vrms = [['the built-in character', builtIn], ...files('avatars', '.vrm').map(path => [name(path), readFileSync(path)])];
const facial = files('avatars/fbx', '_facial.fbx').slice(0, 1);
const models = () => [['the built-in character as Ready Player Me has them', plain], ['collar-bones on a neck, feet on nothing', plainAvatar(builtIn, { isOdd: true })],
  ...facial.map(path => [name(path), readFileSync(convert('builtin', 'glb', '--clip', 'wave', '--avatar', path))]), ...files('avatars/glb', '.glb').map(path => [name(path), readFileSync(path)])];

/** An avatar in a scene, rotated and scaled, with a camera in front of its eyes. */
function stage(root, life, sign) {
  const scene = new Scene(), camera = new Object3D();
  scene.add(root, camera);
  root.position.set(3, 0.5, -2);
  root.rotation.set(0, 2, 0);
  root.scale.setScalar(1.3);
  root.updateMatrixWorld(true);
  const { info } = life.performer;
  camera.position.copy(root.localToWorld(new Vector3(sign * -0.5, info.eyes + 0.1, sign * 1.7)));
  scene.updateMatrixWorld(true);
  return { scene, camera };
}

function live(life, seconds, each = () => {}) {
  for (let i = 0; i < seconds * 60; i++) {
    life.update(1 / 60);
    each(i);
  }
}

const signOf = vrm => vrm?.meta.metaVersion === '0' ? -1 : 1;

/** Joint positions of the engine, from its rotations. */
function ourPlaces({ info, frame: { root, rotations } }) {
  const places = [], turns = [];
  info.bones.forEach(({ parent, rest, exists }, i) => {
    if (!exists) return;
    const above = parent ?? undefined, own = new Quaternion().fromArray(rotations, 4 * i);
    const offset = above === undefined ? undefined : new Vector3(...rest).sub(new Vector3(...info.bones[above].rest));
    places[i] = offset ? offset.applyQuaternion(turns[above]).add(places[above]) : new Vector3(...root);
    turns[i] = above === undefined ? own : turns[above].clone().multiply(own);
  });
  return places;
}

/** Gestures that move all joints. */
const busy = { seed: 5, temperament: { liveliness: 1 } };

for (const [title, bytes] of vrms) {
  test(`VRM: joints are where the engine puts them: ${title}`, async () => {
    const gltf = await load(bytes), { vrm } = gltf.userData, sign = signOf(vrm);
    for (const source of [vrm, gltf]) {
      const life = await vivant(source, busy);
      const { scene } = stage(vrm.scene, life, sign);
      life.say('Hello! [gesture:wave] How nice that you came.', { at: 0.5 });
      let worst = 0;
      live(life, 4, i => {
        if (i % 20) return;
        scene.updateMatrixWorld(true);
        const ours = ourPlaces(life.performer), hips = worldPosition(vrm.humanoid.getRawBoneNode('hips'));
        life.performer.bones.forEach((bone, index) => {
          const node = vrm.humanoid.getRawBoneNode(bone);
          if (!node || !ours[index]) return;
          const theirs = vrm.scene.worldToLocal(worldPosition(node)).sub(vrm.scene.worldToLocal(hips.clone()));
          const expected = ours[index].clone().sub(ours[0]);
          worst = Math.max(worst, theirs.distanceTo(expected.set(sign * expected.x, expected.y, sign * expected.z)));
        });
      });
      assert.ok(worst < 2e-3, `${1000 * worst} mm off`);
      life.dispose();
    }
  });

  test(`VRM: the gaze matches that of three-vrm, and lids close: ${title}`, async () => {
    const gltf = await load(bytes), { vrm } = gltf.userData, sign = signOf(vrm);
    for (const source of [vrm, gltf]) {
      const life = await vivant(source, { ...still, temperament: { liveliness: 0, vergence: 0 } });
      const { scene, camera } = stage(vrm.scene, life, sign);
      life.lookAt(camera);
      live(life, 2);
      scene.updateMatrixWorld(true);
      const head = vrm.humanoid.getNormalizedBoneNode('head');
      const ahead = new Vector3(0, 0, sign).transformDirection(head.matrixWorld);
      const { applier } = vrm.lookAt ?? {}, eyes = ['leftEye', 'rightEye'].map(bone => vrm.humanoid.getNormalizedBoneNode(bone)).filter(Boolean);
      if (eyes.length === 2 && applier && !('expressions' in applier)) {
        const ours = eyes.map(eye => eye.quaternion.clone());
        vrm.lookAt.lookAt(worldPosition(camera));
        applier.applyYawPitch(vrm.lookAt.yaw, vrm.lookAt.pitch);
        const off = eyes.map((eye, i) => MathUtils.radToDeg(eye.quaternion.angleTo(ours[i])));
        assert.ok(Math.max(...off) < 1, `eyes are ${off}° off what three-vrm would do`);
      } else {
        const off = MathUtils.radToDeg(ahead.angleTo(worldPosition(camera).sub(worldPosition(head))));
        assert.ok(off < 25, `the head is ${off}° off`);
      }
      closes(life, vrm);
      life.dispose();
    }
  });
}

/** Checks that lid expressions close and open in a blink. */
function closes(life, vrm) {
  const names = ['blink', 'blinkLeft', 'blinkRight'].filter(one => life.performer.expressions.includes(one) && vrm.expressionManager?.getExpression(one));
  if (names.length === 0) return;
  const closed = () => Math.max(...names.map(one => vrm.expressionManager.getValue(one)));
  life.lookAt(null);
  life.intend({ look: 'ahead' });
  live(life, 1);
  life.intend({ blink: true });
  let most = 0, least = 1;
  live(life, 0.6, () => { most = Math.max(most, closed()); });
  live(life, 0.2, () => { least = Math.min(least, closed()); });
  assert.ok(most > 0.5 && least < 0.2, `a blink goes from ${least} to ${most}`);
}

for (const [title, bytes] of models()) {
  test(`glTF: joint distances match the engine, and the head turns to the camera: ${title}`, async () => {
    const gltf = await load(bytes), life = await vivant(gltf, busy), { info } = life.performer;
    const nodes = new Map();
    gltf.scene.traverse(node => { const number = gltf.parser.associations.get(node)?.nodes; if (number !== undefined) nodes.set(number, node); });
    const { scene, camera } = stage(gltf.scene, life, 1);
    const shown = info.bones.flatMap((bone, index) => bone.exists && nodes.has(bone.node) ? [index] : []);
    const size = [];
    let worst = 0;
    life.say('Hello! [gesture:wave] How nice that you came.', { at: 0.5 });
    live(life, 4, i => {
      if (i % 20) return;
      scene.updateMatrixWorld(true);
      const ours = ourPlaces(life.performer), theirs = info.bones.map(({ node }) => nodes.has(node) ? gltf.scene.worldToLocal(worldPosition(nodes.get(node))) : undefined);
      const apart = places => places[shown[0]].distanceTo(places[shown.at(-1)]);
      size.push(apart(theirs) / apart(ours));
      for (const a of shown) for (const b of shown) worst = Math.max(worst, Math.abs(theirs[a].distanceTo(theirs[b]) / size[0] - ours[a].distanceTo(ours[b])));
    });
    assert.ok(shown.length > 10 && worst < 3e-3, `${shown.length} bones, ${1000 * worst} mm off`);
    life.temper({ liveliness: 0 });
    life.intend({ stop: true });
    life.lookAt(camera);
    live(life, 3);
    scene.updateMatrixWorld(true);
    for (const bone of ['leftEye', 'rightEye']) {
      const { node, after, exists } = info.bones[life.performer.bones.indexOf(bone)];
      if (!exists || !nodes.has(node)) continue;
      const turn = nodes.get(node).getWorldQuaternion(new Quaternion()).multiply(new Quaternion(...after).conjugate());
      const ahead = new Vector3(0, 0, 1).applyQuaternion(turn);
      const off = MathUtils.radToDeg(ahead.angleTo(worldPosition(camera).sub(worldPosition(nodes.get(node)))));
      assert.ok(off < 1, `the ${bone} looks ${off}° past the camera`);
    }
    life.dispose();
  });
}

test('glTF: morph targets close the lids and are restored', async () => {
  const gltf = await load(plain), life = await vivant(gltf, still), meshes = [];
  gltf.scene.traverse(node => node.morphTargetInfluences && meshes.push(node));
  const weight = morph => Math.max(...meshes.map(({ morphTargetDictionary: names, morphTargetInfluences: weights }) => weights[names[morph]] ?? 0));
  const smile = meshes.flatMap(({ morphTargetDictionary: names, morphTargetInfluences: weights }) => 'mouthSmileLeft' in names ? [[weights, names.mouthSmileLeft]] : []);
  smile.forEach(([weights, at]) => { weights[at] = 0.4; });
  life.intend({ blink: true });
  let closed = 0;
  live(life, 0.5, () => { closed = Math.max(closed, weight('eyeBlinkLeft')); });
  assert.ok(closed > 0.9, `closed to ${closed}`);
  assert.equal(weight('mouthSmileLeft'), 0.4, 'what it does not show stays as it was set');
  life.dispose();
  assert.equal(weight('eyeBlinkLeft'), 0);
});

test('glTF: a cloned avatar works with the bytes of its file, and a .gltf with several buffers with GLTFLoader\'s result', async () => {
  const gltf = await load(plain);
  const life = await vivant(gltf.scene, { ...still, bytes: plain });
  live(life, 0.5);
  const node = gltf.scene.getObjectByName('Head'), turned = node.quaternion.toArray();
  life.dispose();
  assert.notDeepEqual(node.quaternion.toArray(), turned, 'it is as it was');
  const { json, rest } = openGlb(withoutPictures(plain)), binary = rest.subarray(8), half = 4 * Math.floor(binary.length / 8);
  // The data is split into two buffers at the start of a buffer view.
  const cut = Math.max(...json.bufferViews.map(({ byteOffset = 0 }) => byteOffset).filter(start => start <= half));
  const isFirst = ({ byteOffset = 0, byteLength }) => byteOffset + byteLength <= cut;
  assert.ok(json.bufferViews.every(view => isFirst(view) || (view.byteOffset ?? 0) >= cut));
  for (const view of json.bufferViews) if (!isFirst(view)) Object.assign(view, { buffer: 1, byteOffset: view.byteOffset - cut });
  const data = part => ({ byteLength: part.length, uri: `data:application/octet-stream;base64,${part.toString('base64')}` });
  json.buffers = [data(binary.subarray(0, cut)), data(binary.subarray(cut))];
  globalThis.ProgressEvent ??= class extends Event {};
  const two = await new GLTFLoader().parseAsync(JSON.stringify(json), '');
  const other = await vivant(two, still);
  live(other, 0.5);
  assert.deepEqual(two.scene.getObjectByName('Head').quaternion.toArray().map(Math.fround), turned.map(Math.fround));
  other.dispose();
});

test('three-vrm\'s look-at is disabled and restored', async () => {
  const { userData: { vrm } } = await load(builtIn), camera = new Object3D(), elsewhere = new Object3D();
  camera.position.set(0.4, 1.5, 1.5);
  elsewhere.position.set(-2, 0.5, 1);
  [camera, elsewhere].forEach(it => it.updateMatrixWorld());
  vrm.lookAt.target = camera;
  const life = await vivant(vrm, still), eye = vrm.humanoid.getNormalizedBoneNode('leftEye');
  vrm.lookAt.target = elsewhere;
  live(life, 2, () => {
    const at = 4 * life.performer.bones.indexOf('leftEye');
    assert.deepEqual(eye.quaternion.toArray().map(Math.fround), [...life.performer.frame.rotations.subarray(at, at + 4)]);
  });
  vrm.scene.updateMatrixWorld(true);
  const ahead = new Vector3(0, 0, 1).transformDirection(eye.matrixWorld);
  const off = MathUtils.radToDeg(ahead.angleTo(camera.position.clone().sub(worldPosition(eye))));
  assert.ok(off < 1, `the target that it had is looked at, ${off}° off`);
  life.dispose();
  const before = eye.quaternion.clone();
  vrm.update(1 / 60);
  assert.ok(eye.quaternion.angleTo(before) > 0.05, 'three-vrm looks again');
  assert.deepEqual(vrm.humanoid.getNormalizedBoneNode('hips').quaternion.toArray(), [0, 0, 0, 1]);
});

test('expressions set by the app stay, unless they close the eyes', async () => {
  const { userData: { vrm } } = await load(builtIn), life = await vivant(vrm, still), { expressionManager: face } = vrm;
  live(life, 0.5, () => {
    face.setValue('happy', 0.7);
    face.setValue('blink', 1);
  });
  life.update(1 / 60);
  assert.deepEqual([face.getValue('happy'), face.getValue('blink')].map(Math.fround), [0.7, 0].map(Math.fround));
  life.say('Mama.', { at: life.performer.time });
  let open = 0;
  live(life, 1, () => { open = Math.max(open, face.getValue('aa'), face.getValue('viseme_aa') ?? 0); });
  assert.ok(open > 0.3);
  live(life, 2);
  face.setValue('aa', 0.5);
  live(life, 0.2);
  assert.equal(face.getValue('aa'), 0.5);
  life.dispose();
});

test('with body: false only the head moves, and the eyes still meet their target', async () => {
  for (const bytes of [builtIn, plain]) {
    const gltf = await load(bytes), { vrm } = gltf.userData;
    const life = await vivant(vrm ?? gltf, { body: false, updateVrm: false, temperament: { liveliness: 0 } });
    const { scene, camera } = stage(gltf.scene, life, 1), { info, bones } = life.performer;
    const bone = (ours, theirs) => vrm ? vrm.humanoid.getNormalizedBoneNode(ours) : gltf.scene.getObjectByName(theirs);
    const [spine, hips, arm] = [bone('spine', 'Spine'), bone('hips', 'Hips'), bone('leftUpperArm', 'LeftArm')];
    const rest = spine.quaternion.clone(), bow = new Quaternion().setFromAxisAngle(new Vector3(0.3, 1, 0.2).normalize(), 0.35);
    life.lookAt(camera);
    live(life, 3, () => {
      spine.quaternion.copy(rest).multiply(bow);
      hips.position.x = 0.2;
      vrm?.update(1 / 60);
      scene.updateMatrixWorld(true);
    });
    assert.equal(hips.position.x, 0.2);
    assert.ok(spine.quaternion.angleTo(rest) > 0.3);
    if (vrm) assert.deepEqual(arm.quaternion.toArray(), [0, 0, 0, 1]);
    const eye = bone('leftEye', 'LeftEye'), { after } = vrm ? { after: [0, 0, 0, 1] } : info.bones[bones.indexOf('leftEye')];
    const turn = eye.getWorldQuaternion(new Quaternion()).multiply(new Quaternion(...after).conjugate());
    const off = MathUtils.radToDeg(new Vector3(0, 0, 1).applyQuaternion(turn).angleTo(worldPosition(camera).sub(worldPosition(eye))));
    assert.ok(off < 1, `${off}° off`);
    life.intend({ be: 'listening' });
    life.dispose();
  }
});

test('raw bones are posed if three-vrm does not update them', async () => {
  const { userData: { vrm } } = await load(builtIn);
  vrm.humanoid.autoUpdateHumanBones = false;
  const life = await vivant(vrm), arm = vrm.humanoid.getRawBoneNode('leftUpperArm'), before = arm.quaternion.clone();
  live(life, 0.5);
  assert.ok(arm.quaternion.angleTo(before) > 0.5, 'its arm hangs');
  assert.equal(vrm.humanoid.autoUpdateHumanBones, false);
  life.dispose();
});

test('a VRM 0.x looks at the camera, rotated or not', { skip: skipped }, async () => {
  const path = files('avatars/vrm0', 'catbot.vrm')[0];
  for (const isTurned of [false, true]) {
    const { userData: { vrm } } = await load(readFileSync(path)), camera = new Object3D();
    if (isTurned) VRMUtils.rotateVRM0(vrm);
    const ahead = isTurned ? 1 : -1;
    camera.position.set(0.5, 1, 2 * ahead);
    camera.updateMatrixWorld();
    const life = await vivant(vrm, still);
    life.lookAt(camera);
    live(life, 2);
    vrm.scene.updateMatrixWorld(true);
    const head = vrm.humanoid.getNormalizedBoneNode('head'), faces = new Vector3(0, 0, -1).transformDirection(head.matrixWorld);
    assert.ok(Math.sign(faces.x) > 0 && Math.sign(faces.z) === ahead, `${faces.toArray()}`);
    life.dispose();
  }
});

test('an avatar optimised with VRMUtils works', async () => {
  for (const bytes of [builtIn, ...files('avatars/vrm0', 'catbot.vrm').map(path => readFileSync(path))]) {
    const gltf = await load(bytes), { vrm } = gltf.userData, meshes = [];
    VRMUtils.removeUnnecessaryVertices(gltf.scene);
    VRMUtils.combineSkeletons(gltf.scene);
    VRMUtils.combineMorphs(vrm);
    gltf.scene.traverse(node => node.morphTargetInfluences && meshes.push(node));
    const life = await vivant(gltf, still);
    const weights = () => meshes.map(({ morphTargetInfluences }) => [...morphTargetInfluences]);
    life.intend({ blink: true });
    let closed = 0;
    live(life, 0.5, () => {
      closed = Math.max(closed, vrm.expressionManager.getValue('blink') ?? 0, vrm.expressionManager.getValue('blinkLeft') ?? 0, ...weights().flat());
      assert.ok(meshes.every(({ morphTargetInfluences: all, geometry }) => all.length === geometry.morphAttributes.position.length));
    });
    assert.ok(closed > 0.8, `${closed}`);
    live(life, 1);
    life.dispose();
    vrm.update(1 / 60);
    assert.ok(weights().flat().every(weight => weight === 0), 'nothing that is not Vivant\'s was moved');
  }
});

for (const [title, bytes] of vrms) {
  test(`the bytes from GLTFLoader are the avatar without images: ${title}`, async () => {
    const { json, rest } = openGlb(bytes), content = JSON.stringify(json), body = Uint8Array.from(rest.subarray(8)).buffer;
    const slim = await bytesOf({ json, extensions: { KHR_binary_glTF: { content, body } } });
    const pictures = (json.images ?? []).reduce((sum, { bufferView }) => sum + json.bufferViews[bufferView].byteLength, 0);
    assert.ok(slim.length <= bytes.length - pictures + 4096, `${slim.length} of ${bytes.length} bytes; images have ${pictures}`);
    await init();
    const [ours, theirs] = [slim, bytes].map(file => new Performer(file, { motions: 'none' }));
    assert.deepEqual(ours.info, theirs.info);
    assert.deepEqual(ours.advanceTo(3).rotations.slice(), theirs.advanceTo(3).rotations.slice());
    assert.deepEqual(ours.frame.weights.slice(), theirs.frame.weights.slice());
    ours.free();
    theirs.free();
  });
}

test('invalid arguments give clear errors', async () => {
  const { userData: { vrm }, scene } = await load(builtIn), life = await vivant(vrm, still);
  for (const [ask, words] of [
    [() => life.lookAt(), /lookAt: expected an Object3D, a position in the scene or null/],
    [() => life.attend('camera'), /attend: expected an Object3D/],
    [() => life.update(), /update: expected the seconds since the last frame/],
    [() => life.intend({ loook: 'ahead' }), /did you mean `look`/],
  ]) assert.throws(ask, words);
  life.lookAt(new Vector3(0, 1e7, 0));
  life.lookAt([0, NaN, 0]);
  life.update(1 / 60);
  life.dispose();
  life.dispose();
  assert.throws(() => life.update(1 / 60), /this performer was freed/);
  await assert.rejects(vivant(), /expected a VRM, the result of GLTFLoader, or an Object3D/);
  await assert.rejects(vivant(scene), /an Object3D needs the `bytes` of its file; or pass the result of GLTFLoader/);
  await assert.rejects(vivant(new Object3D(), { ...still, bytes: plain }), /check that the scene belongs to the file/);
  await assert.rejects(vivant(vrm, { sed: 1 }), /did you mean `seed`/);
});
