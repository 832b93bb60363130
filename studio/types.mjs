// Writes src/protocol.ts: the types of all that goes over the wire, from the schema that the server publishes.
import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';

const schema = JSON.parse(readFileSync(new URL('../docs/schema/protocol.schema.json', import.meta.url), 'utf8'));

/** A reference with a description beside it would become a type of its own, and a list that is not empty a tuple. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  if ('$ref' in value) return { $ref: value.$ref };
  const kept = Object.entries(value).filter(([key, inner]) => key !== 'minItems' || inner !== 1);
  return Object.fromEntries(kept.map(([key, inner]) => [key, plain(inner)]));
}

const types = await compile(plain(schema), 'Protocol', {
  additionalProperties: false,
  bannerComment: '// Made from docs/schema/protocol.schema.json by `npm run types`; edit the types in Rust instead.',
  style: { singleQuote: true },
});
const file = new URL('src/protocol.ts', import.meta.url);
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== types) throw new Error('src/protocol.ts is out of date: npm run types');
} else {
  writeFileSync(file, types);
}
