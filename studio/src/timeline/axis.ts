// The time axis: shown range, and conversion between times and pixels.
import { signal } from '@preact/signals';
import { newestTime, transport } from '../playback.ts';

export const ZOOMS = [10, 30, 60, 120] as const;
export type Zoom = typeof ZOOMS[number];

/** Position of the present in live mode, as a fraction of the width; plans are to its right. */
const PRESENT = 2 / 3;
/** Minimum distance of the shown time from both edges, as a fraction of the width. */
const MARGIN = 0.04;

export const zoom = signal<Zoom>(30);
/** Width of the axis in pixels. */
export const width = signal(800);

let from = 0;

/** The shown time range in seconds, and pixels per second. */
export interface Axis { from: number; to: number; scale: number }

/** Updates the axis: follows the present in live mode, otherwise scrolls only if the shown time reaches an edge. */
export function follow(): Axis {
  const at = transport.at.peek(), seconds = zoom.peek();
  if (transport.live.peek()) from = newestTime() - PRESENT * seconds;
  else from = Math.min(Math.max(from, at - (1 - MARGIN) * seconds), at - MARGIN * seconds);
  return { from, to: from + seconds, scale: width.peek() / seconds };
}

/** Sets the shown duration; the shown time keeps its position. */
export function setZoom(seconds: Zoom): void {
  const at = transport.at.peek();
  from = at - (at - from) / zoom.peek() * seconds;
  zoom.value = seconds;
}

export const place = (axis: Axis, time: number): number => (time - axis.from) * axis.scale;
export const timeAt = (pixels: number): number => from + pixels * zoom.peek() / width.peek();

/** Formats a time as 1:02.5. */
export function clock(time: number, digits = 1): string {
  const unit = 10 ** digits, rounded = Math.round(Math.max(0, time) * unit) / unit;
  const seconds = (rounded % 60).toFixed(digits);
  return `${Math.floor(rounded / 60)}:${seconds.padStart(digits > 0 ? digits + 3 : 2, '0')}`;
}
