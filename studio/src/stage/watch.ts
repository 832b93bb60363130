// The performers that this page watches.
import { MAIN } from '../state.ts';
import { connected, onMessage, request } from '../wire.ts';

let watched = new Set([MAIN]);

const sendWatched = (): Promise<unknown> => request({ watch: { performers: [...watched], frames: 'binary', plan: true, events: true } });

export function watch(names: readonly string[]): Promise<unknown> {
  names.forEach(name => watched.add(name));
  return sendWatched();
}

/** Ends performers of this page. */
export async function dismiss(names: readonly string[]): Promise<void> {
  if (names.length > 0 && connected.value) await request({ dismiss: [...names] });
}

export function start(): void {
  // A new connection watches only `main`; performers of the old one have ended.
  connected.subscribe(is => { if (!is) watched = new Set([MAIN]); });
  onMessage(message => {
    if ('gone' in message && message.gone.performer !== MAIN) watched.delete(message.gone.performer);
  });
}
