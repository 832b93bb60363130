// Keyboard shortcuts of the label view.
import { signal } from '@preact/signals';
import { frame, go, points, redo, selected, task, undo } from './state.ts';
import { add, copy, findFace, makeGuess, mirror, moveAll, movePoint, next, remove, reset, closeEyes, tryTrack } from './actions.ts';
import { turnByKey } from './eyeball.tsx';
import { keyHere, proposeHere, removeKey, toKey } from './gaze-panel.tsx';
import { fitEyes, fitWhole, isBright, zoom } from './viewport.ts';
import { POINTS, sideOf } from './points.ts';

export const helpIsOpen = signal(false);

export const HELP: readonly { title: string; rows: readonly (readonly [string, string])[] }[] = [
  { title: 'Video', rows: [[', · .', 'One frame back, one forward'], ['< · >', 'Ten frames back, ten forward'], ['N', 'Go to the next suggested frame'], ['1 · 2', 'Label points, label gaze']] },
  {
    title: 'Points',
    rows: [
      ['Tab · Shift+Tab', 'Select the next or previous point'], ['← · → · ↑ · ↓', 'Move it by one pixel'], ['Shift · Alt', 'With an arrow: ten pixels, a tenth'],
      ['Ctrl+arrows', 'Move all points (also Shift+drag)'], ['Alt+drag', 'Separate coinciding lid points, which otherwise move together'], ['G', 'Guess the points with the model'], ['F', 'Find the face'], ['T', 'Track the whole video'], ['C', 'Copy from the last labelled frame'], ['S', 'Close both eyes'],
      ['Shift+S', 'Close the eye of the selected point'], ['M', 'Mirror the selected eye'], ['R', 'Reset the points'], ['Del', 'Remove the points'], ['Enter', 'Add the frame'],
    ],
  },
  { title: 'Gaze', rows: [['← · → · ↑ · ↓', 'Rotate the eyeball by 1° (Shift 5°, Alt 0.1°)'], ['P', 'Propose from the iris'], ['K', 'Set a key'], ['[ · ]', 'Go to the previous or next key'], ['Del', 'Remove the key']] },
  { title: 'Everywhere', rows: [['+ · −', 'Zoom (or the wheel)'], ['E · 0', 'Show both eyes, the whole frame'], ['B', 'Brighten the display'], ['Ctrl+Z · Ctrl+Shift+Z', 'Undo, redo'], ['?', 'Show this page']] },
];

const ARROWS: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function nudge(event: KeyboardEvent): boolean {
  const arrow = ARROWS[event.key], index = selected.value, it = points.value;
  if (!arrow || !it || task.value !== 'points') return false;
  const by = event.shiftKey ? 10 : event.altKey ? 0.1 : 1, [dx, dy] = [arrow[0] * by, arrow[1] * by];
  if (event.ctrlKey || event.metaKey) moveAll(dx, dy, `all ${frame.value}`);
  else if (index !== null) movePoint(index, [it[index]![0] + dx, it[index]![1] + dy], `nudge ${frame.value} ${index}`);
  else return false;
  return true;
}

const EVERYWHERE: Record<string, () => void> = {
  ',': () => go(frame.value - 1), '.': () => go(frame.value + 1), '<': () => go(frame.value - 10), '>': () => go(frame.value + 10),
  '+': () => zoom(1.25), '=': () => zoom(1.25), '-': () => zoom(1 / 1.25), '−': () => zoom(1 / 1.25), 0: fitWhole, e: fitEyes, b: () => { isBright.value = !isBright.value; },
  1: () => { task.value = 'points'; }, 2: () => { task.value = 'gaze'; }, '?': () => { helpIsOpen.value = true; }, n: () => void next(),
};
const ON_POINTS: Record<string, () => void> = {
  g: () => void makeGuess(), f: () => void findFace(), c: copy, s: () => closeEyes(), S: () => closeEyes([sideOf(selected.value ?? 0)]),
  m: mirror, r: reset, t: () => void tryTrack(), Delete: remove, Enter: add,
};
const ON_GAZE: Record<string, () => void> = { p: proposeHere, k: keyHere, '[': () => toKey(-1), ']': () => toKey(1), Delete: removeKey };

/** Moves the focus from point to point, even if none has it yet. */
function toPoint(event: KeyboardEvent): boolean {
  const it = document.activeElement;
  if (event.key !== 'Tab' || !points.value || task.value !== 'points' || (it !== document.body && it !== null)) return false;
  const last = selected.value ?? (event.shiftKey ? 0 : -1);
  const index = (last + (event.shiftKey ? POINTS - 1 : 1)) % POINTS;
  document.querySelectorAll<SVGGElement>('.overlay .point')[index]?.focus();
  return true;
}

const isTyping = (it: Element | null): boolean => it instanceof HTMLInputElement && it.type !== 'range';
/** Enter belongs to a focused button, and arrows to a focused input. */
const isItsOwn = (event: KeyboardEvent): boolean => {
  const it = document.activeElement;
  return (event.key === 'Enter' && it instanceof HTMLButtonElement) || (event.key in ARROWS && it instanceof HTMLInputElement);
};

function pressed(event: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]') || isTyping(document.activeElement) || isItsOwn(event)) return false;
  if (toPoint(event) || nudge(event) || (task.value === 'gaze' && turnByKey(event))) return true;
  if (event.ctrlKey || event.metaKey) return withControl(event);
  if (event.altKey) return false;
  const keys = task.value === 'points' ? ON_POINTS : ON_GAZE;
  const act = keys[event.key] ?? EVERYWHERE[event.key] ?? keys[event.key.toLowerCase()] ?? EVERYWHERE[event.key.toLowerCase()];
  act?.();
  return act !== undefined;
}

function withControl(event: KeyboardEvent): boolean {
  const key = event.key.toLowerCase();
  if (key === 'y' || (key === 'z' && event.shiftKey)) redo();
  else if (key === 'z') undo();
  else return false;
  return true;
}

export function start(): void {
  addEventListener('keydown', event => {
    if (!event.defaultPrevented && pressed(event)) event.preventDefault();
  });
}
