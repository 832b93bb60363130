// Made from docs/schema/protocol.schema.json by `npm run types`; edit the types in Rust instead.

/**
 * How an avatar can be shown.
 */
export type Model = 'vrm' | 'glb' | 'skeleton';
/**
 * Which hand does it.
 */
export type Hand = 'L' | 'R' | 'LR' | 'left' | 'right' | 'both';
/**
 * A layer, in the order of composition.
 */
export type Layer = 'body' | 'arms' | 'head';
/**
 * A part of the body, for masks.
 */
export type BodyPart = 'head' | 'spine' | 'arms' | 'leftArm' | 'rightArm' | 'legs';
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
 * One text message to a client: an object with one key.
 */
export type Message =
  | {
      welcome: Welcome;
    }
  | {
      performer: PerformerInfo;
    }
  | {
      gone: Gone;
    }
  | {
      frame: Frame;
    }
  | {
      plan: Plan;
    }
  | {
      event: Event;
    }
  | {
      done: Done;
    }
  | {
      error: Problem;
    }
  | {
      character: Changed;
    };
/**
 * What a character is doing.
 */
export type Activity = 'idle' | 'speaking' | 'listening' | 'reading' | 'thinking';
/**
 * What a bar is.
 */
export type BarKind = 'stance' | 'gesture' | 'fidget' | 'transition' | 'look' | 'blink' | 'line';
/**
 * A lane of the timeline.
 */
export type Lane = 'body' | 'arms' | 'head' | 'gaze' | 'blinks' | 'speech';
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
 * A shape of the hand that can be told from others.
 */
export type HandShape = 'open' | 'fist' | 'pointing';
/**
 * How much can be seen.
 */
export type View = 'nobody' | 'several' | 'partly' | 'seen';
/**
 * A side of somebody's own.
 */
export type Side = 'left' | 'right';
/**
 * What a clip can be.
 */
export type ClipType = 'stance' | 'gesture' | 'fidget' | 'transition';
/**
 * A request as it is written: what [`Request::read`] takes, for the schema.
 */
export type Request =
  | AddressedToIntent
  | AddressedToWatchRequest
  | AddressedToCastRequest
  | AddressedToDismissRequest
  | AddressedToTemperamentRequest
  | AddressedToAttendRequest
  | AddressedToFollowRequest
  | AddressedToMimicRequest
  | AddressedToSeeRequest;
/**
 * Beside every verb.
 */
export type AddressedToIntent = Say | Act | ToStance | Be | LookAt | Blink | Do | Stop;
export type Performers = string | string[];
/**
 * What an action is (paper 4's taxonomy).
 */
export type Kind = 'gesture' | 'fidget' | 'transition' | 'stance';
/**
 * Where to look.
 */
export type LookTarget = [number, number, number] | LookWord;
/**
 * Where to look, by a word.
 */
export type LookWord = 'freely' | 'ahead' | 'away';
/**
 * How frames come.
 */
export type Frames = 'binary' | 'json' | 'off';
export type Casts = Cast | Cast[];
/**
 * One wish.
 */
export type Intent = Say | Act | ToStance | Be | LookAt | Blink | Do | Stop;

/**
 * What the live server and its clients say to each other.
 */
export interface VivantProtocol {
  about?: About;
  character?: Character;
  characters?: CharacterSummary[];
  edit?: Edit;
  message?: Message;
  newCharacter?: NewCharacter;
  place?: Place;
  placed?: Placed;
  presets?: Preset[];
  proposals?: Proposal[];
  refusal?: Refusal;
  request?: Request;
  rig?: RigInfo;
  speak?: Speak;
  spoken?: Spoken;
  stats?: Stats;
  uploaded?: Uploaded;
  voices?: Voices;
}
/**
 * `GET /api`: what this server is.
 */
export interface About {
  /**
   * The folder in which new characters are made.
   */
  folder: string;
  /**
   * Frames a second.
   */
  fps: number;
  /**
   * The largest file that can be uploaded, in bytes.
   */
  maxUploadBytes: number;
  /**
   * The version of the protocol.
   */
  protocol: number;
  /**
   * The version of the program.
   */
  vivant: string;
}
/**
 * `GET /api/characters/ID`: all of one.
 */
