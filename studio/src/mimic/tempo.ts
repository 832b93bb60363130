// Image rate and latency over the last few seconds.

const SECONDS = 3;

/** Time and latency of processed images in seconds, newest last. */
export type Timings = readonly { at: number; latency: number }[];

export const addTiming = (before: Timings, at: number, latency: number): Timings =>
  [...before.filter(one => one.at > at - SECONDS), { at, latency }];

/** Returns images per second and the median latency in milliseconds; null for fewer than three images. */
export function tempoOf(all: Timings): { perSecond: number; latencyMs: number } | null {
  if (all.length < 3) return null;
  const seconds = all.at(-1)!.at - all[0]!.at;
  const sorted = all.map(one => one.latency).sort((a, b) => a - b);
  return seconds > 0 ? { perSecond: (all.length - 1) / seconds, latencyMs: 1000 * sorted[sorted.length >> 1]! } : null;
}
