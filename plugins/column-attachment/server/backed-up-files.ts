import { readHeld, type CellFiles, type Files } from '@trellis/sdk/server';
import { cellOf, fileIdOf, filesOf, megabyte, type AttachedFile } from '../shared/index.ts';
import { folderOf } from './addresses.ts';
import type { FileStore } from './file-store.ts';
import { senderOf, type Uploads } from './uploads.ts';

/** Bytes of a file that comes out of a backup: as many as a backup has. */
const largestBackedUp = 4096 * megabyte;

/** How files of cells get into backups of their project, and out of them. */
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
      // What the column and the server allow was asked when the file first came, and may be less by now.
      const target = { place, column: undefined, limit: largestBackedUp };
      const { url } = await uploads().keep({ name, content }, target, signal);
      return fileIdOf(url) ?? '';
    },
    // What else is known of a file is filled in when the cell is written.
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
