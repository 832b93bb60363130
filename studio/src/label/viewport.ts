// The viewport of the frame image: zoom, pan and loading.
import { effect, signal } from '@preact/signals';
import { api } from './api.ts';
import { showError, count, film, frame, labels, points, track } from './state.ts';
import type { Point, Points } from './types.ts';
import { eyesOf, held, onScreen, type Size, type View, whole, zoomed } from './view-box.ts';

export const view = signal<View>({ scale: 1, x: 0, y: 0 });
export const screen = signal<Size>({ width: 800, height: 600 });
/** Automatic fit, until the user zooms or pans. */
type Fit = 'whole' | 'eyes' | 'free';
const fit = signal<Fit>('whole');
/** True if the image is displayed brighter. */
export const isBright = signal(false);
/** The displayed frame: the previous one until the next is loaded. */
export const shown = signal<{ frame: number; url: string } | null>(null);

const pictureSize = (): Size => ({ width: film.value!.width, height: film.value!.height });
const set = (next: View) => { view.value = held(next, pictureSize(), screen.value); };

export function zoom(by: number, at: Point = [screen.value.width / 2, screen.value.height / 2]): void {
  fit.value = 'free';
  set(zoomed(view.value, by, at));
}

export function pan(dx: number, dy: number): void {
  fit.value = 'free';
  set({ ...view.value, x: view.value.x + dx, y: view.value.y + dy });
}

/** Returns the points of the current frame, or of the nearest labelled one. */
export function eyesNear(): Points | undefined {
  const far = (number: number) => Math.abs(number - frame.peek());
  return points.peek() ?? track.peek()?.[frame.peek()] ?? [...labels.peek()?.frames ?? []].sort((a, b) => far(a.frame) - far(b.frame))[0]?.points;
}

function isOnScreen(point: Point): boolean {
  const [x, y] = onScreen(view.peek(), point), { width, height } = screen.peek();
  return x >= 0 && y >= 0 && x <= width && y <= height;
}

export function fitWhole(): void {
  fit.value = 'whole';
  view.value = whole(pictureSize(), screen.value);
}

export function fitEyes(): void {
  const eyes = eyesNear();
  if (!eyes) return fitWhole();
  fit.value = 'eyes';
  set(eyesOf(eyes, screen.value));
}

const AHEAD = [1, -1, 2];
/** Prefetches neighbouring frames, so that stepping is fast. */
function prepare(number: number): void {
  for (const step of AHEAD) if (number + step >= 0 && number + step < count.value) new Image().src = api.frameUrl(film.value!, number + step);
}

/** A frame that cannot be loaded. */
export const missing = signal<number | null>(null);

/** Shows why a frame cannot be loaded. */
async function showLoadError(number: number, url: string): Promise<void> {
  missing.value = number;
  const why = await fetch(url).then(answer => answer.json() as Promise<{ error?: string }>).then(({ error }) => error, () => undefined);
  showError(why ? `Frame ${number} cannot be shown: ${why}` : `Frame ${number} cannot be shown: the video may be truncated.`);
}

function load(number: number): void {
  const url = api.frameUrl(film.value!, number), image = new Image();
  image.src = url;
  image.decode().then(
    () => { if (frame.peek() === number) { shown.value = { frame: number, url }; prepare(number); } },
    () => { if (frame.peek() === number) void showLoadError(number, url); },
  );
}

export function start(): void {
  effect(() => { if (film.value) load(frame.value); });
  // Fits again after the window is resized.
  effect(() => {
    if (!film.value || screen.value.width === 0) return;
    if (fit.peek() === 'whole') fitWhole();
    else if (fit.peek() === 'eyes') fitEyes();
  });
  // Follows the eyes if they leave the screen in the next frame, but not while a point is dragged.
  let seen = '';
  effect(() => {
    const eyes = points.value, now = `${frame.value} ${eyes !== undefined} ${shown.value?.frame}`;
    if (now === seen) return;
    seen = now;
    if (eyes && fit.peek() === 'eyes' && eyes.some(point => !isOnScreen(point))) fitEyes();
  });
  let hadPoints = false;
  effect(() => {
    const has = points.value !== undefined;
    if (has && !hadPoints && fit.peek() === 'whole' && film.peek()) fitEyes();
    hadPoints ||= has;
  });
}
