import type { Bytes, Options } from './vivant.js';
import type { Life } from './three-vrm.js';

export type { Life } from './three-vrm.js';

/** A TalkingHead of @met4citizen/talkinghead, which has no type definitions. */
export interface TalkingHeadLike {
  readonly armature: any;
  readonly avatar: { url: string };
  readonly opt: Record<string, any>;
  readonly mtAvatar: Record<string, any>;
}

export interface TalkingHeadOptions extends Options {
  /** If true (default), Vivant animates the whole body, otherwise only neck, head and eyes on top of TalkingHead's poses. */
  body?: boolean;
  /** If true, Vivant also moves mouth and brows for lines passed to `say`; by default TalkingHead does. */
  mouth?: boolean;
  /** The avatar file; by default it is fetched again from TalkingHead's URL, usually from the browser cache. */
  bytes?: Bytes;
}

/**
 * Animates a TalkingHead that shows an avatar: Vivant replaces its blinks, gaze and idle motion. Do not call `update()`;
 * TalkingHead does.
 */
export function vivant(head: TalkingHeadLike, options?: TalkingHeadOptions): Promise<Life>;
export default vivant;
