// Which instant of each performer is shown: the newest, or one of the past, by one transport for all.
import { batch, signal } from '@preact/signals';
import { Frames } from './past/frames.ts';
import { addressed as tracks } from './stage/cast.ts';
import { MAIN } from './state.ts';
import { onFrame, onMessage, type Frame } from './wire.ts';

const KEPT_SECONDS = 120;
/** What is looked at stays longer, so that a pause holds; but not for ever. */
const HELD_SECONDS = 300;
/** Who was not heard of for so long is watched no longer. */
const SILENT_MS = 3000;
/** Performers that begin within this of each other began together. */
const TOGETHER_SECONDS = 0.1;

export const SPEEDS = [1, 1 / 2, 1 / 4, 1 / 8] as const;
export type Speed = typeof SPEEDS[number];
export type Range = [from: number, to: number];

/** Times are those of the first performer that is shown; see `own`. */
export const transport = {
  playing: signal(true),
  speed: signal<Speed>(1),
  loop: signal<Range | null>(null),
  /** The time that is shown. It changes with every picture, so components should not depend on it. */
  at: signal(0),
  /** Whether it is the newest that is shown. */
  live: signal(true),
};

const past = new Map<string, Frames>();
/** When each was last heard of, by the page's clock. */
const heard = new Map<string, number>();
/** How much later each performer's clock is than that of the first. */
const offsets = new Map<string, number>();

const lead = (): Frames | undefined => past.get(tracks.peek()[0] ?? MAIN);
export const framesOf = (performer: string): Frames | undefined => past.get(performer);
export const newestTime = (): number => lead()?.newest?.time ?? 0;
export const oldestTime = (): number => lead()?.oldest?.time ?? 0;
/** A time of the transport, by a performer's own clock. */
export const own = (performer: string, time: number): number => time + (offsets.get(performer) ?? 0);

/** The frame to show of a performer now. */
export function shown(performer: string): Frame | undefined {
  const frames = past.get(performer);
  if (transport.live.peek()) return frames?.newest;
  return frames?.get(frames.indexAt(own(performer, transport.at.peek())));
}

/** Shows the newest again. */
export function goLive(): void {
  batch(() => {
    transport.live.value = transport.playing.value = true;
    transport.speed.value = 1;
    transport.loop.value = null;
    transport.at.value = newestTime();
  });
}

/** The time that is shown at this moment. */
const shownTime = (): number => transport.live.peek() ? newestTime() : transport.at.peek();

/** Shows a time of the past, as far as it is kept. */
export function scrub(time: number): void {
  batch(() => {
    transport.live.value = false;
    transport.at.value = Math.min(Math.max(time, oldestTime()), newestTime());
  });
}

export function setPlaying(playing: boolean): void {
  batch(() => {
    if (!playing) scrub(shownTime());
    transport.playing.value = playing;
  });
}

/** Slow motion shows the past, and falls behind. */
export function setSpeed(speed: Speed): void {
  batch(() => {
    if (speed !== 1) scrub(shownTime());
    transport.speed.value = speed;
  });
}

/** Shows one range again and again. */
export function setLoop(loop: Range | null): void {
  batch(() => {
    transport.loop.value = loop;
    if (loop) scrub(loop[0]);
  });
}

/** Holds, and shows a frame before or after. */
export function step(frames: number): void {
  const all = lead();
  if (!all) return;
  setPlaying(false);
  const frame = all.get(Math.min(all.indexAt(transport.at.value) + frames, all.end - 1));
  if (frame) scrub(frame.time);
}

/** Lets time pass: the past is played, or the newest is shown. */
export function advance(seconds: number): void {
  const { playing, speed, loop, at, live } = transport;
  if (live.value) at.value = newestTime();
  else if (playing.value) play(at.value + seconds * speed.value, loop.value);
  else if (at.value < oldestTime()) at.value = oldestTime();
}

function play(next: number, loop: Range | null): void {
  const end = Math.min(loop?.[1] ?? Infinity, newestTime());
  if (next < end) transport.at.value = Math.max(next, loop?.[0] ?? oldestTime());
  else if (loop) transport.at.value = loop[0];
  else if (transport.speed.value === 1) goLive();
  else transport.at.value = end;
}

function keptFrom(newest: number): number {
  const { live, at, loop } = transport;
  const looked = live.peek() ? Infinity : Math.min(at.peek(), loop.peek()?.[0] ?? Infinity) - 1;
  return Math.max(newest - HELD_SECONDS, Math.min(newest - KEPT_SECONDS, looked));
}

/** Takes in the newest frame of a performer. */
export function came(name: string, frame: Frame): void {
  let frames = past.get(name);
  if (!frames) past.set(name, frames = new Frames());
  const before = frames.newest?.time ?? Infinity;
  frames.add(frame);
  heard.set(name, performance.now());
  if (frame.time < before) began(name, frame.time);
  // Of who is only shown for a moment the newest is enough.
  frames.forget(tracks.peek().includes(name) || name === MAIN ? own(name, keptFrom(newestTime())) : frame.time);
}

function forget(performer: string): void {
  past.delete(performer);
  offsets.delete(performer);
  heard.delete(performer);
}

function forgetSilent(now: number): void {
  for (const [name, at] of heard) if (name !== MAIN && now - at > SILENT_MS) forget(name);
}

/** A new performance has nothing to do with what was shown of the last one. */
function began(name: string, time: number): void {
  const later = time - newestTime();
  offsets.set(name, Math.abs(later) < TOGETHER_SECONDS ? 0 : later);
  if (name === tracks.peek()[0]) changedLead();
}

function changedLead(): void {
  for (const [name, frames] of past) {
    const later = (frames.newest?.time ?? 0) - newestTime();
    offsets.set(name, Math.abs(later) < TOGETHER_SECONDS ? 0 : later);
  }
  goLive();
}

export function start(): void {
  onFrame(came);
  onMessage(message => { if ('gone' in message) forget(message.gone.performer); });
  let first: string | undefined;
  tracks.subscribe(([name]) => {
    if (name !== first) changedLead();
    first = name;
  });
  let before = performance.now();
  const tick = (now: number): void => {
    // A hidden page lets no time pass, and must not leap when it is seen again.
    advance(Math.min(0.25, (now - before) / 1000));
    before = now;
    forgetSilent(now);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
