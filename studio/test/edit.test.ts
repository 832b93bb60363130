// Edits of a repertoire.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as edit from '../src/repertoire/edit.ts';
import { plan } from '../src/repertoire/layout.ts';
import type { Repertoire } from '../src/repertoire/edit.ts';

const sample = (): Repertoire => ({
  version: 1,
  stances: [
    {
      name: 'standing', clip: 'clips/idle.bvh',
      gestures: [{ clip: 'clips/wave.fbx', hand: 'R', tags: ['greeting'], layers: ['arms'], loop: true }, { clip: 'all.glb#Nod' }, { clip: 'clips/beat.fbx', tags: ['beat'] }],
      fidgets: [{ clip: 'clips/scratch.fbx' }],
      transitions: [{ to: 'sitting', clip: 'clips/sit.fbx', start: 0.5 }, { to: 'leaning' }],
    },
    { name: 'sitting', clip: 'clips/seat.bvh', transitions: [{ to: 'standing', clip: 'clips/rise.fbx' }] },
    { name: 'leaning' },
    { name: 'folded', layers: ['arms'] },
  ],
});

const names = (entries: readonly edit.Entry[] | undefined): string[] => (entries ?? []).map(edit.nameOf);
/** Every stance with its lists, as short text. */
const shape = ({ stances }: Repertoire): string[] => stances.map(stance =>
  [stance.name, ...edit.GROUPS.map(group => names(edit.listOf(stance, group)).join(','))].join('|').replace(/\|+$/, ''));

const moved: [string, string[], edit.Target, string[], string[]][] = [
  ['a gesture becomes a fidget at the end of the list', ['stances[0].gestures[1]'], { group: 'fidgets', stance: 'standing' },
    ['standing|wave,beat|scratch,Nod|sit,to leaning', 'sitting|||rise', 'leaning', 'folded'], ['stances[0].fidgets[1]']],
  ['several go together, in the order in which they were picked', ['stances[0].gestures[2]', 'stances[0].gestures[0]'], { group: 'gestures', stance: 'sitting' },
    ['standing|Nod|scratch|sit,to leaning', 'sitting|beat,wave||rise', 'leaning', 'folded'], ['stances[1].gestures[0]', 'stances[1].gestures[1]']],
  ['a gesture becomes a way', ['stances[0].gestures[1]'], { group: 'transitions', stance: 'standing', to: 'leaning' },
    ['standing|wave,beat|scratch|sit,to leaning,Nod', 'sitting|||rise', 'leaning', 'folded'], ['stances[0].transitions[2]']],
  ['an entry becomes a stance of its own', ['stances[0].gestures[1]'], { group: 'stance' },
    ['standing|wave,beat|scratch|sit,to leaning', 'sitting|||rise', 'leaning', 'folded', 'Nod'], ['stances[4]']],
  ['nothing moves to a stance that does not exist', ['stances[0].gestures[1]'], { group: 'gestures', stance: 'lying' },
    shape(sample()), ['stances[0].gestures[1]']],
  ['a path that leads nowhere is passed by', ['stances[9].gestures[0]', 'stances[0].fidgets[0]'], { group: 'gestures', stance: 'leaning' },
    ['standing|wave,Nod,beat||sit,to leaning', 'sitting|||rise', 'leaning|scratch', 'folded'], ['stances[2].gestures[0]']],
];

for (const [name, paths, target, after, now] of moved) {
  test(`moving: ${name}`, () => {
    const result = edit.move(sample(), paths, target);
    assert.deepEqual(shape(result.repertoire), after);
    assert.deepEqual(result.paths, now);
  });
}

test('fields that the new type does not have are removed', () => {
  const way = edit.move(sample(), ['stances[0].gestures[0]'], { group: 'transitions', stance: 'standing', to: 'sitting' });
  assert.deepEqual(edit.entryAt(way.repertoire, way.paths[0]!), { clip: 'clips/wave.fbx', hand: 'R', tags: ['greeting'], to: 'sitting' });
  const gesture = edit.move(sample(), ['stances[0].transitions[0]'], { group: 'gestures', stance: 'standing' });
  assert.deepEqual(edit.entryAt(gesture.repertoire, gesture.paths[0]!), { clip: 'clips/sit.fbx', start: 0.5 });
});

