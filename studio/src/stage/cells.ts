// Layout of several performers on one canvas.

/** A part of the canvas in CSS pixels from its upper left corner. */
export interface Cell { left: number; top: number; width: number; height: number }

/** Places performers side by side if the cells are wide enough, otherwise in rows. */
export function cells(count: number, width: number, height: number): Cell[] {
  const columns = best(count, width, height), rows = Math.ceil(count / columns);
  const wide = width / columns, tall = height / rows;
  return Array.from({ length: count }, (_, i) => ({
    left: (i % columns) * wide, top: Math.floor(i / columns) * tall, width: wide, height: tall,
  }));
}

/** Returns the number of columns with the largest cells of a person's shape. */
function best(count: number, width: number, height: number): number {
  const size = (columns: number) => Math.min(width / columns, (0.6 * height) / Math.ceil(count / columns));
  const ways = Array.from({ length: Math.max(1, count) }, (_, i) => i + 1);
  return ways.reduce((a, b) => size(b) >= size(a) ? b : a);
}
