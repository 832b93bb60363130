// Texts of the repertoire view.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Target } from '../src/repertoire/edit.ts';
import { layerWords, sentence } from '../src/repertoire/texts.ts';

const said: [number, Target, string][] = [
  [1, { group: 'gestures', stance: 'standing' }, '1 clip becomes a gesture of standing'],
  [3, { group: 'fidgets', stance: 'sitting' }, '3 clips become fidgets of sitting'],
  [1, { group: 'transitions', stance: 'standing' }, '1 clip becomes a transition from standing to another stance'],
  [2, { group: 'transitions', stance: 'standing', to: 'sitting' }, '2 clips become transitions from standing to sitting'],
  [2, { group: 'stance' }, '2 clips become new stances'],
  [0, { group: 'gestures', stance: 'standing' }, 'Clips become gestures of standing'],
];

for (const [count, target, words] of said) {
  test(`a drop of ${count} on ${target.group} is described: ${words}`, () => assert.equal(sentence(count, target), words));
}

test('layers are described', () => {
  assert.equal(layerWords(['body', 'arms', 'head']), 'Whole body');
  assert.equal(layerWords(['arms', 'head']), 'Arms and head');
});
