import type { Bytes, Options } from './vivant.js';
import type { Life } from './three-vrm.js';

export type { Life } from './three-vrm.js';

/** A TalkingHead of @met4citizen/talkinghead, which has no types of its own. */
export interface TalkingHeadLike {
  readonly armature: any;
  readonly avatar: { url: string };
  readonly opt: Record<string, any>;
  readonly mtAvatar: Record<string, any>;
}

export interface TalkingHeadOptions extends Options {
  /** Whether the whole body lives, which is the default, or only neck, head and eyes, above TalkingHead's poses. */
  body?: boolean;
  /** Whether Vivant also moves mouth and brows, for what you tell it to say; by default they are TalkingHead's. */
  mouth?: boolean;
  /** The avatar's file; by default it is fetched from where TalkingHead has it, which the browser remembers. */
  bytes?: Bytes;
}

/**
 * Lets a TalkingHead live that shows an avatar: blinking, looking and idling are Vivant's from now on. There is no need
 * to call `update()`: TalkingHead does.
 */
export function vivant(head: TalkingHeadLike, options?: TalkingHeadOptions): Promise<Life>;
export default vivant;
