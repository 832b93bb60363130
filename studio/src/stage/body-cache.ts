// Cache of loaded bodies: one per visible performer.
import type { PerformerInfo } from '../protocol.ts';
import { loadBody, type Body } from './body.ts';

export class BodyCache {
  readonly #onError: (why: string) => void;
  #bodies = new Map<string, Promise<Body>>();

  constructor(onError: (why: string) => void) {
    this.#onError = onError;
  }

  /** Returns a body for each performer; two performers of the same character get two. `clear` disposes of unused bodies. */
  load(who: readonly PerformerInfo[]): Promise<Body[]> {
    const seen = new Map<string, number>();
    return Promise.all(who.map(({ character, avatar }) => {
      const which = `${character} ${avatar}`, count = seen.get(which) ?? 0;
      seen.set(which, count + 1);
      return this.#body(`${which} ${count}`, character, avatar);
    }));
  }

  /** Disposes of unused bodies. */
  clear(used: readonly Body[]): void {
    this.#bodies.forEach((coming, key) => void coming.then(body => {
      if (used.includes(body) || this.#bodies.get(key) !== coming) return;
      this.#bodies.delete(key);
      body.dispose();
    }, () => {}));
  }

  #body(key: string, character: string, avatar: number): Promise<Body> {
    const known = this.#bodies.get(key);
    if (known) return known;
    const coming = loadBody(character, avatar, this.#onError);
    this.#bodies.set(key, coming);
    coming.catch(() => this.#bodies.delete(key));
    return coming;
  }
}
