// Runs slow work, shows its name meanwhile, and reports errors.
import type { Signal } from '@preact/signals';

/** Returns a function that runs slow work: `busy` holds its name meanwhile, and errors go to `showError`. */
export const progressRunner = (busy: Signal<string | null>, showError: (error: unknown) => void) =>
  async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
    busy.value = what;
    try {
      return await work();
    } catch (error) {
      showError(error);
      return undefined;
    } finally {
      busy.value = null;
    }
  };
