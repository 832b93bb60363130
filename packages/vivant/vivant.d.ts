import type { Behaviour, Happening, Intent, Repertoire, RigInfo, Say, Temperament } from './protocol.js';

export type * from './protocol.js';

/** Where the engine comes from: its address, an answer that brings it, its bytes, or the module itself. */
export type Source = string | URL | Request | Response | Promise<Response> | BufferSource | WebAssembly.Module;

/** Loads the engine: by itself from beside the package, or what it is given. Asked again, it does nothing. */
export default function init(source?: Source): Promise<void>;

/**
 * Makes the built-in motions ready, in slices of some milliseconds between which the page lives on. Otherwise the first
 * performer that has them does, at once. The adapters call it.
 */
export function prepare(): Promise<void>;

/**
 * Loads the model of audio lip-sync: from beside the package, or what it is given. `say` with a voice does, if
 * nobody did; what a performer is told until it is there waits, in order, and has no number.
 */
export function hear(source?: Exclude<Source, WebAssembly.Module>): Promise<void>;

/** The version of the engine. */
export function version(): string;
/** What Vivant calls an expression that an avatar has under any name of VRM, ARKit, Oculus or Ready Player Me. */
export function expressionOf(name: string): string;
/** What the numbers of `frame.signals` are called. */
export function signals(): string[];

/** In metres; in humanoid space, X is to the character's left, Y up, Z ahead. */
export type Place = readonly [number, number, number] | Float32Array | Float64Array | { readonly x: number; readonly y: number; readonly z: number };

/** Bytes of a file. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** The bones of VRM 1.0. */
export type BoneName =
  | 'hips' | 'spine' | 'chest' | 'upperChest' | 'neck' | 'head' | 'leftEye' | 'rightEye' | 'jaw'
  | `${'left' | 'right'}${'UpperLeg' | 'LowerLeg' | 'Foot' | 'Toes' | 'Shoulder' | 'UpperArm' | 'LowerArm' | 'Hand'}`
  | `${'left' | 'right'}Thumb${'Metacarpal' | 'Proximal' | 'Distal'}`
  | `${'left' | 'right'}${'Index' | 'Middle' | 'Ring' | 'Little'}${'Proximal' | 'Intermediate' | 'Distal'}`;

/** A straight line from zero, held at its end: VRM's range map. */
export interface Range {
  /** The angle of gaze, in degrees, beyond which nothing more happens. */
  inputMaxDegrees: number;
  /** What is shown there: degrees of an eye bone, or the weight of an expression. */
  outputScale: number;
}

/** An avatar that was loaded elsewhere, by where its bones are. */
export interface Rig {
  /** The version of the format. */
  version?: 1;
  /** The avatar's name. */
  name?: string;
  /** Where each bone is in the T-pose, in metres, facing +Z. */
  bones: { hips: [number, number, number]; head: [number, number, number] } & Partial<Record<BoneName, [number, number, number]>>;
  /** The expressions that it can show, by any name that VRM, ARKit, Oculus or Ready Player Me has for them. */
  expressions?: string[];
  /** How it looks around: VRM's `lookAt`. */
  lookAt?: {
    /** Whether expressions turn the eyes. */
    byExpression?: boolean;
    /** From the head bone to between the eyes, in metres. */
    offsetFromHead?: [number, number, number];
    /** Towards the nose. */
    inner?: Range;
    /** Away from the nose. */
    outer?: Range;
    down?: Range;
    up?: Range;
  };
  /** What its expressions do to its lids. */
  lids?: {
    /** The weight of the blink at which the eye is covered, left and right. */
    fullClosure?: [number, number];
    /** How much an expression at weight 1 closes the left and the right eye, from -1 (opens wide) to 1 (covers). */
    closing?: Record<string, [number, number]>;
  };
}

/** How a performer begins. */
export interface Role {
  /** Chance: the same seed and the same requests give the same performance, to the bit, everywhere. By default 1. */
  seed?: number;
  /** What kind of person it is. */
  temperament?: Temperament;
  /** Whether it acts by itself where nobody asks for anything; by default it does. */
  unasked?: boolean;
  /** Whether it breathes, blinks and looks about; by default it does. */
  lives?: boolean;
  /** Whom it attends to at first, in metres; by default somebody of its height, two metres ahead. */
  attend?: [number, number, number];
}

/** What a body can do beside living. */
export interface Motions {
  /** Stances, and what can be done in each; left out, the clips are played one after another. */
  repertoire?: Repertoire | string | Bytes;
  /** Files with clips (VRMA, GLB, BVH), by their names as the repertoire spells them. */
  clips?: Record<string, Bytes>;
  /** What it does where nobody asks. */
  behaviour?: Behaviour | string | Bytes;
}

