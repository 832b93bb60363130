// Where the character looks: at who watches, at the pointer, at a target, or where it likes.
import { signal } from '@preact/signals';
import { Plane, Raycaster, Vector2, Vector3 } from 'three';
import { onMessage, tell, type Point } from '../wire.ts';
import { addressed } from './cast.ts';
import type { Theatre } from './theatre.ts';

export type Looks = 'freely' | 'you' | 'pointer' | 'target';
export const looks = signal<Looks>('you');
/** The target's place, in metres before the character: +X to its left, +Y up, +Z ahead. */
export const target = signal<Point>([0.5, 1.5, 1]);

const PERIOD_MS = 50;
const LEAST_MOVE_M = 0.01;
/** How far before the face the pointer is: less where the camera is near. */
const NEAREST_M = 0.3, FARTHEST_M = 1, SHARE = 0.6;
const REACH_M = 3;

let sent: { verb: 'attend' | 'follow'; point: Point } | null = null;

/** Tells the server as often as it has to know. Gives a function that ends it. */
export function keepLooking(theatre: Theatre, canvas: HTMLElement): () => void {
  const pointer = new Vector2(canvas.getBoundingClientRect().left, 0);
  const moved = ({ clientX, clientY }: PointerEvent) => { pointer.set(clientX, clientY); };
  addEventListener('pointermove', moved);
  const ends = [
    looks.subscribe(began),
    // Somebody new does not know yet.
    addressed.subscribe(() => began(looks.peek())),
    onMessage(message => { if ('performer' in message) sent = null; }),
  ];
  const timer = setInterval(() => {
    const how = looks.peek(), isHeld = how === 'pointer' || how === 'target';
    send(isHeld ? 'follow' : 'attend', pointOf(how, theatre, () => pointed(theatre, canvas, pointer)));
  }, PERIOD_MS);
  return () => {
    removeEventListener('pointermove', moved);
    clearInterval(timer);
    ends.forEach(end => end());
  };
}

function began(how: Looks): void {
  sent = null;
  if (how === 'you' || how === 'freely') tell({ follow: null }, addressed.peek());
}

function pointOf(how: Looks, theatre: Theatre, atPointer: () => Point): Point {
  if (how === 'you') return theatre.camera.position.toArray();
  if (how === 'pointer') return atPointer();
  if (how === 'target') return target.peek();
  // Freely: as if someone stood before it.
  return [0, theatre.viewpoint.size.eyes, 2];
}

function send(verb: 'attend' | 'follow', point: Point): void {
  if (sent?.verb === verb && new Vector3(...sent.point).distanceTo(new Vector3(...point)) < LEAST_MOVE_M) return;
  sent = { verb, point };
  tell(verb === 'attend' ? { attend: point } : { follow: point }, addressed.peek());
}

const ray = new Raycaster();

/** Where the pointer is, on a wall between the face and the camera. */
function pointed(theatre: Theatre, canvas: HTMLElement, pointer: Vector2): Point {
  const box = canvas.getBoundingClientRect(), { camera, viewpoint } = theatre;
  ray.setFromCamera(theatre.within(pointer.x - box.left, pointer.y - box.top), camera);
  const away = Math.max(NEAREST_M, Math.min(FARTHEST_M, SHARE * camera.position.z));
  const wall = new Plane(new Vector3(0, 0, 1), -away);
  const face = new Vector3(0, viewpoint.size.eyes, 0);
  const met = ray.ray.intersectPlane(wall, new Vector3())
    // From behind there is no such wall: then beside the face, as the camera sees it.
    ?? ray.ray.intersectPlane(new Plane().setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), face), new Vector3())
    ?? face.clone().setZ(away);
  const limit = (x: number, middle: number) => Math.max(middle - REACH_M, Math.min(middle + REACH_M, x));
  return [limit(met.x, 0), limit(met.y, viewpoint.size.eyes), limit(met.z, 0)];
}
