// Made from docs/schema/{intent,protocol,behaviour}.schema.json by `npm run types`; edit the types in Rust instead.

/**
 * What an agent asks of a character: one object with one verb.
 */
export type Intent = Say | Act | ToStance | Be | LookAt | Blink | Do | Stop;
/**
 * What an action is (paper 4's taxonomy).
 */
export type Kind = 'gesture' | 'fidget' | 'transition' | 'stance';
/**
 * Which hand does it.
 */
export type Hand = 'L' | 'R' | 'LR' | 'left' | 'right' | 'both';
/**
 * A layer, in the order of composition.
 */
export type Layer = 'body' | 'arms' | 'head';
/**
 * What a character is doing.
 */
export type Activity = 'idle' | 'speaking' | 'listening' | 'reading' | 'thinking';
/**
 * Where to look.
 */
export type LookTarget = [number, number, number] | LookWord;
/**
 * Where to look, by a word.
 */
export type LookWord = 'freely' | 'ahead' | 'away';
/**
 * How a blink's lid moves.
 */
export type BlinkProfile =
  'auto' | 'evinger' | 'symmetric-linear' | 'asymmetric-linear' | 'symmetric-ease' | 'asymmetric-ease' | 'pca' | 'real';
/**
 * What makes a character blink: paper 2's Table 2, and `natural`.
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
 * Which size of a shift of gaze counts. Paper 2 uses all three words for one thing (FACTS, section 0, number 8).
 */
export type EvokedDriver = 'head' | 'eccentricity' | 'gaze';
/**
 * Whose numbers say how shifts of gaze evoke blinks.
 */
export type EvokedPreset = 'peters' | 'evinger';
/**
 * Whose rules share a gaze shift out.
 */
export type GazePreset = 'peters' | 'human';
/**
 * Which line of duration against amplitude to follow.
 */
export type MainSequence = 'collewijn' | 'eyes-alive' | 'carpenter';
/**
 * A part of the body, for masks.
 */
export type BodyPart = 'head' | 'spine' | 'arms' | 'leftArm' | 'rightArm' | 'legs';
/**
 * A distribution by its quantiles, equally far apart from the least value to the greatest, ascending.
 *
 * @maxItems 1024
 */
export type Spread = number[];
/**
 * How an avatar can be shown.
 */
export type Model = 'vrm' | 'glb' | 'skeleton';
/**
 * What can happen.
 */
export type Happening =
  | {
      began: {
        /**
         * Whether an agent asked for it.
         */
        asked: boolean;
        /**
         * What it is called.
         */
        name: string;
        /**
         * When it will end, in seconds.
         */
        until: number;
        /**
         * The wish that it is for: see [`Done::wish`].
         */
        wish: number;
      };
    }
  | {
      cut: {
        /**
         * What it is called.
         */
        name: string;
      };
    }
  | {
      dropped: {
        /**
         * Whether an agent asked for it.
         */
        asked: boolean;
        /**
         * Why, as a sentence.
         */
        why: string;
        /**
         * Which.
         */
        wish: number;
      };
    }
  | 'blink'
  | {
      gazeShift: {
        /**
         * Up.
         */
        pitch: number;
        /**
         * To the character's left.
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
         * The line.
         */
        say: string;
        /**
         * When it will be over, in seconds, as far as is known.
         */
        until: number;
      };
    };

/**
 * What a performer is told and tells.
 */
export interface PerformerProtocol {
  intent?: Intent;
  temperament?: Temperament;
  repertoire?: Repertoire;
  behaviour?: Behaviour;
  rigInfo?: RigInfo;
  happening?: Happening;
}
/**
 * Says a line. Mouth, body, breath and eyes speak along: lips show the sounds, gestures and nods go with what is stressed, and the character breathes in before.  A line may come in pieces and be told better later: intents with the same `line` add text, words, sounds or samples to it. What nobody says is estimated, and what is known later takes its place without a jump. Lines do not overlap: one that is told while another is being said, or waits, begins when that is over.
 */
