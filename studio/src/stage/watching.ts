// Whom this page watches beside `main`.
import { MAIN } from '../state.ts';
import { connected, onMessage, request } from '../wire.ts';

let watched = new Set([MAIN]);

const tell = (): Promise<unknown> => request({ watch: { performers: [...watched], frames: 'binary', plan: true, events: true } });

export function watch(names: readonly string[]): Promise<unknown> {
  names.forEach(name => watched.add(name));
  return tell();
}

/** Lets performers of this page end; who is gone is watched no longer. */
export async function dismiss(names: readonly string[]): Promise<void> {
  if (names.length > 0 && connected.value) await request({ dismiss: [...names] });
}

export function start(): void {
  // A new connection watches `main` alone, and what was cast for the old one is gone.
  connected.subscribe(is => { if (!is) watched = new Set([MAIN]); });
  onMessage(message => {
    if ('gone' in message && message.gone.performer !== MAIN) watched.delete(message.gone.performer);
  });
}