test('empty lists are omitted, as the server does', () => {
  assert.ok(!('fidgets' in edit.remove(sample(), ['stances[0].fidgets[0]']).stances[0]!));
});

const changed: [string, (it: Repertoire) => Repertoire, string[]][] = [
  ['removing several counts from the list as it was', it => edit.remove(it, ['stances[0].gestures[0]', 'stances[0].gestures[1]']),
    ['standing|beat|scratch|sit,to leaning', 'sitting|||rise', 'leaning', 'folded']],
  ['renaming a stance renames every way to it', it => edit.renameStance(it, 'leaning', 'lounging'),
    ['standing|wave,Nod,beat|scratch|sit,to lounging', 'sitting|||rise', 'lounging', 'folded']],
  ['deleting a stance deletes every way to it', it => edit.removeStance(it, 'standing'), ['sitting', 'leaning', 'folded']],
  ['beginning elsewhere puts it before those of its layers', it => edit.startHere(it, 'leaning'),
    ['leaning', 'standing|wave,Nod,beat|scratch|sit,to leaning', 'sitting|||rise', 'folded']],
  ['beginning where nothing else holds these layers changes nothing', it => edit.startHere(it, 'folded'), shape(sample())],
];

for (const [name, change, after] of changed) {
  test(name, () => assert.deepEqual(shape(change(sample())), after));
}

const paths: [string, edit.Place | null][] = [
  ['stances[12]', { stance: 12 }],
  ['stances[0].gestures[3]', { stance: 0, group: 'gestures', index: 3 }],
  ['stances[0].gestures[3].clip', { stance: 0, group: 'gestures', index: 3, field: 'clip' }],
  ['stances[0].name', { stance: 0, field: 'name' }],
  ['stances', null], ['clips/wave.fbx', null], ['', null],
];

for (const [path, place] of paths) {
  test(`the path “${path}” is parsed`, () => {
    assert.deepEqual(edit.parsePath(path), place);
    if (place && place.field === undefined) assert.equal(edit.pathOf(place.stance, place.group, place.index), path);
  });
}

test('clips have the names that agents use', () => {
  const calls: [string, string][] = [['clips/wave.fbx', 'wave'], ['clips/all.glb#Wave 2', 'Wave 2'], ['builtin#nod', 'nod'], ['a.b.bvh', 'a.b']];
  for (const [clip, name] of calls) assert.equal(edit.clipName(clip), name);
});

test('setting a field to undefined restores its default', () => {
  const after = edit.setFields(sample(), ['stances[0].gestures[0]'], { hand: undefined, likelihood: 0 });
  assert.deepEqual(edit.entryAt(after, 'stances[0].gestures[0]'), { clip: 'clips/wave.fbx', tags: ['greeting'], layers: ['arms'], loop: true, likelihood: 0 });
});

test('a tag is added once to all entries, and an empty list is removed', () => {
  const both = ['stances[0].gestures[0]', 'stances[0].gestures[2]'];
  const added = edit.setTag(edit.setTag(sample(), both, 'beat', true), both, 'beat', true);
  assert.deepEqual(both.map(path => edit.entryAt(added, path)!.tags), [['greeting', 'beat'], ['beat']]);
  const gone = edit.setTag(added, both, 'beat', false);
  assert.deepEqual(both.map(path => edit.entryAt(gone, path)!.tags), [['greeting'], undefined]);
});

const masks: [edit.Part[], edit.Layer[], string[] | undefined][] = [
  [['head', 'spine'], ['head'], undefined],
  [['legs', 'spine', 'head'], ['body'], undefined],
  [['head'], ['head'], ['head']],
  [['rightArm', 'leftArm'], ['arms'], ['arms']],
  [['rightArm'], ['arms'], ['rightArm']],
];

