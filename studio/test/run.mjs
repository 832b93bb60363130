// Runs test/*.test.ts with Node's test runner. Vite strips the types, which Node.js 20 cannot do.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const here = import.meta.dirname;
const outDir = mkdtempSync(join(here, '../node_modules/.test-'));
const input = readdirSync(here).filter(name => name.endsWith('.test.ts')).map(name => join(here, name));
try {
  await build({ root: join(here, '..'), configFile: false, logLevel: 'warn', build: { ssr: true, outDir, rollupOptions: { input } } });
  const files = readdirSync(outDir).filter(name => name.endsWith('.js') || name.endsWith('.mjs')).map(name => join(outDir, name));
  process.exitCode = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(outDir, { recursive: true });
}