export interface Say {
  /**
   * When, in seconds of the performance; by default when all is said that was told before, and a pause is over. Of a line that has not begun, another piece may tell another time.
   */
  at?: number | null;
  /**
   * How long it takes to say, in seconds; by default estimated from the text.
   */
  duration?: number | null;
  /**
   * The name of the line that this belongs to, if there is more to tell of it; any word will do.
   */
  line?: string | null;
  /**
   * Whether more of the line will follow: until then the character keeps the floor.
   */
  more?: boolean | null;
  /**
   * The next samples of the voice.
   */
  pcm?: Pcm | null;
  /**
   * Sounds with times, likewise.
   *
   * @maxItems 2048
   */
  phones?: SaidPhone[] | null;
  /**
   * The line, or the next piece of it. Tags in square brackets are done and not said: `[nod]`, `[smile]`, `[look:left]`, `[gesture:wave]`.
   */
  say: string;
  /**
   * Mouth shapes with times, likewise.
   *
   * @maxItems 2048
   */
  visemes?: SaidViseme[] | null;
  /**
   * Words with times, in seconds from the begin of the line, in order; they take the place of what was told of the same time and later.
   *
   * @maxItems 2048
   */
  words?: SaidWord[] | null;
}
/**
 * Samples of a voice.
 */
export interface Pcm {
  /**
   * One channel of 16-bit samples, least byte first, in Base64.
   */
  data: string;
  /**
   * Samples a second: 8,000 to 192,000, and the same in all pieces of a line.
   */
  rate: number;
}
/**
 * A sound and when it is heard, in seconds from the begin of the line.
 */
export interface SaidPhone {
  /**
   * Until when; by default until the next sound, and no longer than such a sound takes.
   */
  end?: number | null;
  /**
   * In ARPAbet (`AH0`) or IPA (`ə`).
   */
  phone: string;
  /**
   * From when.
   */
  start: number;
}
/**
 * A mouth shape and when it is seen, in seconds from the begin of the line.
 */
export interface SaidViseme {
  /**
   * Until when; by default until the next shape, and no longer than such a shape takes.
   */
  end?: number | null;
  /**
   * From when.
   */
  start: number;
  /**
   * By the name that Oculus gives it (`PP`), Azure's number (`"21"`), or Rhubarb's letter (`A`).
   */
  viseme: string;
}
/**
 * A word and when it is said, in seconds from the begin of the line.
 */
export interface SaidWord {
  /**
   * Until when; by default until the next word, and no longer than such a word takes.
   */
  end?: number | null;
  /**
   * From when.
   */
  start: number;
  /**
   * As it is written, with its punctuation if that is known.
   */
  word: string;
}
/**
 * Does something: a specific clip, or anything that fits.
 */
export interface Act {
  act: Kind;
  /**
   * When, in seconds of the performance; by default now.
   */
  at?: number | null;
  /**
   * A clip of the repertoire, by name; then the kind does not matter.
   */
  clip?: string | null;
  /**
   * How long it is wanted, in seconds; by default as long as it takes.
   */
  duration?: number | null;
  /**
   * The hand to do it with.
   */
  hand?: Hand | null;
  /**
   * The layer to do it on.
   */
  layer?: Layer | null;
  /**
   * Higher ones cut lower ones; by default 0.
   */
  priority?: number | null;
  /**
   * Whether to go on with what is left after a shorter action of higher priority cut it; by default it is dropped.
   */
  resume?: boolean | null;
  /**
   * The stance to do it in, or to end in for a transition.
   */
  stance?: string | null;
  /**
   * When its stroke is to arrive, the instant that goes with a stressed word, in seconds of the performance: it begins so much earlier, though not before `at`. What would come more than 0.25 s late is not done.
   */
  strokeAt?: number | null;
  /**
   * What it has to mean; it must have all of these tags.
   *
   * @maxItems 32
   */
  tags?: string[] | null;
}
/**
 * Takes a stance, by whatever transitions lead there.
 */
export interface ToStance {
  /**
   * When, in seconds of the performance; by default now.
   */
  at?: number | null;
  /**
   * Higher ones cut lower ones; by default 0.
   */
  priority?: number | null;
  /**
   * The stance's name.
   */
  stance: string;
}
/**
 * Is in a state from now on: it decides what eyes, breath and body do by themselves.
 */
