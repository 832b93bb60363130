// How often to draw: never a picture before the last one is finished, and on slow machines with a rest between them, so
// that the page always answers.
import { isOn } from '../mimic/mimicry.ts';

/** A picture that takes longer than this is slow. */
const SLOW_MS = 24;
/** How long to rest, as a share of what a picture took; longer while somebody is watched, which needs the same hands. */
const REST = 0.5, REST_WATCHING = 1.5;
/** A driver that never says that it is done is not waited for. */
const LONGEST_WAIT_MS = 1000;

export class Pace {
  readonly #gl: WebGL2RenderingContext;
  #fence: WebGLSync | null = null;
  #began = 0;
  #notBefore = 0;
  /** How long pictures take, on average. */
  #usualMs = 0;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
  }

  get isSlow(): boolean {
    return this.#usualMs > SLOW_MS;
  }

  mayDraw(now: number): boolean {
    if (this.#fence && !this.#isDone(now)) return false;
    return now >= this.#notBefore;
  }

  began(now: number): void {
    this.#began = now;
  }

  /** All that belongs to a picture was asked for. */
  ended(): void {
    this.#fence = this.#gl.fenceSync(this.#gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    this.#gl.flush();
  }

  #isDone(now: number): boolean {
    const isDone = this.#gl.getSyncParameter(this.#fence!, this.#gl.SYNC_STATUS) === this.#gl.SIGNALED || now - this.#began > LONGEST_WAIT_MS;
    if (!isDone) return false;
    this.#gl.deleteSync(this.#fence);
    this.#fence = null;
    const took = now - this.#began;
    this.#usualMs += (took - this.#usualMs) / 8;
    this.#notBefore = this.isSlow ? now + (isOn.peek() ? REST_WATCHING : REST) * Math.min(LONGEST_WAIT_MS, took) : 0;
    return true;
  }
}
