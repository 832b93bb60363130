// The experiment of paper 4, section 5: the effort to author a character with many clips by drag and drop.
// Its users placed 152 clips in a graph; we allow 30 drags and confirmations, and no remaining error.
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { withoutBrowser } from './lib/browser.mjs';
import { starterFiles } from './lib/starter.mjs';
import { dropFiles, newCharacter, openStudio, shot, until, view } from './lib/studio.mjs';

const CLIPS = 152, MOST = 30;
/** Numbers of clips of the first stance, and of each other one. */
const FIRST = { gestures: 32, fidgets: 15 }, OTHER = { gestures: 5, fidgets: 4 };

const named = ({ clip }) => clip.split('#').at(-1).split('/').at(-1).replace(/\.glb$/, '');

/** Selects nine stances with their gestures and fidgets, the transitions from and to the first, and a cycle through the others. */
function chosen({ stances: all }) {
  const stances = all.filter(({ layers }) => layers.includes('body')), [first, ...others] = stances;
  const isChosen = (stance, to) => stance === first || to === first.name || to === others[(others.indexOf(stance) + 1) % others.length].name;
  const clips = new Map(stances.map(stance => [named(stance), { group: 'stance', stance: named(stance) }]));
  for (const stance of stances) {
    const most = stance === first ? FIRST : OTHER, here = named(stance);
    for (const group of ['gestures', 'fidgets']) {
      for (const entry of stance[group].slice(0, most[group])) clips.set(named(entry), { group, stance: here });
    }
    for (const way of stance.transitions.filter(({ to }) => isChosen(stance, to))) {
      clips.set(named(way), { group: 'transitions', stance: here, to: named(stances.find(({ name }) => name === way.to)) });
    }
  }
  return clips;
}

/** Returns the place of each clip. Stances are identified by their clips, because the studio chooses their names. */
function placed({ repertoire: { stances } }) {
  const clipOf = new Map(stances.map(stance => [stance.name, stance.clip ? named(stance) : stance.name]));
  const found = new Map();
  for (const stance of stances) {
    const here = clipOf.get(stance.name);
    if (stance.clip) found.set(named(stance), { group: 'stance', stance: here });
    for (const group of ['gestures', 'fidgets', 'transitions']) {
      for (const entry of (stance[group] ?? []).filter(({ clip }) => clip)) {
        found.set(named(entry), { group, stance: here, ...(entry.to ? { to: clipOf.get(entry.to) } : {}) });
      }
    }
  }
  return found;
}

const isSame = (one, other) => one?.group === other?.group && one?.stance === other?.stance && one?.to === other?.to;

/** Returns misplaced clips, grouped by source and target. */
function wrong(truth, now) {
  const ways = new Map();
  for (const [clip, target] of truth) {
    const from = now.get(clip);
    if (isSame(from, target)) continue;
    const key = JSON.stringify([from, target]);
    ways.set(key, { from, target, clips: [...(ways.get(key)?.clips ?? []), clip] });
  }
  return [...ways.values()];
}

test(`from an empty character to ${CLIPS} placed clips without an error in at most ${MOST} drags and confirmations`, { skip: withoutBrowser, timeout: 900_000 }, async t => {
  const studio = await openStudio(t);
  const { page, faults } = studio;
  const truth = chosen((await studio.api('/characters/builtin')).repertoire);
  assert.equal(truth.size, CLIPS);
  const paths = starterFiles([...truth.keys()]);
  const isStance = path => truth.get(basename(path, '.glb')).group === 'stance';
  const actions = [];
  const character = async () => studio.api(`/characters/${(await studio.api('/performers/main')).character}`);
  const library = page.getByRole('region', { name: 'Clips' });

  await newCharacter(page, 'Eve', { isEmpty: true });
  actions.push('create an empty character');
  await view(page, 'Repertoire').click();

  await dropFiles(page.getByRole('button', { name: /New stance/ }), paths.filter(isStance));
  actions.push('drop the stances');
  await until('there are nine stances', async () => (await character()).repertoire.stances.length === 9, 120);

  await dropFiles(library, paths.filter(path => !isStance(path)));
  actions.push('drop all other files');
  await until('all files are imported', async () => (await character()).clips.length === CLIPS, 600);
  await library.getByRole('button', { name: `Accept all ${CLIPS - 9} proposals` }).click({ timeout: 120_000 });
  actions.push('accept the proposals');
  await until('all clips are placed', async () => (await character()).clips.every(({ places }) => places.length > 0), 120);

  for (const way of wrong(truth, placed(await character()))) {
    await correct(page, await character(), way);
    actions.push(`${way.clips.join(' and ')}: ${way.from.group} of ${way.from.stance} → ${way.target.group} of ${way.target.stance}`);
    await until('the clip is moved', async () => isSame(placed(await character()).get(way.clips[0]), way.target), 30);
  }

  const done = await character();
  t.diagnostic(`${actions.length} drags and confirmations:\n  ${actions.join('\n  ')}`);
  assert.deepEqual(wrong(truth, placed(done)), []);
  assert.equal(placed(done).size, CLIPS);
  assert.deepEqual(done.faults, []);
  assert.ok(actions.length <= MOST, `${actions.length} drags and confirmations`);
  await page.getByRole('button', { name: 'Overview' }).click();
  for (const close of await page.getByRole('status').getByRole('button').all()) await close.click();
  await page.waitForTimeout(500);
  await shot(page, 'overview');
  assert.deepEqual(faults, []);
});

/** Moves clips by one drag in the graph, or with “Place…” if the target is not visible. */
async function correct(page, { repertoire: { stances } }, { from, target, clips }) {
  const called = clip => stances.find(stance => stance.clip && named(stance) === clip).name;
  const [here, there] = [called(from.stance), called(target.stance)];
  await page.getByRole('group', { name: 'Stances', exact: true }).getByRole('button', { name: here, exact: true }).click();
  const group = ({ group }, stance) => page.getByRole('group', { name: `${group === 'gestures' ? 'Gestures' : group === 'fidgets' ? 'Fidgets' : 'Transitions'} of ${stance}`, exact: true });
  const chip = clip => group(from, here).getByRole('option', { name: clip, exact: true });
  for (const [index, clip] of clips.entries()) await chip(clip).click(index === 0 ? {} : { modifiers: ['Control'] });
  if (here === there && target.group !== 'transitions') return chip(clips[0]).dragTo(group(target, there));
  await page.keyboard.press('p');
  const end = target.to === undefined ? '' : called(target.to);
  const words = { gestures: `Gesture of ${there}`, fidgets: `Fidget of ${there}`, transitions: `Transition from ${there} to ${end}` };
  await page.getByRole('searchbox', { name: 'Search places' }).fill(words[target.group]);
  await page.keyboard.press('Enter');
}