for (const [parts, layers, mask] of masks) {
  test(`${parts.join(' and ')} on ${layers.join()} is the mask ${mask?.join() ?? 'that is omitted'}`, () => {
    const made = edit.maskOf(parts, layers);
    assert.deepEqual(made, mask);
    assert.deepEqual(edit.moves({ ...(made ? { mask: made } : {}) }, layers), edit.PARTS.filter(part => parts.includes(part)));
  });
}

test('transitions are listed for all stances of the same layers, even without any', () => {
  const it = sample();
  assert.deepEqual(edit.transitionsBetween(it, it.stances[0]!), [
    { to: 'sitting', there: ['stances[0].transitions[0]'], back: ['stances[1].transitions[0]'] },
    { to: 'leaning', there: ['stances[0].transitions[1]'], back: [] },
  ]);
  assert.deepEqual(edit.transitionsBetween(it, it.stances[3]!), []);
});

test('a transition to a missing stance is listed, so that it can be fixed', () => {
  const it = sample();
  it.stances[1]!.transitions![0]!.to = 'lost';
  assert.deepEqual(edit.transitionsBetween(it, it.stances[1]!).at(-1), { to: 'lost', there: ['stances[1].transitions[0]'], back: [] });
});

test('errors belong to their path, and to parents only on request', () => {
  const fault = (path: string) => ({ path, message: path, isWarning: false });
  const all = ['stances[1]', 'stances[1].name', 'stances[1].gestures[1].end', 'stances[1].gestures[11].end', 'stances[11]'].map(fault);
  const at = (path: string, deep = false): string[] => edit.faultsAt(all, path, deep).map(({ message }) => message);
  assert.deepEqual(at('stances[1]'), ['stances[1]', 'stances[1].name']);
  assert.deepEqual(at('stances[1]', true), all.slice(0, 4).map(({ path }) => path));
  assert.deepEqual(at('stances[1].gestures[1]'), ['stances[1].gestures[1].end']);
});

test('different values are mixed', () => {
  const { gestures } = sample().stances[0]!;
  assert.equal(edit.shared(gestures!, entry => entry.hand), 'mixed');
  assert.deepEqual(edit.shared(gestures!, entry => entry.likelihood ?? 1), { value: 1 });
});

test('a search finds names, places and tags, names first', () => {
  const clips = [{ clip: 'clips/beaten.bvh', name: 'beaten', seconds: 1, places: [] }, { clip: 'clips/wave.fbx', name: 'wave', seconds: 1, places: ['stances[0].gestures[0]'] }];
  const hits = edit.allHits({ repertoire: sample(), clips });
  const find = (words: string): string[] => edit.search(hits, words).map(hit => hit.name);
  assert.deepEqual(find('beat'), ['beat', 'beaten']);
  assert.deepEqual(find('GREET'), ['wave']);
  assert.deepEqual(find('sitting standing'), ['sit', 'rise']);
  assert.deepEqual(find(' '), []);
});

test('the overview places stances apart and marks those without transitions', () => {
  const { spots, edges } = plan(sample());
  const places = new Set(spots.map(({ x, y }) => `${x.toFixed()} ${y.toFixed()}`));
  assert.equal(places.size, 4);
  assert.deepEqual(edges.map(({ from, to, count, isBlend }) => [from.stance.name, to.stance.name, count, isBlend]),
    [['standing', 'sitting', 1, false], ['standing', 'leaning', 1, true], ['sitting', 'standing', 1, false]]);
  assert.deepEqual(plan({ version: 1, stances: [{ name: 'a' }, { name: 'b' }] }).spots.map(({ isLonely }) => isLonely), [true, true]);
  assert.deepEqual(spots.map(({ isLonely }) => isLonely), [false, false, false, false]);
});

test('an error message is a complete sentence', () => {
  const at = (path: string, message: string): string => edit.faultWords({ path, message, isWarning: false });
  assert.equal(at('stances[0].gestures[1].end', 'is 30; the clip lasts from 0 to 4.20 s'), 'The end is 30; the clip lasts from 0 to 4.20 s');
  assert.equal(at('stances[0].clip', 'there is no clip “x”'), 'there is no clip “x”');
});