export interface Options extends Role {
  /** `'builtin'` is the built-in character's nine stances, 150 gestures and 93 fidgets; `'none'` only lives. */
  motions?: 'builtin' | 'none' | Motions;
  /** Somebody's blinks: a blink model. */
  blinkModel?: object | string | Bytes;
  /** Somebody's eyes: an eye texture. */
  eyeTexture?: object | string | Bytes;
  /** What messages call the avatar. */
  name?: string;
  /** Whether it watches itself from the start, so that there are events. */
  events?: boolean;
}

/** A whole character: avatar, repertoire, behaviour model, temperament, blink model and eye texture. */
export class Character {
  /** From the files of its folder: their contents by their names, such as `clips/wave.glb`. It needs an avatar's file. */
  constructor(files: Record<string, Bytes | string>);
  /** Fetches the files of a character's folder. What the folder does not have may give 404. */
  static fetch(folder: string | URL): Promise<Character>;
  /** Its name, from its manifest. */
  readonly name: string;
  /** The bytes of its avatar's file, for whatever draws it. */
  readonly avatar: Uint8Array;
  /** What was dropped or guessed while it was read. */
  readonly warnings: string[];
  /** Frees its memory. Its performers live on. */
  free(): void;
  [Symbol.dispose](): void;
}

/** The samples of a voice. */
export type Voice = { samples: Float32Array | Int16Array; rate: number }
  | { readonly numberOfChannels: number; readonly length: number; readonly sampleRate: number; getChannelData(channel: number): Float32Array };

/** What else is known of a line. */
export interface Line extends Omit<Say, 'say' | 'pcm'> {
  /** Its voice, or the next samples of it. The mouth follows; you play the sound. */
  voice?: Voice;
}

/** Something that happened. */
export interface Happened {
  /** When, in seconds of the performance. */
  at: number;
  what: Happening;
}

/**
 * The last frame, where the engine has it: nothing is copied, and the next frame is written over it. When the engine's
 * memory grows, arrays that were handed out before become empty; so ask for them at each frame, and keep none.
 */
export interface Frame {
  /** In seconds. */
  readonly time: number;
  /** Local rotations of the 55 bones of VRM 1.0: x, y, z and w of each. All are identity in the T-pose. */
  readonly rotations: Float32Array;
  /** Where the hips are, in metres. */
  readonly root: Float32Array;
  /** The weights of `expressions`. */
  readonly weights: Float32Array;
  /** What eyes, lids and head do: see `signals()`. */
  readonly signals: Float32Array;
}

/** A character that lives. */
export class Performer {
  /** With an avatar's bytes (VRM 0.x, VRM 1.0, GLB) or a list of its bones. */
  constructor(avatar: Bytes | Rig, options?: Options);
  /** Of a character, with everything that lies in its folder. What `temperament` leaves out is the character's. */
  constructor(character: Character, role?: Role & Pick<Options, 'events'>);
  /** Tells it something; gives the number by which events speak of the wish that it became. */
  intend(intent: Intent | string): number | undefined;
  /** Says a line, with its voice if there is one; `''` with a `line` adds only a voice. */
  say(text: string, line?: Line): number | undefined;
  /** Is another kind of person from now on. */
  temper(temperament: Temperament): void;
  /** Someone is here: it looks at them and away, as people do. */
  attend(place: Place): void;
  /** Keeps looking there, until it is told otherwise; `null` is `lookFreely()`. */
  follow(place: Place | null): void;
  /** Looks where it likes again. */
  lookFreely(): void;
  /** Lets all happen that is due until `t`, in seconds. Time does not run backwards: an earlier `t` changes nothing. */
  advanceTo(t: number): Frame;
  readonly frame: Frame;
  /** The instant of the frame, in seconds. */
  readonly time: number;
  /** The names of the bones, in the order of rotations. */
  readonly bones: BoneName[];
  /** The names of the expressions, in the order of weights. */
  readonly expressions: string[];
  /** Bones, expressions, and the file's own nodes that show them. */
  readonly info: RigInfo;
  /** What was dropped or guessed while it was made. */
  readonly warnings: string[];
  /** Lets it watch itself, so that there are events. */
  watch(isWatched?: boolean): void;
  /** What has happened since this was last asked. */
  events(): Happened[];
  /** Another performer with the same body, motions and eyes, which they share: for crowds. */
  another(role?: Role): Performer;
  /** Lets its memory go; nothing can be asked of it any more. */
  free(): void;
  [Symbol.dispose](): void;
}
