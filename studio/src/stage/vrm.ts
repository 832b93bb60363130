// VRM avatars, through three-vrm.
import { VRMLoaderPlugin, VRMUtils, type VRM, type VRMHumanBoneName } from '@pixiv/three-vrm';
import type { Object3D } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { RigInfo } from '../protocol.ts';
import type { Frame } from '../wire.ts';
import type { Body } from './body.ts';
import { measure, type Size } from './size.ts';

export async function loadVrm(bytes: ArrayBuffer, rig: RigInfo): Promise<Body> {
  const loader = new GLTFLoader();
  loader.register(parser => new VRMLoaderPlugin(parser));
  const vrm = (await loader.parseAsync(bytes, '')).userData['vrm'] as VRM | undefined;
  if (!vrm) throw new Error('the file is not a VRM avatar');
  return new Avatar(vrm, rig);
}

class Avatar implements Body {
  readonly scene: Object3D;
  readonly size: Size;
  readonly #vrm: VRM;
  readonly #bones: { node: Object3D; index: number }[];
  readonly #channels: string[];
  /** VRM 0.x avatars face the other way: rotations about x and z are negated. */
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
    this.size = measure(vrm.scene, rig, vrm.humanoid.getRawBoneNode('head'));
    if (vrm.lookAt) vrm.lookAt.autoUpdate = false; // the frame contains the eye rotation
    vrm.scene.traverse(node => { node.frustumCulled = false; });
  }

  show({ rotations, root, weights }: Frame, seconds: number): void {
    const sign = this.#sign;
    for (const { node, index } of this.#bones) {
      const at = 4 * index;
      node.quaternion.set(sign * rotations[at]!, rotations[at + 1]!, sign * rotations[at + 2]!, rotations[at + 3]!);
    }
    this.#vrm.humanoid.getNormalizedBoneNode('hips')?.position.set(sign * root[0]!, root[1]!, sign * root[2]!);
    this.#channels.forEach((name, i) => this.#vrm.expressionManager?.setValue(name, weights[i] ?? 0));
    this.#vrm.update(seconds);
  }

  dispose(): void {
    VRMUtils.deepDispose(this.#vrm.scene);
  }
}
