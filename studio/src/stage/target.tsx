// A gaze target in space, dragged by the pointer or moved by keys.
import { useEffect, useRef } from 'preact/hooks';
import { Group, Mesh, MeshBasicMaterial, Plane, Raycaster, RingGeometry, SphereGeometry, Vector3 } from 'three';
import type { Point } from '../wire.ts';
import { target } from './gaze.ts';
import type { StageRenderer } from './renderer.ts';

const STEP_M = 0.05, REACH_M = 5;
const COLOUR = 0xd6542a;

/** A small ball with a ring that faces the camera. */
function ball(): Group {
  const it = new Group(), paint = new MeshBasicMaterial({ color: COLOUR });
  it.add(new Mesh(new SphereGeometry(0.022, 24, 16), paint), new Mesh(new RingGeometry(0.04, 0.047, 40), paint));
  return it;
}

const KEYS: Record<string, Point> = {
  ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], PageUp: [0, 0, -1], PageDown: [0, 0, 1],
};
const limit = (x: number) => Math.max(-REACH_M, Math.min(REACH_M, x));
const shifted = ([x, y, z]: Point, [dx, dy, dz]: Point): Point => [limit(x + dx * STEP_M), limit(y + dy * STEP_M), limit(z + dz * STEP_M)];
const number = (metres: number) => metres.toFixed(2).replace('-', '−');
const words = ([x, y, z]: Point) => `${number(Math.abs(x))} m to its ${x < 0 ? 'right' : 'left'}, ${number(y)} m high, ${number(z)} m ahead`;

export function Target({ renderer }: { renderer: StageRenderer }) {
  const handle = useRef<HTMLButtonElement>(null);
  useEffect(() => follow(renderer, handle.current!), [renderer]);
  return (
    <button ref={handle} type="button" class="target" aria-label={`Look target: ${words(target.value)}`}
      onKeyDown={event => {
        const way = KEYS[event.key];
        if (!way) return;
        event.preventDefault();
        target.value = shifted(target.value, way);
      }}
      onPointerDown={event => drag(event, renderer)}>
      <span aria-hidden="true">{target.value.map(number).join('  ')}</span>
    </button>
  );
}

/** Keeps ball and handle at the target position. */
function follow(renderer: StageRenderer, handle: HTMLElement): () => void {
  const it = ball(), seen = new Vector3();
  renderer.add(it);
  const place = () => {
    it.position.set(...target.peek());
    it.quaternion.copy(renderer.camera.quaternion);
    seen.copy(it.position).project(renderer.camera);
    const cell = renderer.cells[0];
    if (!cell) return;
    handle.style.left = `${cell.left + ((seen.x + 1) / 2) * cell.width}px`;
    handle.style.top = `${cell.top + ((1 - seen.y) / 2) * cell.height}px`;
    handle.style.visibility = seen.z > 1 ? 'hidden' : 'visible';
  };
  const end = renderer.beforeDraw(place);
  const off = target.subscribe(() => renderer.refresh());
  return () => {
    end();
    off();
    it.removeFromParent();
    renderer.refresh();
  };
}

const ray = new Raycaster();

/** Drags the target in a plane that faces the camera. */
function drag(event: PointerEvent, renderer: StageRenderer): void {
  const handle = event.currentTarget as HTMLElement, { camera } = renderer;
  const plane = new Plane().setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), new Vector3(...target.peek()));
  const move = ({ clientX, clientY }: PointerEvent) => {
    const box = handle.parentElement!.getBoundingClientRect();
    ray.setFromCamera(renderer.within(clientX - box.left, clientY - box.top), camera);
    const met = ray.ray.intersectPlane(plane, new Vector3());
    if (met) target.value = [limit(met.x), limit(met.y), limit(met.z)];
  };
  handle.setPointerCapture(event.pointerId);
  handle.addEventListener('pointermove', move);
  handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true });
}
