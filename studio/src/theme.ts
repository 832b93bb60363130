// Theme: light, dark or that of the system; stored for the next visit.
import { computed, effect, signal } from '@preact/signals';
import { loadSetting, saveSetting } from './storage.ts';

export type Theme = 'auto' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

const system = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(system.matches);
const before = loadSetting('theme');

export const theme = signal<Theme>(THEMES.find(one => one === before) ?? 'auto');
export const isDark = computed(() => theme.value === 'dark' || (theme.value === 'auto' && systemIsDark.value));

export function start(): void {
  system.addEventListener('change', ({ matches }) => { systemIsDark.value = matches; });
  effect(() => {
    if (theme.value === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme.value;
    saveSetting('theme', theme.value);
  });
}
