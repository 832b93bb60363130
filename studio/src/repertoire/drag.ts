// Dragging: what is under way, and what a place does with what is dropped on it.
import { signal } from '@preact/signals';
import { drawer } from '../keys.ts';
import { complain } from '../state.ts';
import { put, removePaths, takeIn, type Load } from './deeds.ts';
import type { Target } from './edit.ts';
import { droppedFiles } from './files.ts';
import { selectedClips, selectedPaths, selectClips, selectPaths } from './selection.ts';

/** What is dragged over the repertoire view now. */
export const dragging = signal<Load | null>(null);

const TYPE = 'application/x-vivant-clips';

/** Puts all that is selected under the pointer, or only what it is on. */
function load(element: HTMLElement): Load | null {
  const { path, clip } = element.dataset;
  if (path !== undefined) {
    if (!selectedPaths.value.has(path)) selectPaths(new Set([path]));
    return { paths: [...selectedPaths.value] };
  }
  if (clip === undefined) return null;
  if (!selectedClips.value.has(clip)) selectClips(new Set([clip]));
  return { clips: [...selectedClips.value] };
}

export function onDragStart(event: DragEvent): void {
  const element = (event.target as HTMLElement).closest<HTMLElement>('[draggable="true"]');
  const it = element && load(element);
  if (!it || !event.dataTransfer) return;
  event.dataTransfer.effectAllowed = 'copyMove';
  event.dataTransfer.setData(TYPE, JSON.stringify(it));
  event.dataTransfer.setData('text/plain', 'clips' in it ? it.clips.join('\n') : element.textContent);
  // A change of the page during this event would end the drag in some browsers.
  setTimeout(() => {
    dragging.value = it;
    // On narrow screens the library covers the nodes.
    drawer.value = null;
  });
}

export const onDragEnd = (): void => { dragging.value = null; };

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** A drag of files comes from elsewhere: it begins when it is first seen, and ends when it leaves. */
function onDragOverView(event: DragEvent): void {
  if (!hasFiles(event)) return;
  event.preventDefault();
  const files = event.dataTransfer?.items.length ?? 0;
  if (dragging.value === null || ('files' in dragging.value && dragging.value.files !== files)) dragging.value = { files };
}

export function onDragLeaveView(event: DragEvent): void {
  const inside = (event.currentTarget as HTMLElement).contains(event.relatedTarget as Node | null);
  if (!inside && dragging.value && 'files' in dragging.value) dragging.value = null;
}

const parseLoad = (event: DragEvent): Load | null => {
  const text = event.dataTransfer?.getData(TYPE);
  return text ? JSON.parse(text) as Load : dragging.value;
};

function drop(event: DragEvent, act: (it: Load, files: File[]) => Promise<unknown>): void {
  event.preventDefault();
  event.stopPropagation();
  const it = hasFiles(event) ? { files: 0 } : parseLoad(event);
  const files = hasFiles(event) && event.dataTransfer ? droppedFiles(event.dataTransfer) : Promise.resolve([]);
  dragging.value = null;
  if (it) files.then(these => act(it, these)).catch(complain);
}

const over = (event: DragEvent): void => {
  event.preventDefault();
  onDragOverView(event);
  (event.currentTarget as HTMLElement).dataset['over'] = 'true';
};

const leave = (event: DragEvent): void => {
  const element = event.currentTarget as HTMLElement;
  if (!element.contains(event.relatedTarget as Node | null)) delete element.dataset['over'];
};

interface DropHandlers {
  onDragOver: (event: DragEvent) => void;
  onDragLeave: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
}

function handlers(act: (it: Load, files: File[]) => Promise<unknown>): DropHandlers {
  return {
    onDragOver: event => { event.stopPropagation(); over(event); },
    onDragLeave: leave,
    onDrop: event => { delete (event.currentTarget as HTMLElement).dataset['over']; drop(event, act); },
  };
}

/** Makes an element take clips, entries and files. */
export const dropOn = (target: Target): DropHandlers => handlers((it, files) => put(it, target, files));

/** Files that are dropped beside all nodes are taken in and looked at. */
export const dropBeside = (): DropHandlers => handlers(async (it, files) => { if ('files' in it) await takeIn(files); });

/** Files are taken in and looked at; entries lose their place. */
export const dropInLibrary = (): DropHandlers => handlers(async (it, files) => {
  if ('files' in it) await takeIn(files);
  if ('paths' in it) await removePaths(it.paths);
});
