// Undo and redo, which tell what they did: it may be out of sight.
import { character, redo, say, undo } from './state.ts';

async function done(what: string | null | undefined, how: string, work: () => Promise<void>): Promise<void> {
  if (!what) return say(`There is nothing to ${how === 'Undone' ? 'undo' : 'redo'}.`);
  const before = character.value?.revision;
  await work();
  if (character.value?.revision !== before) say(`${how}: ${what}`);
}

export const undoAndSay = (): Promise<void> => done(character.value?.undo, 'Undone', undo);
export const redoAndSay = (): Promise<void> => done(character.value?.redo, 'Done again', redo);
