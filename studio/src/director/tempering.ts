// The temperament that is played now: changes are heard at once, and kept when somebody says so.
import { computed, signal } from '@preact/signals';
import { api } from '../api.ts';
import type { Preset, Temperament } from '../protocol.ts';
import { character, complain, edit, MAIN } from '../state.ts';
import { performers, request } from '../wire.ts';
import { FIELDS, isSame } from './fields.ts';

export const presets = signal<readonly Preset[]>([]);

/** What was set here and is not yet told by the server. */
const draft = signal<Temperament | null>(null);
const played = computed(() => performers.value.get(MAIN)?.temperament ?? {});

export const temperament = computed<Temperament>(() => draft.value ?? played.value);
/** Whether it differs from what the character keeps. */
export const isChanged = computed(() => {
  const kept = character.value?.temperament;
  return kept !== undefined && FIELDS.some(field => !isSame(field, kept, temperament.value));
});

let isSending = false;

/** Sends the newest; what is set while one is on its way is sent after it. */
export function set(it: Temperament): void {
  draft.value = it;
  if (!isSending) void send();
}

async function send(): Promise<void> {
  isSending = true;
  try {
    for (let sent: Temperament | null = null; sent !== draft.peek() && draft.peek() !== null;) {
      sent = draft.peek()!;
      await request({ temperament: sent }, MAIN);
    }
  } catch (error) {
    complain(error);
    draft.value = null;
  } finally {
    isSending = false;
  }
}

export const keep = (): Promise<void> => edit('change the temperament', { temperament: temperament.value });
export const forget = (): void => { if (character.value) set(character.value.temperament); };

export const isPlayed = (preset: Preset): boolean => FIELDS.every(field => isSame(field, preset.temperament, temperament.value));

export function start(): void {
  api.presets().then(all => { presets.value = all; }, complain);
  // Another character, or what the server tells, is newer than what was set here.
  let before = JSON.stringify(played.value);
  played.subscribe(now => {
    const text = JSON.stringify(now);
    if (text !== before && !isSending) draft.value = null;
    before = text;
  });
}
