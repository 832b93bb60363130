// Mirroring settings, stored in the browser.
import type { Manner as ProtocolManner } from '../protocol.ts';

export type Manner = Required<Pick<ProtocolManner, 'amount' | 'mirror' | 'delay'>>;

/** The server's defaults. */
export const USUAL: Manner = { amount: 0.6, mirror: true, delay: 2.5 };
/** Maximum delay in seconds. */
export const LATEST = 8;

/** Parses stored settings. Invalid values are replaced by defaults. */
export function mannerOf(text: string | null): Manner {
  const { amount, mirror, delay } = parseStored(text);
  const within = (value: unknown, most: number, usual: number) => typeof value === 'number' && value >= 0 && value <= most ? value : usual;
  return { amount: within(amount, 1, USUAL.amount), mirror: typeof mirror === 'boolean' ? mirror : USUAL.mirror, delay: within(delay, LATEST, USUAL.delay) };
}

function parseStored(text: string | null): Partial<Record<keyof Manner, unknown>> {
  try {
    return Object(JSON.parse(text ?? '{}')) as Partial<Record<keyof Manner, unknown>>;
  } catch {
    return {};
  }
}
