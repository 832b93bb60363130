// Pictures of the character in a pose, for both ends of a trim.
import { PCFShadowMap, Scene, WebGLRenderer } from 'three';
import { character } from '../state.ts';
import { isDark } from '../theme.ts';
import { decode } from '../wire.ts';
import { loadBody, type Body } from './body.ts';
import { Viewpoint } from './camera.ts';
import { furnish } from './scenery.ts';

/** A room of its own, so that what is on stage is not disturbed. It is made when the first picture is. */
class Booth {
  readonly #canvas = document.createElement('canvas');
  readonly #renderer = new WebGLRenderer({ canvas: this.#canvas, antialias: true, alpha: true });
  readonly #scene = new Scene();
  readonly #scenery = furnish(this.#scene);
  readonly #viewpoint = new Viewpoint(this.#canvas);
  #body: { key: string; it: Body } | null = null;

  constructor() {
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
  }

  async take(bytes: ArrayBuffer, width: number, height: number): Promise<string> {
    const body = await this.#dressed();
    this.#renderer.setSize(width, height, false);
    this.#viewpoint.size = body.size;
    this.#viewpoint.look('body', true);
    this.#viewpoint.fit(width, height);
    this.#scenery.paint(isDark.value);
    body.show(decode(bytes), 0);
    this.#renderer.render(this.#scene, this.#viewpoint.camera);
    const blob = await new Promise<Blob | null>(done => this.#canvas.toBlob(done));
    if (!blob) throw new Error('The picture could not be made.');
    return URL.createObjectURL(blob);
  }

  async #dressed(): Promise<Body> {
    const who = character.value;
    if (!who) throw new Error('There is no character yet.');
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

let booth: Booth | undefined;
let last: Promise<unknown> = Promise.resolve();

/** An image's address of the character in the pose of a binary frame; whoever asks for it revokes it. */
export function pictureOf(bytes: ArrayBuffer, width: number, height: number): Promise<string> {
  const mine = last.then(() => (booth ??= new Booth()).take(bytes, width, height));
  last = mine.catch(() => {});
  return mine;
}
