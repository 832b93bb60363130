// What a frame is put on: an avatar from a file, or a figure of capsules where there is none to show.
import { VRMLoaderPlugin, VRMUtils, type VRM, type VRMHumanBoneName } from '@pixiv/three-vrm';
import {
  CapsuleGeometry, Group, Mesh, MeshStandardMaterial, Object3D, Quaternion, SphereGeometry, Vector3,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { api } from '../api.ts';
import type { RigInfo } from '../protocol.ts';
import type { Frame } from '../wire.ts';

/** Something that frames move. */
export interface Body {
  readonly scene: Object3D;
  /** How high its eyes are, in metres. */
  readonly eyes: number;
  show(frame: Frame, seconds: number): void;
  dispose(): void;
}

/** The body of a character, as it can be shown. */
export async function loadBody(id: string): Promise<Body> {
  const rig = await api.rig(id);
  return rig.model === 'vrm' ? loadAvatar(id, rig) : new Figure(rig);
}

async function loadAvatar(id: string, rig: RigInfo): Promise<Body> {
  const loader = new GLTFLoader();
  loader.register(parser => new VRMLoaderPlugin(parser));
  const vrm = (await loader.loadAsync(api.avatarUrl(id, rig.avatar))).userData['vrm'] as VRM | undefined;
  if (!vrm) throw new Error('the file is no VRM avatar');
  return new Avatar(vrm, rig);
}

class Avatar implements Body {
  readonly scene: Object3D;
  readonly eyes: number;
  readonly #vrm: VRM;
  readonly #bones: { node: Object3D; index: number }[];
  readonly #channels: string[];
  /** An avatar of VRM 0.x looks the other way: what turns about x and z turns back. */
  readonly #sign: number;

  constructor(vrm: VRM, rig: RigInfo) {
    this.#vrm = vrm;
    this.scene = vrm.scene;
    this.#channels = rig.channels.map(({ name }) => name);
    this.#sign = vrm.meta.metaVersion === '0' ? -1 : 1;
    VRMUtils.rotateVRM0(vrm);
    this.#bones = rig.bones.flatMap(({ name }, index) => {
      const node = vrm.humanoid.getNormalizedBoneNode(name as VRMHumanBoneName);
      return node ? [{ node, index }] : [];
    });
    this.eyes = rig.eyes;
    if (vrm.lookAt) vrm.lookAt.autoUpdate = false; // the frame says where the eyes look
    vrm.scene.traverse(node => { node.frustumCulled = false; });
  }

  show({ rotations, root, weights }: Frame, seconds: number): void {
    const sign = this.#sign;
    for (const { node, index } of this.#bones) {
      const [x = 0, y = 0, z = 0, w = 1] = rotations.subarray(4 * index, 4 * index + 4);
      node.quaternion.set(sign * x, y, sign * z, w);
    }
    const [x = 0, y = 0, z = 0] = root;
    this.#vrm.humanoid.getNormalizedBoneNode('hips')?.position.set(sign * x, y, sign * z);
    this.#channels.forEach((name, i) => this.#vrm.expressionManager?.setValue(name, weights[i] ?? 0));
    this.#vrm.update(seconds);
  }

  dispose(): void {
    VRMUtils.deepDispose(this.#vrm.scene);
  }
}

/** A figure of capsules, for skeletons that come without a surface. */
export class Figure implements Body {
  readonly scene = new Group();
  readonly eyes: number;
  readonly #nodes: Object3D[];

  constructor(rig: RigInfo) {
    const paint = new MeshStandardMaterial({ color: 0xd9805a, roughness: 0.6 });
    const rest = rig.bones.map(({ rest }) => new Vector3(...rest));
    this.#nodes = rig.bones.map(() => new Group());
    this.eyes = rig.eyes;
    rig.bones.forEach(({ name, parent, exists }, i) => {
      const node = this.#nodes[i]!, at = rest[i]!;
      if (parent === null || parent === undefined) {
        this.scene.add(node);
        return;
      }
      const way = at.clone().sub(rest[parent]!);
      node.position.copy(way);
      this.#nodes[parent]!.add(node);
      if (exists && way.length() > 0.01 && !/eye|jaw/i.test(name)) this.#nodes[parent]!.add(limb(way, paint));
    });
    const head = rig.bones.findIndex(({ name }) => name === 'head');
    const size = this.eyes * 0.062;
    const skull = new Mesh(new SphereGeometry(size, 24, 16), paint);
    skull.position.y = size;
    this.#nodes[head]?.add(skull);
  }

  show({ rotations, root }: Frame): void {
    this.#nodes.forEach((node, i) => node.quaternion.fromArray(rotations, 4 * i));
    this.#nodes[0]?.position.fromArray(root);
  }

  dispose(): void {
    this.scene.traverse(node => { if (node instanceof Mesh) node.geometry.dispose(); });
  }
}

function limb(way: Vector3, paint: MeshStandardMaterial): Mesh {
  const length = way.length(), radius = Math.min(0.045, 0.16 * length + 0.006);
  const mesh = new Mesh(new CapsuleGeometry(radius, Math.max(0.001, length - radius), 6, 12), paint);
  mesh.position.copy(way).multiplyScalar(0.5);
  mesh.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), way.clone().normalize()));
  return mesh;
}
