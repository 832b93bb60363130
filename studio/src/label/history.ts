// Undo history. Labels are immutable, so a step stores the whole previous state.
import type { Labels } from './types.ts';

export interface Step { readonly what: string; readonly frame: number; readonly labels: Labels }
export interface History { readonly past: readonly Step[]; readonly future: readonly Step[] }
export const NOTHING: History = { past: [], future: [] };

const MOST = 500;
/** Time in milliseconds within which changes by the same key are one undo step. */
export const MERGE_MS = 800;

/** Adds the state before a change. */
export const recordStep = ({ past }: History, step: Step): History => ({ past: [...past, step].slice(-MOST), future: [] });

/** Returns the step to restore and the remaining history, or null if there is none. */
export function undone({ past, future }: History, now: Labels): { step: Step; history: History } | null {
  const step = past.at(-1);
  return step ? { step, history: { past: past.slice(0, -1), future: [...future, { ...step, labels: now }] } } : null;
}

export function redone({ past, future }: History, now: Labels): { step: Step; history: History } | null {
  const step = future.at(-1);
  return step ? { step, history: { past: [...past, { ...step, labels: now }], future: future.slice(0, -1) } } : null;
}
