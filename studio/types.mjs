// Writes the types of all that goes over the wire and of all that the browser package takes, from the published schemas.
import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';

const schema = name => JSON.parse(readFileSync(new URL(`../docs/schema/${name}.schema.json`, import.meta.url), 'utf8'));

/** A list of more than this is no tuple to anybody, even if its length is given. */
const LONGEST_TUPLE = 20;

/** A reference with a description beside it would become a type of its own, and a list that is not empty, or long, a tuple. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  if ('$ref' in value) return { $ref: value.$ref };
  const isList = value.minItems === 1 || value.minItems > LONGEST_TUPLE;
  const kept = Object.entries(value).filter(([key]) => !(isList && key === 'minItems'));
  return Object.fromEntries(kept.map(([key, inner]) => [key, plain(inner)]));
}

/** What a performer in a page is told and tells: of the protocol, without what only a server needs. */
function performer() {
  const [intent, protocol, behaviour] = ['intent', 'protocol', 'behaviour'].map(schema);
  const { $defs: own, oneOf, description } = intent;
  const { $defs: parts, description: about, type, properties, required, additionalProperties } = behaviour;
  const Behaviour = { description: about, type, properties, required, additionalProperties };
  const $defs = { ...protocol.$defs, ...parts, ...own, Intent: { description, oneOf }, Behaviour };
  const roots = ['Intent', 'Temperament', 'Repertoire', 'Behaviour', 'RigInfo', 'Happening'];
  const $ref = name => ({ $ref: `#/$defs/${name}` });
  return {
    $defs, type: 'object', additionalProperties: false,
    description: 'What a performer is told and tells.',
    properties: Object.fromEntries(roots.map(name => [name[0].toLowerCase() + name.slice(1), $ref(name)])),
  };
}

/** Writes a file, or with `--check` fails if it is out of date. */
async function write(path, types, name, from) {
  const text = await compile(plain(types), name, {
    additionalProperties: false,
    bannerComment: `// Made from docs/schema/${from} by \`npm run types\`; edit the types in Rust instead.`,
    style: { singleQuote: true },
  });
  const file = new URL(path, import.meta.url);
  if (!process.argv.includes('--check')) return writeFileSync(file, text);
  if (readFileSync(file, 'utf8') !== text) throw new Error(`${path} is out of date: npm run types`);
}

await write('src/protocol.ts', schema('protocol'), 'Protocol', 'protocol.schema.json');
await write('../packages/vivant/protocol.d.ts', performer(), 'PerformerProtocol', '{intent,protocol,behaviour}.schema.json');
