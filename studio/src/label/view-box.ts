// Transform between image and screen.
import type { Point, Points } from './types.ts';

/** An image point is at `scale * (point + 0.5) + (x, y)` on the screen; whole numbers are pixel centres. */
export interface View { readonly scale: number; readonly x: number; readonly y: number }
export interface Size { readonly width: number; readonly height: number }

const LEAST = 0.1, MOST = 64;

export const onScreen = ({ scale, x, y }: View, [px, py]: Point): Point => [scale * (px + 0.5) + x, scale * (py + 0.5) + y];
export const inPicture = ({ scale, x, y }: View, [sx, sy]: Point): Point => [(sx - x) / scale - 0.5, (sy - y) / scale - 0.5];

/** Zooms by a factor around a fixed screen position. */
export function zoomed({ scale, x, y }: View, by: number, [sx, sy]: Point): View {
  const next = Math.max(LEAST, Math.min(MOST, scale * by)), ratio = next / scale;
  return { scale: next, x: sx - (sx - x) * ratio, y: sy - (sy - y) * ratio };
}

/** Fits a part of the image into the screen, centred. */
function showing(left: number, top: number, width: number, height: number, screen: Size): View {
  const scale = Math.max(LEAST, Math.min(MOST, screen.width / width, screen.height / height));
  return { scale, x: screen.width / 2 - scale * (left + width / 2), y: screen.height / 2 - scale * (top + height / 2) };
}

export const whole = (picture: Size, screen: Size): View => showing(0, 0, picture.width, picture.height, screen);

/** Fits both eyes with a margin. */
export function eyesOf(points: Points, screen: Size): View {
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const margin = (right - left) * 0.1, height = Math.max(bottom - top, (right - left) * 0.3);
  return showing(left - margin, (top + bottom - height) / 2 - margin, right - left + 2 * margin, height + 2 * margin, screen);
}

/** Limits panning so that a part of the image stays visible. */
export function held(view: View, picture: Size, screen: Size): View {
  const some = 60, [width, height] = [view.scale * picture.width, view.scale * picture.height];
  const hold = (at: number, size: number, room: number) => Math.max(some - size, Math.min(room - some, at));
  return { ...view, x: hold(view.x, width, screen.width), y: hold(view.y, height, screen.height) };
}
