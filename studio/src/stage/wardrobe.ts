// The bodies that are worn: loaded once for each that is seen at the same time, and kept while they may be worn again.
import type { PerformerInfo } from '../protocol.ts';
import { loadBody, type Body } from './body.ts';

export class Wardrobe {
  readonly #told: (why: string) => void;
  #worn = new Map<string, Promise<Body>>();

  constructor(told: (why: string) => void) {
    this.#told = told;
  }

  /** A body for each. Two of the same character get two; those that nobody wears any more are disposed of by `clear`. */
  dress(who: readonly PerformerInfo[]): Promise<Body[]> {
    const seen = new Map<string, number>();
    return Promise.all(who.map(({ character, avatar }) => {
      const which = `${character} ${avatar}`, count = seen.get(which) ?? 0;
      seen.set(which, count + 1);
      return this.#body(`${which} ${count}`, character, avatar);
    }));
  }

  /** Lets go of what is not in use. */
  clear(used: readonly Body[]): void {
    this.#worn.forEach((coming, key) => void coming.then(body => {
      if (used.includes(body) || this.#worn.get(key) !== coming) return;
      this.#worn.delete(key);
      body.dispose();
    }, () => {}));
  }

  #body(key: string, character: string, avatar: number): Promise<Body> {
    const known = this.#worn.get(key);
    if (known) return known;
    const coming = loadBody(character, avatar, this.#told);
    this.#worn.set(key, coming);
    coming.catch(() => this.#worn.delete(key));
    return coming;
  }
}
