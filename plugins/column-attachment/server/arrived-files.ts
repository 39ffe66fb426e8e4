import type { Change, TableSchema } from '@trellis/sdk/server';
import { attachment, fileIdOf, filesOf } from '../shared/index.ts';
import type { FileStore } from './file-store.ts';

/** Notes the files that came into cells by a write that is done: until then they wait, however often a write was tried. */
export async function seeArrived(
  store: Pick<FileStore, 'see'>,
  { changes, table }: { readonly changes: readonly Change[]; readonly table: TableSchema },
): Promise<void> {
  const columns = table.columns.filter(({ type }) => type === attachment.id);
  const [first] = changes;
  if (columns.length === 0 || first === undefined) return;
  const ids = changes.flatMap(({ after }) =>
    columns.flatMap(({ id }) => filesOf(after?.[id]).flatMap(({ url }) => fileIdOf(url) ?? [])),
  );
  await store.see(ids, { projectId: first.projectId, at: Date.now() });
}
