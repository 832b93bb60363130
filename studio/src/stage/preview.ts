// A clip that plays on the stage in place of the performance, while someone looks at it.

/** Plays a clip, or a part of it, again and again; `null` gives the stage back. */
export function preview(part: { clip: string; start?: number; end?: number } | null): void {
  document.documentElement.dataset['preview'] = part?.clip ?? '';
}
