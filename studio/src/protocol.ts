// Generated from docs/schema/protocol.schema.json by `npm run types`; edit the types in Rust instead.

/**
 * Format in which viewers load an avatar.
 */
export type Model = 'vrm' | 'glb' | 'skeleton';
/**
 * The hand that performs an action.
 */
export type Hand = 'L' | 'R' | 'LR' | 'left' | 'right' | 'both';
/**
 * A layer; variants are in the order of composition.
 */
export type Layer = 'body' | 'arms' | 'head';
/**
 * A part of the body, for masks.
 */
export type BodyPart = 'head' | 'spine' | 'arms' | 'leftArm' | 'rightArm' | 'legs';
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
 * A text message to a client: an object with one key.
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
 * Activity of a character; it sets the blink rate and the idle gaze.
 */
export type Activity = 'idle' | 'speaking' | 'listening' | 'reading' | 'thinking';
/**
 * Kind of a bar.
 */
export type BarKind = 'stance' | 'gesture' | 'fidget' | 'transition' | 'look' | 'blink' | 'line';
/**
 * A lane of the timeline.
 */
export type Lane = 'body' | 'arms' | 'head' | 'gaze' | 'blinks' | 'speech';
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
 * A hand shape that can be recognized.
 */
export type HandShape = 'open' | 'fist' | 'pointing';
/**
 * Visibility of a person.
 */
export type View = 'nobody' | 'several' | 'partly' | 'seen';
/**
 * Left or right, from the character's point of view.
 */
export type Side = 'left' | 'right';
/**
 * Type of a clip.
 */
export type ClipType = 'stance' | 'gesture' | 'fidget' | 'transition';
/**
 * The JSON form of a request, as [`Request::read`] reads it, for the schema.
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
 * Fields of every request.
 */
export type AddressedToIntent = Say | Act | ToStance | Be | LookAt | Blink | Do | Stop;
export type Performers = string | string[];
/**
 * Kind of an action (paper 4's taxonomy).
 */
export type Kind = 'gesture' | 'fidget' | 'transition' | 'stance';
/**
 * Gaze target.
 */
export type LookTarget = [number, number, number] | LookWord;
/**
 * Named gaze target.
 */
export type LookWord = 'freely' | 'ahead' | 'away';
/**
 * Format of frames.
 */
export type Frames = 'binary' | 'json' | 'off';
export type Casts = Cast | Cast[];
/**
 * An intent: one request to a character.
 */
export type Intent = Say | Act | ToStance | Be | LookAt | Blink | Do | Stop;

/**
 * Messages between the live server and its clients.
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
 * Response of `GET /api`: information about the server.
 */
export interface About {
  /**
   * Folder for new characters.
   */
  folder: string;
  /**
   * Frames per second.
   */
  fps: number;
  /**
   * Maximum size of uploads in bytes.
   */
  maxUploadBytes: number;
  /**
   * Version of the protocol.
   */
  protocol: number;
  /**
   * Version of Vivant.
   */
  vivant: string;
}
/**
 * Response of `GET /api/characters/ID`: a character with all data.
 */
export interface Character {
  avatar: AvatarInfo;
  /**
   * All clips, including those that the repertoire does not use.
   */
  clips: ClipInfo[];
  /**
   * Errors and warnings, errors first.
   */
  faults: Fault[];
  /**
   * Folder of its files, if it has any.
   */
  folder?: string | null;
  /**
   * Identifier in URLs.
   */
  id: string;
  /**
   * Display name.
   */
  name: string;
  /**
   * True if the character is read-only, as the built-in one is.
   */
  readOnly: boolean;
  /**
   * Description of the last undone edit, if it can be redone.
   */
  redo?: string | null;
  repertoire: Repertoire;
  /**
   * Revision number; increases with every change.
   */
  revision: number;
  temperament: Temperament;
  /**
   * Description of the last edit, if it can be undone.
   */
  undo?: string | null;
}
/**
 * An avatar.
 */
