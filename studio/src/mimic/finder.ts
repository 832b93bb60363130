// Runs person detection in a worker (see person.ts), created on demand.
import type { FinderResponse, FinderRequest, Detection } from '../person.ts';

/** Time limit of a detection; the first one includes loading. */
const PATIENCE_MS = 60_000;

export class Finder {
  readonly #worker = new Worker(new URL('../person.ts', import.meta.url), { name: 'person' });
  /** Rejects when the worker fails, possibly before the first request. */
  readonly #broken = new Promise<never>((_, failed) => {
    this.#worker.addEventListener('error', ({ message }) => failed(new Error(message || 'the worker cannot be loaded')));
  });
  #asked = 0;

  constructor() {
    this.#broken.catch(() => undefined);
  }

  /** Loads all models by processing an empty image. */
  async ready(): Promise<void> {
    await this.find(await createImageBitmap(new ImageData(64, 64)), 0);
  }

  /** Detects a person in an image, which is transferred to the worker. Call it again only after the result. */
  async find(picture: ImageBitmap, milliseconds: number): Promise<Detection> {
    const { seen, fault } = await Promise.race([this.#answer({ id: ++this.#asked, picture, milliseconds }), this.#broken]);
    if (!seen) throw new Error(fault ?? 'the answer is empty');
    return seen;
  }

  #answer(asked: FinderRequest): Promise<FinderResponse> {
    return new Promise((answered, failed) => {
      const end = (act: () => void) => { this.#worker.removeEventListener('message', take); clearTimeout(timer); act(); };
      const take = ({ data }: MessageEvent<FinderResponse>) => { if (data.id === asked.id) end(() => answered(data)); };
      const timer = setTimeout(() => end(() => failed(new Error('the worker does not respond'))), PATIENCE_MS);
      this.#worker.addEventListener('message', take);
      this.#worker.postMessage(asked, [asked.picture]);
    });
  }

  close(): void {
    this.#worker.terminate();
  }
}
