// Generated from docs/schema/{intent,protocol,behaviour}.schema.json by `npm run types`; edit the types in Rust instead.

/**
 * An intent: a request to a character, one object with one verb.
 */
export type Intent = Say | Act | ToStance | Be | LookAt | Blink | Do | Stop;
/**
 * Kind of an action (paper 4's taxonomy).
 */
export type Kind = 'gesture' | 'fidget' | 'transition' | 'stance';
/**
 * The hand that performs an action.
 */
export type Hand = 'L' | 'R' | 'LR' | 'left' | 'right' | 'both';
/**
 * A layer; variants are in the order of composition.
 */
export type Layer = 'body' | 'arms' | 'head';
/**
 * Activity of a character; it sets the blink rate and the idle gaze.
 */
export type Activity = 'idle' | 'speaking' | 'listening' | 'reading' | 'thinking';
/**
 * Gaze target.
 */
export type LookTarget = [number, number, number] | LookWord;
/**
 * Named gaze target.
 */
export type LookWord = 'freely' | 'ahead' | 'away';
/**
 * Lid movement profile of a blink.
 */
export type BlinkProfile =
  'auto' | 'evinger' | 'symmetric-linear' | 'asymmetric-linear' | 'symmetric-ease' | 'asymmetric-ease' | 'pca' | 'real';
/**
 * Strategy that decides when a character blinks: the five strategies of Peters & Qureshi 2010 (Table 2), and `natural`.
 */
export type BlinkStrategy =
  | 'none'
  | 'regular'
  | 'gaze-evoked'
  | 'probabilistic-gaze-evoked'
  | 'regular-probabilistic'
  | 'natural'
  | 'nb'
  | 'ru'
  | 'ge'
  | 'pge'
  | 'r+pge';
/**
 * Measure of a gaze shift that determines the evoked blink. Peters & Qureshi 2010 use the three measures interchangeably.
 */
export type EvokedDriver = 'head' | 'eccentricity' | 'gaze';
/**
 * Model of gaze-evoked blinks.
 */
export type EvokedPreset = 'peters' | 'evinger';
/**
 * Rules that divide a gaze shift between eyes, head and torso.
 */
export type GazePreset = 'peters' | 'human';
/**
 * Main sequence: linear relation of saccade duration to amplitude A in degrees.
 */
export type MainSequence = 'collewijn' | 'eyes-alive' | 'carpenter';
/**
 * A part of the body, for masks.
 */
export type BodyPart = 'head' | 'spine' | 'arms' | 'leftArm' | 'rightArm' | 'legs';
/**
 * A distribution, given by quantiles at equally spaced probabilities: from the minimum to the maximum, in ascending order.
 *
 * @maxItems 1024
 */
export type Spread = number[];
/**
 * Format in which viewers load an avatar.
 */
export type Model = 'vrm' | 'glb' | 'skeleton';
/**
 * Kinds of events.
 */
export type EventKind =
  | {
      began: {
        /**
         * True if a client requested it.
         */
        asked: boolean;
        /**
         * Number of the intent that it belongs to, as in `done.intents`.
         */
        intent: number;
        /**
         * Name of the action.
         */
        name: string;
        /**
         * Planned end in seconds.
         */
        until: number;
      };
    }
  | {
      cut: {
        /**
         * Name of the action.
         */
        name: string;
      };
    }
  | {
      dropped: {
        /**
         * True if a client requested it.
         */
        asked: boolean;
        /**
         * Number of the intent, as in `done.intents`.
         */
        intent: number;
        /**
         * Reason as a sentence.
         */
        why: string;
      };
    }
  | 'blink'
  | {
      gazeShift: {
        /**
         * Pitch in degrees, positive upwards.
         */
        pitch: number;
        /**
         * Yaw in degrees, positive to the character's left.
         */
        yaw: number;
      };
    }
  | {
      state: {
        be: Activity;
      };
    }
  | {
      line: {
        /**
         * Text of the line.
         */
        say: string;
        /**
         * End of the line in seconds, as far as known.
         */
        until: number;
      };
    };

