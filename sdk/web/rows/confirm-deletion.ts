import type { ProjectEntity, RowKey, TableEntity } from '../../shared/index.ts';
import type { WebHost } from '../host.tsx';

/** The place of rows to delete. @public */
export interface DeletedFrom {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  /** Whether a row is visible where people chose it; default: all are. */
  readonly isShown?: (key: RowKey) => boolean;
}

/**
 * Asks whether to delete rows, and says how many of them are not visible and what the column types report about it. Undo is
 * promised only if all of them confirm that it restores everything.
 *
 * @returns whether to continue
 * @public
 */
export async function confirmDeletion(
  { project, table, isShown = () => true }: DeletedFrom,
  rowKeys: readonly RowKey[],
  host: Pick<WebHost, 'api' | 't' | 'confirm' | 'registry'>,
): Promise<boolean> {
  const { t, api } = host;
  const types = host.registry('columnTypes');
  const warnings = await Promise.all(
    (table.columns ?? []).map(async (column) => {
      const warn = types.get(column.uidt)?.warnOfDeletion;
      try {
        return await warn?.({
          project,
          table,
          column,
          rowKeys,
          t,
          request: (request) => api.request(request),
        });
      } catch {
        return t(
          'It could not be found out what else changes with “{{column}}”; Undo may not bring all of it back.',
          { column: column.title },
        );
      }
    }),
  );
  const told = warnings.filter((warning) => warning !== undefined);
  // Counted when the question is asked, since others may have changed what is shown.
  const unseen = rowKeys.filter((key) => !isShown(key)).length;
  const outOfSight =
    rowKeys.length === 1
      ? t('It is not shown here now.')
      : t('{{count}} of them are not shown here now.', {
          count: unseen,
          one: 'One of them is not shown here now.',
        });
  return host.confirm({
    title: t('Delete {{count}} rows?', { count: rowKeys.length, one: 'Delete this row?' }),
    message: [
      ...(unseen === 0 ? [] : [outOfSight]),
      ...(told.length > 0 ? told : [t('You can take it back with Undo.')]),
    ].join(' '),
    confirmLabel: t('Delete'),
    danger: true,
  });
}
