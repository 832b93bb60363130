// Multi-select lists for pointer and keyboard. Items are elements with role option and data-id.
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';

export interface Choice {
  selected: ReadonlySignal<ReadonlySet<string>>;
  select: (these: ReadonlySet<string>) => void;
  /** Handles other keys. Returns true if a key was handled. */
  onKey?: (key: string, id: string, event: KeyboardEvent) => boolean;
}

export interface ListState { active: Signal<string | null>; anchor: string | null }

const optionsOf = (list: Element): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[role="option"]')];
const idOf = (element: HTMLElement): string => element.dataset['id'] ?? '';

function toggled(set: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Returns all ids between two, in document order. */
function between(ids: readonly string[], one: string | null, other: string): string[] {
  const from = ids.indexOf(one ?? other), to = ids.indexOf(other);
  return ids.slice(Math.min(from < 0 ? to : from, to), Math.max(from, to) + 1);
}

/** Number of items per row, for up and down arrows. */
function columns(options: readonly HTMLElement[]): number {
  const top = options[0]?.offsetTop, count = options.findIndex(option => option.offsetTop !== top);
  return count < 0 ? Math.max(options.length, 1) : Math.max(count, 1);
}

function step(key: string, options: readonly HTMLElement[], at: number): number | undefined {
  const last = options.length - 1;
  const row = key === 'ArrowUp' || key === 'ArrowDown' ? columns(options) : 1;
  switch (key) {
    case 'ArrowDown': return Math.min(at + (row > last ? 1 : row), last);
    case 'ArrowUp': return Math.max(at - (row > last ? 1 : row), 0);
    case 'ArrowRight': return Math.min(at + 1, last);
    case 'ArrowLeft': return Math.max(at - 1, 0);
    case 'Home': return 0;
    case 'End': return last;
    case 'PageDown': return Math.min(at + 10 * row, last);
    case 'PageUp': return Math.max(at - 10 * row, 0);
    default: return undefined;
  }
}

/** Returns true if one of these items had the focus last; otherwise Tab goes to the first. A computed signal, to avoid rerenders. */
export function useHasActive({ active }: ListState, ids: readonly string[]): boolean {
  const known = useMemo(() => {
    const all = new Set(ids);
    return computed(() => all.has(active.value ?? ''));
  }, [ids.join('\n')]);
  return known.value;
}

export function useListbox({ selected, select, onKey }: Choice) {
  const ref = useRef<ListState>(null);
  const state = ref.current ??= { active: signal<string | null>(null), anchor: null };

  const goTo = (option: HTMLElement): void => {
    state.active.value = idOf(option);
    option.focus();
    option.scrollIntoView({ block: 'nearest' });
  };

  const pick = (list: Element, option: HTMLElement, event: MouseEvent | KeyboardEvent): void => {
    const id = idOf(option), ids = optionsOf(list).map(idOf);
    if (event.shiftKey) select(new Set([...(event.ctrlKey ? selected.value : []), ...between(ids, state.anchor, id)]));
    else if (event.ctrlKey || event.metaKey) select(toggled(selected.value, id));
    else select(new Set([id]));
    if (!event.shiftKey) state.anchor = id;
    state.active.value = id;
  };

  const onClick = (event: MouseEvent): void => {
    const option = (event.target as Element).closest<HTMLElement>('[role="option"]');
    if (!option || (event.target as Element).closest('button')) return;
    pick(event.currentTarget as Element, option, event);
    goTo(option);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const list = event.currentTarget as Element, options = optionsOf(list);
    const option = (event.target as Element).closest<HTMLElement>('[role="option"]');
    if (!option || event.target !== option || event.altKey) return;
    const next = step(event.key, options, options.indexOf(option));
    if (handle(event, list, options, option, next)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };

  const handle = (event: KeyboardEvent, list: Element, options: HTMLElement[], option: HTMLElement, next: number | undefined): boolean => {
    if (next !== undefined) {
      const there = options[next]!;
      goTo(there);
      if (event.shiftKey) pick(list, there, event);
      return true;
    }
    if (event.key === ' ') {
      // Keyboard users may not see selections in other lists, so these are cleared.
      const here = options.map(idOf).filter(id => selected.value.has(id));
      select(toggled(new Set(here), idOf(option)));
      state.anchor = idOf(option);
      return true;
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') {
      select(new Set(options.map(idOf)));
      return true;
    }
    if (event.key === 'Escape' && selected.value.size > 0) {
      select(new Set());
      return true;
    }
    return onKey?.(event.key, idOf(option), event) ?? false;
  };

  const onFocusIn = (event: FocusEvent): void => {
    const option = (event.target as Element).closest<HTMLElement>('[role="option"]');
    if (option) state.active.value = idOf(option);
  };

  return { state, handlers: { onClick, onKeyDown, onFocusIn } };
}
