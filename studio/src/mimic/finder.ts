// The worker that finds people in pictures (see person.ts), loaded when it is asked for and gone when it is not.
import type { Answered, Asked, Seen } from '../person.ts';

/** How long a picture may take: with the first ones all is loaded. */
const PATIENCE_MS = 60_000;

export class Finder {
  readonly #worker = new Worker(new URL('../person.ts', import.meta.url), { name: 'person' });
  /** Fails when the worker does; it may before anything is asked. */
  readonly #broken = new Promise<never>((_, failed) => {
    this.#worker.addEventListener('error', ({ message }) => failed(new Error(message || 'it cannot be loaded')));
  });
  #asked = 0;

  constructor() {
    this.#broken.catch(() => undefined);
  }

  /** Loads all that is needed, by a picture of nothing. */
  async ready(): Promise<void> {
    await this.find(await createImageBitmap(new ImageData(64, 64)), 0);
  }

  /** One picture at a time: whoever asks waits for the answer. The picture is used up. */
  async find(picture: ImageBitmap, milliseconds: number): Promise<Seen> {
    const { seen, fault } = await Promise.race([this.#answer({ id: ++this.#asked, picture, milliseconds }), this.#broken]);
    if (!seen) throw new Error(fault ?? 'nothing was answered');
    return seen;
  }

  #answer(asked: Asked): Promise<Answered> {
    return new Promise((answered, failed) => {
      const end = (act: () => void) => { this.#worker.removeEventListener('message', take); clearTimeout(timer); act(); };
      const take = ({ data }: MessageEvent<Answered>) => { if (data.id === asked.id) end(() => answered(data)); };
      const timer = setTimeout(() => end(() => failed(new Error('it does not answer'))), PATIENCE_MS);
      this.#worker.addEventListener('message', take);
      this.#worker.postMessage(asked, [asked.picture]);
    });
  }

  close(): void {
    this.#worker.terminate();
  }
}