export interface Character {
  avatar: AvatarInfo;
  /**
   * All its clips, also those that its repertoire does not use.
   */
  clips: ClipInfo[];
  /**
   * What is wrong with it, errors first.
   */
  faults: Fault[];
  /**
   * Where its files are, if it has any.
   */
  folder?: string | null;
  /**
   * What addresses call it.
   */
  id: string;
  /**
   * What people call it.
   */
  name: string;
  /**
   * Whether it cannot be changed: the built-in one.
   */
  readOnly: boolean;
  /**
   * What was last undone, if that can be done again.
   */
  redo?: string | null;
  repertoire: Repertoire;
  /**
   * Grows with every change.
   */
  revision: number;
  temperament: Temperament;
  /**
   * What was last done to it, if that can be undone.
   */
  undo?: string | null;
}
/**
 * A body.
 */
export interface AvatarInfo {
  model: Model;
  /**
   * What its file is called.
   */
  name: string;
  /**
   * Changes when the file does: part of the address of what may be cached.
   */
  revision: number;
  /**
   * What was dropped or guessed when it was read.
   */
  warnings: string[];
}
/**
 * A clip of a character.
 */
export interface ClipInfo {
  /**
   * As the repertoire spells it: `clips/wave.fbx`, `clips/all.glb#Wave`, `builtin#wave`.
   */
  clip: string;
  /**
   * Why it cannot be read.
   */
  error?: string | null;
  /**
   * What people call it.
   */
  name: string;
  /**
   * Where the repertoire has it: `stances[0].gestures[3]`.
   */
  places: string[];
  /**
   * How long it is; 0 if it cannot be read.
   */
  seconds: number;
}
/**
 * Something wrong, and where.
 */
