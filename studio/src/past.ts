// Which instant of each performer is shown: the newest, or one of the past.
import { onFrame, onMessage, type Frame } from './wire.ts';

const newest = new Map<string, Frame>();

/** The frame to show of a performer now. */
export function shown(performer: string): Frame | undefined {
  return newest.get(performer);
}

export function start(): void {
  onFrame((name, frame) => newest.set(name, frame));
  onMessage(message => { if ('gone' in message) newest.delete(message.gone.performer); });
}
