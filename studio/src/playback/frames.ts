// The stored frames of one performer, ordered by time.
import type { Frame } from '../wire.ts';

/** Number of dropped frames after which the list is compacted. */
const SLACK = 1024;

export class Frames {
  #list: Frame[] = [];
  /** Number of dropped frames at the front of the list. */
  #first = 0;
  /** Number of frames removed from the list, so that the index of a frame never changes. */
  #taken = 0;

  get oldest(): Frame | undefined { return this.#list[this.#first]; }
  get newest(): Frame | undefined { return this.#list.at(-1); }
  /** Index after the newest frame. */
  get end(): number { return this.#taken + this.#list.length; }

  /** Adds the newest frame. If time went back, a new performance has started and older frames are dropped. */
  add(frame: Frame): void {
    if (this.newest && frame.time < this.newest.time) this.forget(Infinity);
    this.#list.push(frame);
  }

  /** Drops frames before a time. */
  forget(before: number): void {
    while (this.#first < this.#list.length && this.#list[this.#first]!.time < before) this.#first++;
    if (this.#first < SLACK && this.#first < this.#list.length) return;
    this.#taken += this.#first;
    this.#list.splice(0, this.#first);
    this.#first = 0;
  }

  get(index: number): Frame | undefined {
    return this.#list[Math.max(index - this.#taken, this.#first)];
  }

  /** Returns the index of the last frame at or before a time, or of the oldest frame if all are later. */
  indexAt(time: number): number {
    let low = this.#first, high = this.#list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#list[middle]!.time <= time) low = middle + 1; else high = middle;
    }
    return this.#taken + Math.max(low - 1, this.#first);
  }
}
