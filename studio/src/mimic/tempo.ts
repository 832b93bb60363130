// How fast pictures go through, over the last few seconds.

const SECONDS = 3;

/** When pictures were answered, and how long each took, newest last; times are in seconds. */
export type Passed = readonly { at: number; latency: number }[];

export const passed = (before: Passed, at: number, latency: number): Passed =>
  [...before.filter(one => one.at > at - SECONDS), { at, latency }];

/** Pictures a second, and the median latency in milliseconds; null while there are too few to tell. */
export function tempoOf(all: Passed): { perSecond: number; latencyMs: number } | null {
  if (all.length < 3) return null;
  const seconds = all.at(-1)!.at - all[0]!.at;
  const sorted = all.map(one => one.latency).sort((a, b) => a - b);
  return seconds > 0 ? { perSecond: (all.length - 1) / seconds, latencyMs: 1000 * sorted[sorted.length >> 1]! } : null;
}
