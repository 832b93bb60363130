// Parsing of commands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cells } from '../src/stage/cells.ts';
import { complete, nameOf, parseCommand, vocabulary } from '../src/director/command.ts';

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
  // Ambiguous: both arm stances start with these letters.
  ['arms', { say: 'arms' }],
];

test('a command becomes an intent', () => {
  for (const [line, intent] of understood) {
    const it = parseCommand(line, known);
    assert.deepEqual('intent' in it ? it.intent : it, intent, line);
  }
});

const refused: [line: string, words: RegExp][] = [
  ['', /Type a command/], ['say', /text to speak/], ['be tired', /idle, speaking, listening/], ['look at the moon', /ahead, away, freely/],
  ['act somersault', /“somersault” is not in the repertoire/], ['gesture purple', /neither a hand .* nor a tag of the repertoire: beat, greeting, positive/], ['stance lying', /standing, sitting/], ['{"say": }', /Invalid JSON/],
];

test('an invalid command gets an error message', () => {
  for (const [line, words] of refused) {
    const it = parseCommand(line, known);
    assert.match('error' in it ? it.error : JSON.stringify(it), words, line);
  }
});

const completed: [line: string, first: string[]][] = [
  ['be', ['be idle', 'be speaking', 'be listening', 'be reading', 'be thinking', 'bell']],
  ['wa', ['wave']], ['left', ['Point_Left', 'look left']], ['sit', ['sitting']], ['', []], ['{"sa', []], ['say w', []], ['wave', []],
];

test('completion lists whole words first', () => {
  for (const [line, texts] of completed) assert.deepEqual(complete(line, known).slice(0, 6).map(({ text }) => text), texts, line);
});

test('a clip is named after its file or its name in the file', () => {
  assert.deepEqual(['clips/wave.fbx', 'all.glb#Wave', 'a.b.bvh'].map(nameOf), ['wave', 'Wave', 'a.b']);
});

const shapes: [count: number, width: number, height: number, columns: number][] = [
  [1, 900, 600, 1], [2, 900, 600, 2], [3, 900, 600, 3], [4, 900, 600, 4], [4, 400, 800, 2], [2, 300, 900, 1],
];

test('performers are arranged side by side if there is room', () => {
  for (const [count, width, height, columns] of shapes) {
    const all = cells(count, width, height);
    assert.equal(all.filter(({ top }) => top === 0).length, columns, `${count} in ${width} × ${height}`);
    assert.ok(all.every(({ left, top, ...cell }) => left + cell.width <= width + 1e-9 && top + cell.height <= height + 1e-9));
  }
});
