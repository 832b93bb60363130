// Which part of time the timeline shows, and where a time is on it.
import { signal } from '@preact/signals';
import { newestTime, transport } from '../past.ts';

export const ZOOMS = [10, 30, 60, 120] as const;
export type Zoom = typeof ZOOMS[number];

/** The present stands here while it is shown; what is planned is to its right. */
const PRESENT = 2 / 3;
/** The shown time stays as far from both edges. */
const MARGIN = 0.04;

export const zoom = signal<Zoom>(30);
/** How wide the axis is, in pixels. */
export const width = signal(800);

let from = 0;

/** A stretch of time, and its pixels a second. */
export interface Axis { from: number; to: number; scale: number }

/** Follows the present; or stays, and makes way for the shown time when it comes to an edge. */
export function follow(): Axis {
  const at = transport.at.peek(), seconds = zoom.peek();
  if (transport.live.peek()) from = newestTime() - PRESENT * seconds;
  else from = Math.min(Math.max(from, at - (1 - MARGIN) * seconds), at - MARGIN * seconds);
  return { from, to: from + seconds, scale: width.peek() / seconds };
}

/** Shows more or less of time; the shown time stays where it is. */
export function setZoom(seconds: Zoom): void {
  const at = transport.at.peek();
  from = at - (at - from) / zoom.peek() * seconds;
  zoom.value = seconds;
}

export const place = (axis: Axis, time: number): number => (time - axis.from) * axis.scale;
export const timeAt = (pixels: number): number => from + pixels * zoom.peek() / width.peek();

/** As a clock shows it: 1:02.5. */
export function clock(time: number, digits = 1): string {
  const unit = 10 ** digits, rounded = Math.round(Math.max(0, time) * unit) / unit;
  const seconds = (rounded % 60).toFixed(digits);
  return `${Math.floor(rounded / 60)}:${seconds.padStart(digits > 0 ? digits + 3 : 2, '0')}`;
}