export interface Fault {
  /**
   * Whether it can be used all the same.
   */
  isWarning: boolean;
  /**
   * What, and what to do.
   */
  message: string;
  /**
   * In the repertoire (`stances[0].gestures[3].clip`), or a file beside it.
   */
  path: string;
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
 * `GET /api/characters`: one of them.
 */
export interface CharacterSummary {
  /**
   * How many gestures, fidgets and transitions it has.
   */
  actions: number;
  /**
   * What addresses call it.
   */
  id: string;
  /**
   * What people call it.
   */
  name: string;
  /**
   * Whether it cannot be changed: the built-in one.
   */
  readOnly: boolean;
  /**
   * How many stances it has.
   */
  stances: number;
}
/**
 * `PUT /api/characters/ID`: a change. What is left out stays.
 */
export interface Edit {
  /**
   * What people call it from now on.
   */
  name?: string | null;
  /**
   * What it can do from now on.
   */
  repertoire?: Repertoire | null;
  /**
   * The revision that was edited; if there is a newer one, nothing is changed (409).
   */
  revision: number;
  /**
   * What kind of person it is from now on.
   */
  temperament?: Temperament | null;
  /**
   * What is done, for who wants to undo it: “move wave to standing”.
   */
  what: string;
}
/**
 * Who is there.
 */
export interface Welcome {
  /**
   * Frames a second.
   */
  fps: number;
  /**
   * The names of all performers.
   */
  performers: string[];
  /**
   * The version of the protocol.
   */
  protocol: number;
  /**
   * The version of the program.
   */
  vivant: string;
}
/**
 * A performer, as far as a viewer has to know.
 */
export interface PerformerInfo {
  activity: Activity;
  /**
   * Which avatar it has, so that a new one is fetched when it changes: `/api/characters/ID/rig` and `/api/characters/ID/avatar`.
   */
  avatar: number;
  /**
   * Whom it plays: an id of the API.
   */
  character: string;
  /**
   * Whether it only shows a clip.
   */
  isPreview: boolean;
  /**
   * From when on its past can be had, in seconds.
   */
  keptFrom: number;
  /**
   * What the character is called.
   */
  name: string;
  /**
   * Its number in binary frames.
   */
  number: number;
  /**
   * Its name.
   */
  performer: string;
  /**
   * Which repertoire it plays with.
   */
  revision: number;
  /**
   * Its chance.
   */
  seed: number;
  temperament: Temperament;
  /**
   * How long it has performed, in seconds.
   */
  time: number;
}
/**
 * A performer that ended.
 */
export interface Gone {
  /**
   * Its name.
   */
  performer: string;
}
/**
 * One instant of a performer.
 */
export interface Frame {
  /**
   * Its number.
   */
  number: number;
  /**
   * Where the hips are, in metres.
   *
   * @minItems 3
   * @maxItems 3
   */
  root: [number, number, number];
  /**
   * Local rotations of all 55 bones.
   */
  rotations: [number, number, number, number][];
  /**
   * What eyes, lids and head do: see [`SIGNALS`].
   *
   * @minItems 14
   * @maxItems 14
   */
  signals: [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number
  ];
  /**
   * In seconds of the performance.
   */
  time: number;
  /**
   * The weights of the avatar's expressions.
   */
  weights: number[];
}
/**
 * What a performer did lately and is going to do, if nobody asks for anything else.
 */
export interface Plan {
  /**
   * The present, in seconds.
   */
  at: number;
  /**
   * By start.
   */
  bars: Bar[];
  /**
   * Whose.
   */
  performer: string;
  /**
   * Bars that end before this are not told again; the first plan of a connection has all that is kept.
   */
  since: number;
  /**
   * How far ahead it looks, in seconds.
   */
  until: number;
}
/**
 * Something that takes its time on a lane.
 */
export interface Bar {
  /**
   * Whether an agent asked for it.
   */
  asked: boolean;
  /**
   * When it ends, in seconds; of what is under way, as far as is known.
   */
  end: number;
  kind: BarKind;
  lane: Lane;
  /**
   * What people call it.
   */
  name: string;
  /**
   * Whether it has not begun, and can still change.
   */
  planned: boolean;
  /**
   * When it begins, in seconds.
   */
  start: number;
  /**
   * Why, in words, if there is more to say.
   */
  why?: string | null;
}
/**
 * Something happened.
 */
export interface Event {
  /**
   * When, in seconds of the performance.
   */
  at: number;
  /**
   * To whom.
   */
  performer: string;
  what: Happening;
}
/**
 * A request with an id was carried out.
 */
export interface Done {
  /**
   * When the line begins that it told of, in seconds of the performance, a performer each. A line that waits for others may still move.
   */
  at?: number[];
  /**
   * Which.
   */
  id: number;
  /**
   * What is understood of the person that was seen, a performer each.
   */
  noticed?: Noticed[];
  /**
   * The number by which events speak of the wish that it became, a performer each.
   */
  wish?: (number | null)[];
}
/**
 * What a performer that mirrors a person understands of them. What is not known is null.
 */
export interface Noticed {
  /**
   * The last answers, newest first, as intents.
   */
  answered: string[];
  /**
   * How often they have blinked so far.
   */
  blinks: number;
  /**
   * How far their brows are up, from 0 to 1.
   */
  brows?: number | null;
  /**
   * Where their eyes look in the head, in degrees to their left and up.
   *
   * @minItems 2
   * @maxItems 2
   */
  gaze?: [number, number] | null;
  /**
   * The hand that gestures.
   */
  gesture?: Hand | null;
  /**
   * Where their head points, in degrees: to their left, up, and tilted to their left.
   *
   * @minItems 3
   * @maxItems 3
   */
  head?: [number, number, number] | null;
  /**
   * How far their spine leans to their left, in degrees.
   */
  lean?: number | null;
  /**
   * The shape of their left hand.
   */
  leftHand?: HandShape | null;
  /**
   * How often they have nodded so far.
   */
  nods: number;
  /**
   * The shape of their right hand.
   */
  rightHand?: HandShape | null;
  /**
   * How often they have shaken their head so far.
   */
  shakes: number;
  /**
   * How much they smile, from 0 to 1.
   */
  smile?: number | null;
  /**
   * The stance of the character's own repertoire that they are in.
   */
  stance?: string | null;
  state: View;
  /**
   * How sure that is, from 0 to 1.
   */
  sure: number;
  /**
   * To which side their head leans.
   */
  tilt?: Side | null;
  /**
   * How far their trunk is turned to their left, in degrees.
   */
  turn?: number | null;
  /**
   * Answers that wait for their time, as intents.
   */
  waiting: string[];
  /**
   * The leg that they stand on.
   */
  weight?: Side | null;
}
/**
 * A request was not carried out.
 */
export interface Problem {
  /**
   * Which, if it could be read.
   */
  id?: number | null;
  /**
   * What is wrong, and what to do.
   */
  message: string;
}
/**
 * A character was edited.
 */
export interface Changed {
  /**
   * Its id.
   */
  character: string;
  /**
   * Its revision from now on.
   */
  revision: number;
}
/**
 * `POST /api/characters`: a new one.
 */
export interface NewCharacter {
  /**
   * The id of the one that it is a copy of; by default it is empty.
   */
  from?: string | null;
  /**
   * What people call it.
   */
  name: string;
}
/**
 * `POST /api/characters/ID/place`: clips that become part of the repertoire, as their motion suggests unless it is said otherwise.
 */
export interface Place {
  /**
   * What they are; by default as their motion suggests, each.
   */
  as?: ClipType | null;
  /**
   * Which; by default all that have no place yet.
   */
  clips?: string[];
  /**
   * The revision that was edited.
   */
  revision: number;
  /**
   * The stance in which they start; a new one is made if there is none of this name.
   */
  stance?: string | null;
  /**
   * The stance in which transitions end.
   */
  to?: string | null;
}
/**
 * What came of it.
 */
export interface Placed {
  character: Character;
  /**
   * What was done beside, and why, in words.
   */
  notes: string[];
}
/**
 * `GET /api/presets`: a temperament with a reason.
 */
export interface Preset {
  /**
   * What people found, and who asked them.
   */
  finding: string;
  /**
   * Presets of one group are to be compared with each other.
   */
  group: string;
  /**
   * What it is called.
   */
  name: string;
  temperament: Temperament;
}
/**
 * `GET /api/characters/ID/proposals`: what a clip without a place seems to be.
 */
export interface Proposal {
  /**
   * As the repertoire would spell it.
   */
  clip: string;
  /**
   * How sure all of that is, from 0 to 1; below 0.5 people should look.
   */
  confidence: number;
  /**
   * Where to end, in seconds.
   */
  end: number;
  /**
   * The hand that does it.
   */
  hand?: Hand | null;
  /**
   * The layers to play it on.
   */
  layers: Layer[];
  /**
   * Why, for people.
   */
  reasons: string;
  /**
   * The stance in which it starts.
   */
  stance: string;
  /**
   * Where to begin, in seconds.
   */
  start: number;
  /**
   * What it means, as far as motion tells.
   *
   * @maxItems 32
   */
  tags: string[];
  /**
   * The stance in which it ends, if it is a transition.
   */
  to?: string | null;
  type: ClipType;
}
/**
 * What every answer is that is no success.
 */
export interface Refusal {
  /**
   * What is wrong, and what to do.
   */
  error: string;
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
   * Given back in the answer.
   */
  id?: number | null;
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
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
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
   * Given back in the answer.
   */
  id?: number | null;
  /**
   * The layer to do it on.
   */
  layer?: Layer | null;
  /**
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
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
   * Given back in the answer.
   */
  id?: number | null;
  /**
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
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
   * Given back in the answer.
   */
  id?: number | null;
  /**
   * How much of the mood, from 0 to 1; by default 0.6.
   */
  intensity?: number | null;
  /**
   * In which mood: `neutral`, `happy`, `angry`, `sad`, `relaxed` or `surprised`, which colour face, posture, blinks and tempo, or a corpus of the character's eye texture. Without one, the eyes have that of the state, and the face none.
   */
  mood?: string | null;
  /**
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
}
/**
 * Looks somewhere.
 */
export interface LookAt {
  /**
   * When, in seconds of the performance; by default now.
   */
  at?: number | null;
  /**
   * Given back in the answer.
   */
  id?: number | null;
  look: LookTarget;
  /**
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
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
  /**
   * Given back in the answer.
   */
  id?: number | null;
  /**
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
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
   * Given back in the answer.
   */
  id?: number | null;
  /**
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
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
   * Given back in the answer.
   */
  id?: number | null;
  /**
   * Only on this layer; by default on all.
   */
  layer?: Layer | null;
  /**
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
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
 * Beside every verb.
 */
export interface AddressedToWatchRequest {
  /**
   * Given back in the answer.
   */
  id?: number | null;
  /**
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
  watch: Watch;
}
/**
 * Which performers a connection sees, and how.
 */
export interface Watch {
  /**
   * Whether it is told what happens: actions, blinks, lines.
   */
  events?: boolean;
  /**
   * The most frames a second; by default as many as there are.
   */
  fps?: number | null;
  frames?: Frames;
  /**
   * Their names; by default only `main`.
   *
   * @maxItems 256
   */
  performers?: string[];
  /**
   * Whether plans are told when they change.
   */
  plan?: boolean;
}
/**
 * Beside every verb.
 */
export interface AddressedToCastRequest {
  cast: Casts;
  /**
   * Given back in the answer.
   */
  id?: number | null;
  /**
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
}
/**
 * A performer that is to begin.
 */
export interface Cast {
  /**
   * Whom it plays, by the character's id; by default whom `main` plays.
   */
  character?: string | null;
  /**
   * Only plays this clip, again and again: a preview.
   */
  clip?: ClipPart | null;
  /**
   * Whether it ends with the connection that asked for it.
   */
  mine?: boolean;
  /**
   * Its name: letters, digits, `-`, `_` and `.`.
   */
  performer: string;
  /**
   * Intents that it gets before it begins, as in a script for `vivant perform`.
   */
  script?: Intent[];
  /**
   * Chance: the same seed and the same requests give the same performance.
   */
  seed?: number;
  /**
   * What kind of person; by default as the character is.
   */
  temperament?: Temperament | null;
  /**
   * Whether it acts by itself where nobody asks for anything.
   */
  unasked?: boolean;
}
/**
 * A clip of a character, or a part of it.
 */
export interface ClipPart {
  /**
   * As the repertoire spells it.
   */
  clip: string;
  /**
   * Where to end, in seconds; by default its end.
   */
  end?: number | null;
  /**
   * Where to begin, in seconds.
   */
  start?: number;
}
/**
 * Beside every verb.
 */
export interface AddressedToDismissRequest {
  dismiss: Performers;
  /**
   * Given back in the answer.
   */
  id?: number | null;
  /**
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
}
/**
 * Beside every verb.
 */
export interface AddressedToTemperamentRequest {
  /**
   * Given back in the answer.
   */
  id?: number | null;
  /**
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
  temperament: Temperament;
}
/**
 * Beside every verb.
 */
export interface AddressedToAttendRequest {
  /**
   * @minItems 3
   * @maxItems 3
   */
  attend: [number, number, number];
  /**
   * Given back in the answer.
   */
  id?: number | null;
  /**
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
}
/**
 * Beside every verb.
 */
export interface AddressedToFollowRequest {
  /**
   * `null` looks where it likes again.
   *
   * @minItems 3
   * @maxItems 3
   */
  follow: [number, number, number] | null;
  /**
   * Given back in the answer.
   */
  id?: number | null;
  /**
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
}
/**
 * Beside every verb.
 */
export interface AddressedToMimicRequest {
  /**
   * Given back in the answer.
   */
  id?: number | null;
  /**
   * How; `null` no longer mirrors anybody.
   */
  mimic: Manner | null;
  /**
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
}
/**
 * How a person is answered.
 */
export interface Manner {
  /**
   * How much of what they do is answered, from 0, nothing, to 1; by default 0.6. Part of it is rapport, all of it mockery.
   */
  amount?: number;
  /**
   * About how long after them posture changes, in seconds; by default 2.5. Nods and smiles are quicker.
   */
  delay?: number;
  /**
   * Whether their left is answered with the right, as in a mirror; by default it is.
   */
  mirror?: boolean;
  /**
   * The priority of the answers beside what an agent asks for, which has 0; by default −1.
   */
  priority?: number;
}
/**
 * Beside every verb.
 */
export interface AddressedToSeeRequest {
  /**
   * Given back in the answer.
   */
  id?: number | null;
  /**
   * Whom it is for; by default `main`.
   */
  performer?: Performers | null;
  see: Sighting;
}
/**
 * Landmarks of one picture.
 */
export interface Sighting {
  /**
   * The face, in shares of the picture.
   *
   * @maxItems 478
   */
  face?: [number, number, number][] | null;
  /**
   * The left hand, in shares of the picture.
   *
   * @maxItems 21
   */
  leftHand?: [number, number, number][] | null;
  /**
   * How many people are in it; by default one if there are landmarks, and else nobody.
   */
  people?: number | null;
  /**
   * The pose: x and y in shares of the picture, z likewise by its width, and how visible it is.
   *
   * @maxItems 33
   */
  pose?: [number, number, number, number][] | null;
  /**
   * The right hand, likewise.
   *
   * @maxItems 21
   */
  rightHand?: [number, number, number][] | null;
  /**
   * The picture's width and height in pixels; by default it is square.
   *
   * @minItems 2
   * @maxItems 2
   */
  size?: [number, number] | null;
  /**
   * When the picture was taken, in seconds of any clock that runs evenly.
   */
  time: number;
  /**
   * The pose in metres from between the hips: x to the picture's right, y down, z away from the camera, and how visible it is.
   *
   * @maxItems 33
   */
  world?: [number, number, number, number][] | null;
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
/**
 * `POST /api/voice`: a line, to be spoken.
 */
export interface Speak {
  /**
   * How fast, from 0.5 to 2.5; by default 1.
   */
  rate?: number | null;
  /**
   * The line, with tags if there are some, or SSML.
   */
  text: string;
  /**
   * The voice, with a variant if need be: `en-gb`, `de+f2`. By default `en-us`.
   */
  voice?: string | null;
}
/**
 * The answer: a voice, and what to say to a performer along with it.
 */
export interface Spoken {
  say: Say;
  /**
   * How long it is, in seconds.
   */
  seconds: number;
  /**
   * What of the line cannot be spoken, in words.
   */
  warnings: string[];
  /**
   * A WAV file, in Base64.
   */
  wav: string;
}
/**
 * `GET /api/stats`: how the server keeps up.
 */
export interface Stats {
  /**
   * Frames that were made for performers since the last `?reset`.
   */
  frames: number;
  /**
   * How late frames were ready, in milliseconds after their time: half of them, 99 of 100, the latest.
   *
   * @minItems 3
   * @maxItems 3
   */
  lateMs: [number, number, number];
  /**
   * How many performers there are.
   */
  performers: number;
  /**
   * Memory that the process holds, in bytes, where the system tells.
   */
  residentBytes?: number | null;
  /**
   * How long it has run, in seconds.
   */
  seconds: number;
  /**
   * Frames that were skipped because the machine slept or was overwhelmed.
   */
  skipped: number;
  /**
   * How many connections are open.
   */
  viewers: number;
}
/**
 * `POST /api/characters/ID/clips?name=wave.fbx`: a file that was taken in.
 */
export interface Uploaded {
  /**
   * The clips in it.
   */
  clips: ClipInfo[];
  /**
   * What was dropped or guessed, in words.
   */
  warnings: string[];
}
/**
 * `GET /api/voice`: who can speak here.
 */
export interface Voices {
  /**
   * How to get some, if there are none.
   */
  missing?: string | null;
  /**
   * The voices of espeak-ng; none if it is not installed.
   */
  voices: VoiceInfo[];
}
/**
 * A voice.
 */
export interface VoiceInfo {
  /**
   * What people call it.
   */
  name: string;
  /**
   * What it is asked for with: `en-us`.
   */
  voice: string;
}
