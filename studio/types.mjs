// Generates the TypeScript types of the protocol and of the browser package from the published schemas.
import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';

const schema = name => JSON.parse(readFileSync(new URL(`../docs/schema/${name}.schema.json`, import.meta.url), 'utf8'));

/** Longer arrays of fixed length become plain arrays instead of tuples. */
const LONGEST_TUPLE = 20;

/** Simplifies a schema: a reference with a description would become a separate type, and a non-empty or long array a tuple. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  if ('$ref' in value) return { $ref: value.$ref };
  const isList = value.minItems === 1 || value.minItems > LONGEST_TUPLE;
  const kept = Object.entries(value).filter(([key]) => !(isList && key === 'minItems'));
  return Object.fromEntries(kept.map(([key, inner]) => [key, plain(inner)]));
}

/** Schema of the input and output of a performer in a page: the protocol without the server's parts. */
function performer() {
  const [intent, protocol, behaviour] = ['intent', 'protocol', 'behaviour'].map(schema);
  const { $defs: own, oneOf, description } = intent;
  const { $defs: parts, description: about, type, properties, required, additionalProperties } = behaviour;
  const Behaviour = { description: about, type, properties, required, additionalProperties };
  const $defs = { ...protocol.$defs, ...parts, ...own, Intent: { description, oneOf }, Behaviour };
  const roots = ['Intent', 'Temperament', 'Repertoire', 'Behaviour', 'RigInfo', 'EventKind'];
  const $ref = name => ({ $ref: `#/$defs/${name}` });
  return {
    $defs, type: 'object', additionalProperties: false,
    description: 'Input and output of a performer.',
    properties: Object.fromEntries(roots.map(name => [name[0].toLowerCase() + name.slice(1), $ref(name)])),
  };
}

/** Writes a file, or with `--check` fails if it is out of date. */
async function write(path, types, name, from) {
  const text = await compile(plain(types), name, {
    additionalProperties: false,
    bannerComment: `// Generated from docs/schema/${from} by \`npm run types\`; edit the types in Rust instead.`,
    style: { singleQuote: true },
  });
  const file = new URL(path, import.meta.url);
  if (!process.argv.includes('--check')) return writeFileSync(file, text);
  if (readFileSync(file, 'utf8') !== text) throw new Error(`${path} is out of date: npm run types`);
}

await write('src/protocol.ts', schema('protocol'), 'Protocol', 'protocol.schema.json');
await write('../packages/vivant/protocol.d.ts', performer(), 'PerformerProtocol', '{intent,protocol,behaviour}.schema.json');
