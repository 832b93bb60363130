// How large a body is, and where its face is: what a camera has to know.
import { Matrix3, Mesh, Vector3, type Object3D } from 'three';
import type { RigInfo } from '../protocol.ts';

/** In metres, of a body at rest. */
export interface Size {
  /** How high its eyes are. */
  eyes: number;
  /** How high its hair or hat is. */
  top: number;
  /** Where its face is. */
  face: Vector3;
  /** Where its face is now. */
  faceNow(into: Vector3): Vector3;
}

/** How far before the head's joint the face is, as a share of the eyes' height. */
const FACE_AHEAD = 0.05;
/** Where the eyes are between the head's joint and its top, of who has no bones for them. */
const EYES_UP = 0.45;
const MOST_VERTICES = 300;
const TALLEST = 2.5;

/** Measures a body at rest; what its face is to the head's node then, it stays. */
export function measure(scene: Object3D, rig: RigInfo, node: Object3D | null | undefined): Size {
  const bone = (wanted: string) => rig.bones.find(({ name }) => name === wanted);
  const joint = new Vector3(...bone('head')?.rest ?? [0, rig.eyes, 0]);
  scene.updateMatrixWorld(true);
  const top = Math.min(TALLEST * rig.eyes, Math.max(1.08 * rig.eyes, highest(scene)));
  const eyes = bone('leftEye')?.exists ? rig.eyes : joint.y + EYES_UP * (top - joint.y);
  const face = new Vector3(joint.x, eyes, joint.z + FACE_AHEAD * eyes);
  if (!node) return { eyes, top, face, faceNow: into => into.copy(face) };
  const inside = face.clone().sub(joint).applyMatrix3(new Matrix3().setFromMatrix4(node.matrixWorld).invert());
  const faceNow = (into: Vector3) => {
    node.updateWorldMatrix(true, false);
    return node.localToWorld(into.copy(inside));
  };
  return { eyes, top, face, faceNow };
}

/** A few hundred points of each mesh tell it well enough. */
function highest(scene: Object3D): number {
  const point = new Vector3();
  let top = 0;
  scene.traverse(node => {
    if (!(node instanceof Mesh)) return;
    const count: number = node.geometry.getAttribute('position')?.count ?? 0, step = Math.max(1, Math.floor(count / MOST_VERTICES));
    for (let i = 0; i < count; i += step) top = Math.max(top, node.localToWorld(node.getVertexPosition(i, point)).y);
  });
  return top;
}
