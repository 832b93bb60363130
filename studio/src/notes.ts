// Summary of the server's notes after many clips were placed at once.

/** Maximum number of lines shown. */
const MOST = 5;

/** Merges equal notes about several clips, and shortens the list to a few lines. */
export function summarize(notes: readonly string[]): string[] {
  const bySaying = new Map<string, string[]>();
  for (const note of notes) {
    const saying = note.slice(note.indexOf(': ') + 1).trim();
    bySaying.set(saying, [...(bySaying.get(saying) ?? []), note]);
  }
  const lines = [...bySaying].map(([saying, all]) => all.length === 1 ? all[0]! : `${all.length} clips: ${saying}`);
  return lines.length <= MOST ? lines : [...lines.slice(0, MOST - 1), `… and ${lines.length - MOST + 1} more.`];
}
