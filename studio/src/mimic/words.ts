// What mimicry has to say: how it is going, what was seen of the person, and what is wrong.
import type { HandShape, Noticed, View } from '../protocol.ts';

/** How it is going. `seen` and the like come from the server, with what it noticed. */
export type State =
  | 'off' | 'asking' | 'loading' | View | 'paused' | 'over' | 'gone'
  | 'refused' | 'no-camera' | 'in-use' | 'unplugged' | 'not-safe' | 'no-film' | 'no-finder' | 'not-known';

const WORDS: Record<State, string> = {
  off: '',
  asking: 'The browser asks you whether it may use the camera.',
  loading: 'Loading what finds people in pictures …',
  nobody: 'I see nobody. Step into the picture.',
  several: 'I see more than one person, and mirror nobody until one of you is left.',
  partly: 'I see only part of you; step back so that your hands are in the picture.',
  seen: 'I see you.',
  paused: 'Paused while this page is hidden.',
  over: 'The film is over.',
  gone: 'The server is gone. Start vivant again, and it goes on.',
  refused: 'The camera was refused. Allow it beside the address of this page, and try again; or choose a film.',
  'no-camera': 'There is no camera here. Plug one in, and try again; or choose a film.',
  'in-use': 'The camera cannot be opened: perhaps another program uses it. Close that one, and try again.',
  unplugged: 'The camera is gone. Plug it in, and start again.',
  'not-safe': 'Browsers give the camera only to pages of this computer, or over https. Open the studio there, or choose a film.',
  'no-film': 'This browser cannot play that film. MP4 with H.264, and WebM, are played everywhere.',
  'no-finder': 'What finds people in pictures cannot run in this browser.',
  'not-known': 'This server cannot mirror people.',
};

export const stateInWords = (state: State): string => WORDS[state];

/** Whether somebody has to do something about it. */
export const isFault = (state: State): boolean =>
  ['gone', 'refused', 'no-camera', 'in-use', 'unplugged', 'not-safe', 'no-film', 'no-finder', 'not-known'].includes(state);

/** Why there is no camera, by the name of the browser's error. */
export function whyNoCamera(error: unknown): State {
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'no-camera';
  return 'in-use';
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;
const degrees = (angle: number, positive: string, negative: string): string =>
  Math.round(angle) === 0 ? '' : `${Math.abs(Math.round(angle))}° ${angle > 0 ? positive : negative}`;

/** To the left and up. */
const directionInWords = ([yaw, pitch]: readonly number[], ahead: string): string =>
  [degrees(yaw!, 'left', 'right'), degrees(pitch!, 'up', 'down')].filter(Boolean).join(', ') || ahead;

const SHAPES: Record<HandShape, string> = { open: 'open', fist: 'a fist', pointing: 'pointing' };

/** Both hands, if they are alike, or each that is known. */
function handsInWords(left: HandShape | null, right: HandShape | null): string {
  if (left && left === right) return `both ${left === 'fist' ? 'fists' : SHAPES[left]}`;
  return [left && `left ${SHAPES[left]}`, right && `right ${SHAPES[right]}`].filter(Boolean).join(', ');
}

const HANDS: Record<string, string> = { L: 'left hand', R: 'right hand', LR: 'both hands' };

/** What was seen, as names and values; what was not is a dash. Sides are the person's own. */
export function noticedInWords(it: Noticed): [name: string, value: string][] {
  const when = <T>(value: T | null | undefined, words: (value: T) => string) => value === null || value === undefined ? '' : words(value);
  const head = [when(it.head, angles => directionInWords(angles, 'ahead')), when(it.tilt, side => `tilted ${side}`)].filter(Boolean).join(', ');
  const rows: [string, string][] = [
    ['Stance', when(it.stance, stance => `${stance}, ${percent(it.sure)} sure`)],
    ['Weight', when(it.weight, side => `on the ${side} leg`)],
    ['Leans', when(it.lean, angle => degrees(angle, 'left', 'right') || 'not at all')],
    ['Turned', when(it.turn, angle => degrees(angle, 'left', 'right') || 'to the camera')],
    ['Gesture', when(it.gesture, hand => HANDS[hand] ?? hand)],
    ['Hands', handsInWords(it.leftHand ?? null, it.rightHand ?? null)],
    ['Head', head],
    ['Looks', when(it.gaze, angles => directionInWords(angles, 'ahead'))],
    ['Smile', when(it.smile, percent)],
    ['Brows', when(it.brows, share => `${percent(share)} up`)],
    ['So far', `nods ${it.nods}, shakes ${it.shakes}, blinks ${it.blinks}`],
  ];
  return rows.map(([name, value]) => [name, value || '–']);
}

/** An answer of the character, which is an intent as JSON. Sides are the character's own. */
export function answerInWords(answer: string): string {
  const { stance, do: what, blink, act, hand, tags } = JSON.parse(answer) as { stance?: string; do?: string; blink?: boolean; act?: string; hand?: string; tags?: string[] };
  if (act) return hand ? `${tags?.includes('deictic') ? 'point' : act} with ${HANDS[hand]?.includes('both') ? '' : 'the '}${HANDS[hand] ?? hand}` : act;
  if (stance) return `stance ${stance}`;
  const [verb, side] = (what ?? (blink ? 'blink' : '')).split(':');
  return side ? `${verb} to the ${side}` : verb!;
}

/** How fast it goes: pictures a second, and how long one takes from the camera to the server's answer. */
export function paceInWords({ perSecond, latencyMs }: { perSecond: number; latencyMs: number }): string {
  return `${perSecond < 9.95 ? perSecond.toFixed(1) : perSecond.toFixed(0)} pictures a second, answered after ${Math.round(latencyMs)} ms`;
}
