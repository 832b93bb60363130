// Shows a performer's frames on three.js objects. three.js is not imported: vectors and quaternions are cloned from the
// avatar, so that any copy or version of three.js works.
import { Carried, Chain } from './carried.js';

/** Returns true for eye expressions, which Vivant always sets, even at weight 0. */
const isOfEyes = name => /^(blink|look|eye)/.test(name);

/** Bones that Vivant moves if the app animates the rest of the body. */
export const HEAD = new Set(['neck', 'head', 'leftEye', 'rightEye', 'jaw']);

/** A repertoire with one stance, so that listening, speaking and thinking still work. */
export const STANDING = { repertoire: { version: 1, stances: [{ name: 'standing' }] } };

/** Maximum distance of a gaze target in metres. */
const FAR_M = 900;

/**
 * A morph target or lid with the expressions that move it. While their weights are 0, values set by the app stay.
 */
export class WeightTarget {
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

  /** Resets the weight. */
  reset() {
    if (this.#was !== 0 || this.#isOwn) this.set(0);
    this.#was = 0;
  }
}

const meshesOf = node => node?.isMesh ? [node] : node?.children.filter(child => child.isMesh) ?? [];

/** Returns a unique key of a morph target and its setter. */
const influence = (mesh, target) => [`${mesh.uuid} ${target}`, weight => { mesh.morphTargetInfluences[target] = weight; }];

/**
 * Returns the morph targets and lids of `channels`. A mesh with several materials is split into several by three.js, and
 * morph targets that were removed from a mesh are skipped.
 */
export function weightTargetsOf(channels, { nodes, morphOf }, isWanted = () => true, setterOf = influence) {
  const found = new Map();
  const once = (key, set) => found.get(key) ?? found.set(key, new WeightTarget(set)).get(key);
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

/** Returns the bone that carries the neck or head. */
function topOf(bones) {
  const neck = bones.findIndex(({ name }) => name === 'neck'), head = bones.findIndex(({ name }) => name === 'head');
  return bones[bones[neck].exists ? neck : head].parent;
}

/** Base class of bodies: conversion between the scene and the performer's space. */
class Body {
  /** `root` is the object placed in the scene; `isWhole` is true if Vivant moves all bones. */
  constructor(root, info, isWhole) {
    const { position, quaternion } = root;
    this.root = root;
    this.info = info;
    this.isWhole = isWhole;
    /** True if the bone below the head is animated by Vivant. */
    this.isCarried = isWhole;
    this.top = topOf(info.bones);
    this.spine = new Chain(info.bones, this.top);
    this.place = position.clone();
    this.vectors = [position.clone(), position.clone(), position.clone(), position.clone()];
    this.turns = [quaternion.clone(), quaternion.clone(), quaternion.clone()];
  }

  /** Converts a scene position to the performer's space; undefined if it is not finite. */
  find(target, frame) {
    const place = this.place;
    if (target.isObject3D) target.getWorldPosition(place);
    else if (Array.isArray(target) || ArrayBuffer.isView(target)) place.set(...target);
    else place.copy(target);
    this.toHumanoid(this.root.worldToLocal(place));
    if (!this.isCarried) this.#toAssumedChest(place, frame);
    if (place.length() > FAR_M) place.setLength(FAR_M);
    return [place.x, place.y, place.z].every(Number.isFinite) ? place : undefined;
  }

  /** Converts a position relative to the chest that the app animates to one relative to Vivant's chest. */
  #toAssumedChest(place, frame) {
    const [ours, theirs, step] = this.vectors, [ourTurn, theirTurn, local] = this.turns;
    this.spine.at(frame, ours, ourTurn, step, local);
    if (!this.pose(this.top, theirs, theirTurn)) return;
    place.sub(theirs).applyQuaternion(theirTurn.conjugate()).applyQuaternion(ourTurn).add(ours);
  }
}

/** A three-vrm avatar. */
export class VrmBody extends Body {
  #joints;
  #hips;
  #offset;
  #targets;
  #direct;
  #sign;
  #lookAt;
  #updatesVrm;

  /** `names` maps Vivant's expressions to those of three-vrm; `file` has the nodes of the file, if known. */
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
    /** Offset between the avatar's rest position in the file and Vivant's, for example if its feet are not at height 0. */
    this.#offset = vrm.scene.position.clone().set(hips[0] - x, hips[1] - y, hips[2] - z);
    this.#targets = info.channels.flatMap(({ name }, channel) => (names.get(name) ?? []).map(own => {
      const it = new WeightTarget(weight => vrm.expressionManager.setValue(own, weight));
      it.add(name, channel);
      return it;
    }));
    this.#direct = file ? weightTargetsOf(info.channels, file, name => !names.has(name)) : [];
    this.#lookAt = switchedOff(vrm.lookAt);
  }

  toHumanoid(place) {
    const sign = this.#sign;
    place.set(sign * place.x, place.y, sign * place.z).sub(this.#offset);
  }

  /** Position and rotation of a bone in humanoid space. */
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
    for (const it of this.#targets) it.show(weights);
    if (!vrm.humanoid.autoUpdateHumanBones) this.#copyBones();
    if (this.#updatesVrm) vrm.update(seconds);
    for (const it of this.#direct) it.show(weights);
  }

  /** If `autoUpdateHumanBones` is off, the raw bones that Vivant moves are updated here. */
  #copyBones() {
    const { humanoid } = this.vrm;
    humanoid.autoUpdateHumanBones = true;
    humanoid.update();
    humanoid.autoUpdateHumanBones = false;
  }

  dispose() {
    for (const it of [...this.#targets, ...this.#direct]) it.reset();
    this.vrm.humanoid.resetNormalizedPose();
    this.#lookAt();
  }
}

/** VRM 0.x avatars face the other way: x and z are negated. */
export const signOf = vrm => vrm.meta?.metaVersion === '0' ? -1 : 1;

/** Returns rest positions of the bones of a three-vrm avatar in humanoid space, by name. */
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

/** Disables three-vrm's look-at. Returns a function that restores it. */
function switchedOff(lookAt) {
  if (!lookAt) return () => {};
  lookAt.update = () => {};
  return () => {
    delete lookAt.update;
    lookAt.reset();
  };
}

/** A plain glTF avatar: nodes with arbitrary axes, and morph targets. */
export class ModelBody extends Body {
  joints;
  #humanoidFromRoot;
  #turn;
  #targets;
  #kept;

  /**
   * `file` has the nodes of the file by index, and their rest transforms, since the app may have moved them. `isShown`
   * selects the expressions that Vivant sets, and `setterOf` returns their setters.
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
    if (!hips) throw new Error('the hips bone is not in the scene; check that the scene belongs to the file');
    this.joints = isWhole ? all : all.filter(({ name }) => HEAD.has(name));
    this.#turn = root.quaternion.clone();
    this.#stand(hips, all, file.restOf(info.bones[hips.index].node));
    this.#kept = all.map(({ node }) => ({ node, position: node.position.clone(), quaternion: node.quaternion.clone() }));
    this.#targets = weightTargetsOf(info.channels, file, isShown, setterOf);
    this.byBone = new Map(all.map(joint => [joint.index, joint]));
  }

  /** Computes the transform of humanoid space relative to the root, and to the parent of the hips. */
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
    for (const it of this.#targets) it.show(frame.weights);
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
    for (const it of this.#targets) it.reset();
    for (const { node, position, quaternion } of this.#kept) {
      node.position.copy(position);
      node.quaternion.copy(quaternion);
    }
  }
}

/** Scale of the file, from bone lengths, which do not depend on the pose. */
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
