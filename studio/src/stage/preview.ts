// Previews a clip on the stage while the pointer is on it.
import { character, showError } from '../state.ts';
import { onFrame, onMessage, request, type Frame } from '../wire.ts';
import { previewed } from './cast.ts';
import { dismiss, watch } from './watch.ts';

export interface ClipPart { clip: string; start?: number; end?: number | null }

/** Delay, so that clips passed by the pointer are not played. */
const DWELL_MS = 150;

let timer: ReturnType<typeof setTimeout> | undefined;
/** Number of the newest request; older ones are abandoned. */
let newest = 0;
let last: Promise<void> = Promise.resolve();
let shownPart = 'null';
let newestFrame: Frame | undefined;

/** Loops a clip or a part of it; null returns to the character. */
export function preview(part: ClipPart | null): void {
  clearTimeout(timer);
  const mine = ++newest;
  timer = setTimeout(() => {
    last = last.then(() => mine === newest ? change(part) : undefined).catch(error => {
      end();
      showError(error);
    });
  }, DWELL_MS);
}

/** The newest frame of the preview, which plays even while the transport is paused. */
export const previewFrame = (): Frame | undefined => newestFrame;

async function change(part: ClipPart | null): Promise<void> {
  if (JSON.stringify(part) === shownPart) return;
  shownPart = JSON.stringify(part);
  const old = previewed.value?.performer;
  if (part === null) end();
  else await begin(part);
  if (old !== undefined) await dismiss([old]);
}

async function begin({ clip, start = 0, end: until = null }: ClipPart): Promise<void> {
  const it = character.value;
  if (!it) return;
  const performer = `preview-${Math.random().toString(36).slice(2, 10)}`;
  await request({ cast: [{ performer, character: it.id, clip: { clip, start, end: until }, mine: true }] });
  await watch([performer]);
  const name = it.clips.find(one => one.clip === clip)?.name ?? clip;
  previewed.value = { performer, caption: `Preview: ${name}` };
}

function end(): void {
  previewed.value = null;
  newestFrame = undefined;
  shownPart = 'null';
}

export function start(): void {
  onFrame((name, frame) => { if (name === previewed.peek()?.performer) newestFrame = frame; });
  onMessage(message => { if ('gone' in message && message.gone.performer === previewed.peek()?.performer) end(); });
}
