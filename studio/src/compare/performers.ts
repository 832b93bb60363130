// Creates the compared performers: they start at the same time with the same seed and get the same intents.
import { signal } from '@preact/signals';
import { compared } from '../stage/cast.ts';
import { dismiss, watch } from '../stage/watch.ts';
import { character, showError } from '../state.ts';
import { request } from '../wire.ts';
import { differences, type Setting } from './experiments.ts';

export const settings = signal<readonly Setting[]>([]);
export const seed = signal(1);

let newest = 0;
let last: Promise<void> = Promise.resolve();

/** Restarts all performers. If called again meanwhile, only the newest call takes effect. */
export function begin(): void {
  const mine = ++newest;
  last = last.then(() => mine === newest ? cast() : undefined).catch(showError);
}

export function end(): void {
  newest += 1;
  last = last.then(clear).catch(showError);
}

async function clear(): Promise<void> {
  const names = compared.value.map(({ performer }) => performer);
  compared.value = [];
  await dismiss(names);
}

async function cast(): Promise<void> {
  const it = character.value, all = settings.value;
  if (!it || all.length === 0) return clear();
  const names = all.map((_, i) => `compare-${TAG}-${i + 1}`);
  await request({ cast: all.map(({ temperament }, i) => ({ performer: names[i]!, character: it.id, seed: seed.value, temperament, mine: true })) });
  await watch(names);
  const gone = compared.value.map(({ performer }) => performer).filter(name => !names.includes(name));
  const what = differences(all);
  compared.value = all.map(({ name }, i) => ({ performer: names[i]!, caption: caption(name, what[i]!) }));
  await dismiss(gone);
}

/** Makes performer names unique, because several pages may compare at the same time. */
const TAG = Math.random().toString(36).slice(2, 6);

/** The setting's name, followed by its differences. */
const caption = (name: string, differs: readonly string[]): string => [name, ...differs].join('\n');
