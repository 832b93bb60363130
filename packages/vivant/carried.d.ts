import type { Quaternion, Vector3 } from 'three';
import type { BoneInfo } from './protocol.d.ts';

/** What is read of a frame. */
interface Posed { root: ArrayLike<number>; rotations: ArrayLike<number> }

/** A node that is put in its place, since the bone above its own does not carry it. */
export class Carried {
  constructor(bones: readonly BoneInfo[], index: number, before: Quaternion, rest: Vector3);
  /** Writes the node's translation, and the rotation that stands between `before` and `after`. */
  pose(frame: Posed, place: Vector3, turn: Quaternion): void;
}
