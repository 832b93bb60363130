// A capsule figure, for skeletons without a mesh.
import { CapsuleGeometry, Group, Mesh, MeshStandardMaterial, Object3D, Quaternion, SphereGeometry, Vector3 } from 'three';
import type { RigInfo } from '../protocol.ts';
import type { Frame } from '../wire.ts';
import type { Body } from './body.ts';
import { measure, type Size } from './size.ts';

export class Figure implements Body {
  readonly scene = new Group();
  readonly size: Size;
  readonly #nodes: Object3D[];
  readonly #paint = new MeshStandardMaterial({ color: 0xd9805a, roughness: 0.6 });

  constructor(rig: RigInfo) {
    this.#nodes = rig.bones.map(() => new Group());
    const rest = rig.bones.map(({ rest }) => new Vector3(...rest));
    rig.bones.forEach(({ name, parent, exists }, i) => {
      const node = this.#nodes[i]!;
      if (parent === null || parent === undefined) return void this.scene.add(node);
      const way = rest[i]!.clone().sub(rest[parent]!);
      node.position.copy(way);
      this.#nodes[parent]!.add(node);
      if (exists && way.length() > 0.01 && !/eye|jaw/i.test(name)) this.#nodes[parent]!.add(limb(way, this.#paint));
    });
    const head = this.#nodes[rig.bones.findIndex(({ name }) => name === 'head')];
    head?.add(skull(0.062 * rig.eyes, this.#paint));
    this.#nodes[0]?.position.copy(rest[0]!);
    this.size = measure(this.scene, rig, head);
  }

  show({ rotations, root }: Frame): void {
    this.#nodes.forEach((node, i) => node.quaternion.fromArray(rotations, 4 * i));
    this.#nodes[0]?.position.fromArray(root);
  }

  dispose(): void {
    this.#paint.dispose();
    this.scene.traverse(node => { if (node instanceof Mesh) node.geometry.dispose(); });
  }
}

function skull(radius: number, paint: MeshStandardMaterial): Mesh {
  const mesh = new Mesh(new SphereGeometry(radius, 24, 16), paint);
  mesh.position.y = radius;
  return mesh;
}

function limb(way: Vector3, paint: MeshStandardMaterial): Mesh {
  const length = way.length(), radius = Math.min(0.045, 0.16 * length + 0.006);
  const mesh = new Mesh(new CapsuleGeometry(radius, Math.max(0.001, length - radius), 6, 12), paint);
  mesh.position.copy(way).multiplyScalar(0.5);
  mesh.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), way.clone().normalize()));
  return mesh;
}
