// Previews: the clip under the pointer or focus plays on the stage. One listener per list.
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

/** Ends the preview unless the pointer enters another clip. */
function exit(event: Event): void {
  if (!partOf((event as PointerEvent | FocusEvent).relatedTarget)) stopPreview();
}

export function stopPreview(): void {
  if (shown !== null) preview(null);
  shown = null;
}

/** Previews a part of a clip at once. Returns a function that ends it unless another preview has started. */
export function previewNow(part: { clip: string; start?: number; end?: number }): () => void {
  const mine = JSON.stringify(part);
  shown = mine;
  preview(part);
  return () => { if (shown === mine) stopPreview(); };
}

/** Handlers for a list of items with `data-clip`, and optionally `data-start` and `data-end`. */
export const previews = { onPointerOver: enter, onPointerOut: exit, onFocusIn: enter, onFocusOut: exit };
