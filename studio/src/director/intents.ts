// Sends intents and shows the result: sent, done, or the reason for failure.
import { computed, signal } from '@preact/signals';
import { addressed, eyeHeight } from '../stage/cast.ts';
import { character } from '../state.ts';
import { onMessage, request, type Intent } from '../wire.ts';
import * as voice from '../voice/voice.ts';
import { vocabulary } from './command.ts';

export interface Answer { what: string; state: 'sent' | 'done' | 'failed'; text: string }

/** Result of the newest intent. */
export const answer = signal<Answer | null>(null);
export const known = computed(() => vocabulary(character.value?.repertoire, eyeHeight.value));

/** Intent ids of the newest request, as `performer id`. */
let ids = new Set<string>();

export async function sendIntent(intent: Intent, what: string): Promise<void> {
  const performers = addressed.peek();
  ids = new Set();
  answer.value = { what, state: 'sent', text: '' };
  try {
    const numbers = await deliver(intent, performers);
    if (answer.value?.what !== what) return;
    ids = new Set(numbers.flatMap((intent, i) => intent === null ? [] : [`${performers[i]} ${intent}`]));
    answer.value = { what, state: 'done', text: '' };
  } catch (error) {
    answer.value = { what, state: 'failed', text: error instanceof Error ? error.message : String(error) };
  }
}

/** Sends an intent. Speech lines also get a voice, and `stop` silences it. */
function deliver(intent: Intent, performers: string[]): Promise<(number | null)[]> {
  if ('say' in intent) return voice.speak(intent, performers);
  if ('stop' in intent) voice.silence();
  return request(intent, performers);
}

export function showRefusal(text: string): void {
  answer.value = { what: '', state: 'failed', text };
}

/** Follows events, because the server reports later whether an intent started or was dropped. */
export function start(): void {
  onMessage(message => {
    if (!('event' in message) || typeof message.event.what === 'string' || !answer.value) return;
    const { performer, what: it } = message.event, { what } = answer.value;
    const isMine = (intent: number) => ids.has(`${performer} ${intent}`);
    if ('dropped' in it && isMine(it.dropped.intent)) answer.value = { what, state: 'failed', text: `Not done: ${it.dropped.why}` };
    if ('began' in it && isMine(it.began.intent)) answer.value = { what, state: 'done', text: it.began.name === what ? '' : it.began.name };
  });
}
