// How to mirror a person, as the browser keeps it.
import type { Manner as Asked } from '../protocol.ts';

export type Manner = Required<Pick<Asked, 'amount' | 'mirror' | 'delay'>>;

/** What the server does by itself. */
export const USUAL: Manner = { amount: 0.6, mirror: true, delay: 2.5 };
/** The longest delay that is offered, in seconds. */
export const LATEST = 8;

/** What a browser has kept, as far as it makes sense. */
export function mannerOf(text: string | null): Manner {
  const { amount, mirror, delay } = keptAs(text);
  const within = (value: unknown, most: number, usual: number) => typeof value === 'number' && value >= 0 && value <= most ? value : usual;
  return { amount: within(amount, 1, USUAL.amount), mirror: typeof mirror === 'boolean' ? mirror : USUAL.mirror, delay: within(delay, LATEST, USUAL.delay) };
}

function keptAs(text: string | null): Partial<Record<keyof Manner, unknown>> {
  try {
    return Object(JSON.parse(text ?? '{}')) as Partial<Record<keyof Manner, unknown>>;
  } catch {
    return {};
  }
}
