// Removes tags in square brackets from a speech line: they are performed, not spoken.

export interface SpokenWord { text: string; at: number }

/** Returns the line without tags, and its words with their positions. */
export function spokenPart(line: string): { plain: string; words: SpokenWord[] } {
  const plain = line.replace(/\[[^[\]]{0,64}\]/g, ' ').replace(/\s+/g, ' ').trim();
  const words = [...plain.matchAll(/\S+/g)].map(found => ({ text: found[0], at: found.index }));
  return { plain, words };
}
