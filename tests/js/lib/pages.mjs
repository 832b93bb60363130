// The pages of the documentation and their code blocks.
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../../..');
const FENCE = /^( *)```([^\n`]*)\n([^]*?)^ *```$/gm;
const REASON = /<!-- not run: ([^]*?) -->\s*$/;

/** Paths of all pages, relative to the repository: the README and everything in docs. */
export function pages() {
  const files = readdirSync(join(root, 'docs'), { recursive: true }).filter(name => name.endsWith('.md'));
  return ['README.md', ...files.map(name => relative(root, join(root, 'docs', name))).sort()];
}

/** Code blocks of a page: start line, language, code, and the reason if it is not run. */
export function codeBlocks(page) {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(FENCE)].map(match => {
    const before = text.slice(0, match.index);
    const code = match[3].split('\n').map(line => line.startsWith(match[1]) ? line.slice(match[1].length) : line).join('\n');
    return { page, line: before.split('\n').length, language: match[2].trim(), code, reason: REASON.exec(before)?.[1] };
  });
}
