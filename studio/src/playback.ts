// Playback: shows each performer live or at a past time, with one transport for all.
import { batch, signal } from '@preact/signals';
import { Frames } from './playback/frames.ts';
import { addressed as tracks } from './stage/cast.ts';
import { MAIN } from './state.ts';
import { onFrame, onMessage, type Frame } from './wire.ts';

const KEPT_SECONDS = 120;
/** Maximum age of frames that are kept because they are shown, so that a pause can hold them. */
const HELD_SECONDS = 300;
/** Time without new frames after which the frames of a performer are dropped. */
const SILENT_MS = 3000;
/** Maximum time between the starts of performers that share one clock. */
const TOGETHER_SECONDS = 0.1;

export const SPEEDS = [1, 1 / 2, 1 / 4, 1 / 8] as const;
export type Speed = typeof SPEEDS[number];
export type Range = [from: number, to: number];

/** All times are on the clock of the first shown performer; see `performerTime`. */
export const transport = {
  playing: signal(true),
  speed: signal<Speed>(1),
  loop: signal<Range | null>(null),
  /** The shown time in seconds. It changes with every rendered frame, so components should not subscribe to it. */
  at: signal(0),
  /** True while the newest frame is shown. */
  live: signal(true),
};

const buffers = new Map<string, Frames>();
/** Time of each performer's last frame, in milliseconds of `performance.now`. */
const lastReceived = new Map<string, number>();
/** Offset of each performer's clock from that of the first, in seconds. */
const offsets = new Map<string, number>();

const lead = (): Frames | undefined => buffers.get(tracks.peek()[0] ?? MAIN);
export const framesOf = (performer: string): Frames | undefined => buffers.get(performer);
export const newestTime = (): number => lead()?.newest?.time ?? 0;
export const oldestTime = (): number => lead()?.oldest?.time ?? 0;
/** Converts a transport time to a performer's own clock. */
export const performerTime = (performer: string, time: number): number => time + (offsets.get(performer) ?? 0);

/** Returns the frame of a performer to show now. */
export function shown(performer: string): Frame | undefined {
  const frames = buffers.get(performer);
  if (transport.live.peek()) return frames?.newest;
  return frames?.get(frames.indexAt(performerTime(performer, transport.at.peek())));
}

/** Returns to the newest frame, at normal speed and without a loop. */
export function goLive(): void {
  batch(() => {
    transport.live.value = transport.playing.value = true;
    transport.speed.value = 1;
    transport.loop.value = null;
    transport.at.value = newestTime();
  });
}

/** The time shown now. */
const shownTime = (): number => transport.live.peek() ? newestTime() : transport.at.peek();

/** Shows a past time, clamped to the stored range. */
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

/** Sets the playback speed. Slow motion leaves live mode, because it falls behind. */
export function setSpeed(speed: Speed): void {
  batch(() => {
    if (speed !== 1) scrub(shownTime());
    transport.speed.value = speed;
  });
}

/** Loops a range; null ends the loop. */
export function setLoop(loop: Range | null): void {
  batch(() => {
    transport.loop.value = loop;
    if (loop) scrub(loop[0]);
  });
}

/** Pauses and moves by a number of frames. */
export function step(frames: number): void {
  const all = lead();
  if (!all) return;
  setPlaying(false);
  const frame = all.get(Math.min(all.indexAt(transport.at.value) + frames, all.end - 1));
  if (frame) scrub(frame.time);
}

/** Advances playback by `seconds`, or follows the newest frame in live mode. */
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

function oldestNeeded(newest: number): number {
  const { live, at, loop } = transport;
  const looked = live.peek() ? Infinity : Math.min(at.peek(), loop.peek()?.[0] ?? Infinity) - 1;
  return Math.max(newest - HELD_SECONDS, Math.min(newest - KEPT_SECONDS, looked));
}

/** Stores a performer's newest frame. */
export function addFrame(name: string, frame: Frame): void {
  let frames = buffers.get(name);
  if (!frames) buffers.set(name, frames = new Frames());
  const before = frames.newest?.time ?? Infinity;
  frames.add(frame);
  lastReceived.set(name, performance.now());
  if (frame.time < before) began(name, frame.time);
  // A preview has no timeline, so only its newest frame is kept.
  frames.forget(tracks.peek().includes(name) || name === MAIN ? performerTime(name, oldestNeeded(newestTime())) : frame.time);
}

function forget(performer: string): void {
  buffers.delete(performer);
  offsets.delete(performer);
  lastReceived.delete(performer);
}

function forgetSilent(now: number): void {
  for (const [name, at] of lastReceived) if (name !== MAIN && now - at > SILENT_MS) forget(name);
}

/** Resets the clock offset of a performer that has started again. */
function began(name: string, time: number): void {
  const later = time - newestTime();
  offsets.set(name, Math.abs(later) < TOGETHER_SECONDS ? 0 : later);
  if (name === tracks.peek()[0]) changedLead();
}

function changedLead(): void {
  for (const [name, frames] of buffers) {
    const later = (frames.newest?.time ?? 0) - newestTime();
    offsets.set(name, Math.abs(later) < TOGETHER_SECONDS ? 0 : later);
  }
  goLive();
}

export function start(): void {
  onFrame(addFrame);
  onMessage(message => { if ('gone' in message) forget(message.gone.performer); });
  let first: string | undefined;
  tracks.subscribe(([name]) => {
    if (name !== first) changedLead();
    first = name;
  });
  let before = performance.now();
  const tick = (now: number): void => {
    // Animation frames stop while the page is hidden; the limit prevents a jump afterwards.
    advance(Math.min(0.25, (now - before) / 1000));
    before = now;
    forgetSilent(now);
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
