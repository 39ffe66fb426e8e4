/** A file of a folder, with its relative path. @public */
export interface FolderFile {
  readonly path: string;
  readonly file: File;
}

/** A folder on the person's computer. @public */
export interface ChosenFolder {
  readonly name: string;
  /** Reads its files, except hidden files and folders, and packages in `node_modules`. */
  files(this: void): Promise<readonly FolderFile[]>;
}

const isLeftOut = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

/** The folder of an `<input webkitdirectory>`'s files; undefined for none. */
export function folderOfInput(list: readonly File[]): ChosenFolder | undefined {
  const [first] = list;
  if (first === undefined) return undefined;
  const files = list
    .map((file) => ({ path: file.webkitRelativePath.split('/').slice(1), file }))
    .filter(({ path }) => path.length > 0 && !path.some(isLeftOut))
    .map(({ path, file }) => ({ path: path.join('/'), file }));
  return { name: first.webkitRelativePath.split('/')[0] ?? '', files: () => Promise.resolve(files) };
}

/** The dropped folder; undefined for files. Must be called during the event: the information is lost afterwards. */
export function folderOfDrop({ items }: Pick<DataTransfer, 'items'>): ChosenFolder | undefined {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.() ?? undefined);
  const folder = entries.find((entry) => entry?.isDirectory === true);
  if (folder === undefined) return undefined;
  return { name: folder.name, files: () => filesIn(folder as FileSystemDirectoryEntry, '') };
}

async function filesIn(folder: FileSystemDirectoryEntry, before: string): Promise<readonly FolderFile[]> {
  const found: FolderFile[] = [];
  for (const entry of await entriesOf(folder.createReader())) {
    if (isLeftOut(entry.name)) continue;
    const path = `${before}${entry.name}`;
    if (entry.isDirectory) found.push(...(await filesIn(entry as FileSystemDirectoryEntry, `${path}/`)));
    else found.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
  }
  return found;
}

/** A reader returns some entries at a time, and none at the end. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
