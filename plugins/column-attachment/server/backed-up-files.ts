import type { AttachedFile } from '@trellis/sdk/shared';
import { readHeld, type CellFiles, type Files } from '@trellis/sdk/server';
import { cellOf, fileIdOf, filesOf, megabyte } from '../shared/index.ts';
import { folderOf } from './addresses.ts';
import type { FileStore } from './file-store.ts';
import { senderOf, type Uploads } from './uploads.ts';

/** The most bytes of a file in a backup: the backup's own limit. */
const largestBackedUp = 4096 * megabyte;

/** Writes the files of cells to backups of their project, and restores them. */
export function backedUpFiles(deps: {
  readonly files: Pick<Files, 'read'>;
  readonly store: FileStore;
  readonly uploads: () => Uploads;
}): CellFiles {
  const { files, store, uploads } = deps;
  return {
    idsOf: (value) => filesOf(value).flatMap(({ url }) => fileIdOf(url) ?? []),
    async find(ids, projectId) {
      const known = await store.byIds(ids);
      return [...known.values()]
        .filter((file) => file.projectId === projectId)
        .map(({ id, name }) => ({
          id,
          name,
          // A backup reads for hours: the file may have been moved to another storage by then.
          read: (signal) =>
            readHeld(
              async () => (await store.byIds([id])).get(id),
              ({ ref }) => files.read(ref, { signal }),
            ),
        }));
    },
    async keep({ name, content, signal }, { scope, table }) {
      const folder = folderOf(`noco/${table.projectId}/${table.id}`);
      const place = { folder, projectId: table.projectId, uploaderId: senderOf(scope.principal) };
      // The limits were checked when the file was first uploaded, and may be lower by now.
      const target = { place, column: undefined, limit: largestBackedUp };
      const { url } = await uploads().keep({ name, content }, target, signal);
      return fileIdOf(url) ?? '';
    },
    // The other properties of a file are filled in when the cell is written.
    replaced(value, ids) {
      const named = filesOf(value);
      const newOf = ({ url }: AttachedFile) => ids.get(fileIdOf(url) ?? '');
      if (!named.some((file) => newOf(file) !== undefined)) return value;
      return cellOf(
        named.map((file) => {
          const id = newOf(file);
          return id === undefined ? file : { url: `/download/${id}`, title: file.title };
        }),
      );
    },
  };
}
