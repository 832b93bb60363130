// Size and face position of a body, for the camera.
import { Matrix3, Mesh, Vector3, type Object3D } from 'three';
import type { RigInfo } from '../protocol.ts';

/** Sizes in metres of a body at rest. */
export interface Extent {
  /** Eye height. */
  eyes: number;
  /** Height including hair or hat. */
  top: number;
  /** Height of the head. */
  head: number;
}

export interface Size extends Extent {
  /** Face position at rest. */
  face: Vector3;
  /** Writes the current face position to `into`. */
  faceNow(into: Vector3): Vector3;
}

/** Human head height as a share of the eye height. */
const HEAD = 0.15;
/** Distance of the eyes behind the tip of the nose, as a share of the head height. */
const NOSE = 0.15;
/** Eye position between head joint and top, for avatars without eye bones. */
const EYES_UP = 0.45;
const MOST_VERTICES = 300;
const TALLEST = 2.5;

/** Measures a body at rest. The face keeps its position relative to the head node. */
export function measure(scene: Object3D, rig: RigInfo, node: Object3D | null | undefined): Size {
  const bone = (wanted: string) => rig.bones.find(({ name }) => name === wanted);
  const joint = new Vector3(...bone('head')?.rest ?? [0, rig.eyes, 0]);
  scene.updateMatrixWorld(true);
  const points = sample(scene), hasEyes = bone('leftEye')?.exists ?? false;
  const top = Math.min(TALLEST * rig.eyes, points.reduce((most, { y }) => Math.max(most, y), 1.08 * rig.eyes));
  const head = hasEyes ? HEAD * rig.eyes : Math.max(HEAD * rig.eyes, top - joint.y);
  const eyes = hasEyes ? rig.eyes : joint.y + EYES_UP * head;
  const isFace = ({ x, y }: Vector3) => Math.abs(x - joint.x) < head / 3 && Math.abs(y - eyes) < head / 3;
  const front = points.filter(isFace).reduce((most, { z }) => Math.max(most, z), joint.z);
  const face = new Vector3(joint.x, eyes, Math.max(joint.z, front - NOSE * head));
  if (!node) return { eyes, top, head, face, faceNow: into => into.copy(face) };
  const inside = face.clone().sub(joint).applyMatrix3(new Matrix3().setFromMatrix4(node.matrixWorld).invert());
  const faceNow = (into: Vector3) => {
    node.updateWorldMatrix(true, false);
    return node.localToWorld(into.copy(inside));
  };
  return { eyes, top, head, face, faceNow };
}

/** Samples a few hundred vertices of each mesh. */
function sample(scene: Object3D): Vector3[] {
  const points: Vector3[] = [];
  scene.traverse(node => {
    if (!(node instanceof Mesh)) return;
    const count: number = node.geometry.getAttribute('position')?.count ?? 0, step = Math.max(1, Math.floor(count / MOST_VERTICES));
    for (let i = 0; i < count; i += step) points.push(node.localToWorld(node.getVertexPosition(i, new Vector3())));
  });
  return points;
}
