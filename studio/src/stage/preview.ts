// Shows a clip on stage for as long as somebody points at it.
import { character, complain } from '../state.ts';
import { onFrame, onMessage, request, type Frame } from '../wire.ts';
import { previewed } from './cast.ts';
import { dismiss, watch } from './watching.ts';

export interface ClipPart { clip: string; start?: number; end?: number | null }

/** Long enough not to follow every clip that a pointer passes. */
const DWELL_MS = 150;

let timer: ReturnType<typeof setTimeout> | undefined;
/** The newest wish: what is under way for an older one ends as soon as it can. */
let newest = 0;
let last: Promise<void> = Promise.resolve();
let shownPart = 'null';
let newestFrame: Frame | undefined;

/** Plays a clip, or a part of it, again and again; null lets the character go on. */
export function preview(part: ClipPart | null): void {
  clearTimeout(timer);
  const mine = ++newest;
  timer = setTimeout(() => {
    last = last.then(() => mine === newest ? change(part) : undefined).catch(error => {
      end();
      complain(error);
    });
  }, DWELL_MS);
}

/** The frame of the preview: it plays on while the character's time is paused. */
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
