// What is told after many clips were placed at once.

/** More lines than this are not read by anyone. */
const MOST = 5;

/** The same said of several clips is said once, and at most a few lines in all. */
export function fewOf(notes: readonly string[]): string[] {
  const bySaying = new Map<string, string[]>();
  for (const note of notes) {
    const saying = note.slice(note.indexOf(': ') + 1).trim();
    bySaying.set(saying, [...(bySaying.get(saying) ?? []), note]);
  }
  const lines = [...bySaying].map(([saying, all]) => all.length === 1 ? all[0]! : `${all.length} clips: ${saying}`);
  return lines.length <= MOST ? lines : [...lines.slice(0, MOST - 1), `… and ${lines.length - MOST + 1} more.`];
}
