// The performers' clocks, by the page's own: frames come late, and some later than others.

/** How long a frame's word counts, in seconds. */
const REMEMBERED = 2;

/** A clock that is told its time now and then, never too early. */
export class Clock {
  #told: { at: number; ahead: number }[] = [];

  /** A frame of this time has come; both are in seconds. */
  tell(time: number, now: number): void {
    const ahead = time - now;
    // A performance that began anew has nothing to do with the last one.
    if (this.#told.some(one => Math.abs(one.ahead - ahead) > REMEMBERED)) this.#told = [];
    this.#told = this.#told.filter(one => one.at > now - REMEMBERED && one.ahead > ahead);
    this.#told.push({ at: now, ahead });
  }

  /** How far it is ahead of the page's clock: as far as the frame that came soonest says. */
  get ahead(): number | undefined {
    return this.#told[0]?.ahead;
  }
}
