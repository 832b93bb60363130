// Previews: what the pointer or the focus is on plays on the stage. One listener for each list, none for each item.
import { preview } from '../stage/preview.ts';

const DELAY_MS = 150;
let waiting: ReturnType<typeof setTimeout> | undefined;
let shown: string | null = null;

function partOf(target: EventTarget | null): { key: string; part: { clip: string; start?: number; end?: number } } | null {
  const element = (target as Element | null)?.closest?.<HTMLElement>('[data-clip]');
  const { clip, start, end } = element?.dataset ?? {};
  if (!clip) return null;
  const part = { clip, ...(start ? { start: Number(start) } : {}), ...(end ? { end: Number(end) } : {}) };
  return { key: JSON.stringify(part), part };
}

function enter(event: Event): void {
  const found = partOf(event.target);
  if (!found || found.key === shown) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => { shown = found.key; preview(found.part); }, DELAY_MS);
}

/** Ends what was previewed, unless the pointer goes on to something in the same item. */
function exit(event: Event): void {
  const next = partOf((event as PointerEvent | FocusEvent).relatedTarget);
  if (next && next.key === shown) return;
  clearTimeout(waiting);
  if (!next) stopPreview();
}

export function stopPreview(): void {
  clearTimeout(waiting);
  if (shown !== null) preview(null);
  shown = null;
}

/** Plays a part now: for trims. */
export function previewNow(part: { clip: string; start?: number; end?: number }): void {
  clearTimeout(waiting);
  shown = JSON.stringify(part);
  preview(part);
}

/** For the element around items with `data-clip`, and `data-start` and `data-end` where they are trimmed. */
export const previews = { onPointerOver: enter, onPointerOut: exit, onFocusIn: enter, onFocusOut: exit };
