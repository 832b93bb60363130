// Those that are compared begin at the same instant, by the same chance, and are asked for the same.
import { signal } from '@preact/signals';
import { compared } from '../stage/cast.ts';
import { dismiss, watch } from '../stage/watching.ts';
import { character, complain } from '../state.ts';
import { request } from '../wire.ts';
import { differences, type Setting } from './experiments.ts';

export const settings = signal<readonly Setting[]>([]);
export const seed = signal(1);

let newest = 0;
let last: Promise<void> = Promise.resolve();

/** Lets all begin anew; only the newest wish counts. */
export function begin(): void {
  const mine = ++newest;
  last = last.then(() => mine === newest ? cast() : undefined).catch(complain);
}

export function end(): void {
  newest += 1;
  last = last.then(clear).catch(complain);
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

/** Two pages may compare at the same time. */
const TAG = Math.random().toString(36).slice(2, 6);

/** The name, and what differs where the name does not say it all. */
const caption = (name: string, differs: readonly string[]): string => [name, ...differs].join('\n');
