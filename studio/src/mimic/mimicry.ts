// Runs mimicry: sends each image to the finder, its points to the server, and receives what the server noticed; one image at a time.
import { batch, computed, signal } from '@preact/signals';
import { loadSetting, saveSetting } from '../storage.ts';
import type { Noticed } from '../protocol.ts';
import { MAIN } from '../state.ts';
import { connected, requestDone } from '../wire.ts';
import { Finder } from './finder.ts';
import { mannerOf, type Manner } from './manner.ts';
import type { Sight } from './sight.ts';
import { NoSource, nextPicture, openCamera, openFilm, type Source } from './source.ts';
import { addTiming, tempoOf, type Timings } from './tempo.ts';
import type { State } from './texts.ts';

/** Mirroring settings, stored in the browser. */
export const manner = signal(mannerOf(loadSetting('mimic')));
export const state = signal<State>('off');
/** Details of the state, such as the reason of a failure. */
export const detail = signal('');
export const source = signal<Source | null>(null);
/** The last detection, and what the server noticed in it. */
export const sight = signal<Sight | null>(null);
export const noticed = signal<Noticed | null>(null);
const times = signal<Timings>([]);
export const tempo = computed(() => tempoOf(times.value));
/** True while mirroring runs or starts. */
export const isOn = signal(false);

/** Counts starts and stops; work of an earlier turn is discarded. */
let turn = 0;
let finder: Finder | null = null;
/** True if the server is believed to mirror. */
let isAgreed = false;

export const useCamera = (): Promise<void> => begin('asking', openCamera);
export const useFilm = (file: File): Promise<void> => begin('loading', onEnd => openFilm(file, onEnd));

/** Stops mirroring and releases the camera. The state becomes `why`. */
export function stop(why: State = 'off', more = ''): void {
  if (isAgreed) void requestDone({ mimic: null }, MAIN).catch(() => undefined);
  isAgreed = false;
  turn++;
  source.peek()?.close();
  finder?.close();
  finder = null;
  batch(() => {
    [source.value, sight.value, noticed.value, times.value] = [null, null, null, []];
    [isOn.value, state.value, detail.value] = [false, why, more];
  });
}

async function begin(first: State, open: (onEnd: (state: State) => void) => Promise<Source>): Promise<void> {
  stop(first);
  const mine = ++turn, isMine = () => mine === turn;
  isOn.value = true;
  try {
    const opened = await open(why => { if (isMine()) stop(why); });
    if (!isMine()) return opened.close();
    batch(() => { [source.value, state.value] = [opened, 'loading']; });
    finder = new Finder();
    await finder.ready();
    if (!isMine()) return;
    await opened.video.play();
    await watch(opened.video, finder, isMine);
  } catch (error) {
    if (!isMine()) return;
    if (error instanceof NoSource) stop(error.state);
    else stop('no-finder', error instanceof Error ? error.message : String(error));
  }
}

/** Processes images until mirroring stops. */
async function watch(video: HTMLVideoElement, by: Finder, isMine: () => boolean): Promise<void> {
  const began = performance.now();
  while (isMine()) {
    await whileHidden(video, isMine);
    const takenMs = await nextPicture(video);
    if (!isMine()) return;
    if (video.videoWidth === 0) continue;
    const seen = await by.find(await createImageBitmap(video), takenMs);
    if (!isMine()) return;
    sight.value = { time: round((takenMs - began) / 1000), ...seen };
    await report(sight.value, takenMs, isMine);
  }
}

const round = (seconds: number): number => Math.round(seconds * 1e4) / 1e4;

/** Pauses while the page is hidden. */
async function whileHidden(video: HTMLVideoElement, isMine: () => boolean): Promise<void> {
  if (!document.hidden) return;
  const before = state.peek();
  state.value = 'paused';
  video.pause();
  await new Promise<void>(seen => document.addEventListener('visibilitychange', () => seen(), { once: true }));
  if (!isMine()) return;
  state.value = before;
  await video.play();
}

/** Sends a detection to the server. After a reconnect or a change of performer, mirroring is enabled again first. */
async function report(see: Sight, takenMs: number, isMine: () => boolean): Promise<void> {
  try {
    const wasAgreed = isAgreed;
    isAgreed = true;
    if (!wasAgreed) await requestDone({ mimic: manner.peek() }, MAIN);
    if (!isMine()) return;
    const now = (await requestDone({ see }, MAIN)).noticed?.[0];
    if (!isMine()) return;
    isAgreed = now !== undefined;
    if (now) understood(now, takenMs);
  } catch (error) {
    if (!isMine()) return;
    isAgreed = false;
    if (connected.peek()) stop('not-known', error instanceof Error ? error.message : String(error));
    else await untilConnected();
  }
}

function understood(now: Noticed, takenMs: number): void {
  const at = performance.now();
  batch(() => {
    [noticed.value, state.value] = [now, now.state];
    times.value = addTiming(times.peek(), at / 1000, (at - takenMs) / 1000);
  });
}

async function untilConnected(): Promise<void> {
  state.value = 'gone';
  await new Promise<void>(there => {
    const end = connected.subscribe(is => { if (is) setTimeout(() => { end(); there(); }); });
  });
}

let isSending = false;

/** Changes the settings. If a request is running, the newest value is sent after it. */
export async function change(part: Partial<Manner>): Promise<void> {
  manner.value = { ...manner.peek(), ...part };
  saveSetting('mimic', JSON.stringify(manner.value));
  if (isSending) return;
  isSending = true;
  try {
    for (let sent: Manner | null = null; isAgreed && sent !== manner.peek();) await requestDone({ mimic: sent = manner.peek() }, MAIN);
  } catch {
    // After a reconnect the settings are sent again.
  } finally {
    isSending = false;
  }
}
