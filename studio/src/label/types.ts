// What the server of the label view tells and takes; the labels are as docs/label.md describes them.

/** Pixels to the right and down; whole numbers are the middles of pixels. */
export type Point = readonly [x: number, y: number];
/** Eighteen: the person's right eye, then the left one. */
export type Points = readonly Point[];

export interface LabelledFrame {
  readonly frame: number;
  readonly secs: number;
  readonly points: Points;
  /** A program placed them, and nobody has looked yet. */
  readonly guessed?: boolean;
}

/** From this frame on the eyes look there: to the person's left, and up. */
export interface GazeKey {
  readonly frame: number; readonly secs: number; readonly yawDeg: number; readonly pitchDeg: number;
  /** A program proposed it, and nobody has looked yet. */
  readonly guessed?: boolean;
}

export interface Labels {
  readonly version: 1;
  readonly film: string;
  readonly width: number;
  readonly height: number;
  readonly frames: readonly LabelledFrame[];
  readonly gaze: readonly GazeKey[];
}

export interface Film { name: string; width: number; height: number; secs: number[]; labelsFile: string; id: number; isDrawn: boolean }
export interface Kept { revision: number; labels: Labels }
/** What the model of all other labelled frames finds in one; `error` is the share of its contrast that it does not explain. */
export interface Guess { points: Points; error: number; usual: number; trusted: boolean; learnedFrom: number }
/** How many frames of how many: seen for suggestions (null once that is done), and tracked. */
export interface Underway { looking: readonly [number, number] | null; tracking: readonly [number, number] }
/** What was drawn in a frame. */
export interface Drawn { points: Points; yawDeg: number; pitchDeg: number }
