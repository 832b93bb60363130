// From where the character is seen.
import { signal } from '@preact/signals';
import { PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Extent } from './size.ts';

export type View = 'body' | 'bust' | 'eyes';

/** How high the camera looks, how much it has to see, and from which side: in metres and radians. */
interface Framing { at: number; tall: number; wide: number; yaw: number }
const VIEWS: Record<View, (it: Extent) => Framing> = {
  body: ({ eyes, top }) => ({ at: (top - 0.02 * eyes) / 2, tall: top + 0.14 * eyes, wide: 0.7 * eyes, yaw: 0.3 }),
  bust: ({ eyes, top, head }) => ({ at: (eyes - 2.4 * head + top) / 2, tall: top - eyes + 2.9 * head, wide: 3.3 * head, yaw: 0.18 }),
  eyes: ({ eyes, head }) => ({ at: eyes - 0.05 * head, tall: 0.85 * head, wide: 1.1 * head, yaw: 0 }),
};
const FIELD_DEG = 24;
const GLIDE_MS = 350;
/** The camera follows a head that is so far off, as a share of what it sees, until it is there; and takes so long. */
const TOO_FAR = 0.12, NEAR_ENOUGH = 0.02, FOLLOW_SECS = 0.35;
/** How far somebody may walk away before the camera comes along, in metres. */
const LEASH_M = 0.5;
/** By a key: so many radians, so much closer. */
const TURN = 0.12, CLOSER = 0.9;

const rad = (degrees: number) => (degrees * Math.PI) / 180;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

interface Glide { from: [Vector3, Vector3]; to: [Vector3, Vector3]; began: number }

/** One camera for all that are on stage: it can be dragged, turned by keys, and sent to a view. */
export class Viewpoint {
  readonly camera = new PerspectiveCamera(FIELD_DEG, 1, 0.02, 50);
  readonly controls: OrbitControls;
  readonly view = signal<View>('body');
  /** How large is whom it looks at. */
  size: Extent & { face: Vector3 } = { eyes: 1.57, top: 1.7, head: 0.24, face: new Vector3(0, 1.57, 0.08) };
  #glide: Glide | null = null;
  #isMoved = false;
  /** How far the head is from where it rests, and how far the camera has gone with it. */
  readonly #away = new Vector3();
  readonly #gone = new Vector3();
  #isFollowing = false;

  constructor(canvas: HTMLElement) {
    this.controls = new OrbitControls(this.camera, canvas);
    Object.assign(this.controls, { enableDamping: true, dampingFactor: 0.12, maxPolarAngle: 0.56 * Math.PI });
    this.controls.addEventListener('change', () => { this.#isMoved = true; });
    this.controls.addEventListener('start', () => { this.#glide = null; });
    canvas.addEventListener('keydown', event => { if (this.#key(event)) event.preventDefault(); });
    this.look('body', true);
  }

  /** Goes to a view; at once where people want no motion. */
  look(view: View, atOnce = calm.matches): void {
    this.view.value = view;
    const { at, tall, yaw } = this.#framing(), { eyes, top, head, face } = this.size;
    Object.assign(this.controls, { minDistance: head / 2, maxDistance: 6 * top });
    const distance = tall / 2 / Math.tan(rad(FIELD_DEG / 2));
    const target = new Vector3(0, at, view === 'eyes' ? face.z : 0);
    const place = new Vector3(Math.sin(yaw) * distance, at + 0.02 * eyes, Math.cos(yaw) * distance + target.z);
    this.#gone.copy(this.#goal());
    target.add(this.#gone);
    place.add(this.#gone);
    const from: Glide['from'] = [this.camera.position.clone(), this.controls.target.clone()];
    this.#glide = { from, to: [place, target], began: performance.now() - (atOnce ? GLIDE_MS : 0) };
    this.update();
  }

  #framing(): Framing {
    return VIEWS[this.view.peek()](this.size);
  }

  /** Goes along with a head that is `away` from where it rests. */
  follow(away: Vector3, seconds: number): void {
    this.#away.copy(away);
    if (this.#glide) return;
    const left = this.#goal().sub(this.#gone), seen = this.#framing().tall;
    this.#isFollowing = left.length() > (this.#isFollowing ? NEAR_ENOUGH : TOO_FAR) * seen;
    if (!this.#isFollowing) return;
    left.multiplyScalar(1 - Math.exp(-seconds / FOLLOW_SECS));
    this.#gone.add(left);
    this.camera.position.add(left);
    this.controls.target.add(left);
  }

  /** Close up the camera stays with the head; from afar only with somebody who walks away. */
  #goal(): Vector3 {
    const goal = this.#away.clone();
    if (this.view.peek() !== 'body') return goal;
    const far = Math.hypot(goal.x, goal.z);
    return goal.setY(0).multiplyScalar(far > LEASH_M ? 1 - LEASH_M / far : 0);
  }

  /** Sees as much as the view has to, however narrow the picture is, and between what lies above its upper and lower edge. */
  fit(width: number, height: number, above = 0, below = 0): void {
    const { tall, wide } = this.#framing();
    const free = Math.max(0.4, 1 - (above + below) / height);
    const more = Math.max(1 / free, wide / tall / (width / height));
    this.camera.fov = (2 * Math.atan(Math.tan(rad(FIELD_DEG / 2)) * more) * 180) / Math.PI;
    this.camera.aspect = width / height;
    this.camera.setViewOffset(width, height, 0, (below - above) / 2, width, height);
  }

  /** Follows drags and glides; says whether the picture changes by it. */
  update(): boolean {
    const glide = this.#glide;
    if (glide) {
      const share = Math.min(1, (performance.now() - glide.began) / GLIDE_MS), eased = share * share * (3 - 2 * share);
      this.camera.position.lerpVectors(glide.from[0], glide.to[0], eased);
      this.controls.target.lerpVectors(glide.from[1], glide.to[1], eased);
      if (share === 1) this.#glide = null;
    }
    this.controls.update();
    const isMoved = this.#isMoved || glide !== null;
    this.#isMoved = false;
    return isMoved;
  }

  #key({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
    if (ctrlKey || metaKey || altKey) return false;
    const { controls } = this;
    const turns: Record<string, () => void> = {
      ArrowLeft: () => shiftKey ? controls.pan(40, 0) : controls.rotateLeft(TURN),
      ArrowRight: () => shiftKey ? controls.pan(-40, 0) : controls.rotateLeft(-TURN),
      ArrowUp: () => shiftKey ? controls.pan(0, 40) : controls.rotateUp(TURN),
      ArrowDown: () => shiftKey ? controls.pan(0, -40) : controls.rotateUp(-TURN),
      '+': () => controls.dollyIn(CLOSER), '=': () => controls.dollyIn(CLOSER), '-': () => controls.dollyOut(CLOSER),
      b: () => this.look('body'), f: () => this.look('bust'), e: () => this.look('eyes'), Home: () => this.look(this.view.peek()),
    };
    turns[key]?.();
    return key in turns;
  }
}
