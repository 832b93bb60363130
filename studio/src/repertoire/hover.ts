// Previews: what the pointer or the focus is on plays on the stage. One listener for each list, none for each item.
import { preview } from '../stage/preview.ts';

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
  shown = found.key;
  preview(found.part);
}

/** Ends what was previewed, unless something else is next. */
function exit(event: Event): void {
  if (!partOf((event as PointerEvent | FocusEvent).relatedTarget)) stopPreview();
}

export function stopPreview(): void {
  if (shown !== null) preview(null);
  shown = null;
}

/** Plays a part that nobody points at; gives what ends it, unless something else is shown by then. */
export function previewNow(part: { clip: string; start?: number; end?: number }): () => void {
  const mine = JSON.stringify(part);
  shown = mine;
  preview(part);
  return () => { if (shown === mine) stopPreview(); };
}

/** For the element around items with `data-clip`, and `data-start` and `data-end` where they are trimmed. */
export const previews = { onPointerOver: enter, onPointerOut: exit, onFocusIn: enter, onFocusOut: exit };
