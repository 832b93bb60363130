// Files that were dropped: also those in folders.

const entryOf = (item: DataTransferItem): FileSystemEntry | null => item.webkitGetAsEntry?.() ?? null;

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((done, failed) => entry.file(done, failed));

/** A reader gives a folder in parts, and an empty part at its end. */
async function inside(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader(), all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (part.length === 0) break;
    all.push(...part);
  }
  return (await Promise.all(all.map(within))).flat();
}

function within(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isDirectory) return inside(entry as FileSystemDirectoryEntry);
  return fileOf(entry as FileSystemFileEntry).then(file => [file]);
}

/** All files of a drop, by name. Call it in the event itself: a browser forgets the items after it. */
export async function droppedFiles(data: DataTransfer): Promise<File[]> {
  const items = [...data.items].filter(item => item.kind === 'file');
  const found = await Promise.all(items.map(item => {
    const entry = entryOf(item), file = item.getAsFile();
    return entry ? within(entry) : Promise.resolve(file ? [file] : []);
  }));
  return found.flat().sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
}