export interface AvatarInfo {
  model: Model;
  /**
   * Name of the file.
   */
  name: string;
  /**
   * Revision of the file; part of URLs so that responses can be cached.
   */
  revision: number;
  /**
   * Warnings about data that were dropped or guessed while reading the file.
   */
  warnings: string[];
}
/**
 * A clip of a character.
 */
export interface ClipInfo {
  /**
   * Clip reference as in the repertoire: `clips/wave.fbx`, `clips/all.glb#Wave`, `builtin#wave`.
   */
  clip: string;
  /**
   * Reason why the clip cannot be read; omitted if it can be read.
   */
  error?: string | null;
  /**
   * Display name.
   */
  name: string;
  /**
   * Places in the repertoire: `stances[0].gestures[3]`.
   */
  places: string[];
  /**
   * Duration in seconds; 0 if the clip cannot be read.
   */
  seconds: number;
}
/**
 * An error or warning with its place.
 */
export interface Fault {
  /**
   * True for a warning, false for an error.
   */
  isWarning: boolean;
  /**
   * Description of the problem and how to fix it.
   */
  message: string;
  /**
   * Path in the repertoire (`stances[0].gestures[3].clip`), or the name of another file of the character.
   */
  path: string;
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
 * Response of `GET /api/characters`: summary of a character.
 */
export interface CharacterSummary {
  /**
   * Number of gestures, fidgets and transitions.
   */
  actions: number;
  /**
   * Identifier in URLs.
   */
  id: string;
  /**
   * Display name.
   */
  name: string;
  /**
   * True if the character is read-only, as the built-in one is.
   */
  readOnly: boolean;
  /**
   * Number of stances.
   */
  stances: number;
}
/**
 * Body of `PUT /api/characters/ID`: an edit. Omitted fields do not change.
 */
export interface Edit {
  /**
   * New display name.
   */
  name?: string | null;
  /**
   * New repertoire.
   */
  repertoire?: Repertoire | null;
  /**
   * Revision that was edited; if there is a newer one, nothing changes (status 409).
   */
  revision: number;
  /**
   * New temperament.
   */
  temperament?: Temperament | null;
  /**
   * Description of the edit for the undo history: “move wave to standing”.
   */
  what: string;
}
/**
 * Information about the server.
 */
export interface Welcome {
  /**
   * Frames per second.
   */
  fps: number;
  /**
   * Names of all performers.
   */
  performers: string[];
  /**
   * Version of the protocol.
   */
  protocol: number;
  /**
   * Version of Vivant.
   */
  vivant: string;
}
/**
 * Information about a performer for viewers.
 */
export interface PerformerInfo {
  activity: Activity;
  /**
   * Revision of the avatar; when it changes, fetch `/api/characters/ID/rig` and `/api/characters/ID/avatar` again.
   */
  avatar: number;
  /**
   * Id of its character in the API.
   */
  character: string;
  /**
   * True if the performer is a preview of a clip.
   */
  isPreview: boolean;
  /**
   * Earliest time in seconds for which past frames are available.
   */
  keptFrom: number;
  /**
   * Display name of the character.
   */
  name: string;
  /**
   * Number of the performer in binary frames.
   */
  number: number;
  /**
   * Name of the performer.
   */
  performer: string;
  /**
   * Revision of the repertoire.
   */
  revision: number;
  /**
   * Random seed.
   */
  seed: number;
  temperament: Temperament;
  /**
   * Time of the performance in seconds.
   */
  time: number;
}
/**
 * A performer that has ended.
 */
export interface Gone {
  /**
   * Name of the performer.
   */
  performer: string;
}
/**
 * One frame of a performer.
 */
export interface Frame {
  /**
   * Number of the performer.
   */
  number: number;
  /**
   * Position of the hips in metres.
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
   * Signals of eyes, lids and head: see [`SIGNALS`].
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
   * Time in seconds of the performance.
   */
  time: number;
  /**
   * Weights of the avatar's expressions.
   */
  weights: number[];
}
/**
 * Recent actions of a performer, and its future actions if there are no further requests.
 */
export interface Plan {
  /**
   * Current time in seconds.
   */
  at: number;
  /**
   * Bars, sorted by start.
   */
  bars: Bar[];
  /**
   * Name of the performer.
   */
  performer: string;
  /**
   * Time in seconds. Bars that ended earlier were already sent and are not repeated. The first plan of a connection has all stored bars.
   */
  since: number;
  /**
   * End of the plan in seconds.
   */
  until: number;
}
/**
 * A bar on a lane of the timeline.
 */
export interface Bar {
  /**
   * True if a client requested the action.
   */
  asked: boolean;
  /**
   * End in seconds; estimated if the action is in progress.
   */
  end: number;
  kind: BarKind;
  lane: Lane;
  /**
   * Display name.
   */
  name: string;
  /**
   * True if the action has not started and can still change.
   */
  planned: boolean;
  /**
   * Start in seconds.
   */
  start: number;
  /**
   * Reason for the action, if it is known.
   */
  why?: string | null;
}
/**
 * An event of a performer.
 */
export interface Event {
  /**
   * Time in seconds of the performance.
   */
  at: number;
  /**
   * Name of the performer.
   */
  performer: string;
  what: EventKind;
}
/**
 * Answer to a request with an id that was executed.
 */
export interface Done {
  /**
   * Start of the line in seconds of the performance, one per performer. If the line waits for other lines, its start may still change.
   */
  at?: number[];
  /**
   * Id of the request.
   */
  id: number;
  /**
   * Number of the resulting intent, which events refer to, one per performer; null if the request gave no intent.
   */
  intents?: (number | null)[];
  /**
   * Observations of each performer about the tracked person.
   */
  noticed?: Noticed[];
}
/**
 * Observations of a performer about the person it mirrors. Unknown values are null.
 */
export interface Noticed {
  /**
   * Latest responses, newest first, as intents.
   */
  answered: string[];
  /**
   * Number of blinks so far.
   */
  blinks: number;
  /**
   * Raised brows from 0 to 1.
   */
  brows?: number | null;
  /**
   * Gaze direction in the head in degrees: to the person's left, and up.
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
   * Head orientation in degrees: to the person's left, up, and tilt to the left.
   *
   * @minItems 3
   * @maxItems 3
   */
  head?: [number, number, number] | null;
  /**
   * Lean of the spine to the person's left in degrees.
   */
  lean?: number | null;
  /**
   * Shape of the left hand.
   */
  leftHand?: HandShape | null;
  /**
   * Number of nods so far.
   */
  nods: number;
  /**
   * Shape of the right hand.
   */
  rightHand?: HandShape | null;
  /**
   * Number of head shakes so far.
   */
  shakes: number;
  /**
   * Smile from 0 to 1.
   */
  smile?: number | null;
  /**
   * The stance of the character's repertoire that matches the person's.
   */
  stance?: string | null;
  state: View;
  /**
   * Confidence of the stance from 0 to 1.
   */
  sure: number;
  /**
   * The side to which the head is tilted.
   */
  tilt?: Side | null;
  /**
   * Rotation of the trunk to the person's left in degrees.
   */
  turn?: number | null;
  /**
   * Pending responses, as intents.
   */
  waiting: string[];
  /**
   * The leg that carries the weight.
   */
  weight?: Side | null;
}
/**
 * Answer to a request that failed.
 */
export interface Problem {
  /**
   * Id of the request, if it could be read.
   */
  id?: number | null;
  /**
   * Description of the problem and how to fix it.
   */
  message: string;
}
/**
 * A character that was edited.
 */
export interface Changed {
  /**
   * Id of the character.
   */
  character: string;
  /**
   * New revision.
   */
  revision: number;
}
/**
 * Body of `POST /api/characters`: a new character.
 */
export interface NewCharacter {
  /**
   * Id of the character to copy. Default: an empty character.
   */
  from?: string | null;
  /**
   * Display name.
   */
  name: string;
}
/**
 * Body of `POST /api/characters/ID/place`: adds clips to the repertoire. Type and stance are suggested by the motion of each clip, unless they are given.
 */
export interface Place {
  /**
   * Type of the clips. Default: suggested by the motion of each clip.
   */
  as?: ClipType | null;
  /**
   * Clips to add. Default: all that are not in the repertoire yet.
   */
  clips?: string[];
  /**
   * Revision that was edited.
   */
  revision: number;
  /**
   * Stance in which they start; created if it does not exist.
   */
  stance?: string | null;
  /**
   * Final stance of transitions.
   */
  to?: string | null;
}
/**
 * Response of `POST /api/characters/ID/place`.
 */
export interface Placed {
  character: Character;
  /**
   * Notes about further changes and their reasons.
   */
  notes: string[];
}
/**
 * Response of `GET /api/presets`: a temperament preset.
 */
export interface Preset {
  /**
   * Finding of the study that the preset is based on, with its source.
   */
  finding: string;
  /**
   * Group of presets that can be compared with each other.
   */
  group: string;
  /**
   * Name of the preset.
   */
  name: string;
  temperament: Temperament;
}
/**
 * Response of `GET /api/characters/ID/proposals`: a proposal for a clip that is not in the repertoire.
 */
export interface Proposal {
  /**
   * Clip reference as in the repertoire.
   */
  clip: string;
  /**
   * Confidence from 0 to 1; a proposal below 0.5 should be reviewed.
   */
  confidence: number;
  /**
   * End in the clip in seconds.
   */
  end: number;
  /**
   * Hand that performs it.
   */
  hand?: Hand | null;
  /**
   * Layers that it plays on.
   */
  layers: Layer[];
  /**
   * Reasons for the proposal.
   */
  reasons: string;
  /**
   * Stance in which it starts.
   */
  stance: string;
  /**
   * Start in the clip in seconds.
   */
  start: number;
  /**
   * Tags suggested by the motion.
   *
   * @maxItems 32
   */
  tags: string[];
  /**
   * Final stance, if it is a transition.
   */
  to?: string | null;
  type: ClipType;
}
/**
 * Body of every error response.
 */
export interface Refusal {
  /**
   * Description of the problem and how to fix it.
   */
  error: string;
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
   * Returned in the answer.
   */
  id?: number | null;
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
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
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
   * Returned in the answer.
   */
  id?: number | null;
  /**
   * Layer that the action plays on.
   */
  layer?: Layer | null;
  /**
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
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
   * Returned in the answer.
   */
  id?: number | null;
  /**
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
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
   * Returned in the answer.
   */
  id?: number | null;
  /**
   * Intensity of the mood from 0 to 1. Default: 0.6.
   */
  intensity?: number | null;
  /**
   * Mood: `neutral`, `happy`, `angry`, `sad`, `relaxed` or `surprised`, which affect face, posture, blinks and tempo; or the name of a corpus of the character's eye texture. Default: none for the face; the eyes use the corpus of the activity.
   */
  mood?: string | null;
  /**
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
}
/**
 * Directs the gaze.
 */
export interface LookAt {
  /**
   * Start time in seconds of the performance. Default: now.
   */
  at?: number | null;
  /**
   * Returned in the answer.
   */
  id?: number | null;
  look: LookTarget;
  /**
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
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
  /**
   * Returned in the answer.
   */
  id?: number | null;
  /**
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
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
   * Returned in the answer.
   */
  id?: number | null;
  /**
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
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
   * Returned in the answer.
   */
  id?: number | null;
  /**
   * Layer to stop. Default: all layers.
   */
  layer?: Layer | null;
  /**
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
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
 * Fields of every request.
 */
export interface AddressedToWatchRequest {
  /**
   * Returned in the answer.
   */
  id?: number | null;
  /**
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
  watch: Watch;
}
/**
 * The performers that are sent to a connection, and the form in which they are sent.
 */
export interface Watch {
  /**
   * True to receive events: actions, blinks, lines.
   */
  events?: boolean;
  /**
   * Maximum frames per second. Default: all frames.
   */
  fps?: number | null;
  frames?: Frames;
  /**
   * Names of the performers. Default: only `main`.
   *
   * @maxItems 256
   */
  performers?: string[];
  /**
   * True to receive plans when they change.
   */
  plan?: boolean;
}
/**
 * Fields of every request.
 */
export interface AddressedToCastRequest {
  cast: Casts;
  /**
   * Returned in the answer.
   */
  id?: number | null;
  /**
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
}
/**
 * A performer to start.
 */
export interface Cast {
  /**
   * Id of the character. Default: the character of `main`.
   */
  character?: string | null;
  /**
   * Plays only this clip in a loop, as a preview.
   */
  clip?: ClipPart | null;
  /**
   * True if the performer ends when this connection closes. Default: false.
   */
  mine?: boolean;
  /**
   * Name: letters, digits, `-`, `_` and `.`.
   */
  performer: string;
  /**
   * Intents that it gets before it starts, as in a script for `vivant perform`.
   */
  script?: Intent[];
  /**
   * Random seed: the same seed and the same requests give the same performance.
   */
  seed?: number;
  /**
   * Temperament. Default: that of the character.
   */
  temperament?: Temperament | null;
  /**
   * True if the performer acts on its own when there are no requests. Default: true.
   */
  unasked?: boolean;
}
/**
 * A clip of a character, or a part of it.
 */
export interface ClipPart {
  /**
   * Clip reference as in the repertoire.
   */
  clip: string;
  /**
   * End in the clip in seconds. Default: end of the clip.
   */
  end?: number | null;
  /**
   * Start in the clip in seconds.
   */
  start?: number;
}
/**
 * Fields of every request.
 */
export interface AddressedToDismissRequest {
  dismiss: Performers;
  /**
   * Returned in the answer.
   */
  id?: number | null;
  /**
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
}
/**
 * Fields of every request.
 */
export interface AddressedToTemperamentRequest {
  /**
   * Returned in the answer.
   */
  id?: number | null;
  /**
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
  temperament: Temperament;
}
/**
 * Fields of every request.
 */
export interface AddressedToAttendRequest {
  /**
   * @minItems 3
   * @maxItems 3
   */
  attend: [number, number, number];
  /**
   * Returned in the answer.
   */
  id?: number | null;
  /**
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
}
/**
 * Fields of every request.
 */
export interface AddressedToFollowRequest {
  /**
   * Position in metres; `null` ends following.
   *
   * @minItems 3
   * @maxItems 3
   */
  follow: [number, number, number] | null;
  /**
   * Returned in the answer.
   */
  id?: number | null;
  /**
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
}
/**
 * Fields of every request.
 */
export interface AddressedToMimicRequest {
  /**
   * Returned in the answer.
   */
  id?: number | null;
  /**
   * Manner of mirroring; `null` ends the mirroring.
   */
  mimic: Manner | null;
  /**
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
}
/**
 * Settings for mirroring a person.
 */
export interface Manner {
  /**
   * Share of actions that are answered, from 0 (none) to 1 (all); by default 0.6. Partial mirroring creates rapport; complete mirroring looks like mockery.
   */
  amount?: number;
  /**
   * Approximate delay of posture changes in seconds; by default 2.5. Nods and smiles are faster.
   */
  delay?: number;
  /**
   * True to answer like a mirror: the character uses its right side if the person uses their left side. By default true.
   */
  mirror?: boolean;
  /**
   * Priority of the answers; intents of an agent have 0. By default −1.
   */
  priority?: number;
}
/**
 * Fields of every request.
 */
export interface AddressedToSeeRequest {
  /**
   * Returned in the answer.
   */
  id?: number | null;
  /**
   * Names of the performers. Default: `main`.
   */
  performer?: Performers | null;
  see: Sighting;
}
/**
 * Landmarks of one image.
 */
export interface Sighting {
  /**
   * Face points relative to the image size.
   *
   * @maxItems 478
   */
  face?: [number, number, number][] | null;
  /**
   * Points of the left hand relative to the image size.
   *
   * @maxItems 21
   */
  leftHand?: [number, number, number][] | null;
  /**
   * Number of people in the image. Default: 1 if there are landmarks, else 0.
   */
  people?: number | null;
  /**
   * Pose points: x and y relative to the image size, z relative to its width, and visibility.
   *
   * @maxItems 33
   */
  pose?: [number, number, number, number][] | null;
  /**
   * Points of the right hand relative to the image size.
   *
   * @maxItems 21
   */
  rightHand?: [number, number, number][] | null;
  /**
   * Width and height of the image in pixels. Default: square.
   *
   * @minItems 2
   * @maxItems 2
   */
  size?: [number, number] | null;
  /**
   * Time of the image in seconds of any steady clock.
   */
  time: number;
  /**
   * Pose points in metres from the centre of the hips: x to the image's right, y down, z away from the camera, and visibility.
   *
   * @maxItems 33
   */
  world?: [number, number, number, number][] | null;
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
/**
 * Body of `POST /api/voice`: a line to synthesise.
 */
export interface Speak {
  /**
   * Speaking rate from 0.5 to 2.5. Default: 1.
   */
  rate?: number | null;
  /**
   * Text of the line, with optional tags, or SSML.
   */
  text: string;
  /**
   * Voice with an optional variant: `en-gb`, `de+f2`. Default: `en-us`.
   */
  voice?: string | null;
}
/**
 * Response of `POST /api/voice`: the audio, and the intent for a performer.
 */
export interface Spoken {
  say: Say;
  /**
   * Duration in seconds.
   */
  seconds: number;
  /**
   * Parts of the line that cannot be spoken.
   */
  warnings: string[];
  /**
   * A WAV file in Base64.
   */
  wav: string;
}
/**
 * Response of `GET /api/stats`: performance of the server.
 */
export interface Stats {
  /**
   * Frames computed for performers since the last `?reset`.
   */
  frames: number;
  /**
   * Delay of frames in milliseconds: median, 99th percentile, maximum.
   *
   * @minItems 3
   * @maxItems 3
   */
  lateMs: [number, number, number];
  /**
   * Number of performers.
   */
  performers: number;
  /**
   * Resident memory of the process in bytes, if the system reports it.
   */
  residentBytes?: number | null;
  /**
   * Uptime in seconds.
   */
  seconds: number;
  /**
   * Frames that were skipped because the machine slept or was overloaded.
   */
  skipped: number;
  /**
   * Number of open connections.
   */
  viewers: number;
}
/**
 * Response of `POST /api/characters/ID/clips?name=wave.fbx`: an uploaded file.
 */
export interface Uploaded {
  /**
   * The clips in the file.
   */
  clips: ClipInfo[];
  /**
   * Warnings about data that were dropped or guessed while reading the file.
   */
  warnings: string[];
}
/**
 * Response of `GET /api/voice`: available voices.
 */
export interface Voices {
  /**
   * Instructions for installing voices; omitted if voices are installed.
   */
  missing?: string | null;
  /**
   * Voices of espeak-ng; empty if it is not installed.
   */
  voices: VoiceInfo[];
}
/**
 * A voice.
 */
export interface VoiceInfo {
  /**
   * Display name.
   */
  name: string;
  /**
   * Identifier of the voice: `en-us`.
   */
  voice: string;
}
