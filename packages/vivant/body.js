// What shows a performer's frames on objects of three.js. Nothing of three.js is imported: its vectors and rotations are
// cloned from the avatar itself, so that this fits whatever copy of it made them.
import { Carried, Chain } from './carried.js';

/** What a body does not leave to others, even where nothing is shown. */
const isOfEyes = name => /^(blink|look|eye)/.test(name);

/** Bones that are moved where the rest of the body is somebody else's. */
export const HEAD = new Set(['neck', 'head', 'leftEye', 'rightEye', 'jaw']);

/** Stands, so that it can still listen, speak and think. */
export const STANDING = { repertoire: { version: 1, stances: [{ name: 'standing' }] } };

/** How far away something may be told to be, in metres. */
const FAR_M = 900;

/**
 * Something that can be given a weight, and the expressions that it takes part in. Where Vivant shows nothing of it,
 * what others have set stays.
 */
export class Weighed {
  #parts = [];
  #isOwn = false;
  #was = 0;

  constructor(set) {
    this.set = set;
  }

  add(name, channel, gain = 1) {
    this.#parts.push({ channel, gain });
    this.#isOwn ||= isOfEyes(name);
  }

  show(weights) {
    let sum = 0;
    for (const { channel, gain } of this.#parts) sum += gain * weights[channel];
    if (sum !== 0 || this.#was !== 0 || this.#isOwn) this.set(sum);
    this.#was = sum;
  }

  /** Gives back what it has. */
  reset() {
    if (this.#was !== 0 || this.#isOwn) this.set(0);
    this.#was = 0;
  }
}

const meshesOf = node => node?.isMesh ? [node] : node?.children.filter(child => child.isMesh) ?? [];

/** How a morph target is set, and by which name it is known to be the same. */
const influence = (mesh, target) => [`${mesh.uuid} ${target}`, weight => { mesh.morphTargetInfluences[target] = weight; }];

/**
 * The morph targets and lids of `channels`, as nodes of a file have them. A mesh of several materials is several here, and
 * what was taken out of a mesh since is not shown.
 */
export function weighedOf(channels, { nodes, morphOf }, isWanted = () => true, setterOf = influence) {
  const found = new Map();
  const once = (key, set) => found.get(key) ?? found.set(key, new Weighed(set)).get(key);
  channels.forEach(({ name, morphs = [], lids = [] }, channel) => {
    if (!isWanted(name)) return;
    for (const { node, target, gain } of morphs) {
      for (const mesh of meshesOf(nodes.get(node))) {
        const own = morphOf(node, mesh, target), setter = own === undefined ? undefined : setterOf(mesh, own);
        if (setter) once(...setter).add(name, channel, gain);
      }
    }
    for (const { node: number, turn: [x, y, z] } of lids) {
      const node = nodes.get(number), angle = Math.hypot(x, y, z);
      if (!node || angle === 0) continue;
      const rest = node.quaternion.clone(), turn = rest.clone(), axis = node.position.clone().set(x, y, z).divideScalar(angle);
      once(`lid ${number} ${channel}`, weight => node.quaternion.copy(rest).premultiply(turn.setFromAxisAngle(axis, angle * weight))).add(name, channel);
    }
  });
  return [...found.values()];
}

/** The bone that carries what Vivant moves of a head. */
function topOf(bones) {
  const neck = bones.findIndex(({ name }) => name === 'neck'), head = bones.findIndex(({ name }) => name === 'head');
  return bones[bones[neck].exists ? neck : head].parent;
}

/** What bodies have in common: a place in the scene, and others who may be somewhere. */
class Body {
  /** `root` is the object that can be moved in the scene; `isWhole` whether all bones are Vivant's. */
  constructor(root, info, isWhole) {
    const { position, quaternion } = root;
    this.root = root;
    this.info = info;
    this.isWhole = isWhole;
    /** Whether what carries the head is where Vivant has it. */
    this.isCarried = isWhole;
    this.top = topOf(info.bones);
    this.spine = new Chain(info.bones, this.top);
    this.place = position.clone();
    this.vectors = [position.clone(), position.clone(), position.clone(), position.clone()];
    this.turns = [quaternion.clone(), quaternion.clone(), quaternion.clone()];
  }

  /** Where something of the scene is for the performer; undefined if it is nowhere. */
  find(target, frame) {
    const place = this.place;
    if (target.isObject3D) target.getWorldPosition(place);
    else if (Array.isArray(target) || ArrayBuffer.isView(target)) place.set(...target);
    else place.copy(target);
    this.toHumanoid(this.root.worldToLocal(place));
    if (!this.isCarried) this.#asIfOurs(place, frame);
    if (place.length() > FAR_M) place.setLength(FAR_M);
    return [place.x, place.y, place.z].every(Number.isFinite) ? place : undefined;
  }

  /** Somebody else bends the chest: then what is seen from it is told as if it were where Vivant has it. */
  #asIfOurs(place, frame) {
    const [ours, theirs, step] = this.vectors, [ourTurn, theirTurn, local] = this.turns;
    this.spine.at(frame, ours, ourTurn, step, local);
    if (!this.pose(this.top, theirs, theirTurn)) return;
    place.sub(theirs).applyQuaternion(theirTurn.conjugate()).applyQuaternion(ourTurn).add(ours);
  }
}

/** An avatar of three-vrm. */
export class VrmBody extends Body {
  #joints;
  #hips;
  #offset;
  #weighed;
  #direct;
  #sign;
  #lookAt;
  #updatesVrm;

  /** `names` are three-vrm's names of each of Vivant's expressions; `file` has the file's nodes, where they are known. */
  constructor(vrm, info, { isWhole, updatesVrm, names, file }) {
    super(vrm.scene, info, isWhole);
    this.vrm = vrm;
    this.#updatesVrm = updatesVrm;
    this.#sign = signOf(vrm);
    this.#joints = info.bones.flatMap(({ name }, index) => {
      const node = vrm.humanoid.getNormalizedBoneNode(name);
      return node && (isWhole || HEAD.has(name)) ? [{ node, index }] : [];
    });
    this.#hips = isWhole ? vrm.humanoid.getNormalizedBoneNode('hips') : null;
    const { hips } = restOf(vrm), [x, y, z] = info.bones[0].rest;
    /** A file may lie lower than the ground that Vivant stands it on. */
    this.#offset = vrm.scene.position.clone().set(hips[0] - x, hips[1] - y, hips[2] - z);
    this.#weighed = info.channels.flatMap(({ name }, channel) => (names.get(name) ?? []).map(own => {
      const it = new Weighed(weight => vrm.expressionManager.setValue(own, weight));
      it.add(name, channel);
      return it;
    }));
    this.#direct = file ? weighedOf(info.channels, file, name => !names.has(name)) : [];
    this.#lookAt = switchedOff(vrm.lookAt);
  }

  toHumanoid(place) {
    const sign = this.#sign;
    place.set(sign * place.x, place.y, sign * place.z).sub(this.#offset);
  }

  /** Where a bone is and how it is turned, in humanoid space. */
  pose(index, place, turn) {
    const node = this.vrm.humanoid.getNormalizedBoneNode(this.info.bones[index].name), sign = this.#sign;
    if (!node) return false;
    this.toHumanoid(this.root.worldToLocal(node.getWorldPosition(place)));
    node.getWorldQuaternion(turn).premultiply(this.root.getWorldQuaternion(this.turns[2]).conjugate());
    turn.set(sign * turn.x, turn.y, sign * turn.z, turn.w);
    return true;
  }

  show({ rotations, root, weights }, seconds) {
    const sign = this.#sign, { vrm } = this;
    for (const { node, index } of this.#joints) {
      const at = 4 * index;
      node.quaternion.set(sign * rotations[at], rotations[at + 1], sign * rotations[at + 2], rotations[at + 3]);
    }
    const { x, y, z } = this.#offset;
    this.#hips?.position.set(sign * (root[0] + x), root[1] + y, sign * (root[2] + z));
    for (const it of this.#weighed) it.show(weights);
    if (!vrm.humanoid.autoUpdateHumanBones) this.#copyBones();
    if (this.#updatesVrm) vrm.update(seconds);
    for (const it of this.#direct) it.show(weights);
  }

  /** Whoever switched that off poses raw bones; those that are Vivant's are posed all the same. */
  #copyBones() {
    const { humanoid } = this.vrm;
    humanoid.autoUpdateHumanBones = true;
    humanoid.update();
    humanoid.autoUpdateHumanBones = false;
  }

  dispose() {
    for (const it of [...this.#weighed, ...this.#direct]) it.reset();
    this.vrm.humanoid.resetNormalizedPose();
    this.#lookAt();
  }
}

/** An avatar of VRM 0.x looks the other way: x and z change their signs. */
export const signOf = vrm => vrm.meta?.metaVersion === '0' ? -1 : 1;

/** Where the bones of an avatar of three-vrm rest, in humanoid space, by name. */
export function restOf(vrm) {
  const { normalizedHumanBones, normalizedHumanBonesRoot: top, normalizedRestPose } = vrm.humanoid, sign = signOf(vrm);
  const byNode = new Map(Object.entries(normalizedHumanBones).map(([name, { node }]) => [node, name]));
  const rest = node => {
    const own = normalizedRestPose[byNode.get(node)]?.position ?? node.position.toArray();
    return node.parent && node.parent !== top ? rest(node.parent).map((above, axis) => above + own[axis]) : own;
  };
  return Object.fromEntries([...byNode].map(([node, name]) => {
    const [x, y, z] = rest(node);
    return [name, [sign * x, y, sign * z]];
  }));
}

/** Lets three-vrm's own looking do nothing; what comes back gives it back. */
function switchedOff(lookAt) {
  if (!lookAt) return () => {};
  lookAt.update = () => {};
  return () => {
    delete lookAt.update;
    lookAt.reset();
  };
}

/** An avatar of plain glTF: nodes with axes of their own, and morph targets. */
export class ModelBody extends Body {
  joints;
  #humanoidFromRoot;
  #turn;
  #weighed;
  #kept;

  /**
   * `file` has the file's nodes, by number, and tells where one of them is at rest, against the node above it, since
   * somebody may have moved it. `isShown` says which expressions are Vivant's, and `setterOf` how they are shown.
   */
  constructor(root, file, info, { isWhole, isShown, setterOf }) {
    super(root, info, isWhole);
    const rotation = it => root.quaternion.clone().set(...(it ?? [0, 0, 0, 1]));
    const all = info.bones.flatMap(({ name, node: number, before, after, carried }, index) => {
      const node = file.nodes.get(number);
      if (!node) return [];
      const joint = { name, node, index, before: rotation(before), after: rotation(after), weight: 1 };
      const rest = carried && root.position.clone().fromArray(file.restOf(number));
      return [{ ...joint, carried: rest && new Carried(info.bones, index, joint.before, rest) }];
    });
    const hips = all.find(({ name }) => name === 'hips');
    if (!hips) throw new Error('none of its bones is in the scene: is this the scene of that file?');
    this.joints = isWhole ? all : all.filter(({ name }) => HEAD.has(name));
    this.#turn = root.quaternion.clone();
    this.#stand(hips, all, file.restOf(info.bones[hips.index].node));
    this.#kept = all.map(({ node }) => ({ node, position: node.position.clone(), quaternion: node.quaternion.clone() }));
    this.#weighed = weighedOf(info.channels, file, isShown, setterOf);
    this.byBone = new Map(all.map(joint => [joint.index, joint]));
  }

  /** How humanoid space lies in that of the root, and in that of the node above the hips. */
  #stand({ node, before }, all, rest) {
    const { root, info } = this;
    root.updateWorldMatrix(true, true);
    const rootFromWorld = root.matrixWorld.clone().invert();
    const inRoot = it => rootFromWorld.clone().multiply(it.matrixWorld);
    const place = it => it.position.clone().setFromMatrixPosition(inRoot(it));
    const above = inRoot(node.parent), turn = before.clone(), ignored = node.position.clone(), scale = ignored.clone();
    above.decompose(ignored, turn, scale);
    turn.multiply(before);
    const size = sizeOf(all, info.bones, place);
    const shift = ignored.fromArray(info.bones[0].carried.at).multiplyScalar(size).applyQuaternion(turn).negate();
    shift.add(scale.set(...rest).applyMatrix4(above));
    const rootFromHumanoid = above.clone().compose(shift, turn, scale.setScalar(size));
    this.#humanoidFromRoot = rootFromHumanoid.clone().invert();
    this.turn = turn.clone().conjugate();
  }

  toHumanoid(place) {
    place.applyMatrix4(this.#humanoidFromRoot);
  }

  pose(index, place, turn) {
    const joint = this.byBone.get(index);
    if (!joint) return false;
    this.toHumanoid(this.root.worldToLocal(joint.node.getWorldPosition(place)));
    joint.node.getWorldQuaternion(turn).premultiply(this.root.getWorldQuaternion(this.turns[2]).conjugate());
    turn.premultiply(this.turn).multiply(this.#turn.copy(joint.after).conjugate());
    return true;
  }

  show(frame) {
    for (const joint of this.joints) this.#turnJoint(joint, frame);
    for (const it of this.#weighed) it.show(frame.weights);
  }

  #turnJoint({ node, index, before, after, carried, weight }, frame) {
    if (weight === 0) return;
    const own = this.turns[0], place = this.vectors[3];
    if (carried) {
      carried.pose(frame, place, own);
      node.position.lerp(place, weight);
    } else own.fromArray(frame.rotations, 4 * index);
    own.premultiply(before).multiply(after);
    if (weight === 1) node.quaternion.copy(own);
    else node.quaternion.slerp(own, weight);
  }

  dispose() {
    for (const it of this.#weighed) it.reset();
    for (const { node, position, quaternion } of this.#kept) {
      node.position.copy(position);
      node.quaternion.copy(quaternion);
    }
  }
}

/** How long bones are says how large the file is, in whatever pose it is. */
function sizeOf(joints, bones, place) {
  const byBone = new Map(joints.map(({ index, node }) => [index, node]));
  let ours = 0, theirs = 0;
  for (const { index, node } of joints) {
    const { parent, rest } = bones[index], above = byBone.get(parent);
    if (above === undefined) continue;
    ours += Math.hypot(...rest.map((metres, axis) => metres - bones[parent].rest[axis]));
    theirs += place(node).distanceTo(place(above));
  }
  return ours > 0 && theirs > 0 ? theirs / ours : 1;
}
