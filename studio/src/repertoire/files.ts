// Reads dropped files, including those in folders.

const entryOf = (item: DataTransferItem): FileSystemEntry | null => item.webkitGetAsEntry?.() ?? null;

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((done, failed) => entry.file(done, failed));

/** Reads all files of a folder. The reader returns them in parts, the last of which is empty. */
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

/** Returns all dropped files sorted by name. Call it inside the drop event, because the items are cleared afterwards. */
export async function droppedFiles(data: DataTransfer): Promise<File[]> {
  const items = [...data.items].filter(item => item.kind === 'file');
  const found = await Promise.all(items.map(item => {
    const entry = entryOf(item), file = item.getAsFile();
    return entry ? within(entry) : Promise.resolve(file ? [file] : []);
  }));
  return found.flat().sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
}
