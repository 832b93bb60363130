// Global keyboard shortcuts, and the list of all shortcuts that `?` shows. Views add theirs with `documentKeys`.
import { signal } from '@preact/signals';
import { MODES } from './modes.ts';
import { redoWithMessage, undoWithMessage } from './undo.ts';
import { mode } from './state.ts';

export const helpIsOpen = signal(false);
/** The open drawer. On narrow screens side panels are drawers. */
export const drawer = signal<'library' | 'side' | null>(null);

export interface KeyGroup { title: string; rows: readonly (readonly [keys: string, what: string])[] }
export const keyGroups = signal<readonly KeyGroup[]>([
  {
    title: 'Everywhere',
    rows: [
      ['1 · 2 · 3', 'Live, Repertoire, Compare'],
      ['F6 · Shift+F6', 'Go to the next or previous panel'],
      ['/', 'Go to the command line'],
      ['Space', 'Pause or continue (Live, Compare)'],
      ['Ctrl+Z · Ctrl+Shift+Z', 'Undo, redo'],
      ['?', 'Show this page'],
      ['Esc', 'Close the open dialog or drawer'],
    ],
  },
  {
    title: 'Stage',
    rows: [
      ['← · → · ↑ · ↓', 'Orbit around the character'],
      ['+ · −', 'Zoom in, zoom out'],
      ['B · F · E', 'Show the body, the bust, the eyes'],
      ['Shift+arrows', 'Pan the view'],
    ],
  },
  { title: 'Look target', rows: [['← · → · ↑ · ↓', 'Move it sideways, up and down'], ['PgUp · PgDn', 'Move it away from you, towards you']] },
  {
    title: 'Command line',
    rows: [
      ['Enter', 'Run the command'],
      ['Tab', 'Use the suggestion'],
      ['↑ · ↓', 'Choose a suggestion, or an earlier command if the line is empty'],
      ['Esc', 'Close the suggestions'],
    ],
  },
]);

/** Adds a view's keys to the help page. A group with the same title is replaced. */
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

/** Focuses the command line. The repertoire view has none, so it switches to the live view. */
export function toLine(): void {
  if (mode.value === 'repertoire') mode.value = 'live';
  drawer.value = 'side';
  const focus = () => document.querySelector<HTMLElement>('[data-line]')?.focus();
  focus();
  // A newly opened view exists only after the next render.
  setTimeout(focus);
}

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';
const isSeen = (it: HTMLElement): boolean => it.getClientRects().length > 0 && getComputedStyle(it).visibility !== 'hidden';

/** Moves the focus from panel to panel in document order. */
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
  if (key === 'y' || (key === 'z' && event.shiftKey)) void redoWithMessage();
  else if (key === 'z') void undoWithMessage();
  else return false;
  return true;
}

function pressed(event: KeyboardEvent): boolean {
  if (event.key === 'F6') return nextPanel(event.shiftKey ? -1 : 1);
  if (event.key === 'Escape' && drawer.value !== null) {
    drawer.value = null;
    return true;
  }
  // In a text field, undo and letters belong to the browser.
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
