// What was done, to be undone: labels are never changed in place, so a past state is the state itself.
import type { Labels } from './types.ts';

export interface Step { readonly what: string; readonly frame: number; readonly labels: Labels }
export interface History { readonly past: readonly Step[]; readonly future: readonly Step[] }
export const NOTHING: History = { past: [], future: [] };

const MOST = 500;
/** Presses of a key that follow one another so soon are one deed. */
export const SAME_DEED_MS = 800;

/** Remembers how it was before a deed. */
export const did = ({ past }: History, step: Step): History => ({ past: [...past, step].slice(-MOST), future: [] });

/** Goes back, or forth: gives what was done and how it was, and the history from there. */
export function undone({ past, future }: History, now: Labels): { step: Step; history: History } | null {
  const step = past.at(-1);
  return step ? { step, history: { past: past.slice(0, -1), future: [...future, { ...step, labels: now }] } } : null;
}

export function redone({ past, future }: History, now: Labels): { step: Step; history: History } | null {
  const step = future.at(-1);
  return step ? { step, history: { past: [...past, { ...step, labels: now }], future: future.slice(0, -1) } } : null;
}
