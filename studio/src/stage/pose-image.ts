// Renders images of the character in a pose, for both ends of a trim.
import { PCFShadowMap, Scene, WebGLRenderer } from 'three';
import { character } from '../state.ts';
import { isDark } from '../theme.ts';
import { decode } from '../wire.ts';
import { loadBody, type Body } from './body.ts';
import { Viewpoint } from './camera.ts';
import { addScenery } from './scenery.ts';

/** A separate renderer, so that the stage is not disturbed. Created on first use. */
class PoseRenderer {
  readonly #canvas = document.createElement('canvas');
  readonly #renderer = new WebGLRenderer({ canvas: this.#canvas, antialias: true, alpha: true });
  readonly #scene = new Scene();
  readonly #scenery = addScenery(this.#scene);
  readonly #viewpoint = new Viewpoint(this.#canvas);
  #body: { key: string; it: Body } | null = null;

  constructor() {
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
  }

  async take(bytes: ArrayBuffer, width: number, height: number): Promise<string> {
    const body = await this.#loadedBody();
    this.#renderer.setSize(width, height, false);
    this.#viewpoint.size = body.size;
    this.#viewpoint.look('body', true);
    this.#viewpoint.fit(width, height);
    this.#scenery.paint(isDark.value);
    body.show(decode(bytes), 0);
    this.#renderer.render(this.#scene, this.#viewpoint.camera);
    const blob = await new Promise<Blob | null>(done => this.#canvas.toBlob(done));
    if (!blob) throw new Error('The image could not be created. Reload the page.');
    return URL.createObjectURL(blob);
  }

  async #loadedBody(): Promise<Body> {
    const who = character.value;
    if (!who) throw new Error('No character is loaded yet. Try again in a moment.');
    const key = `${who.id} ${who.avatar.revision}`;
    if (this.#body?.key === key) return this.#body.it;
    const it = await loadBody(who.id, who.avatar.revision, () => {});
    this.#body?.it.scene.removeFromParent();
    this.#body?.it.dispose();
    this.#body = { key, it };
    this.#scene.add(it.scene);
    return it;
  }
}

let poseRenderer: PoseRenderer | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Returns an object URL of an image of the character in the pose of a binary frame. The caller revokes it. */
export function pictureOf(bytes: ArrayBuffer, width: number, height: number): Promise<string> {
  const mine = last.then(() => (poseRenderer ??= new PoseRenderer()).take(bytes, width, height));
  last = mine.catch(() => {});
  return mine;
}
