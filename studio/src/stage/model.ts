// Avatars in GLB and FBX. The server says which of their nodes is which bone, and how the node turns with it.
import {
  Group, LoadingManager, Material, Mesh, Object3D, PropertyBinding, Quaternion, Texture, Vector3, type QuaternionTuple,
} from 'three';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { BoneInfo, RigInfo } from '../protocol.ts';
import type { Frame } from '../wire.ts';
import { headOf, type Body, type Head } from './body.ts';

/** A file's scene, and how to find a node by the name that it has in the file. */
interface Loaded { scene: Object3D; find: (name: string) => Object3D | undefined }

export async function loadModel(bytes: ArrayBuffer, rig: RigInfo): Promise<Body> {
  const loaded = rig.model === 'fbx' ? loadFbx(bytes) : await loadGlb(bytes);
  return new Model(loaded, rig);
}

async function loadGlb(bytes: ArrayBuffer): Promise<Loaded> {
  const { scene, parser } = await new GLTFLoader().parseAsync(bytes, '');
  // The loader makes names unique and leaves letters out; the file's own are in its JSON.
  const nodes = parser.json.nodes as { name?: string }[] | undefined;
  const byName = new Map<string, Object3D>();
  scene.traverse(node => {
    const index = parser.associations.get(node)?.nodes;
    const name = index === undefined ? undefined : nodes?.[index]?.name;
    if (name !== undefined && !byName.has(name)) byName.set(name, node);
  });
  return { scene, find: name => byName.get(name) ?? named(scene, name) };
}

/** One white pixel, for pictures that are not in the file: colours stay as they are. */
const WHITE = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAG7buVgAAAABJRU5ErkJggg==';

function loadFbx(bytes: ArrayBuffer): Loaded {
  const manager = new LoadingManager();
  manager.setURLModifier(url => /^(blob|data):/.test(url) ? url : WHITE);
  const scene = new FBXLoader(manager).parse(bytes, '');
  return { scene, find: name => named(scene, name) };
}

const named = (scene: Object3D, name: string): Object3D | undefined =>
  scene.getObjectByName(name) ?? scene.getObjectByName(PropertyBinding.sanitizeNodeName(name));

interface Joint { node: Object3D; index: number; before: Quaternion; after: Quaternion }
interface Shape { influences: number[]; at: number; channel: number }

const quaternion = (it: QuaternionTuple | null | undefined): Quaternion => new Quaternion(...(it ?? [0, 0, 0, 1]));

class Model implements Body {
  readonly scene = new Group();
  readonly eyes: number;
  readonly head: Head;
  readonly #inside: Object3D;
  readonly #joints: Joint[];
  readonly #shapes: Shape[];
  readonly #hips: Joint | undefined;
  readonly #root = new Vector3();
  readonly #turn = new Quaternion();

  constructor({ scene, find }: Loaded, rig: RigInfo) {
    this.eyes = rig.eyes;
    this.#inside = scene;
    this.scene.add(scene);
    this.#joints = rig.bones.flatMap(({ node: name, before, after }, index) => {
      const node = name ? find(name) : undefined;
      return node ? [{ node, index, before: quaternion(before), after: quaternion(after) }] : [];
    });
    this.#hips = this.#joints.find(({ index }) => rig.bones[index]!.name === 'hips');
    if (!this.#hips) throw new Error('none of its bones is in the file that came');
    this.#shapes = shapes(scene, rig);
    scene.traverse(node => { node.frustumCulled = false; });
    this.#stand(rig.bones);
    this.head = headOf(rig, this.#joints.find(({ index }) => rig.bones[index]!.name === 'head')?.node);
  }

  /** Turns and scales the file's scene into ours: upright, facing us, in metres. */
  #stand(bones: readonly BoneInfo[]): void {
    this.scene.updateMatrixWorld(true);
    const { node, before } = this.#hips!;
    const above = node.parent!.getWorldQuaternion(new Quaternion());
    this.#inside.quaternion.premultiply(before.clone().conjugate().multiply(above.conjugate()));
    this.#inside.scale.multiplyScalar(scaleOf(this.#joints, bones));
    this.scene.updateMatrixWorld(true);
  }

  show({ rotations, root, weights }: Frame): void {
    for (const { node, index, before, after } of this.#joints) {
      this.#turn.fromArray(rotations, 4 * index);
      node.quaternion.copy(before).multiply(this.#turn).multiply(after);
    }
    const { node } = this.#hips!;
    node.position.copy(node.parent!.worldToLocal(this.#root.fromArray(root)));
    this.#shapes.forEach(({ influences, at }) => { influences[at] = 0; });
    this.#shapes.forEach(({ influences, at, channel }) => { influences[at] = Math.max(influences[at]!, weights[channel] ?? 0); });
  }

  dispose(): void {
    this.#inside.traverse(node => {
      if (!(node instanceof Mesh)) return;
      node.geometry.dispose();
      [node.material as Material | Material[]].flat().forEach(disposeMaterial);
    });
  }
}

/** How long bones are says how large the file is, in whatever pose it is. */
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

/** Which shapes of which meshes show the channels. */
function shapes(scene: Object3D, rig: RigInfo): Shape[] {
  const found: Shape[] = [];
  scene.traverse(node => {
    if (!(node instanceof Mesh) || !node.morphTargetDictionary || !node.morphTargetInfluences) return;
    const influences = node.morphTargetInfluences, known = node.morphTargetDictionary;
    rig.channels.forEach(({ morphs = [] }, channel) => morphs.forEach(name => {
      const at = known[name] ?? known[PropertyBinding.sanitizeNodeName(name)];
      if (at !== undefined) found.push({ influences, at, channel });
    }));
  });
  return found;
}

function disposeMaterial(material: Material): void {
  Object.values(material).forEach(value => { if (value instanceof Texture) value.dispose(); });
  material.dispose();
}
