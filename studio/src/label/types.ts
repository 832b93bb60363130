// Data of the label view's API; docs/reference/labels.md describes the labels.

/** Pixels to the right and down; whole numbers are pixel centres. */
export type Point = readonly [x: number, y: number];
/** 18 points: the person's right eye, then the left one. */
export type Points = readonly Point[];

export interface LabelledFrame {
  readonly frame: number;
  readonly secs: number;
  readonly points: Points;
  /** True for proposed points that are not confirmed. */
  readonly guessed?: boolean;
}

/** The gaze from a frame on, in degrees to the person's left and up. */
export interface GazeKey {
  readonly frame: number; readonly secs: number; readonly yawDeg: number; readonly pitchDeg: number;
  /** True for a proposed key that is not confirmed. */
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
export interface StoredLabels { revision: number; labels: Labels }
/** A guess by the model of all other labelled frames. `error` is the fraction of the image's contrast that it cannot explain. */
export interface Guess { points: Points; error: number; usual: number; trusted: boolean; learnedFrom: number }
/** Progress as [done, total] frames: scanned for suggestions (null when finished), and tracked. */
export interface Underway { looking: readonly [number, number] | null; tracking: readonly [number, number] }
/** True points and gaze of a frame of a synthetic video. */
export interface GroundTruth { points: Points; yawDeg: number; pitchDeg: number }
