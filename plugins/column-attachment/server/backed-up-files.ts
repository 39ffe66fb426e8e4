import type { CellFiles, Files } from '@trellis/sdk/server';
import { cellOf, fileIdOf, filesOf, type AttachedFile } from '../shared/index.ts';
import { folderOf } from './addresses.ts';
import type { FileStore } from './file-store.ts';
import { senderOf, type Uploads } from './uploads.ts';

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
        .map(({ id, name, ref }) => ({ id, name, read: (signal) => files.read(ref, { signal }) }));
    },
    async keep({ name, content, signal }, { scope, table }) {
      const folder = folderOf(`noco/${table.projectId}/${table.id}`);
      const place = { folder, projectId: table.projectId, uploaderId: senderOf(scope.principal) };
      // What the column allows was asked when the file first came.
      const { url } = await uploads().keep({ name, content }, { place, column: undefined }, signal);
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
