import type { Change, TableSchema } from '@trellis/sdk/server';
import { attachment, fileIdOf, filesOf } from '../shared/index.ts';
import type { FileStore } from './file-store.ts';

/**
 * Records the files that a finished write brought into cells: until then they count as waiting, however often the write was tried.
 */
export async function seeArrived(
  store: Pick<FileStore, 'see'>,
  written: { readonly changes: readonly Change[]; readonly table: TableSchema },
): Promise<void> {
  const columns = written.table.columns.filter(({ type }) => type === attachment.id);
  if (columns.length === 0) return;
  // Computed on demand, so that tables without files do not pay for it.
  const { changes } = written;
  const [first] = changes;
  if (first === undefined) return;
  const ids = changes.flatMap(({ after }) =>
    columns.flatMap(({ id }) => filesOf(after?.[id]).flatMap(({ url }) => fileIdOf(url) ?? [])),
  );
  await store.see(ids, { projectId: first.projectId, at: Date.now() });
}
