// What of a line is spoken: tags in square brackets are done, not said.

export interface SpokenWord { text: string; at: number }

/** The line without its tags, and its words with their places in it. */
export function spokenPart(line: string): { plain: string; words: SpokenWord[] } {
  const plain = line.replace(/\[[^[\]]{0,64}\]/g, ' ').replace(/\s+/g, ' ').trim();
  const words = [...plain.matchAll(/\S+/g)].map(found => ({ text: found[0], at: found.index }));
  return { plain, words };
}
