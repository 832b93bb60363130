// Estimates a performer's clock from its frames, which arrive with varying delay.

/** Seconds for which a frame's time is used. */
const REMEMBERED = 2;

/** A clock synchronized by frames. The least delayed recent frame counts. */
export class Clock {
  #samples: { at: number; ahead: number }[] = [];

  /** Records that a frame of `time` arrived at `now`, both in seconds. */
  update(time: number, now: number): void {
    const ahead = time - now;
    // After a restart of the performance, older values are invalid.
    if (this.#samples.some(one => Math.abs(one.ahead - ahead) > REMEMBERED)) this.#samples = [];
    this.#samples = this.#samples.filter(one => one.at > now - REMEMBERED && one.ahead > ahead);
    this.#samples.push({ at: now, ahead });
  }

  /** Offset from the page's clock in seconds, from the least delayed frame. */
  get ahead(): number | undefined {
    return this.#samples[0]?.ahead;
  }
}
