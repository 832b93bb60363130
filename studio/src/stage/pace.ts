// Frame pacing: no frame starts before the last one is finished, and slow machines pause between frames, so
// that the page stays responsive.
import { isOn } from '../mimic/mimicry.ts';

/** Average frame time above which the machine counts as slow. */
const SLOW_MS = 24;
/** Pause as a share of the frame time; longer during mirroring, which needs the same processor. */
const REST = 0.5, REST_WATCHING = 1.5;
/** Maximum wait for a driver that does not signal completion. */
const LONGEST_WAIT_MS = 1000;

export class Pace {
  readonly #gl: WebGL2RenderingContext;
  #fence: WebGLSync | null = null;
  #began = 0;
  #notBefore = 0;
  /** Average frame time. */
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

  /** Marks the end of the draw calls of a frame. */
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
