// Drag and drop: the dragged items, and the drop targets.
import { signal } from '@preact/signals';
import { drawer } from '../keys.ts';
import { showError } from '../state.ts';
import { applyDrop, removePaths, importFiles, type Load } from './actions.ts';
import type { Target } from './edit.ts';
import { droppedFiles } from './files.ts';
import { selectedClips, selectedPaths, selectClips, selectPaths } from './selection.ts';

/** Items dragged over the repertoire view. */
export const dragging = signal<Load | null>(null);

const TYPE = 'application/x-vivant-clips';

/** Returns the whole selection if the element is selected, otherwise only the element. */
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
  // Changing the page during this event would cancel the drag in some browsers.
  setTimeout(() => {
    dragging.value = it;
    // On narrow screens the library covers the nodes.
    drawer.value = null;
  });
}

export const onDragEnd = (): void => { dragging.value = null; };

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** File drags come from outside: they start when they enter the view and end when they leave it. */
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
  if (it) files.then(these => act(it, these)).catch(showError);
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

/** Handlers that accept clips, entries and files. */
export const dropOn = (target: Target): DropHandlers => handlers((it, files) => applyDrop(it, target, files));

/** Handlers of the background: files are imported and analysed. */
export const dropBeside = (): DropHandlers => handlers(async (it, files) => { if ('files' in it) await importFiles(files); });

/** Handlers of the library: files are imported and analysed, entries are removed from the repertoire. */
export const dropInLibrary = (): DropHandlers => handlers(async (it, files) => {
  if ('files' in it) await importFiles(files);
  if ('paths' in it) await removePaths(it.paths);
});