/**
 * Input and output of a performer.
 */
export interface PerformerProtocol {
  intent?: Intent;
  temperament?: Temperament;
  repertoire?: Repertoire;
  behaviour?: Behaviour;
  rigInfo?: RigInfo;
  eventKind?: EventKind;
}
/**
 * Speaks a line. The lips follow the phonemes, gestures and nods accompany stressed words, and the character breathes in before it speaks.  A line can be sent in pieces and refined later: intents with the same `line` add text, words, phonemes, visemes or samples to it. Missing times are estimated, and later information replaces the estimates without a jump. Lines do not overlap: a line that arrives during another one starts after it.
 */
export interface Say {
  /**
   * Start time in seconds of the performance. Default: after all previous lines and a pause. A later piece can change it until the line starts.
   */
  at?: number | null;
  /**
   * Duration of the line in seconds. Default: estimated from the text.
   */
  duration?: number | null;
  /**
   * Name of the line that this piece belongs to, if the line has several pieces; any text.
   */
  line?: string | null;
  /**
   * True if more pieces of the line follow; the character keeps the turn until the last one. Default: false.
   */
  more?: boolean | null;
  /**
   * Next audio samples of the voice.
   */
  pcm?: Pcm | null;
  /**
   * Phonemes with times in seconds from the start of the line, in order. They replace earlier entries from the start of the first new entry on.
   *
   * @maxItems 2048
   */
  phones?: SaidPhone[] | null;
  /**
   * Text of the line or of its next piece. Tags in square brackets are performed, not spoken: `[nod]`, `[smile]`, `[look:left]`, `[gesture:wave]`.
   */
  say: string;
  /**
   * Visemes with times in seconds from the start of the line, in order. They replace earlier entries from the start of the first new entry on.
   *
   * @maxItems 2048
   */
  visemes?: SaidViseme[] | null;
  /**
   * Words with times in seconds from the start of the line, in order. They replace earlier entries from the start of the first new entry on.
   *
   * @maxItems 2048
   */
  words?: SaidWord[] | null;
}
/**
 * Audio samples of a voice.
 */
export interface Pcm {
  /**
   * Mono 16-bit little-endian samples in Base64.
   */
  data: string;
  /**
   * Sampling rate in samples per second: 8,000 to 192,000, the same in all pieces of a line.
   */
  rate: number;
}
/**
 * A phoneme with its time in seconds from the start of the line.
 */
export interface SaidPhone {
  /**
   * End in seconds. Default: start of the next phoneme, but not later than a typical duration of the phoneme.
   */
  end?: number | null;
  /**
   * Phoneme in ARPAbet (`AH0`) or IPA (`ə`).
   */
  phone: string;
  /**
   * Start in seconds.
   */
  start: number;
}
/**
 * A viseme with its time in seconds from the start of the line.
 */
export interface SaidViseme {
  /**
   * End in seconds. Default: start of the next viseme, but not later than a typical duration of the viseme.
   */
  end?: number | null;
  /**
   * Start in seconds.
   */
  start: number;
  /**
   * Viseme as Oculus name (`PP`), Azure number (`"21"`) or Rhubarb letter (`A`).
   */
  viseme: string;
}
/**
 * A word with its time in seconds from the start of the line.
 */
export interface SaidWord {
  /**
   * End in seconds. Default: start of the next word, but not later than a typical duration of the word.
   */
  end?: number | null;
  /**
   * Start in seconds.
   */
  start: number;
  /**
   * The written word, with its punctuation if known.
   */
  word: string;
}
/**
 * Plays an action of the repertoire: a specific clip, or any that matches.
 */
