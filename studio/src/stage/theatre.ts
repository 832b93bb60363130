// The theatre behind the stage: light, floor, camera, and the body that frames move.
import {
  CircleGeometry, Color, DirectionalLight, HemisphereLight, Mesh, PCFShadowMap, PerspectiveCamera, Scene,
  ShadowMaterial, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Body } from './body.ts';
import type { Frame } from '../wire.ts';

export type View = 'body' | 'bust' | 'eyes';

/** Where the camera looks, as shares of the eyes' height, and how much of that height is seen. */
const VIEWS: Record<View, { at: number; tall: number; yaw: number }> = {
  body: { at: 0.46, tall: 1.5, yaw: 0.3 },
  bust: { at: 0.88, tall: 0.6, yaw: 0.18 },
  eyes: { at: 0.99, tall: 0.16, yaw: 0 },
};

const dark = matchMedia('(prefers-color-scheme: dark)');

export class Theatre {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(24, 1, 0.02, 50);
  readonly #controls: OrbitControls;
  #body: Body | null = null;
  /** Gives the frame to show; what is not drawn in time is never drawn. */
  #frame: () => Frame | undefined;
  #shown = 0;

  constructor(canvas: HTMLCanvasElement, frame: () => Frame | undefined) {
    this.#frame = frame;
    this.#renderer = new WebGLRenderer({ canvas, antialias: true });
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.enableDamping = true;
    this.#controls.listenToKeyEvents(canvas);
    this.#light();
    this.#paint();
    dark.addEventListener('change', () => this.#paint());
    new ResizeObserver(() => this.#resize()).observe(canvas);
    this.#resize();
    this.look('body');
    this.#renderer.setAnimationLoop(now => this.#draw(now));
  }

  /** Puts another body on stage. */
  set body(body: Body) {
    if (this.#body) {
      this.#scene.remove(this.#body.scene);
      this.#body.dispose();
    }
    this.#body = body;
    body.scene.traverse(node => { node.castShadow = true; });
    this.#scene.add(body.scene);
    this.look('body');
  }

  look(view: View): void {
    const eyes = this.#body?.eyes ?? 1.57;
    const { at, tall, yaw } = VIEWS[view];
    const distance = (tall * eyes) / 2 / Math.tan((this.#camera.fov * Math.PI) / 360);
    this.#controls.target.set(0, at * eyes, view === 'eyes' ? 0.05 * eyes : 0);
    this.#camera.position.set(Math.sin(yaw) * distance, (at + 0.02) * eyes, Math.cos(yaw) * distance);
    this.#controls.update();
  }

  #light(): void {
    const sun = new DirectionalLight(0xfff6ea, 2.6);
    sun.position.set(0.9, 2.4, 2.8);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    sun.shadow.camera.top = 2.2;
    sun.shadow.camera.bottom = -1;
    sun.shadow.radius = 6;
    const floor = new Mesh(new CircleGeometry(6, 48), new ShadowMaterial({ opacity: 0.16 }));
    floor.rotation.x = -Math.PI / 2;
    floor.receiveShadow = true;
    this.#scene.add(new HemisphereLight(0xffffff, 0xd8c8b8, 1.2), sun, floor);
  }

  #paint(): void {
    this.#scene.background = new Color(getComputedStyle(document.documentElement).getPropertyValue('--sky').trim());
  }

  #resize(): void {
    const { clientWidth: wide, clientHeight: tall } = this.#renderer.domElement;
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.#renderer.setSize(wide, tall, false);
    this.#camera.aspect = wide / Math.max(1, tall);
    this.#camera.updateProjectionMatrix();
  }

  #draw(now: number): void {
    // Hair and cloth that swing by themselves must not leap after a tab was hidden.
    const seconds = Math.min(0.1, (now - this.#shown) / 1000);
    this.#shown = now;
    const frame = this.#frame();
    if (this.#body && frame) this.#body.show(frame, seconds);
    this.#controls.update();
    this.#renderer.render(this.#scene, this.#camera);
  }
}
