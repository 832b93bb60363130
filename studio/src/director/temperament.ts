// The current temperament: changes apply at once, and are saved on request.
import { computed, signal } from '@preact/signals';
import { api } from '../api.ts';
import type { Preset, Temperament } from '../protocol.ts';
import { character, showError, edit, MAIN } from '../state.ts';
import { performers, request } from '../wire.ts';
import { FIELDS, isSame } from './fields.ts';

export const presets = signal<readonly Preset[]>([]);

/** Value set here and not yet confirmed by the server. */
const draft = signal<Temperament | null>(null);
const played = computed(() => performers.value.get(MAIN)?.temperament ?? {});

export const temperament = computed<Temperament>(() => draft.value ?? played.value);
/** True if the temperament differs from the saved one. */
export const isChanged = computed(() => {
  const kept = character.value?.temperament;
  return kept !== undefined && FIELDS.some(field => !isSame(field, kept, temperament.value));
});

let isSending = false;

/** Sends the newest value; values set during a request are sent after it. */
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
    showError(error);
    draft.value = null;
  } finally {
    isSending = false;
  }
}

export const save = (): Promise<void> => edit('change the temperament', { temperament: temperament.value });
export const revert = (): void => { if (character.value) set(character.value.temperament); };

export const isPlayed = (preset: Preset): boolean => FIELDS.every(field => isSame(field, preset.temperament, temperament.value));

export function start(): void {
  api.presets().then(all => { presets.value = all; }, showError);
  // A new value from the server, for example of another character, replaces the draft.
  let before = JSON.stringify(played.value);
  played.subscribe(now => {
    const text = JSON.stringify(now);
    if (text !== before && !isSending) draft.value = null;
    before = text;
  });
}
