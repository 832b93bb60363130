// Three short hints on the first visit, each beside the panel it explains. `?` shows them again.
import { signal } from '@preact/signals';
import { useLayoutEffect, useState } from 'preact/hooks';
import { loadSetting, saveSetting } from './storage.ts';
import { drawer } from './keys.ts';
import { mode } from './state.ts';
import './hints.css';

interface Hint { at: string; side: 'below' | 'left' | 'inside'; title: string; text: string }

const HINTS: readonly Hint[] = [
  {
    at: '.stage', side: 'inside', title: 'This is your character',
    text: 'Drag to orbit, scroll to zoom. Drop a VRM, GLB or FBX file here to change the avatar.',
  },
  {
    at: '.side', side: 'left', title: 'Direct it',
    text: 'Press a button, or type “say Hello” or “wave”. Change its temperament with the sliders below.',
  },
  {
    at: '#tab-repertoire', side: 'below', title: 'Add motions',
    text: 'The repertoire contains everything the character can do. Drop animation clips there, and sort them by dragging.',
  },
];

/** Index of the shown hint, or null. */
const current = signal<number | null>(loadSetting('hints') === 'seen' ? null : 0);

export function startHints(): void {
  mode.value = 'live';
  drawer.value = null;
  current.value = 0;
}

function end(): void {
  current.value = null;
  saveSetting('hints', 'seen');
}

function next(): void {
  const number = (current.value ?? 0) + 1;
  if (number < HINTS.length) current.value = number;
  else end();
}

export function Hints() {
  const number = current.value;
  const isReady = useReady();
  const hint = number === null ? undefined : HINTS[number];
  return hint && isReady && mode.value === 'live' ? <Card hint={hint} number={number! + 1} key={number} /> : null;
}

/** Becomes true once the panels are rendered. */
function useReady(): boolean {
  const [isReady, ready] = useState(false);
  useLayoutEffect(() => {
    const timer = setTimeout(() => ready(true), 400);
    return () => clearTimeout(timer);
  }, []);
  return isReady;
}

function Card({ hint, number }: { hint: Hint; number: number }) {
  const place = usePlace(hint);
  return (
    <div class={`hint ${hint.side}`} style={place} role="dialog" aria-label={`Hint ${number} of ${HINTS.length}: ${hint.title}`}
      onKeyDown={event => { if (event.key === 'Escape') end(); }}>
      <h2>{hint.title}</h2>
      <p>{hint.text}</p>
      <footer>
        <span>{number} of {HINTS.length}</span>
        {number < HINTS.length && <button type="button" class="quiet" onClick={end}>Skip hints</button>}
        <button type="button" class="main" onClick={next}>{number < HINTS.length ? 'Next hint' : 'Got it'}</button>
      </footer>
    </div>
  );
}

const WIDTH = 300, GAP = 14;

/** Position of a hint beside its panel; follows window resizes. */
function usePlace({ at, side }: Hint): Record<string, string> {
  const [place, set] = useState<Record<string, string>>({ visibility: 'hidden' });
  useLayoutEffect(() => {
    const measure = () => set(placed(document.querySelector(at)?.getBoundingClientRect(), side));
    measure();
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, [at, side]);
  return place;
}

function placed(box: DOMRect | undefined, side: Hint['side']): Record<string, string> {
  if (!box || box.width === 0) return { left: `${GAP}px`, top: '64px' };
  const within = (x: number) => `${Math.max(GAP, Math.min(innerWidth - WIDTH - GAP, x))}px`;
  if (side === 'below') return { left: within(box.left + box.width / 2 - 40), top: `${box.bottom + GAP}px` };
  // Stacked panels leave no room on the left, so the hint goes above.
  if (side === 'left' && box.left < WIDTH) return { left: within(box.left + GAP), bottom: `${innerHeight - box.top + GAP}px` };
  if (side === 'left') return { left: within(box.left - WIDTH - GAP), top: `${box.top + 24}px` };
  return { left: within(box.left + 24), top: `${box.top + 24}px` };
}
