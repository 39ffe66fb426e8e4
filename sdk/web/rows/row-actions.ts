import type { ProjectEntity, RowKey, TableEntity } from '../../shared/index.ts';
import { whyReadOnly } from '../columns.ts';
import type { WebHost } from '../host.tsx';
import { confirmDeletion, type DeletedFrom } from './confirm-deletion.ts';
import type { EditStep } from './edit-step.ts';
import type { RowPlace } from './row-place.ts';
import type { RowsClient } from './rows-client.ts';
import { undoOffer } from './rows-in-sight.ts';

interface OfTable {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
}

/**
 * Adds copies of rows, with the editable cells, and shows a notice. Without `place` the copies are placed like new rows. Resolves
 * with the keys of the copies.
 * @public
 */
export async function duplicateRows(
  rows: RowsClient,
  { table, place }: Pick<OfTable, 'table'> & { readonly place?: RowPlace | undefined },
  keys: readonly RowKey[],
  host: Pick<WebHost, 't' | 'toast' | 'registry'>,
): Promise<readonly RowKey[]> {
  const { t } = host;
  const types = host.registry('columnTypes');
  const copied = (table.columns ?? []).filter(
    (column) => whyReadOnly(column, types.get(column.uidt), t) === undefined,
  );
  const step: EditStep = { kind: 'duplicate', count: keys.length };
  const ids = copied.map(({ id }) => id);
  const made = await rows.duplicate(keys, ids, step, place);
  await rows.source.settled();
  host.toast({
    severity: 'success',
    summary: t('{{count}} rows duplicated.', { count: keys.length, one: 'Row duplicated.' }),
    life: 8000,
    action: undoOffer(rows, step, host),
  });
  return made;
}

/** Asks whether to delete rows, deletes them, and shows a notice. Resolves with whether they were deleted. @public */
export async function deleteRows(
  rows: RowsClient,
  of: DeletedFrom,
  keys: readonly RowKey[],
  host: Pick<WebHost, 'api' | 't' | 'confirm' | 'registry' | 'toast'>,
): Promise<boolean> {
  if (!(await confirmDeletion(of, keys, host))) return false;
  const { t } = host;
  const step: EditStep = { kind: 'delete', count: keys.length };
  await rows.delete(keys, step);
  host.toast({
    severity: 'success',
    summary: t('{{count}} rows deleted.', { count: keys.length, one: 'Row deleted.' }),
    life: 8000,
    action: undoOffer(rows, step, host),
  });
  return true;
}
