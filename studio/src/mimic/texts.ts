// Texts of the mirror panel: states, recognised behaviour, answers.
import type { HandShape, Noticed, View } from '../protocol.ts';

/** State of mimicry. The states of `View` come from the server. */
export type State =
  | 'off' | 'asking' | 'loading' | View | 'paused' | 'over' | 'gone'
  | 'refused' | 'no-camera' | 'in-use' | 'unplugged' | 'not-safe' | 'no-film' | 'no-finder' | 'not-known';

const WORDS: Record<State, string> = {
  off: '',
  asking: 'Allow the camera in the browser’s dialog.',
  loading: 'Loading person detection …',
  nobody: 'Nobody is in view. Step in front of the camera.',
  several: 'Several people are in view. Mirroring continues when only one is left.',
  partly: 'Only part of you is in view. Step back until your hands are visible.',
  seen: 'You are in view.',
  paused: 'Paused while this page is hidden.',
  over: 'The video has ended.',
  gone: 'The server is not running. Start vivant again to continue.',
  refused: 'The camera is blocked. Allow it next to the address of this page and try again, or choose a video.',
  'no-camera': 'No camera found. Connect one and try again, or choose a video.',
  'in-use': 'The camera cannot be opened. Close other programs that use it and try again.',
  unplugged: 'The camera was disconnected. Connect it and start again.',
  'not-safe': 'Browsers allow the camera only on this computer (localhost) or over https. Open the studio that way, or choose a video.',
  'no-film': 'This browser cannot play this video. Use MP4 with H.264, or WebM.',
  'no-finder': 'Person detection cannot run in this browser. Try another one.',
  'not-known': 'This server does not support mirroring. Update Vivant and start it again.',
};

export const stateInWords = (state: State): string => WORDS[state];

/** Returns true for states that need action by the user. */
export const isFault = (state: State): boolean =>
  ['gone', 'refused', 'no-camera', 'in-use', 'unplugged', 'not-safe', 'no-film', 'no-finder', 'not-known'].includes(state);

/** Maps the browser's camera error to a state. */
export function whyNoCamera(error: unknown): State {
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'no-camera';
  return 'in-use';
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;
const degrees = (angle: number, positive: string, negative: string): string =>
  Math.round(angle) === 0 ? '' : `${Math.abs(Math.round(angle))}° ${angle > 0 ? positive : negative}`;

/** Describes yaw (positive left) and pitch (positive up) in degrees. */
const directionInWords = ([yaw, pitch]: readonly number[], ahead: string): string =>
  [degrees(yaw!, 'left', 'right'), degrees(pitch!, 'up', 'down')].filter(Boolean).join(', ') || ahead;

const SHAPES: Record<HandShape, string> = { open: 'open', fist: 'a fist', pointing: 'pointing' };

/** Describes both hands together if they have the same shape, otherwise each known one. */
function handsInWords(left: HandShape | null, right: HandShape | null): string {
  if (left && left === right) return `both ${left === 'fist' ? 'fists' : SHAPES[left]}`;
  return [left && `left ${SHAPES[left]}`, right && `right ${SHAPES[right]}`].filter(Boolean).join(', ');
}

const HANDS: Record<string, string> = { L: 'left hand', R: 'right hand', LR: 'both hands' };

/** Returns what was recognised as names and values, with a dash for unknown values. Sides are the person's own. */
export function noticedInWords(it: Noticed): [name: string, value: string][] {
  const when = <T>(value: T | null | undefined, words: (value: T) => string) => value === null || value === undefined ? '' : words(value);
  const head = [when(it.head, angles => directionInWords(angles, 'ahead')), when(it.tilt, side => `tilted ${side}`)].filter(Boolean).join(', ');
  const rows: [string, string][] = [
    ['Stance', when(it.stance, stance => `${stance}, ${percent(it.sure)} sure`)],
    ['Weight', when(it.weight, side => `on the ${side} leg`)],
    ['Lean', when(it.lean, angle => degrees(angle, 'left', 'right') || 'none')],
    ['Turn', when(it.turn, angle => degrees(angle, 'left', 'right') || 'to the camera')],
    ['Gesture', when(it.gesture, hand => HANDS[hand] ?? hand)],
    ['Hands', handsInWords(it.leftHand ?? null, it.rightHand ?? null)],
    ['Head', head],
    ['Gaze', when(it.gaze, angles => directionInWords(angles, 'ahead'))],
    ['Smile', when(it.smile, percent)],
    ['Brows', when(it.brows, share => `${percent(share)} up`)],
    ['Counts', `nods ${it.nods}, shakes ${it.shakes}, blinks ${it.blinks}`],
  ];
  return rows.map(([name, value]) => [name, value || '–']);
}

/** Describes an answer of the character, given as a JSON intent. Sides are the character's own. */
export function answerInWords(answer: string): string {
  const { stance, do: what, blink, act, hand, tags } = JSON.parse(answer) as { stance?: string; do?: string; blink?: boolean; act?: string; hand?: string; tags?: string[] };
  if (act) return hand ? `${tags?.includes('deictic') ? 'point' : act} with ${HANDS[hand]?.includes('both') ? '' : 'the '}${HANDS[hand] ?? hand}` : act;
  if (stance) return `stance ${stance}`;
  const [verb, side] = (what ?? (blink ? 'blink' : '')).split(':');
  return side ? `${verb} to the ${side}` : verb!;
}

/** Describes the image rate, and the latency from camera to server answer. */
export function paceInWords({ perSecond, latencyMs }: { perSecond: number; latencyMs: number }): string {
  return `${perSecond < 9.95 ? perSecond.toFixed(1) : perSecond.toFixed(0)} images per second, latency ${Math.round(latencyMs)} ms`;
}
