import type { Object3D, Vector3Like } from 'three';
import type { Bytes, Intent, Line, Options, Performer, Temperament } from './vivant.js';

/** A gaze target in the scene: an object, which may move, or a position. */
export type Target = Object3D | Vector3Like | readonly [number, number, number];

/** A VRM 0.x or 1.0 of @pixiv/three-vrm. */
export interface VrmLike {
  readonly scene: Object3D;
  readonly humanoid: { getNormalizedBoneNode(name: any): Object3D | null };
  update(delta: number): void;
}

/** The result of GLTFLoader; if it contains a VRM, that is used. */
export interface GltfLike {
  readonly scene: Object3D;
  readonly parser: { readonly json: any; readonly associations: Map<any, any> };
  readonly userData: Record<string, any>;
}

export interface LifeOptions extends Options {
  /** If true (default), Vivant animates the whole body, otherwise only neck, head and eyes on top of your animation. */
  body?: boolean;
  /** If true (default), `update()` also calls `vrm.update()`; otherwise call it yourself afterwards. */
  updateVrm?: boolean;
  /** The avatar file; needed if you pass an object instead of GLTFLoader's result. */
  bytes?: Bytes;
}

/** A running character in a scene. */
export class Life {
  /** The performer with the full API. Its positions are in the avatar's own space. */
  readonly performer: Performer;
  /** Keeps the gaze on a target, even if it or the avatar moves; `null` frees the gaze. */
  lookAt(target: Target | null): void;
  /** Sets the attended person: the gaze alternates between them and elsewhere. `null` keeps their last position. */
  attend(target: Target | null): void;
  /** Sends an intent. A `look` ends `lookAt()`. */
  intend(intent: Intent | string): number | undefined;
  /** Speaks a line. */
  say(text: string, line?: Line): number | undefined;
  /** Changes the temperament. */
  temper(temperament: Temperament): void;
  /** Advances by `delta` seconds and updates the avatar. */
  update(delta: number): void;
  /** Ends the animation and restores the avatar. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Animates an avatar: a VRM, the result of GLTFLoader, or an object of the scene with the `bytes` of its file. */
export function vivant(avatar: VrmLike | GltfLike | Object3D, options?: LifeOptions): Promise<Life>;
export default vivant;
