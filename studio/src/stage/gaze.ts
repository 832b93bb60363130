// The gaze target of the character: the viewer, the pointer, a target in space, or none.
import { signal } from '@preact/signals';
import { Plane, Raycaster, Vector2, Vector3 } from 'three';
import { onMessage, sendLatest, type Point } from '../wire.ts';
import { addressed } from './cast.ts';
import type { StageRenderer } from './renderer.ts';

export type GazeMode = 'freely' | 'you' | 'pointer' | 'target';
export const gazeMode = signal<GazeMode>('you');
/** Position of the target in metres: +X to the character's left, +Y up, +Z ahead. */
export const target = signal<Point>([0.5, 1.5, 1]);

const PERIOD_MS = 50;
const LEAST_MOVE_M = 0.01;
/** Distance of the pointer plane from the face: a share of the camera distance, within limits. */
const NEAREST_M = 0.3, FARTHEST_M = 1, SHARE = 0.6;
const REACH_M = 3;

let sent: { verb: 'attend' | 'follow'; point: Point } | null = null;

/** Sends gaze targets to the server when they change. Returns a function that stops it. */
export function sendGaze(renderer: StageRenderer, canvas: HTMLElement): () => void {
  const pointer = new Vector2(canvas.getBoundingClientRect().left, 0);
  const moved = ({ clientX, clientY }: PointerEvent) => { pointer.set(clientX, clientY); };
  addEventListener('pointermove', moved);
  const ends = [
    gazeMode.subscribe(began),
    // New performers have no gaze target yet.
    addressed.subscribe(() => began(gazeMode.peek())),
    onMessage(message => { if ('performer' in message) sent = null; }),
  ];
  const timer = setInterval(() => {
    const how = gazeMode.peek(), isHeld = how === 'pointer' || how === 'target';
    send(isHeld ? 'follow' : 'attend', pointOf(how, renderer, () => pointed(renderer, canvas, pointer)));
  }, PERIOD_MS);
  return () => {
    removeEventListener('pointermove', moved);
    clearInterval(timer);
    ends.forEach(end => end());
  };
}

function began(how: GazeMode): void {
  sent = null;
  if (how === 'you' || how === 'freely') sendLatest({ follow: null }, addressed.peek());
}

function pointOf(how: GazeMode, renderer: StageRenderer, atPointer: () => Point): Point {
  if (how === 'you') return renderer.camera.position.toArray();
  if (how === 'pointer') return atPointer();
  if (how === 'target') return target.peek();
  // Freely: attends to a point 2 m ahead.
  return [0, renderer.viewpoint.size.eyes, 2];
}

function send(verb: 'attend' | 'follow', point: Point): void {
  if (sent?.verb === verb && new Vector3(...sent.point).distanceTo(new Vector3(...point)) < LEAST_MOVE_M) return;
  sent = { verb, point };
  sendLatest(verb === 'attend' ? { attend: point } : { follow: point }, addressed.peek());
}

const ray = new Raycaster();

/** Position of the pointer on a plane between face and camera. */
function pointed(renderer: StageRenderer, canvas: HTMLElement, pointer: Vector2): Point {
  const box = canvas.getBoundingClientRect(), { camera, viewpoint } = renderer;
  ray.setFromCamera(renderer.within(pointer.x - box.left, pointer.y - box.top), camera);
  const away = Math.max(NEAREST_M, Math.min(FARTHEST_M, SHARE * camera.position.z));
  const wall = new Plane(new Vector3(0, 0, 1), -away);
  const face = new Vector3(0, viewpoint.size.eyes, 0);
  const met = ray.ray.intersectPlane(wall, new Vector3())
    // Seen from behind there is no such plane; a plane through the face is used instead.
    ?? ray.ray.intersectPlane(new Plane().setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), face), new Vector3())
    ?? face.clone().setZ(away);
  const limit = (x: number, middle: number) => Math.max(middle - REACH_M, Math.min(middle + REACH_M, x));
  return [limit(met.x, 0), limit(met.y, viewpoint.size.eyes), limit(met.z, 0)];
}
