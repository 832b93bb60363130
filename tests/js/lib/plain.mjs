// The built-in character as a plain glTF avatar like those of Ready Player Me: other bone names, arbitrary bone axes, no
// VRM data. And a TalkingHead in Node that shows it.
import { Matrix4, Quaternion, Vector3 } from 'three';
import { closeGlb, openGlb, withoutPictures } from './scene.mjs';

const FINGERS = { Thumb: ['Metacarpal', 'Proximal', 'Distal'], Index: 0, Middle: 0, Ring: 0, Little: 0 };
const NAMES = {
  hips: 'Hips', spine: 'Spine', chest: 'Spine1', upperChest: 'Spine2', neck: 'Neck', head: 'Head', leftEye: 'LeftEye', rightEye: 'RightEye',
  ...Object.fromEntries(['left', 'right'].flatMap(side => {
    const Side = side[0].toUpperCase() + side.slice(1);
    const limbs = { UpperLeg: 'UpLeg', LowerLeg: 'Leg', Foot: 'Foot', Toes: 'ToeBase', Shoulder: 'Shoulder', UpperArm: 'Arm', LowerArm: 'ForeArm', Hand: 'Hand' };
    const fingers = Object.entries(FINGERS).flatMap(([finger, parts]) => (parts || ['Proximal', 'Intermediate', 'Distal']).map((part, i) =>
      [`${side}${finger}${part}`, `${Side}Hand${finger === 'Little' ? 'Pinky' : finger}${i + 1}`]));
    return [...Object.entries(limbs).map(([ours, theirs]) => [`${side}${ours}`, `${Side}${theirs}`]), ...fingers];
  })),
};

/** A reproducible rotation for a bone. */
function axesOf(number) {
  const part = i => Math.sin(12.9898 * (4 * number + i + 1)) * 43758.5453 % 1;
  return new Quaternion(part(0), part(1), part(2), part(3)).normalize();
}

const matrixOf = ({ translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1], matrix }) => matrix
  ? new Matrix4().fromArray(matrix)
  : new Matrix4().compose(new Vector3(...translation), new Quaternion(...rotation), new Vector3(...scale));

/** Gives some nodes unusual parents, as in some rigs. */
function hangOddly(json, humanBones, parents) {
  const scene = json.scenes[json.scene ?? 0], node = name => humanBones[name].node;
  for (const [name, carrier] of [['Shoulder', 'neck'], ['UpperLeg', 'spine'], ['Foot', undefined]]) {
    for (const own of [node(`left${name}`), node(`right${name}`)]) {
      const siblings = json.nodes[parents.get(own)].children;
      siblings.splice(siblings.indexOf(own), 1);
      parents.delete(own);
      if (carrier) parents.set(own, node(carrier));
      (carrier ? json.nodes[node(carrier)].children ??= [] : scene.nodes).push(own);
    }
  }
}

/** Converts the built-in character's VRM to plain glTF. With `isOdd`, collar-bones are below the neck and feet have no parent. */
export function plainAvatar(vrm, { isOdd = false } = {}) {
  const { json, rest } = openGlb(withoutPictures(vrm));
  const { humanBones } = json.extensions.VRMC_vrm.humanoid;
  const bones = new Map(Object.entries(humanBones).map(([name, { node }]) => [node, name]));
  delete json.extensions;
  delete json.extensionsUsed;
  delete json.extensionsRequired;
  const parents = new Map(json.nodes.flatMap(({ children = [] }, i) => children.map(child => [child, i])));
  const before = new Map(), after = new Map();
  const world = i => before.get(i) ?? before.set(i, parents.has(i) ? world(parents.get(i)).clone().multiply(matrixOf(json.nodes[i])) : matrixOf(json.nodes[i])).get(i);
  json.nodes.forEach((_, i) => {
    const own = bones.has(i) ? axesOf(i) : new Quaternion();
    after.set(i, world(i).clone().multiply(new Matrix4().makeRotationFromQuaternion(own)));
  });
  if (isOdd) hangOddly(json, humanBones, parents);
  const binary = Buffer.from(rest);
  for (const { joints, inverseBindMatrices } of json.skins ?? []) {
    const { bufferView, byteOffset = 0 } = json.accessors[inverseBindMatrices];
    const start = 8 + (json.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
    joints.forEach((joint, i) => {
      const bind = new Matrix4().fromArray(Array.from({ length: 16 }, (_, k) => binary.readFloatLE(start + 64 * i + 4 * k)));
      const turned = after.get(joint).clone().invert().multiply(world(joint)).multiply(bind);
      turned.elements.forEach((number, k) => binary.writeFloatLE(number, start + 64 * i + 4 * k));
    });
  }
  json.nodes.forEach((node, i) => {
    const above = parents.has(i) ? after.get(parents.get(i)).clone().invert() : new Matrix4();
    const [place, turn, size] = [new Vector3(), new Quaternion(), new Vector3()];
    above.multiply(after.get(i)).decompose(place, turn, size);
    delete node.matrix;
    Object.assign(node, { translation: place.toArray(), rotation: turn.toArray(), scale: size.toArray() });
    if (bones.has(i)) node.name = NAMES[bones.get(i)] ?? `Other_${bones.get(i)}`;
  });
  const { nodes } = json.scenes[json.scene ?? 0];
  json.nodes.push({ name: 'Armature', children: [...nodes] });
  nodes.splice(0, nodes.length, json.nodes.length - 1);
  return closeGlb({ json, rest: binary });
}

/** Browser globals that TalkingHead needs. */
class Silence {
  constructor() {
    return new Proxy(function silence() {}, {
      get: (_, key) => key === 'then' ? undefined : key === 'state' ? 'running' : key === Symbol.toPrimitive ? () => 0 : new Silence(),
      apply: () => new Silence(),
      set: () => true,
    });
  }
}

/** Creates a TalkingHead with an avatar, without a page; `frame(ms)` advances time. */
export async function talkingHead(bytes, camera, options = {}) {
  globalThis.AudioContext ??= Silence;
  globalThis.self ??= globalThis;
  globalThis.window ??= globalThis;
  globalThis.ProgressEvent ??= class extends Event {};
  const { TalkingHead } = await import('@met4citizen/talkinghead');
  const head = new TalkingHead(null, { avatarOnly: true, avatarOnlyCamera: camera, lipsyncModules: ['en'], lipsyncLang: 'en', ...options });
  const url = `data:model/gltf-binary;base64,${bytes.toString('base64')}`;
  await head.showAvatar({ url, body: 'F', lipsyncLang: 'en' });
  return { head, frame: milliseconds => head.animate(milliseconds) };
}