export interface Be {
  /**
   * When, in seconds of the performance; by default now.
   */
  at?: number | null;
  be: Activity;
  /**
   * How much of the mood, from 0 to 1; by default 0.6.
   */
  intensity?: number | null;
  /**
   * In which mood: `neutral`, `happy`, `angry`, `sad`, `relaxed` or `surprised`, which colour face, posture, blinks and tempo, or a corpus of the character's eye texture. Without one, the eyes have that of the state, and the face none.
   */
  mood?: string | null;
}
/**
 * Looks somewhere.
 */
export interface LookAt {
  /**
   * When, in seconds of the performance; by default now.
   */
  at?: number | null;
  look: LookTarget;
}
/**
 * Blinks.
 */
export interface Blink {
  /**
   * When, in seconds of the performance; by default now.
   */
  at?: number | null;
  /**
   * True.
   */
  blink: true;
}
/**
 * Does what one word asks for: all that tags in a line can, without a line.
 */
export interface Do {
  /**
   * When, in seconds of the performance; by default now.
   */
  at?: number | null;
  /**
   * What: `nod`, `smile`, `brows`, `weight:left`, `tilt:right`, `look:up`, `gesture:wave`, a clip's name or a tag of the repertoire.
   */
  do: string;
  /**
   * Where it is a clip of the repertoire: higher ones cut lower ones; by default 0.
   */
  priority?: number | null;
}
/**
 * Stops what is done and forgets all that was asked for before, and returns to the stance.
 */
export interface Stop {
  /**
   * When, in seconds of the performance; by default now.
   */
  at?: number | null;
  /**
   * Only on this layer; by default on all.
   */
  layer?: Layer | null;
  /**
   * True.
   */
  stop: true;
  /**
   * How long the return to the stance may take, in seconds; by default 0.4, or 0.2 during a line.
   */
  within?: number | null;
}
/**
 * How eyes, lids and head behave. Every field may be left out.
 */
export interface Temperament {
  /**
   * How much the eyes stay on whom they attend to: 0.5 as people do, 1 always.
   */
  attentiveness?: number;
  blinkProfile?: BlinkProfile;
  blinks?: BlinkStrategy;
  /**
   * Spontaneous blinks a minute; by default those of the activity.
   */
  blinksPerMinute?: number | null;
  /**
   * The share of spontaneous blinks that come twice.
   */
  doubleBlinks?: number;
  evoked?: Evoked;
  /**
   * Half the width of the zone in which a non-mover uses the eyes only, in degrees.
   */
  eyeOnlyDeg?: number;
  gaze?: GazePreset;
  /**
   * How readily the head joins a gaze shift: 0 only when it must, 1 always and wholly (paper 2, HMF).
   */
  headMovementFactor?: number;
  /**
   * How fast lids are: 1 as measured, less when tired.
   */
  lidTempo?: number;
  /**
   * How much happens between intents: microsaccades, drift, overshoots, corrections, glances, the eye's dip in a blink. 0 is truly still, and looks to the point.
   */
  liveliness?: number;
  mainSequence?: MainSequence;
  /**
   * The share of spontaneous blinks that do not close the eye.
   */
  partialBlinks?: number;
  /**
   * How open the eyes rest, left and right: 1 as usual, less with fatigue or ptosis, more in surprise.
   *
   * @minItems 2
   * @maxItems 2
   */
  restingAperture?: [number, number];
  /**
   * How much of the convergence on a near target the eyes make: 1 is all of it.
   */
  vergence?: number;
  /**
   * How far away the viewer is, in metres, if it matters: from afar heads say more than eyes (paper 2, section 6).
   */
  viewerDistanceM?: number | null;
}
/**
 * How shifts of gaze evoke blinks.
 */
export interface Evoked {
  /**
   * Whether shifts of 75° and more always evoke a blink, as paper 2 says of its line, which gives 0.933 there and 1 at 80°.
   */
  certainAt75?: boolean;
  driver: EvokedDriver;
  preset: EvokedPreset;
}
/**
 * Stances, and what can be done in each.
 */
