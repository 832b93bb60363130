// Checks the published schemas with an independent validator: it agrees with our readers on every sample
// (crates/vivant-io tests the readers with the same samples). Also checks the tools for language models.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import { vivant } from './lib/vivant.mjs';

const read = path => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
// Strict: unknown and ineffective keywords are errors.
const ajv = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true });
const shown = validate => JSON.stringify(validate.errors, null, 1);

for (const name of ['intent', 'repertoire', 'behaviour', 'blink-model', 'eye-texture', 'character', 'protocol']) {
  const schema = read(`../../docs/schema/${name}.schema.json`);
  const validate = ajv.compile(schema);

  test(`the published schema of ${name} matches the printed one`, () => {
    assert.deepEqual(vivant('schema', name), schema);
  });

  test(`valid and invalid samples of ${name}`, () => {
    const { valid, invalid } = read(`samples/${name}.json`);
    assert.ok(valid.length > 1 && invalid.length > 10);
    for (const sample of [...valid, ...schema.examples]) assert.ok(validate(sample), `${JSON.stringify(sample)}\n${shown(validate)}`);
    for (const sample of invalid) assert.ok(!validate(sample), JSON.stringify(sample));
  });
}

const styles = {
  openai: tool => [tool.function.name, tool.function.description, tool.function.parameters, tool.type === 'function'],
  anthropic: tool => [tool.name, tool.description, tool.input_schema, true],
  mcp: tool => [tool.name, tool.description, tool.inputSchema, true],
};

for (const [style, parts] of Object.entries(styles)) {
  for (const strict of [false, true]) {
    test(`tools in the style of ${style}${strict ? ', strict' : ''}`, () => {
      const tools = vivant('schema', '--tools', 'builtin', '--style', style, ...(strict ? ['--strict'] : []));
      const intent = ajv.getSchema('intent.schema.json');
      assert.deepEqual(tools.map(tool => parts(tool)[0]), ['say', 'act', 'stance', 'be', 'look', 'blink', 'do', 'stop']);
      for (const [name, description, parameters, marked] of tools.map(parts)) {
        assert.ok(marked && /^[a-z]+$/.test(name));
        assert.equal(parameters.additionalProperties, false);
        const example = JSON.parse(description.split('Example: ')[1]);
        const nothing = Object.fromEntries(Object.keys(parameters.properties).map(key => [key, null]));
        const call = strict ? { ...nothing, ...example } : example;
        const validate = ajv.compile(parameters);
        assert.ok(validate(call), shown(validate));
        assert.ok(intent(call), shown(intent));
        assert.ok(!validate({ ...call, odd: 1 }));
        assert.ok(!validate({ ...call, [name]: null }));
        assert.equal(parameters.required.length, strict ? Object.keys(parameters.properties).length : 1);
      }
    });
  }
}
