// Avatars in GLB; the server also converts FBX to GLB. `RigInfo` maps nodes to bones and their rotations.
import { Group, Material, Mesh, Object3D, Quaternion, Texture, Vector3, type QuaternionTuple } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { BoneInfo, RigInfo } from '../protocol.ts';
import type { Frame } from '../wire.ts';
import type { Body } from './body.ts';
import { measure, type Size } from './size.ts';
import { Carried } from '../../../packages/vivant/carried.js';

/** The scene of a file, and its nodes by index. */
interface Loaded { scene: Object3D; nodes: ReadonlyMap<number, Object3D> }

export async function loadModel(bytes: ArrayBuffer, rig: RigInfo): Promise<Body> {
  const { scene, parser } = await new GLTFLoader().parseAsync(bytes, '');
  const nodes = new Map<number, Object3D>();
  scene.traverse(node => {
    const number = parser.associations.get(node)?.nodes;
    if (number !== undefined) nodes.set(number, node);
  });
  return new Model({ scene, nodes }, rig);
}

interface Joint { node: Object3D; index: number; before: Quaternion; after: Quaternion; carried: Carried | undefined }
/** A morph target with its channel and gain. */
interface Shape { influences: number[]; at: number; channel: number; gain: number }
/** A lid bone: it rotates about an axis, applied before its rest rotation. */
interface Lid { node: Object3D; channel: number; rest: Quaternion; axis: Vector3; angle: number }

const quaternion = (it: QuaternionTuple | null | undefined): Quaternion => new Quaternion(...(it ?? [0, 0, 0, 1]));

class Model implements Body {
  readonly scene = new Group();
  readonly size: Size;
  readonly #inside: Object3D;
  readonly #joints: Joint[];
  readonly #shapes: Shape[];
  readonly #lids: Lid[];
  readonly #hips: Joint | undefined;
  readonly #turn = new Quaternion();

  constructor({ scene, nodes }: Loaded, rig: RigInfo) {
    this.#inside = scene;
    this.scene.add(scene);
    this.#joints = rig.bones.flatMap(({ node: number, before, after, carried }, index) => {
      const node = nodes.get(number ?? -1);
      if (!node) return [];
      const joint = { node, index, before: quaternion(before), after: quaternion(after) };
      return [{ ...joint, carried: carried ? new Carried(rig.bones, index, joint.before, node.position) : undefined }];
    });
    this.#hips = this.#joints.find(({ index }) => rig.bones[index]!.name === 'hips');
    if (!this.#hips) throw new Error('the file has no hips bone');
    this.#shapes = shapes(nodes, rig);
    this.#lids = lids(nodes, rig);
    scene.traverse(node => { node.frustumCulled = false; });
    this.#stand(rig.bones);
    this.size = measure(this.scene, rig, this.#joints.find(({ index }) => rig.bones[index]!.name === 'head')?.node);
  }

  /** Rotates and scales the scene of the file: upright, facing the camera, in metres. */
  #stand(bones: readonly BoneInfo[]): void {
    this.scene.updateMatrixWorld(true);
    const { node, index, before } = this.#hips!;
    const above = node.parent!.getWorldQuaternion(new Quaternion());
    this.#inside.quaternion.premultiply(before.clone().conjugate().multiply(above.conjugate()));
    this.#inside.scale.multiplyScalar(scaleOf(this.#joints, bones));
    this.scene.updateMatrixWorld(true);
    const { carried } = bones[index]!, place = node.getWorldPosition(new Vector3());
    if (carried) this.#inside.position.add(new Vector3(...carried.at).sub(place));
    this.scene.updateMatrixWorld(true);
  }

  show(frame: Frame): void {
    for (const { node, index, before, after, carried } of this.#joints) {
      if (carried) carried.pose(frame, node.position, this.#turn);
      else this.#turn.fromArray(frame.rotations, 4 * index);
      node.quaternion.copy(before).multiply(this.#turn).multiply(after);
    }
    this.#face(frame.weights);
  }

  /** Applies expression weights. Channels that move the same shape or lid add up. */
  #face(weights: Float32Array): void {
    this.#shapes.forEach(({ influences, at }) => { influences[at] = 0; });
    this.#shapes.forEach(({ influences, at, channel, gain }) => { influences[at]! += gain * (weights[channel] ?? 0); });
    this.#lids.forEach(({ node, rest }) => node.quaternion.copy(rest));
    this.#lids.forEach(({ node, channel, axis, angle }) => node.quaternion.premultiply(this.#turn.setFromAxisAngle(axis, angle * (weights[channel] ?? 0))));
  }

  dispose(): void {
    this.#inside.traverse(node => {
      if (!(node instanceof Mesh)) return;
      node.geometry.dispose();
      [node.material as Material | Material[]].flat().forEach(disposeMaterial);
    });
  }
}

/** Scale of the file, from bone lengths, which do not depend on the pose. */
function scaleOf(joints: readonly Joint[], bones: readonly BoneInfo[]): number {
  const byBone = new Map(joints.map(joint => [joint.index, joint.node]));
  const place = (node: Object3D) => node.getWorldPosition(new Vector3());
  let ours = 0, theirs = 0;
  for (const { index, node } of joints) {
    const parent = bones[index]!.parent, above = parent === null || parent === undefined ? undefined : byBone.get(parent);
    if (above === undefined) continue;
    ours += new Vector3(...bones[index]!.rest).distanceTo(new Vector3(...bones[parent!]!.rest));
    theirs += place(node).distanceTo(place(above));
  }
  return ours > 0 && theirs > 0 ? ours / theirs : 1;
}

/** Returns the morph targets of all channels. A mesh with several materials is split into several meshes by three.js. */
function shapes(nodes: Loaded['nodes'], rig: RigInfo): Shape[] {
  return rig.channels.flatMap(({ morphs = [] }, channel) => morphs.flatMap(({ node, target, gain }) => {
    const it = nodes.get(node);
    const meshes = it instanceof Mesh ? [it] : it?.children.filter(child => child instanceof Mesh) ?? [];
    return meshes.flatMap(({ morphTargetInfluences: influences }) => influences && target < influences.length ? [{ influences, at: target, channel, gain }] : []);
  }));
}

function lids(nodes: Loaded['nodes'], rig: RigInfo): Lid[] {
  return rig.channels.flatMap(({ lids = [] }, channel) => lids.flatMap(({ node: number, turn }) => {
    const node = nodes.get(number), axis = new Vector3(...turn), angle = axis.length();
    return node && angle > 0 ? [{ node, channel, rest: node.quaternion.clone(), axis: axis.divideScalar(angle), angle }] : [];
  }));
}

function disposeMaterial(material: Material): void {
  Object.values(material).forEach(value => { if (value instanceof Texture) value.dispose(); });
  material.dispose();
}
