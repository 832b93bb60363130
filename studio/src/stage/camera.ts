// From where the character is seen.
import { signal } from '@preact/signals';
import { PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export type View = 'body' | 'bust' | 'eyes';

/** Where the camera looks and how much it sees, as shares of the eyes' height; and from which side, in radians. */
const VIEWS: Record<View, { at: number; tall: number; wide: number; yaw: number }> = {
  body: { at: 0.5, tall: 1.42, wide: 0.75, yaw: 0.3 },
  bust: { at: 0.9, tall: 0.6, wide: 0.5, yaw: 0.18 },
  eyes: { at: 0.99, tall: 0.17, wide: 0.2, yaw: 0 },
};
const FIELD_DEG = 24;
const EYES_M = 1.57;
const GLIDE_MS = 350;
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
  /** The eyes' height of whom it looks at. */
  eyes = EYES_M;
  #glide: Glide | null = null;
  #isMoved = false;

  constructor(canvas: HTMLElement) {
    this.controls = new OrbitControls(this.camera, canvas);
    Object.assign(this.controls, { enableDamping: true, dampingFactor: 0.12, minDistance: 0.15, maxDistance: 9, maxPolarAngle: 0.56 * Math.PI });
    this.controls.addEventListener('change', () => { this.#isMoved = true; });
    this.controls.addEventListener('start', () => { this.#glide = null; });
    canvas.addEventListener('keydown', event => { if (this.#key(event)) event.preventDefault(); });
    this.look('body', true);
  }

  /** Goes to a view; at once where people want no motion. */
  look(view: View, atOnce = calm.matches): void {
    this.view.value = view;
    const { at, tall, yaw } = VIEWS[view], { eyes } = this;
    const distance = (tall * eyes) / 2 / Math.tan(rad(FIELD_DEG / 2));
    const target = new Vector3(0, at * eyes, view === 'eyes' ? 0.05 * eyes : 0);
    const place = new Vector3(Math.sin(yaw) * distance, (at + 0.02) * eyes, Math.cos(yaw) * distance);
    const from: Glide['from'] = [this.camera.position.clone(), this.controls.target.clone()];
    this.#glide = { from, to: [place, target], began: performance.now() - (atOnce ? GLIDE_MS : 0) };
    this.update();
  }

  /** Sees as much as the view has to, however narrow the picture is, and below what is written at its top. */
  fit(width: number, height: number, above = 0): void {
    const { tall, wide } = VIEWS[this.view.peek()];
    const free = Math.max(0.4, 1 - above / height);
    const more = Math.max(1 / free, wide / tall / (width / height));
    this.camera.fov = (2 * Math.atan(Math.tan(rad(FIELD_DEG / 2)) * more) * 180) / Math.PI;
    this.camera.aspect = width / height;
    this.camera.setViewOffset(width, height, 0, -above / 2, width, height);
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
