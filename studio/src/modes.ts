// The views of the studio.
import type { Mode } from './state.ts';

export const MODES: readonly { id: Mode; name: string }[] = [
  { id: 'live', name: 'Live' },
  { id: 'repertoire', name: 'Repertoire' },
  { id: 'compare', name: 'Compare' },
];
