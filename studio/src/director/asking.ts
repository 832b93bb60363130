// Intents go out, and what became of each is told: done, under way, or why not.
import { computed, signal } from '@preact/signals';
import { addressed, eyeHeight } from '../stage/cast.ts';
import { character } from '../state.ts';
import { onMessage, request, type Intent } from '../wire.ts';
import * as voice from '../voice/voice.ts';
import { vocabulary } from './words.ts';

export interface Answer { what: string; state: 'sent' | 'done' | 'failed'; text: string }

/** What became of the newest that was asked for. */
export const answer = signal<Answer | null>(null);
export const known = computed(() => vocabulary(character.value?.repertoire, eyeHeight.value));

/** The wishes of the newest request, as `performer wish`. */
let wishes = new Set<string>();

export async function ask(intent: Intent, what: string): Promise<void> {
  const whom = addressed.peek();
  wishes = new Set();
  answer.value = { what, state: 'sent', text: '' };
  try {
    const numbers = await given(intent, whom);
    if (answer.value?.what !== what) return;
    wishes = new Set(numbers.flatMap((wish, i) => wish === null ? [] : [`${whom[i]} ${wish}`]));
    answer.value = { what, state: 'done', text: '' };
  } catch (error) {
    answer.value = { what, state: 'failed', text: error instanceof Error ? error.message : String(error) };
  }
}

/** Lines get a voice, and a stop ends it. */
function given(intent: Intent, whom: string[]): Promise<(number | null)[]> {
  if ('say' in intent) return voice.speak(intent, whom);
  if ('stop' in intent) voice.hush();
  return request(intent, whom);
}

export function refuse(text: string): void {
  answer.value = { what: '', state: 'failed', text };
}

/** The server tells later what became of a wish. */
export function start(): void {
  onMessage(message => {
    if (!('event' in message) || typeof message.event.what === 'string' || !answer.value) return;
    const { performer, what: it } = message.event, { what } = answer.value;
    const isMine = (wish: number) => wishes.has(`${performer} ${wish}`);
    if ('dropped' in it && isMine(it.dropped.wish)) answer.value = { what, state: 'failed', text: `Not done: ${it.dropped.why}` };
    if ('began' in it && isMine(it.began.wish)) answer.value = { what, state: 'done', text: it.began.name === what ? '' : it.began.name };
  });
}
