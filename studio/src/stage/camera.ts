// The stage camera.
import { signal } from '@preact/signals';
import { PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Extent } from './size.ts';

export type View = 'body' | 'bust' | 'eyes';

/** Height of the camera target, visible height and width in metres, and yaw in radians. */
interface Framing { at: number; tall: number; wide: number; yaw: number }
const VIEWS: Record<View, (it: Extent) => Framing> = {
  body: ({ eyes, top }) => ({ at: (top - 0.02 * eyes) / 2, tall: top + 0.14 * eyes, wide: 0.7 * eyes, yaw: 0.3 }),
  bust: ({ eyes, top, head }) => ({ at: (eyes - 2.4 * head + top) / 2, tall: top - eyes + 2.9 * head, wide: 3.3 * head, yaw: 0.18 }),
  eyes: ({ eyes, head }) => ({ at: eyes - 0.05 * head, tall: 0.85 * head, wide: 1.1 * head, yaw: 0 }),
};
const FIELD_DEG = 24;
const GLIDE_MS = 350;
/** The camera starts to follow at `TOO_FAR` and stops at `NEAR_ENOUGH`, as fractions of the visible height; `FOLLOW_SECS` is its time constant. */
const TOO_FAR = 0.12, NEAR_ENOUGH = 0.02, FOLLOW_SECS = 0.35;
/** Distance in metres that the character may walk before the camera follows. */
const LEASH_M = 0.5;
/** Rotation in radians and zoom factor per key press. */
const TURN = 0.12, CLOSER = 0.9;

const rad = (degrees: number) => (degrees * Math.PI) / 180;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

interface Glide { from: [Vector3, Vector3]; to: [Vector3, Vector3]; began: number }

/** One camera for all performers: it is dragged, moved by keys, or set to a view. */
export class Viewpoint {
  readonly camera = new PerspectiveCamera(FIELD_DEG, 1, 0.02, 50);
  readonly controls: OrbitControls;
  readonly view = signal<View>('body');
  /** Size of the first performer. */
  size: Extent & { face: Vector3 } = { eyes: 1.57, top: 1.7, head: 0.24, face: new Vector3(0, 1.57, 0.08) };
  #glide: Glide | null = null;
  #isMoved = false;
  /** Offset of the head from its rest position, and the part that the camera has followed. */
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

  /** Moves to a view; at once if the user prefers reduced motion. */
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

  /** Follows a head that is `away` from its rest position. */
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

  /** Target offset: close views follow the head, the body view follows only beyond `LEASH_M`. */
  #goal(): Vector3 {
    const goal = this.#away.clone();
    if (this.view.peek() !== 'body') return goal;
    const far = Math.hypot(goal.x, goal.z);
    return goal.setY(0).multiplyScalar(far > LEASH_M ? 1 - LEASH_M / far : 0);
  }

  /** Adjusts the field of view so that the framing fits, also in narrow cells, between the overlays at the upper and lower edge. */
  fit(width: number, height: number, above = 0, below = 0): void {
    const { tall, wide } = this.#framing();
    const free = Math.max(0.4, 1 - (above + below) / height);
    const more = Math.max(1 / free, wide / tall / (width / height));
    this.camera.fov = (2 * Math.atan(Math.tan(rad(FIELD_DEG / 2)) * more) * 180) / Math.PI;
    this.camera.aspect = width / height;
    this.camera.setViewOffset(width, height, 0, (below - above) / 2, width, height);
  }

  /** Applies drags and transitions. Returns true if the view changed. */
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