export interface Act {
  act: Kind;
  /**
   * Start time in seconds of the performance. Default: now.
   */
  at?: number | null;
  /**
   * Name of a clip of the repertoire. If it is set, the kind is ignored.
   */
  clip?: string | null;
  /**
   * Wanted duration in seconds. Default: that of the clip.
   */
  duration?: number | null;
  /**
   * Hand that performs the action.
   */
  hand?: Hand | null;
  /**
   * Layer that the action plays on.
   */
  layer?: Layer | null;
  /**
   * Priority; actions with higher priority interrupt lower ones. Default: 0.
   */
  priority?: number | null;
  /**
   * True if the action continues after a shorter action of higher priority interrupted it. Default: false, the rest of the action is dropped.
   */
  resume?: boolean | null;
  /**
   * Stance in which the action is performed, or final stance of a transition.
   */
  stance?: string | null;
  /**
   * Time of the stroke, the instant that coincides with a stressed word, in seconds of the performance. The action starts earlier, so that its stroke is at this time, but it never starts before `at`. It is dropped if the stroke would be more than 0.25 s late.
   */
  strokeAt?: number | null;
  /**
   * Required tags; the action must have all of them.
   *
   * @maxItems 32
   */
  tags?: string[] | null;
}
/**
 * Changes the stance, through any transitions that lead to it.
 */
export interface ToStance {
  /**
   * Start time in seconds of the performance. Default: now.
   */
  at?: number | null;
  /**
   * Priority; actions with higher priority interrupt lower ones. Default: 0.
   */
  priority?: number | null;
  /**
   * Name of the stance.
   */
  stance: string;
}
/**
 * Sets the activity, which determines the idle behaviour of eyes, breath and body.
 */
export interface Be {
  /**
   * Start time in seconds of the performance. Default: now.
   */
  at?: number | null;
  be: Activity;
  /**
   * Intensity of the mood from 0 to 1. Default: 0.6.
   */
  intensity?: number | null;
  /**
   * Mood: `neutral`, `happy`, `angry`, `sad`, `relaxed` or `surprised`, which affect face, posture, blinks and tempo; or the name of a corpus of the character's eye texture. Default: none for the face; the eyes use the corpus of the activity.
   */
  mood?: string | null;
}
/**
 * Directs the gaze.
 */
export interface LookAt {
  /**
   * Start time in seconds of the performance. Default: now.
   */
  at?: number | null;
  look: LookTarget;
}
/**
 * Blinks once.
 */
export interface Blink {
  /**
   * Start time in seconds of the performance. Default: now.
   */
  at?: number | null;
  /**
   * Must be true.
   */
  blink: true;
}
/**
 * Performs an action by name: everything that a tag in a line can do, without a line.
 */
export interface Do {
  /**
   * Start time in seconds of the performance. Default: now.
   */
  at?: number | null;
  /**
   * Name of the action: `nod`, `smile`, `brows`, `weight:left`, `tilt:right`, `look:up`, `gesture:wave`, or a clip name or tag of the repertoire.
   */
  do: string;
  /**
   * Priority, if the action is a clip of the repertoire; actions with higher priority interrupt lower ones. Default: 0.
   */
  priority?: number | null;
}
/**
 * Stops the actions of one layer or of all layers, discards pending intents, and returns to the stance.
 */
export interface Stop {
  /**
   * Start time in seconds of the performance. Default: now.
   */
  at?: number | null;
  /**
   * Layer to stop. Default: all layers.
   */
  layer?: Layer | null;
  /**
   * Must be true.
   */
  stop: true;
  /**
   * Maximum duration of the return to the stance in seconds. Default: 0.4, or 0.2 during a line.
   */
  within?: number | null;
}
/**
 * Parameters of eyes, lids and head of a character. Every field may be omitted.
 */
