import type { Quaternion, Vector3 } from 'three';
import type { BoneInfo } from './protocol.d.ts';

/** The used part of a frame. */
interface Posed { root: ArrayLike<number>; rotations: ArrayLike<number> }

/** A node that is positioned explicitly, because its parent in the file is not the parent bone. */
export class Carried {
  constructor(bones: readonly BoneInfo[], index: number, before: Quaternion, rest: Vector3);
  /** Writes the node's translation, and the rotation between `before` and `after`. */
  pose(frame: Posed, place: Vector3, turn: Quaternion): void;
}
