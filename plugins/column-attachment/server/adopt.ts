import type { AttachedFile } from '@trellis/sdk/shared';
import type { ColumnTypeServerPart } from '@trellis/sdk/server';
import { cellOf, filesOf } from '../shared/index.ts';
import { attachedFile } from './addresses.ts';
import { knownFiles, ownId, problemOf, type KnownFiles } from './admit.ts';
import type { FileStore } from './file-store.ts';

/**
 * Reads the files that a column held in another form, such as texts: the properties of our files are filled in, and they then
 * belong to the project. Files of ours that are deleted, of other projects, or against the column's limits are lost; addresses
 * elsewhere stay links.
 */
export function adoptFiles(
  store: FileStore,
  siteOf: () => string,
): NonNullable<ColumnTypeServerPart['adopt']> {
  return async (values, { isTrial, ...into }) => {
    const cells = values.map(filesOf);
    const files = await knownFiles(cells, into, { store, site: siteOf() });
    const taken = cells.flat().flatMap((file) => {
      const id = ownId(file.url, files);
      return id !== undefined && problemOf(file, files.known.get(id), into) === undefined ? [id] : [];
    });
    const here = new Set(isTrial ? taken : await store.attach(taken, into.projectId));
    return cells.map((cell) => {
      const kept = cell.flatMap((file) => keptFile(file, files, here) ?? []);
      return { value: cellOf(kept), lost: kept.length < cell.length };
    });
  };
}

function keptFile(
  { url, title }: AttachedFile,
  files: KnownFiles,
  here: ReadonlySet<string>,
): AttachedFile | undefined {
  const id = ownId(url, files);
  if (id === undefined) return { url, title };
  const found = files.known.get(id);
  return found !== undefined && here.has(id) ? attachedFile(found, title, files.site) : undefined;
}
