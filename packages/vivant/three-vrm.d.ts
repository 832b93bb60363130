import type { Object3D, Vector3Like } from 'three';
import type { Bytes, Intent, Line, Options, Performer, Temperament } from './vivant.js';

/** Something of the scene: an object, which may move, or a place. */
export type Target = Object3D | Vector3Like | readonly [number, number, number];

/** A VRM of @pixiv/three-vrm, of version 0.x or 1.0. */
export interface VrmLike {
  readonly scene: Object3D;
  readonly humanoid: { getNormalizedBoneNode(name: any): Object3D | null };
  update(delta: number): void;
}

/** What GLTFLoader gives; if there is a VRM in it, that one lives. */
export interface GltfLike {
  readonly scene: Object3D;
  readonly parser: { readonly json: any; readonly associations: Map<any, any> };
  readonly userData: Record<string, any>;
}

export interface LifeOptions extends Options {
  /** Whether the whole body lives, which is the default, or only neck, head and eyes, above what you animate. */
  body?: boolean;
  /** Whether `update()` also calls `vrm.update()`, as it does by default; otherwise call it yourself after it. */
  updateVrm?: boolean;
  /** The file that the avatar was loaded from, if it is not given by what GLTFLoader gave. */
  bytes?: Bytes;
}

/** A character that lives in a scene. */
export class Life {
  /** All that can be asked of it. Places are in the avatar's own space here. */
  readonly performer: Performer;
  /** Keeps looking at something, wherever it and the avatar move; `null` looks where it likes. */
  lookAt(target: Target | null): void;
  /** Someone is here: it looks at them and away, as people do. `null` leaves them where they were last. */
  attend(target: Target | null): void;
  /** Tells it something. A `look` ends `lookAt()`. */
  intend(intent: Intent | string): number | undefined;
  /** Says a line. */
  say(text: string, line?: Line): number | undefined;
  /** Is another kind of person from now on. */
  temper(temperament: Temperament): void;
  /** Lets `delta` seconds pass, and shows it. */
  update(delta: number): void;
  /** Ends it, and gives the avatar back as it was. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Makes an avatar alive: a VRM, what GLTFLoader gives, or an object of the scene together with its file's `bytes`. */
export function vivant(avatar: VrmLike | GltfLike | Object3D, options?: LifeOptions): Promise<Life>;
export default vivant;