export interface Temperament {
  /**
   * Tendency of the eyes to stay on the attended target, 0–1: 0.5 as measured in people, 1 always.
   */
  attentiveness?: number;
  blinkProfile?: BlinkProfile;
  blinks?: BlinkStrategy;
  /**
   * Spontaneous blinks per minute. By default the rate of the current activity.
   */
  blinksPerMinute?: number | null;
  /**
   * Fraction of spontaneous blinks that are double blinks, 0–1.
   */
  doubleBlinks?: number;
  evoked?: Evoked;
  /**
   * Half-width in degrees of the zone in which a non-mover (HMF 0) uses the eyes only.
   */
  eyeOnlyDeg?: number;
  gaze?: GazePreset;
  /**
   * Head-movement factor (HMF, paper 2), 0–1: 0 moves the head only when necessary, 1 always by the whole gaze shift.
   */
  headMovementFactor?: number;
  /**
   * Speed of lid movements, 0.1–2: 1 as measured, less when tired.
   */
  lidTempo?: number;
  /**
   * Amount of involuntary movement, 0–1: microsaccades, drift, overshoots, corrections, glances, and the eye's dip in a blink. At 0 the eyes are still and exactly on target.
   */
  liveliness?: number;
  mainSequence?: MainSequence;
  /**
   * Fraction of spontaneous blinks that do not fully close the eye, 0–1.
   */
  partialBlinks?: number;
  /**
   * Resting aperture of left and right eye, 0–1.3: 1 is normal, less for fatigue or ptosis, more for surprise.
   *
   * @minItems 2
   * @maxItems 2
   */
  restingAperture?: [number, number];
  /**
   * Fraction of the full convergence on near targets, 0–1.
   */
  vergence?: number;
  /**
   * Distance of the viewer in metres. Distant viewers see heads better than eyes, so the head moves more (paper 2, section 6). `None` means that the distance has no effect.
   */
  viewerDistanceM?: number | null;
}
/**
 * Parameters of blinks evoked by gaze shifts.
 */
export interface Evoked {
  /**
   * If true, shifts of 75° and more always evoke a blink, as Peters & Qureshi 2010 state. Their equation gives a probability of only 0.933 at 75°, and 1 from 80° on.
   */
  certainAt75?: boolean;
  driver: EvokedDriver;
  preset: EvokedPreset;
}
/**
 * Repertoire of a character: its stances, and the actions in each stance.
 */
export interface Repertoire {
  /**
   * Location of the JSON Schema, for editors.
   */
  $schema?: string | null;
  /**
   * The stances. A performance starts in the first one of each layer.
   */
  stances: Stance[];
  /**
   * Version of the format: 1.
   */
  version: 1;
}
/**
 * A posture that can be held for a long time, such as standing or sitting (paper 4: "synonymous to idle").
 */
export interface Stance {
  /**
   * Motion of the stance, which is looped: a file, or `file#clip` if a file has several clips. If omitted, the stance is the neutral pose: arms at the sides.
   */
  clip?: string | null;
  /**
   * End within the clip in seconds; the end of the clip by default.
   */
  end?: number | null;
  /**
   * Small unintentional movements without a meaning.
   */
  fidgets?: Action[];
  /**
   * Intentional actions, with a meaning or to emphasize speech.
   */
  gestures?: Action[];
  /**
   * Layers that the stance uses: all three for a whole body, `["arms"]` for folded arms independent of the legs. Two stances must have the same layers, or none in common.
   */
  layers?: Layer[];
  /**
   * Name that transitions and agents use.
   */
  name: string;
  /**
   * Start within the clip in seconds.
   */
  start?: number;
  /**
   * Transitions to other stances.
   */
  transitions?: Transition[];
}
/**
 * A gesture or a fidget. It starts and ends in its stance.
 */
