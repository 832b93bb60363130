// Plots of eye, lid and head signals, and the ruler above them, drawn on canvases.
import { signal } from '@preact/signals';
import { framesOf, newestTime, performerTime, transport } from '../playback.ts';
import { SIGNALS } from '../wire.ts';
import { clock, place, type Axis } from './axis.ts';

type Signal = typeof SIGNALS[number];
interface Curve { signal: Signal; isLight: boolean }
/** Curves that are shown and hidden together. */
export interface Group { id: string; name: string; colour: string; what: string; isAngle: boolean; curves: Curve[] }

const curves = (strong: Signal, light: Signal): Curve[] =>
  [{ signal: light, isLight: true }, { signal: strong, isLight: false }];

const YAW = 'angles: yaw strong, pitch light';
export const GROUPS: Group[] = [
  { id: 'lids', name: 'Lids', colour: '--speech', what: 'lid aperture: left strong, right light', isAngle: false, curves: curves('aperture_left', 'aperture_right') },
  { id: 'eyes', name: 'Eyes', colour: '--gesture', what: `eye ${YAW}`, isAngle: true, curves: curves('eye_left_yaw', 'eye_left_pitch') },
  { id: 'head', name: 'Head', colour: '--fidget', what: `head ${YAW}`, isAngle: true, curves: curves('head_yaw', 'head_pitch') },
  { id: 'gaze', name: 'Gaze', colour: '--look', what: `gaze ${YAW}`, isAngle: true, curves: curves('gaze_yaw', 'gaze_pitch') },
];
export const hidden = signal<ReadonlySet<string>>(new Set());

export function toggle(id: string): void {
  const next = new Set(hidden.value);
  if (!next.delete(id)) next.add(id);
  hidden.value = next;
}

/** Possible ranges of the angle plot in degrees. */
const RANGES = [15, 30, 60, 90];
/** Maximum of the lid plot; above 1, because surprised eyes open wider than at rest. */
const MOST_APERTURE = 1.3;
/** Maximum samples per pixel. */
const SAMPLES = 2;

let style: CSSStyleDeclaration | undefined;
const colour = (name: string): string => (style ??= getComputedStyle(document.documentElement)).getPropertyValue(name);

