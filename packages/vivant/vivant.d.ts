import type { Behaviour, EventKind, Intent, Repertoire, RigInfo, Say, Temperament } from './protocol.js';

export type * from './protocol.js';

/** Source of the engine: a URL, a response, bytes, or a compiled module. */
export type Source = string | URL | Request | Response | Promise<Response> | BufferSource | WebAssembly.Module;

/** Loads the engine from `source`, or from the package. Further calls have no effect. */
export default function init(source?: Source): Promise<void>;

/**
 * Builds the built-in motions in steps of a few milliseconds, so that the page stays responsive. Otherwise the first
 * performer that uses them builds them at once. The adapters call it.
 */
export function prepare(): Promise<void>;

/**
 * Loads the audio lip-sync model from `source`, or from the package. `say` with a voice does so if needed. Until it is
 * loaded, intents wait in order, and `say` and `intend` return `undefined` for them.
 */
export function hear(source?: Exclude<Source, WebAssembly.Module>): Promise<void>;

/** Returns the version of the engine. */
export function version(): string;
/** Returns Vivant's name of an expression, given its name in VRM, ARKit, Oculus or Ready Player Me. */
export function expressionOf(name: string): string;
/** Returns the names of the values in `frame.signals`. */
export function signals(): string[];

/** A position in metres. In humanoid space, X is to the character's left, Y up, Z ahead. */
export type Place = readonly [number, number, number] | Float32Array | Float64Array | { readonly x: number; readonly y: number; readonly z: number };

/** Contents of a file. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** Bone names of VRM 1.0. */
export type BoneName =
  | 'hips' | 'spine' | 'chest' | 'upperChest' | 'neck' | 'head' | 'leftEye' | 'rightEye' | 'jaw'
  | `${'left' | 'right'}${'UpperLeg' | 'LowerLeg' | 'Foot' | 'Toes' | 'Shoulder' | 'UpperArm' | 'LowerArm' | 'Hand'}`
  | `${'left' | 'right'}Thumb${'Metacarpal' | 'Proximal' | 'Distal'}`
  | `${'left' | 'right'}${'Index' | 'Middle' | 'Ring' | 'Little'}${'Proximal' | 'Intermediate' | 'Distal'}`;

/** A linear ramp from zero with a limit: VRM's range map. */
export interface Range {
  /** Gaze angle in degrees at which the output reaches its limit. */
  inputMaxDegrees: number;
  /** Output at that angle: degrees of an eye bone, or the weight of an expression. */
  outputScale: number;
}

/** An avatar loaded elsewhere, described by its bone positions. */
export interface Rig {
  /** Version of the format. */
  version?: 1;
  /** Name of the avatar. */
  name?: string;
  /** Bone positions in the T-pose in metres, facing +Z. */
  bones: { hips: [number, number, number]; head: [number, number, number] } & Partial<Record<BoneName, [number, number, number]>>;
  /** Expressions of the avatar, by their names in VRM, ARKit, Oculus or Ready Player Me. */
  expressions?: string[];
  /** Eye movement: VRM's `lookAt`. */
  lookAt?: {
    /** True if expressions move the eyes instead of bones. */
    byExpression?: boolean;
    /** Offset from the head bone to the middle between the eyes in metres. */
    offsetFromHead?: [number, number, number];
    /** Horizontal gaze towards the nose. */
    inner?: Range;
    /** Horizontal gaze away from the nose. */
    outer?: Range;
    down?: Range;
    up?: Range;
  };
  /** Effect of expressions on the lids. */
  lids?: {
    /** Weight of the blink expression at which the eye is closed, left and right. */
    fullClosure?: [number, number];
    /** How far an expression at weight 1 closes the left and right eye, from -1 (wide open) to 1 (closed). */
    closing?: Record<string, [number, number]>;
  };
}

/** Initial settings of a performer. */
export interface Role {
  /** Random seed; 1 by default. The same seed and intents give a bit-identical performance on every platform. */
  seed?: number;
  /** Temperament of the performer. */
  temperament?: Temperament;
  /** If true (default), it acts spontaneously when there are no intents. */
  unasked?: boolean;
  /** If true (default), it breathes, blinks and looks around. */
  lives?: boolean;
  /** Initial position of the attended person in metres; by default at its own eye height, 2 m ahead. */
  attend?: [number, number, number];
}

/** Custom motions of a performer. */
export interface Motions {
  /** Stances with their gestures, fidgets and transitions. Without it, the clips play one after another. */
  repertoire?: Repertoire | string | Bytes;
  /** Clip files (VRMA, GLB, BVH) by the names used in the repertoire. */
  clips?: Record<string, Bytes>;
  /** Behaviour model for spontaneous actions. */
  behaviour?: Behaviour | string | Bytes;
}

