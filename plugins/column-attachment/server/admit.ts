import type { ColumnTypeServerPart, ColumnWrite } from '@trellis/sdk/server';
import {
  cellOf,
  fileIdOf,
  fileProblem,
  filesOf,
  type AttachedFile,
  type AttachmentOptions,
} from '../shared/index.ts';
import { attachedFile } from './addresses.ts';
import { fileErrors, refusal } from './file-errors.ts';
import type { FileRecord, FileStore } from './file-store.ts';

/**
 * Checks the files that cells are to hold, and fills in what is known of them: nothing but the title is taken from the sender. A file is
 * one of the project, or one that its uploader sent without naming a project, which then belongs to this one. Addresses elsewhere are
 * links: they keep address and title alone.
 */
export function admitFiles(
  store: FileStore,
  siteOf: () => string,
): NonNullable<ColumnTypeServerPart['admit']> {
  return async (writes, write) => {
    const cells = writes.map(({ value }) => filesOf(value));
    const ids = cells.flat().flatMap(({ url }) => fileIdOf(url) ?? []);
    if (ids.length === 0) return cells.map((files) => ({ value: cellOf(files.map(linkOf)) }));
    const known = await store.byIds(ids);
    const kept = cells.map((files) => ({
      value: cellOf(files.map((file) => keptFile(file, { known, write, site: siteOf() }))),
    }));
    await store.attach(ids, write.scope.projectId ?? '');
    return kept;
  };
}

interface Checking {
  readonly known: ReadonlyMap<string, FileRecord>;
  readonly write: ColumnWrite;
  readonly site: string;
}

/** @throws TrellisError `FILE_NOT_HERE`, `FILE_REFUSED`, `FILE_OVERSIZED`. */
function keptFile(file: AttachedFile, { known, write, site }: Checking): AttachedFile {
  const id = fileIdOf(file.url);
  if (id === undefined) return linkOf(file);
  const { title } = file;
  const { scope, column } = write;
  const found = known.get(id);
  const isHere =
    found !== undefined &&
    (found.projectId === undefined
      ? found.uploaderId === scope.principal.id
      : found.projectId === scope.projectId);
  if (!isHere) throw fileErrors.create('FILE_NOT_HERE', { title });
  const problem = fileProblem(found, column.options as AttachmentOptions);
  if (problem !== undefined) throw refusal(title, column.title, problem);
  return attachedFile(found, title, site);
}

function linkOf({ url, title }: AttachedFile): AttachedFile {
  return { url, title };
}