/** Returns a cleared canvas context at screen resolution; null while the canvas is hidden. */
function blank(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const { clientWidth: wide, clientHeight: tall } = canvas, fine = devicePixelRatio;
  if (wide === 0 || tall === 0) return null;
  const [w, h] = [Math.round(wide * fine), Math.round(tall * fine)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  const ink = canvas.getContext('2d');
  ink?.setTransform(fine, 0, 0, fine, 0, 0);
  ink?.clearRect(0, 0, wide, tall);
  return ink;
}

function line(ink: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  ink.beginPath();
  ink.moveTo(x1, y1);
  ink.lineTo(x2, y2);
  ink.stroke();
}

/** Draws ticks, times, the loop and the present. */
export function drawRuler(canvas: HTMLCanvasElement, axis: Axis): void {
  const ink = blank(canvas);
  if (!ink) return;
  const tall = canvas.clientHeight, [small, large] = ticks(axis);
  drawLoop(ink, axis, tall);
  ink.font = '10px system-ui, sans-serif';
  ink.fillStyle = colour('--soft');
  ink.strokeStyle = colour('--line');
  for (let tick = Math.ceil(axis.from / small); tick * small < axis.to; tick++) {
    const time = tick * small, x = Math.round(place(axis, time)) + 0.5, isLarge = tick % Math.round(large / small) === 0;
    if (time < 0) continue;
    line(ink, x, tall, x, tall - (isLarge ? 7 : 3));
    if (isLarge) ink.fillText(clock(time, 0), x + 3, 10);
  }
  drawPresent(ink, axis, tall);
}

function ticks({ to, from }: Axis): [small: number, large: number] {
  const seconds = to - from;
  return seconds <= 10 ? [0.2, 1] : seconds <= 30 ? [1, 5] : seconds <= 60 ? [2, 10] : [5, 20];
}

function drawLoop(ink: CanvasRenderingContext2D, axis: Axis, tall: number): void {
  const loop = transport.loop.peek();
  if (!loop) return;
  const [x1, x2] = [place(axis, loop[0]), place(axis, loop[1])];
  ink.fillStyle = colour('--accent');
  ink.globalAlpha = 0.2;
  ink.fillRect(x1, 0, x2 - x1, tall);
  ink.globalAlpha = 1;
  for (const x of [x1, x2 - 2]) ink.fillRect(x, 0, 2, tall);
}

function drawPresent(ink: CanvasRenderingContext2D, axis: Axis, tall: number): void {
  const x = Math.round(place(axis, newestTime())) + 0.5;
  ink.strokeStyle = colour('--soft');
  ink.setLineDash([2, 3]);
  line(ink, x, 0, x, tall);
  ink.setLineDash([]);
}

/** Draws the plots of one performer. */
export function drawPlots(canvas: HTMLCanvasElement, axis: Axis, performer: string): void {
  const ink = blank(canvas);
  if (!ink) return;
  const wide = canvas.clientWidth, points = sampled(performer, axis), degrees = rangeOf(points), bands = bandsOf(canvas.clientHeight, degrees);
  canvas.previousElementSibling?.setAttribute('data-degrees', `±${degrees}°`);
  drawPresent(ink, axis, canvas.clientHeight);
  ink.strokeStyle = colour('--line');
  for (const [value, isAngle] of [[0, true], [1, false], [0, false]] as const) {
    if (!isShown(isAngle)) continue;
    const y = Math.round(bands.y(value, isAngle)) + 0.5;
    line(ink, 0, y, wide, y);
  }
  for (const group of GROUPS) if (!hidden.peek().has(group.id)) drawGroup(ink, group, points, bands);
}

const isShown = (isAngle: boolean): boolean => GROUPS.some(group => group.isAngle === isAngle && !hidden.peek().has(group.id));

interface Bands { y: (value: number, isAngle: boolean) => number }

/** Returns the smallest range that contains all angles. */
function rangeOf(points: Point[]): number {
  const shown = GROUPS.filter(({ id, isAngle }) => isAngle && !hidden.peek().has(id));
  const indices = shown.flatMap(({ curves }) => curves.map(({ signal }) => SIGNALS.indexOf(signal)));
  const most = points.reduce((most, { signals }) => indices.reduce((m, i) => Math.max(m, Math.abs(signals[i] ?? 0)), most), 0);
  return RANGES.find(range => most <= range) ?? 180;
}

/** Layout: lids above, angles below; if only one is shown, it uses the full height. */
function bandsOf(tall: number, degrees: number): Bands {
  const split = !isShown(true) ? tall : !isShown(false) ? 0 : 0.4 * tall;
  const y = (value: number, isAngle: boolean): number => isAngle
    ? split + (tall - split) * (0.5 - Math.max(-1, Math.min(1, value / degrees)) * 0.46)
    : split * (0.94 - Math.max(0, Math.min(1, value / MOST_APERTURE)) * 0.88);
  return { y };
}

interface Point { x: number; signals: Float32Array }

/** Returns the frames of a time range, thinned to the pixel resolution; the choice is stable between redraws. */
function sampled(performer: string, axis: Axis): Point[] {
  const frames = framesOf(performer);
  if (!frames) return [];
  const first = frames.indexAt(performerTime(performer, axis.from)), last = Math.min(frames.indexAt(performerTime(performer, axis.to)) + 1, frames.end);
  const later = performerTime(performer, 0), most = SAMPLES * (axis.to - axis.from) * axis.scale;
  const stride = Math.max(1, Math.ceil((last - first) / most));
  const points: Point[] = [];
  for (let i = first - first % stride; i < last; i += stride) {
    const frame = frames.get(i);
    if (frame) points.push({ x: place(axis, frame.time - later), signals: frame.signals });
  }
  return points;
}

function drawGroup(ink: CanvasRenderingContext2D, group: Group, points: Point[], { y }: Bands): void {
  ink.strokeStyle = colour(group.colour);
  for (const { signal, isLight } of group.curves) {
    const index = SIGNALS.indexOf(signal);
    ink.globalAlpha = isLight ? 0.55 : 1;
    ink.lineWidth = isLight ? 1 : 1.5;
    ink.beginPath();
    for (const { x, signals } of points) ink.lineTo(x, y(signals[index] ?? 0, group.isAngle));
    ink.stroke();
  }
  ink.globalAlpha = ink.lineWidth = 1;
}
