// The frames of one performer, by time. They stay what they were: the bytes of the message that brought them.
import type { Frame } from '../wire.ts';

/** As many may be forgotten before the list is made anew. */
const SLACK = 1024;

export class Frames {
  #list: Frame[] = [];
  /** How many at the front of the list are forgotten. */
  #first = 0;
  /** How many were taken out of the list: a frame keeps its index for as long as it is kept. */
  #taken = 0;

  get oldest(): Frame | undefined { return this.#list[this.#first]; }
  get newest(): Frame | undefined { return this.#list.at(-1); }
  /** The index after the newest. */
  get end(): number { return this.#taken + this.#list.length; }

  /** Adds the newest, unless time went back: then a new performance begins, and the old one is forgotten. */
  add(frame: Frame): void {
    if (this.newest && frame.time < this.newest.time) this.forget(Infinity);
    this.#list.push(frame);
  }

  /** Forgets what is before a time. */
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

  /** The index of the last frame at or before a time; of the oldest if all are after it. */
  indexAt(time: number): number {
    let low = this.#first, high = this.#list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#list[middle]!.time <= time) low = middle + 1; else high = middle;
    }
    return this.#taken + Math.max(low - 1, this.#first);
  }
}
