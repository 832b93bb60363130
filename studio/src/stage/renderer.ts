// The renderer of the stage: one canvas, one camera, and one cell per body.
import { PCFShadowMap, Scene, Vector2, Vector3, WebGLRenderer, type Object3D, type PerspectiveCamera } from 'three';
import type { Body } from './body.ts';
import { Viewpoint } from './camera.ts';
import { cells, type Cell } from './cells.ts';
import { Pace } from './pace.ts';
import { addScenery } from './scenery.ts';
import type { Frame } from '../wire.ts';

/** A body and the source of its frames. Only the newest frame is drawn. */
export interface Role { name: string; caption: string | null; body: Body; frame: () => Frame | undefined }

const MOST_PIXELS_PER_POINT = 2;
/** Limits the time step, so that hair and cloth physics do not jump after a hidden tab. */
const LONGEST_STEP_SECS = 0.1;

/** Height of multi-line captions. */
const CAPTION_PX = 20, CAPTION_LINE_PX = 18;
/** Height of the controls at the bottom. */
const BAR_PX = 48;

export class StageRenderer {
  readonly viewpoint: Viewpoint;
  /** Called after each drawn frame. */
  onDrawn: () => void = () => {};
  readonly #before = new Set<() => void>();
  /** Called when the cells change. */
  onCells: (cells: Cell[], roles: readonly Role[]) => void = () => {};
  readonly #renderer: WebGLRenderer;
  readonly #pace: Pace;
  readonly #scene = new Scene();
  readonly #scenery: ReturnType<typeof addScenery>;
  #roles: readonly Role[] = [];
  #cells: Cell[] = [];
  #drawn: (Frame | undefined)[] = [];
  #last = 0;
  readonly #way = new Vector3();
  #isStale = true;
  #pictures = 0;

  constructor(canvas: HTMLCanvasElement) {
    // Transparent: the page is the background.
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    // Checking shader errors blocks until the driver is done.
    this.#renderer.debug.checkShaderErrors = false;
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#renderer.shadowMap.autoUpdate = false;
    this.#pace = new Pace(this.#renderer.getContext() as WebGL2RenderingContext);
    this.#scenery = addScenery(this.#scene);
    this.viewpoint = new Viewpoint(canvas);
    this.viewpoint.view.subscribe(() => this.#arrange());
    new ResizeObserver(() => this.#arrange()).observe(canvas);
    this.#renderer.setAnimationLoop(now => { if (this.#pace.mayDraw(performance.now())) this.#draw(now); });
  }

  get camera(): PerspectiveCamera {
    return this.viewpoint.camera;
  }

  get cells(): readonly Cell[] {
    return this.#cells;
  }

  /** Sets the displayed bodies. Removed bodies must be disposed of by their owner. */
  set roles(roles: readonly Role[]) {
    const bodies = new Set(roles.map(({ body }) => body));
    const before = this.#roles[0]?.body;
    this.#roles.forEach(({ body }) => { if (!bodies.has(body)) this.#scene.remove(body.scene); });
    bodies.forEach(({ scene }) => {
      scene.traverse(node => { node.castShadow = true; });
      this.#scene.add(scene);
    });
    this.#roles = roles;
    this.#drawn = [];
    const first = roles[0]?.body;
    if (first && first !== before && first.size.top !== this.viewpoint.size.top) {
      this.viewpoint.size = first.size;
      this.viewpoint.look(this.viewpoint.view.peek(), true);
    }
    this.#arrange();
  }

  paint(isDark: boolean): void {
    this.#scenery.paint(isDark);
    this.#isStale = true;
  }

  /** Adds an object to the scene. */
  add(thing: Object3D): void {
    this.#scene.add(thing);
  }

  /** Calls `place` before each frame. Returns a function that ends it. */
  beforeDraw(place: () => void): () => void {
    this.#before.add(place);
    this.#isStale = true;
    return () => void this.#before.delete(place);
  }

  refresh(): void {
    this.#isStale = true;
  }

  /** Converts a canvas position to coordinates of its cell, from -1 to 1, with +1 up. */
  within(x: number, y: number): Vector2 {
    const cell = this.#cells.find(({ left, top, width, height }) => x >= left && y >= top && x < left + width && y < top + height) ?? this.#cells[0];
    if (!cell) return new Vector2();
    return new Vector2(((x - cell.left) / cell.width) * 2 - 1, 1 - ((y - cell.top) / cell.height) * 2);
  }

  #arrange(): void {
    const { clientWidth: wide, clientHeight: tall } = this.#renderer.domElement;
    if (wide === 0 || tall === 0) return;
    const size = this.#renderer.getSize(new Vector2());
    this.#renderer.setPixelRatio(Math.min(MOST_PIXELS_PER_POINT, devicePixelRatio));
    if (size.x !== wide || size.y !== tall) this.#renderer.setSize(wide, tall, false);
    this.#cells = cells(Math.max(1, this.#roles.length), wide, tall);
    const { width, height } = this.#cells[0]!, lines = Math.max(...this.#roles.map(({ caption }) => caption?.split('\n').length ?? 0), 0);
    this.viewpoint.fit(width, height, lines > 1 ? CAPTION_PX + lines * CAPTION_LINE_PX : 0, BAR_PX);
    this.onCells(this.#cells, this.#roles);
    this.#isStale = true;
    // A resized canvas is empty, so it is redrawn at once.
    this.#draw(this.#last);
  }

  #draw(now: number): void {
    const seconds = Math.min(LONGEST_STEP_SECS, Math.max(0, (now - this.#last) / 1000));
    const frames = this.#roles.map(({ frame }) => frame());
    const moved = this.viewpoint.update();
    const isSame = frames.every((frame, i) => frame === this.#drawn[i]);
    this.#last = now;
    if (isSame && !moved && !this.#isStale) return;
    this.#isStale = false;
    this.#drawn = frames;
    this.#roles.forEach(({ body }, i) => { if (frames[i]) body.show(frames[i], seconds); });
    this.#follow(seconds);
    this.viewpoint.camera.updateMatrixWorld();
    this.#before.forEach(place => place());
    this.#pace.began(performance.now());
    this.#render();
    this.#pace.ended();
    this.onDrawn();
  }

  /** The camera follows the head of the first performer. */
  #follow(seconds: number): void {
    const size = this.#roles[0]?.body.size;
    if (size && this.#drawn[0]) this.viewpoint.follow(size.faceNow(this.#way).sub(size.face), seconds);
  }

  #render(): void {
    this.#pictures += 1;
    const renderer = this.#renderer, tall = renderer.domElement.clientHeight;
    renderer.setScissorTest(this.#cells.length > 1);
    this.#cells.forEach(({ left, top, width, height }, i) => {
      this.#roles.forEach(({ body }, j) => { body.scene.visible = i === j; });
      renderer.setViewport(left, tall - top - height, width, height);
      renderer.setScissor(left, tall - top - height, width, height);
      // On slow machines, the shadow of a single performer is updated only every fourth frame.
      renderer.shadowMap.needsUpdate = !this.#pace.isSlow || this.#cells.length > 1 || this.#pictures % 4 === 0;
      renderer.render(this.#scene, this.viewpoint.camera);
    });
  }

  /** True once a frame was drawn. */
  get isPlaying(): boolean {
    return this.#drawn.some(frame => frame !== undefined);
  }
}
