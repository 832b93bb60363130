// Runs code blocks of documentation pages.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const here = resolve(import.meta.dirname, '..');
const IMPORT = /^import .*;\n/gm;

/** Returns the code blocks of a page in a language. */
export function blocks(page, language) {
  const text = readFileSync(resolve(here, '../../docs', page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code);
}

/** Creates a temporary folder beside the tests, where packages are found. */
export function folderHere() {
  const folder = mkdtempSync(join(here, '.docs-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a block with the variables `known`. Returns the variables in `wanted`. */
export async function run(folder, code, known, wanted) {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  const imports = code.match(IMPORT)?.join('') ?? '';
  writeFileSync(file, `${imports}export default async ({ ${Object.keys(known).join(', ')} }) => {\n${code.replace(IMPORT, '')}\nreturn { ${wanted.join(', ')} };\n};\n`);
  return (await import(file)).default(known);
}
