// Summary of notes after many clips were placed at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarize } from '../src/notes.ts';

test('equal notes are merged, single ones are kept, and the rest is counted', () => {
  const check = (notes: string[], expected: string[]) => assert.deepEqual(summarize(notes), expected);
  check([], []);
  check(['the stance “sitting” is new'], ['the stance “sitting” is new']);
  check(['a.bvh: only 40 % sure', 'b.bvh: only 40 % sure', 'c.bvh: is a fidget'], ['2 clips: only 40 % sure', 'c.bvh: is a fidget']);
  check(['1', '2', '3', '4', '5'], ['1', '2', '3', '4', '5']);
  check(['1', '2', '3', '4', '5', '6'], ['1', '2', '3', '4', '… and 2 more.']);
});
