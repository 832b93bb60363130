// The performers on stage.
import { computed, signal } from '@preact/signals';
import { MAIN, mode } from '../state.ts';

export interface Part { performer: string; caption: string | null }

/** A clip preview that temporarily replaces the character. */
export const previewed = signal<Part | null>(null);
/** Compared performers. */
export const compared = signal<readonly Part[]>([]);

const isComparing = computed(() => mode.value === 'compare' && compared.value.length > 0);

/** All visible performers, in display order. */
export const parts = computed<readonly Part[]>(() => {
  if (isComparing.value) return compared.value;
  return [previewed.value ?? { performer: MAIN, caption: null }];
});

/** Performers that receive commands and gaze targets. */
export const addressed = computed<string[]>(() => isComparing.value ? compared.value.map(({ performer }) => performer) : [MAIN]);

/** Eye height of the first performer in metres. */
export const eyeHeight = signal(1.57);