export interface Repertoire {
  /**
   * Where the JSON Schema is, for editors.
   */
  $schema?: string | null;
  /**
   * The stances. The first one of each layer is where a performance begins.
   */
  stances: Stance[];
  /**
   * The version of the format: 1.
   */
  version: 1;
}
/**
 * A way to stand, sit or hold oneself, that can be kept up for long (paper 4: "synonymous to idle").
 */
export interface Stance {
  /**
   * The motion of standing there, which is looped: a file, or `file#clip` where a file has several. Left out, the stance is the neutral pose: arms at the sides.
   */
  clip?: string | null;
  /**
   * Where in the clip to end, in seconds; by default its end.
   */
  end?: number | null;
  /**
   * Ticks and small movements without a meaning.
   */
  fidgets?: Action[];
  /**
   * What is done on purpose, with a meaning or a beat.
   */
  gestures?: Action[];
  /**
   * The layers that it holds: all three for a whole body, `["arms"]` for folded arms over whatever the legs do. Two stances hold the same layers, or none in common.
   */
  layers?: Layer[];
  /**
   * Its name, which transitions and agents use.
   */
  name: string;
  /**
   * Where in the clip to begin, in seconds.
   */
  start?: number;
  /**
   * Ways to other stances.
   */
  transitions?: Transition[];
}
/**
 * A gesture or a fidget: it starts and ends in its stance.
 */
export interface Action {
  /**
   * How long it takes to take over from what was before, in seconds; by default 0.3.
   */
  blendIn?: number;
  /**
   * How long before its end it is given up for what comes next, in seconds; by default 0.3.
   */
  blendOut?: number;
  /**
   * The motion: a file, or `file#clip` where a file has several.
   */
  clip: string;
  /**
   * Where in the clip to end, in seconds; by default its end.
   */
  end?: number | null;
  /**
   * The hand that does it.
   */
  hand?: Hand | null;
  /**
   * The layers that it is played on, among those of the stance; by default all of them.
   */
  layers?: Layer[];
  /**
   * How likely it is to be chosen beside others that would do; by default 1. With 0 it is only done when it is asked for by name.
   */
  likelihood?: number;
  /**
   * Whether it goes on for as long as the agent asks for.
   */
  loop?: boolean;
  /**
   * The body parts that it may move; by default what its layers move.
   */
  mask?: BodyPart[];
  /**
   * What agents call it; by default the clip's name, or the file's without folder and ending.
   */
  name?: string | null;
  /**
   * Where in the clip to begin, in seconds.
   */
  start?: number;
  /**
   * When in the clip its stroke arrives, in seconds: the instant that goes with the stressed word. By default it is found from the motion.
   */
  stroke?: number | null;
  /**
   * What it means or is for: `positive`, `negative`, `beat`, `deictic`, …
   *
   * @maxItems 32
   */
  tags?: string[];
}
/**
 * The way from one stance to another.
 */
export interface Transition {
  /**
   * How long it takes to take over from what was before, in seconds; by default 0.3. Without a clip it is how long the change takes, and at least 0.6.
   */
  blendIn?: number;
  /**
   * How long before its end the new stance takes over, in seconds; by default 0.3.
   */
  blendOut?: number;
  /**
   * The motion: a file, or `file#clip`. Left out, the stances are blended into each other.
   */
  clip?: string | null;
  /**
   * Where in the clip to end, in seconds; by default its end.
   */
  end?: number | null;
  /**
   * The hand that does it.
   */
  hand?: Hand | null;
  /**
   * How likely it is to be chosen beside others that would do; by default 1.
   */
  likelihood?: number;
  /**
   * The body parts that it may move; by default what the stance's layers move.
   */
  mask?: BodyPart[];
  /**
   * What agents call it; by default the clip's name.
   */
  name?: string | null;
  /**
   * Where in the clip to begin, in seconds.
   */
  start?: number;
  /**
   * What it means or is for.
   *
   * @maxItems 32
   */
  tags?: string[];
  /**
   * The name of the stance where it ends.
   */
  to: string;
}
/**
 * What someone does while nobody tells them: a Markov model a body part.
 */
export interface Behaviour {
  always: Chains;
  /**
   * Behaviour while idle.
   */
  idle?: Chains | null;
  /**
   * Behaviour while listening.
   */
  listening?: Chains | null;
  /**
   * Where it comes from: which annotations, of whom, or whose design.
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
   * The version of the format: 1.
   */
  version: 1;
}
/**
 * A chain a body part. A chain without states does nothing.
 */