export interface Options extends Role {
  /** `'builtin'` has nine body stances, three head stances, 150 gestures and 93 fidgets; `'none'` only breathes, blinks and looks around. */
  motions?: 'builtin' | 'none' | Motions;
  /** Blink model of a person. */
  blinkModel?: object | string | Bytes;
  /** Eye texture of a person. */
  eyeTexture?: object | string | Bytes;
  /** Name of the avatar in messages. */
  name?: string;
  /** If true, events are recorded from the start. */
  events?: boolean;
}

/** A character folder: avatar, repertoire, behaviour model, temperament, blink model and eye texture. */
export class Character {
  /** Reads a character from the contents of its files by name, such as `clips/wave.glb`. An avatar file is required. */
  constructor(files: Record<string, Bytes | string>);
  /** Fetches a character folder. Missing optional files may return 404. */
  static fetch(folder: string | URL): Promise<Character>;
  /** Name of the character, from its manifest. */
  readonly name: string;
  /** Bytes of the avatar file, for the renderer. */
  readonly avatar: Uint8Array;
  /** Warnings about parts that were ignored or guessed. */
  readonly warnings: string[];
  /** Frees its memory. Its performers stay usable. */
  free(): void;
  [Symbol.dispose](): void;
}

/** Audio samples of a voice, or an `AudioBuffer`. */
export type Voice = { samples: Float32Array | Int16Array; rate: number }
  | { readonly numberOfChannels: number; readonly length: number; readonly sampleRate: number; getChannelData(channel: number): Float32Array };

/** Options of a speech line. */
export interface Line extends Omit<Say, 'say' | 'pcm'> {
  /** Its voice, or the next samples of it. The mouth follows the audio; playing it is up to you. */
  voice?: Voice;
}

/** An event of a performer. */
export interface Happened {
  /** Time in seconds of the performance. */
  at: number;
  what: EventKind;
}

/**
 * The last frame, as views of the engine's memory: nothing is copied, and the next frame overwrites it. When the memory
 * grows, older arrays become empty, so read the arrays from the frame each time.
 */
export interface Frame {
  /** Time of the frame in seconds. */
  readonly time: number;
  /** Local rotations of the 55 bones of VRM 1.0 as quaternions (x, y, z, w). All are identity in the T-pose. */
  readonly rotations: Float32Array;
  /** Position of the hips in metres. */
  readonly root: Float32Array;
  /** Weights of `expressions`. */
  readonly weights: Float32Array;
  /** Signals of eyes, lids and head; see `signals()`. */
  readonly signals: Float32Array;
}

/** A running character. */
export class Performer {
  /** Creates a performer from the bytes of an avatar (VRM 0.x, VRM 1.0, GLB) or its bone positions. */
  constructor(avatar: Bytes | Rig, options?: Options);
  /** Creates a performer of a character. Fields that `temperament` omits come from the character. */
  constructor(character: Character, role?: Role & Pick<Options, 'events'>);
  /** Sends an intent. Returns its id, which events refer to. */
  intend(intent: Intent | string): number | undefined;
  /** Speaks a line, optionally with a voice. An empty text with a voice moves the mouth by audio alone. */
  say(text: string, line?: Line): number | undefined;
  /** Changes the temperament. */
  temper(temperament: Temperament): void;
  /** Sets the position of the attended person. The gaze alternates between them and elsewhere, as in a conversation. */
  attend(place: Place): void;
  /** Keeps the gaze on a position; `null` is `lookFreely()`. */
  follow(place: Place | null): void;
  /** Ends `follow()`: the gaze is free again. */
  lookFreely(): void;
  /** Advances the performance to `t` in seconds. An earlier `t` changes nothing. */
  advanceTo(t: number): Frame;
  readonly frame: Frame;
  /** Time of the last frame in seconds. */
  readonly time: number;
  /** Bone names in the order of rotations. */
  readonly bones: BoneName[];
  /** Expression names in the order of weights. */
  readonly expressions: string[];
  /** Bones, expressions, and the nodes of the file that display them. */
  readonly info: RigInfo;
  /** Warnings about parts of the avatar or motions that were ignored or guessed. */
  readonly warnings: string[];
  /** Starts or stops the recording of events. */
  watch(isWatched?: boolean): void;
  /** Returns the events since the last call. */
  events(): Happened[];
  /** Creates another performer that shares body, motions and eyes: for crowds. */
  another(role?: Role): Performer;
  /** Frees its memory. The performer cannot be used afterwards. */
  free(): void;
  [Symbol.dispose](): void;
}
