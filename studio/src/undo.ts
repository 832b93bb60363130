// Undo and redo with a message, because the change may be out of view.
import { character, redo, showMessage, undo } from './state.ts';

async function done(what: string | null | undefined, how: string, work: () => Promise<void>): Promise<void> {
  if (!what) return showMessage(`Nothing to ${how === 'Undone' ? 'undo' : 'redo'}.`);
  const before = character.value?.revision;
  await work();
  if (character.value?.revision !== before) showMessage(`${how}: ${what}`);
}

export const undoWithMessage = (): Promise<void> => done(character.value?.undo, 'Undone', undo);
export const redoWithMessage = (): Promise<void> => done(character.value?.redo, 'Redone', redo);