export interface Action {
  /**
   * Duration of the cross-fade from the previous motion in seconds; 0.3 by default.
   */
  blendIn?: number;
  /**
   * Duration of the cross-fade to the next motion before the end of the action, in seconds; 0.3 by default.
   */
  blendOut?: number;
  /**
   * Motion: a file, or `file#clip` if a file has several clips.
   */
  clip: string;
  /**
   * End within the clip in seconds; the end of the clip by default.
   */
  end?: number | null;
  /**
   * Hand that performs the action.
   */
  hand?: Hand | null;
  /**
   * Layers on which the action is played, among those of the stance; all of them by default.
   */
  layers?: Layer[];
  /**
   * Relative likelihood among the candidates; 1 by default. With 0, the action is only played when requested by name.
   */
  likelihood?: number;
  /**
   * True if the action can be looped for as long as the agent requests.
   */
  loop?: boolean;
  /**
   * Body parts that the action may move; by default those that its layers move.
   */
  mask?: BodyPart[];
  /**
   * Name for agents; by default the clip's name, or the file name without folder and extension.
   */
  name?: string | null;
  /**
   * Start within the clip in seconds.
   */
  start?: number;
  /**
   * Time of the stroke within the clip in seconds: the instant that coincides with the stressed word. By default it is found from the motion.
   */
  stroke?: number | null;
  /**
   * Meaning or purpose: `positive`, `negative`, `beat`, `deictic`, …
   *
   * @maxItems 32
   */
  tags?: string[];
}
/**
 * A transition from one stance to another.
 */
export interface Transition {
  /**
   * Duration of the cross-fade from the previous motion in seconds; 0.3 by default. Without a clip, this is the duration of the transition, and at least 0.6.
   */
  blendIn?: number;
  /**
   * Duration of the cross-fade to the new stance before the end of the transition, in seconds; 0.3 by default.
   */
  blendOut?: number;
  /**
   * Motion: a file, or `file#clip`. If omitted, the stances are cross-faded.
   */
  clip?: string | null;
  /**
   * End within the clip in seconds; the end of the clip by default.
   */
  end?: number | null;
  /**
   * Hand that performs the transition.
   */
  hand?: Hand | null;
  /**
   * Relative likelihood among the candidates; 1 by default.
   */
  likelihood?: number;
  /**
   * Body parts that the transition may move; by default those that the stance's layers move.
   */
  mask?: BodyPart[];
  /**
   * Name for agents; by default the clip's name.
   */
  name?: string | null;
  /**
   * Start within the clip in seconds.
   */
  start?: number;
  /**
   * Meaning or purpose.
   *
   * @maxItems 32
   */
  tags?: string[];
  /**
   * Name of the stance in which the transition ends.
   */
  to: string;
}
/**
 * Idle behaviour of a character: one Markov model per body part.
 */
export interface Behaviour {
  always: Chains;
  /**
   * Behaviour while idle or reading.
   */
  idle?: Chains | null;
  /**
   * Behaviour while listening.
   */
  listening?: Chains | null;
  /**
   * Origin of the model: the annotations and the annotated people, or the designer.
   */
  origin: string;
  /**
   * Behaviour while speaking.
   */
  speaking?: Chains | null;
  /**
   * Behaviour while thinking.
   */
  thinking?: Chains | null;
  /**
   * Version of the format: 1.
   */
  version: 1;
}
/**
 * One chain per body part. A chain without states does nothing.
 */
export interface Chains {
  arms?: Chain;
  body?: Chain;
  head?: Chain;
  headStance?: Chain;
}
/**
 * A Markov chain of states.
 */
export interface Chain {
  /**
   * One row per state: the probability of each state to be the next. Each row adds up to 1.
   *
   * @maxItems 256
   */
  matrix?: number[][];
  /**
   * For each state, the probability that the chain starts with it. The values add up to 1.
   *
   * @maxItems 256
   */
  start?: number[];
  /**
   * States of the chain; at most 256.
   *
   * @maxItems 256
   */
  states?: State[];
}
/**
 * An abstract action.
 */