export interface Chains {
  arms?: Chain;
  body?: Chain;
  head?: Chain;
  headStance?: Chain;
}
/**
 * Which state follows which, and when.
 */
export interface Chain {
  /**
   * A row a state: how likely each state is to be the next.
   *
   * @maxItems 256
   */
  matrix?: number[][];
  /**
   * How likely each state is to be the first.
   *
   * @maxItems 256
   */
  start?: number[];
  /**
   * The states.
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
   * The hand, for the arms.
   */
  hand?: Hand | null;
  kind: Kind;
  /**
   * As in paper 4's Figure 11: `LG`, `RF`, `LRT`; with a meaning `LG:positive`.
   */
  name: string;
  /**
   * What it means.
   *
   * @maxItems 32
   */
  tags?: string[];
}
/**
 * `GET /api/characters/ID/rig`: what a viewer has to know of an avatar.
 */
export interface RigInfo {
  /**
   * Which avatar this is: [`AvatarInfo::revision`].
   */
  avatar: number;
  /**
   * All 55 bones of VRM 1.0, parents before children: those of [`Frame::rotations`](super::frame::Frame).
   */
  bones: BoneInfo[];
  /**
   * The expressions whose weights each frame has.
   */
  channels: ChannelInfo[];
  /**
   * How high its eyes are, in metres.
   */
  eyes: number;
  model: Model;
}
/**
 * A bone.
 */
export interface BoneInfo {
  /**
   * See `before`.
   *
   * @minItems 4
   * @maxItems 4
   */
  after?: [number, number, number, number] | null;
  /**
   * The node's local rotation is `before · q · after`, where q is the bone's rotation in a frame, unless it is `carried`.
   *
   * @minItems 4
   * @maxItems 4
   */
  before?: [number, number, number, number] | null;
  /**
   * Of the hips, and where nodes hang otherwise than bones, such as collar-bones on a neck.
   */
  carried?: CarriedInfo | null;
  /**
   * Whether this avatar has it.
   */
  exists: boolean;
  /**
   * As VRM 1.0 has it.
   */
  name: string;
  /**
   * The number of the GLB's own node, if it is no VRM.
   */
  node?: number | null;
  /**
   * The number of its parent.
   */
  parent?: number | null;
  /**
   * Where it rests in a T-pose, in metres.
   *
   * @minItems 3
   * @maxItems 3
   */
  rest: [number, number, number];
}
/**
 * How a node is put in its place that its own bone's parent does not carry. With G how the two bones are turned in humanoid space and P where they are, the node's local rotation is `before · G⁻¹(by) · G(bone) · after`, and its translation what it is at rest plus `before · (G⁻¹(by) · (P(bone) − P(by)) − at) / unit`.
 */
export interface CarriedInfo {
  /**
   * Where the node is at rest, seen from that bone, in metres.
   *
   * @minItems 3
   * @maxItems 3
   */
  at: [number, number, number];
  /**
   * The number of the bone whose node carries this one. If there is none, G is no turn and P the origin.
   */
  by?: number | null;
  /**
   * How long the units of its translation are, in metres.
   *
   * @minItems 3
   * @maxItems 3
   */
  unit: [number, number, number];
}
/**
 * An expression.
 */
export interface ChannelInfo {
  /**
   * The GLB's own nodes that show it: lids that are bones.
   */
  lids?: LidInfo[];
  /**
   * The GLB's own shapes that show it, if it is no VRM.
   */
  morphs?: MorphInfo[];
  /**
   * As VRM, ARKit or Oculus has it.
   */
  name: string;
}
/**
 * A lid that is a bone.
 */
export interface LidInfo {
  /**
   * The node's number.
   */
  node: number;
  /**
   * Closed, its local rotation is this one before its own at rest, as a rotation vector in radians.
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
   * Its weight at full expression.
   */
  gain: number;
  /**
   * The number of the node that carries the mesh.
   */
  node: number;
  /**
   * The morph target's number.
   */
  target: number;
}
