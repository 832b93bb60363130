// What takes a while: what it is shows while it lasts, and what goes wrong is told.
import type { Signal } from '@preact/signals';

/** A way to run what takes a while, with the place where it shows and with whom to complain. */
export const doing = (busy: Signal<string | null>, complain: (error: unknown) => void) =>
  async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
    busy.value = what;
    try {
      return await work();
    } catch (error) {
      complain(error);
      return undefined;
    } finally {
      busy.value = null;
    }
  };