export interface State {
  duration: Spread;
  gap: Spread;
  /**
   * Hand that performs the action; only for the arms.
   */
  hand?: Hand | null;
  kind: Kind;
  /**
   * Name as in paper 4's Figure 11: `LG`, `RF`, `LRT`; with a meaning `LG:positive`.
   */
  name: string;
  /**
   * Tags that the action must have, for its meaning, such as `positive`.
   *
   * @maxItems 32
   */
  tags?: string[];
}
/**
 * Response of `GET /api/characters/ID/rig`: the data that a viewer needs to show an avatar.
 */
export interface RigInfo {
  /**
   * Revision of the avatar: [`AvatarInfo::revision`].
   */
  avatar: number;
  /**
   * All 55 bones of VRM 1.0, parents before children, in the order of [`Frame::rotations`](super::frame::Frame).
   */
  bones: BoneInfo[];
  /**
   * The expressions, in the order of the weights in frames.
   */
  channels: ChannelInfo[];
  /**
   * Height of the eyes in metres.
   */
  eyes: number;
  model: Model;
}
/**
 * A bone.
 */
export interface BoneInfo {
  /**
   * Rotation on the right of q: see `before`.
   *
   * @minItems 4
   * @maxItems 4
   */
  after?: [number, number, number, number] | null;
  /**
   * The node's local rotation is `before · q · after`, where q is the bone's rotation in a frame, unless `carried` is set.
   *
   * @minItems 4
   * @maxItems 4
   */
  before?: [number, number, number, number] | null;
  /**
   * Set for the hips, and for bones whose parent bone in the file differs from the parent bone in the rig, such as collar bones below a neck.
   */
  carried?: CarriedInfo | null;
  /**
   * True if this avatar has the bone.
   */
  exists: boolean;
  /**
   * Name in VRM 1.0.
   */
  name: string;
  /**
   * Index of the node in the GLB; omitted for VRM.
   */
  node?: number | null;
  /**
   * Index of the parent bone.
   */
  parent?: number | null;
  /**
   * Position in the T-pose in metres.
   *
   * @minItems 3
   * @maxItems 3
   */
  rest: [number, number, number];
}
/**
 * Placement of a bone that needs a translation: the hips, and bones whose parent bone in the file differs from the parent bone in the rig.  With G the orientation and P the position of a bone in humanoid space, the node's local rotation is `before · G⁻¹(by) · G(bone) · after`, and its translation is its rest translation plus `before · (G⁻¹(by) · (P(bone) − P(by)) − at) / unit`.
 */
export interface CarriedInfo {
  /**
   * Rest position of the node relative to that bone in metres.
   *
   * @minItems 3
   * @maxItems 3
   */
  at: [number, number, number];
  /**
   * Index of the bone whose node is the nearest ancestor. If null, G is the identity and P the origin.
   */
  by?: number | null;
  /**
   * Length of one unit of the node's translation in metres.
   *
   * @minItems 3
   * @maxItems 3
   */
  unit: [number, number, number];
}
/**
 * An expression of an avatar.
 */
export interface ChannelInfo {
  /**
   * Nodes of the GLB that show it: lid bones.
   */
  lids?: LidInfo[];
  /**
   * Morph targets of the GLB that show it; omitted for VRM.
   */
  morphs?: MorphInfo[];
  /**
   * Name in VRM, ARKit or Oculus.
   */
  name: string;
}
/**
 * A lid bone.
 */
export interface LidInfo {
  /**
   * Index of the node.
   */
  node: number;
  /**
   * Rotation vector in radians that closes the lid, applied on the left of its rest rotation.
   *
   * @minItems 3
   * @maxItems 3
   */
  turn: [number, number, number];
}
/**
 * A morph target that shows an expression.
 */
export interface MorphInfo {
  /**
   * Weight of the morph target when the expression weight is 1.
   */
  gain: number;
  /**
   * Index of the node with the mesh.
   */
  node: number;
  /**
   * Index of the morph target.
   */
  target: number;
}
