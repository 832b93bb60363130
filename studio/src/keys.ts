// Keys that work everywhere, and what `?` tells of all keys. Views add their own by `documentKeys`.
import { signal } from '@preact/signals';
import { MODES } from './modes.ts';
import { redoAndSay, undoAndSay } from './undoing.ts';
import { mode } from './state.ts';

export const helpIsOpen = signal(false);
/** On narrow screens side panels are drawers: the one that is open. */
export const drawer = signal<'library' | 'side' | null>(null);

export interface KeyGroup { title: string; rows: readonly (readonly [keys: string, what: string])[] }
export const keyGroups = signal<readonly KeyGroup[]>([
  {
    title: 'Everywhere',
    rows: [
      ['1 · 2 · 3', 'Live, Repertoire, Compare'],
      ['F6 · Shift+F6', 'To the next or the previous panel'],
      ['/', 'To the line for words'],
      ['Space', 'Pause, and go on (Live, Compare)'],
      ['Ctrl+Z · Ctrl+Shift+Z', 'Undo, redo'],
      ['?', 'This page'],
      ['Esc', 'Close what is open'],
    ],
  },
  {
    title: 'Stage',
    rows: [
      ['← · → · ↑ · ↓', 'Walk around the character'],
      ['+ · −', 'Come closer, go away'],
      ['B · F · E', 'See the body, the bust, the eyes'],
      ['Shift+arrows', 'Shift the picture'],
    ],
  },
  { title: 'Look target', rows: [['← · → · ↑ · ↓', 'Move it aside, up and down'], ['PgUp · PgDn', 'Away from you, and towards you']] },
  {
    title: 'Line for words',
    rows: [
      ['Enter', 'Do it'],
      ['Tab', 'Take the suggestion'],
      ['↑ · ↓', 'Choose a suggestion; in an empty line, what you wrote before'],
      ['Esc', 'Close the suggestions'],
    ],
  },
]);

/** Lets a view tell of its keys; a group of the same title is replaced. */
export function documentKeys(title: string, rows: KeyGroup['rows']): void {
  keyGroups.value = [...keyGroups.value.filter(group => group.title !== title), { title, rows }];
}

const isTyping = (it: Element | null): boolean =>
  it instanceof HTMLElement && (it.isContentEditable || /^(TEXTAREA|SELECT)$/.test(it.tagName)
    || (it instanceof HTMLInputElement && !/^(range|checkbox|radio|button|file)$/.test(it.type)));

const PLAIN: Record<string, () => boolean> = {
  '?': () => { helpIsOpen.value = !helpIsOpen.value; return true; },
  '/': () => { toLine(); return true; },
};
MODES.forEach(({ id }, i) => { PLAIN[String(i + 1)] = () => { mode.value = id; return true; }; });

/** Goes to the line for words, which the repertoire does not have. */
export function toLine(): void {
  if (mode.value === 'repertoire') mode.value = 'live';
  drawer.value = 'side';
  const focus = () => document.querySelector<HTMLElement>('[data-line]')?.focus();
  focus();
  // Another view is there after the next picture.
  setTimeout(focus);
}

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';
const isSeen = (it: HTMLElement): boolean => it.getClientRects().length > 0 && getComputedStyle(it).visibility !== 'hidden';

/** Goes from panel to panel, in the order in which they are on the page. */
function nextPanel(step: number): boolean {
  const panels = [...document.querySelectorAll<HTMLElement>('#app .head, #app section[aria-label]')]
    .filter(it => isSeen(it) && it.parentElement?.closest('section[aria-label]') === null);
  if (panels.length === 0) return false;
  const here = panels.findIndex(it => it.contains(document.activeElement));
  const next = panels[(here === -1 ? (step > 0 ? 0 : panels.length - 1) : here + step + panels.length) % panels.length]!;
  const first = [...next.querySelectorAll<HTMLElement>(FOCUSABLE)].find(it => isSeen(it) && it.tabIndex >= 0) ?? next;
  if (first === next) next.tabIndex = -1;
  first.focus();
  return true;
}

function withControl(event: KeyboardEvent): boolean {
  const key = event.key.toLowerCase();
  if (key === 'y' || (key === 'z' && event.shiftKey)) void redoAndSay();
  else if (key === 'z') void undoAndSay();
  else return false;
  return true;
}

function pressed(event: KeyboardEvent): boolean {
  if (event.key === 'F6') return nextPanel(event.shiftKey ? -1 : 1);
  if (event.key === 'Escape' && drawer.value !== null) {
    drawer.value = null;
    return true;
  }
  // In a field the browser's own undo is meant, and letters are letters.
  if (isTyping(document.activeElement)) return false;
  if (document.querySelector('dialog[open]')) return event.key === '?' && PLAIN['?']!();
  if (event.ctrlKey || event.metaKey) return withControl(event);
  return !event.altKey && (PLAIN[event.key]?.() ?? false);
}

export function start(): void {
  addEventListener('keydown', event => {
    if (!event.defaultPrevented && pressed(event)) event.preventDefault();
  });
}
