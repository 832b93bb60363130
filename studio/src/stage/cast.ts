// Who is on stage.
import { computed, signal } from '@preact/signals';
import { MAIN, mode } from '../state.ts';

export interface Part { performer: string; caption: string | null }

/** A clip that is shown for a moment in place of the character's own doings. */
export const previewed = signal<Part | null>(null);
/** Those that are compared. */
export const compared = signal<readonly Part[]>([]);

const isComparing = computed(() => mode.value === 'compare' && compared.value.length > 0);

/** All that are seen, in the order of their places. */
export const parts = computed<readonly Part[]>(() => {
  if (isComparing.value) return compared.value;
  return [previewed.value ?? { performer: MAIN, caption: null }];
});

/** To whom buttons, words and glances go. */
export const addressed = computed<string[]>(() => isComparing.value ? compared.value.map(({ performer }) => performer) : [MAIN]);

/** How high the eyes of the first one are, in metres. */
export const eyeHeight = signal(1.57);
