// What people write into the line, and what it becomes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cells } from '../src/stage/cells.ts';
import { complete, nameOf, understand, vocabulary } from '../src/director/words.ts';

const known = vocabulary({
  version: 1,
  stances: [
    {
      name: 'standing', gestures: [{ clip: 'clips/wave.fbx', tags: ['greeting'] }, { clip: 'all.glb#Point_Left' }, { clip: 'x.bvh', name: 'bell', tags: ['beat', 'positive'] }],
      fidgets: [{ clip: 'clips/scratch.bvh' }],
    },
    { name: 'sitting' }, { name: 'arms crossed', layers: ['arms'] }, { name: 'arms akimbo', layers: ['arms'] },
  ],
}, 1.5);

const understood: [line: string, intent: unknown][] = [
  ['say Hello there', { say: 'Hello there' }],
  ['"blink"', { say: 'blink' }],
  ['“Nice to see you”', { say: 'Nice to see you' }],
  ['Nice to see you', { say: 'Nice to see you' }],
  ['Look, there is a bird', { say: 'Look, there is a bird' }],
  ['Stop that at once', { say: 'Stop that at once' }],
  ['wave', { act: 'gesture', clip: 'wave' }],
  ['  WAVE ', { act: 'gesture', clip: 'wave' }],
  ['point left', { act: 'gesture', clip: 'Point_Left' }],
  ['do scratch', { act: 'fidget', clip: 'scratch' }],
  ['act bell', { act: 'gesture', clip: 'bell' }],
  ['gesture', { act: 'gesture' }],
  ['gesture left', { act: 'gesture', hand: 'L' }],
  ['gesture positive beat both', { act: 'gesture', hand: 'LR', tags: ['positive', 'beat'] }],
  ['fidget', { act: 'fidget' }],
  ['greeting', { act: 'gesture', tags: ['greeting'] }],
  ['sitting', { stance: 'sitting' }],
  ['sit', { stance: 'sitting' }],
  ['stance Arms Crossed', { stance: 'arms crossed' }],
  ['be listening', { be: 'listening' }],
  ['listening', { be: 'listening' }],
  ['look away', { look: 'away' }],
  ['look left', { look: [1, 1.5, 1] }],
  ['look down', { look: [0, 0.9, 1] }],
  ['look 0.5, 1.6 1', { look: [0.5, 1.6, 1] }],
  ['blink', { blink: true }],
  ['stop', { stop: true }],
  ['stop arms', { stop: true, layer: 'arms' }],
  ['{"act": "gesture", "priority": 2}', { act: 'gesture', priority: 2 }],
  // Both stances of arms begin so; it is not for the line to choose.
  ['arms', { say: 'arms' }],
];

test('a line becomes the intent that it names', () => {
  for (const [line, intent] of understood) {
    const it = understand(line, known);
    assert.deepEqual('intent' in it ? it.intent : it, intent, line);
  }
});

const refused: [line: string, words: RegExp][] = [
  ['', /Write something/], ['say', /Say what/], ['be tired', /idle, speaking, listening/], ['look at the moon', /ahead, away, freely/],
  ['act somersault', /no “somersault”/], ['gesture purple', /neither a hand .* nor one of its tags: beat, greeting, positive/], ['stance lying', /standing, sitting/], ['{"say": }', /no JSON/],
];

test('a line that nobody can do is told why', () => {
  for (const [line, words] of refused) {
    const it = understand(line, known);
    assert.match('error' in it ? it.error : JSON.stringify(it), words, line);
  }
});

const completed: [line: string, first: string[]][] = [
  ['be', ['be idle', 'be speaking', 'be listening', 'be reading', 'be thinking', 'bell']],
  ['wa', ['wave']], ['left', ['Point_Left', 'look left']], ['sit', ['sitting']], ['', []], ['{"sa', []], ['say w', []], ['wave', []],
];

test('a line is completed by whole words first', () => {
  for (const [line, texts] of completed) assert.deepEqual(complete(line, known).slice(0, 6).map(({ text }) => text), texts, line);
});

test('a clip is called by its file or by its place in it', () => {
  assert.deepEqual(['clips/wave.fbx', 'all.glb#Wave', 'a.b.bvh'].map(nameOf), ['wave', 'Wave', 'a.b']);
});

const shapes: [count: number, width: number, height: number, columns: number][] = [
  [1, 900, 600, 1], [2, 900, 600, 2], [3, 900, 600, 3], [4, 900, 600, 4], [4, 400, 800, 2], [2, 300, 900, 1],
];

test('those that share a picture stand side by side as far as there is room', () => {
  for (const [count, width, height, columns] of shapes) {
    const all = cells(count, width, height);
    assert.equal(all.filter(({ top }) => top === 0).length, columns, `${count} in ${width} × ${height}`);
    assert.ok(all.every(({ left, top, ...cell }) => left + cell.width <= width + 1e-9 && top + cell.height <= height + 1e-9));
  }
});
