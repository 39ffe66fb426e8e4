import type { ProjectEntity, RowKey, TableEntity } from '../../shared/index.ts';
import type { WebHost } from '../host.tsx';

/**
 * Asks whether rows are to be deleted, and says what the types of the table's columns know of it. Undo is promised only where each of
 * them answered that it brings everything back.
 *
 * @returns whether to go on
 * @public
 */
export async function confirmDeletion(
  { project, table }: { readonly project: ProjectEntity; readonly table: TableEntity },
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
  return host.confirm({
    title: t('Delete {{count}} rows?', { count: rowKeys.length, one: 'Delete this row?' }),
    message: told.length > 0 ? told.join(' ') : t('You can take it back with Undo.'),
    confirmLabel: t('Delete'),
    danger: true,
  });
}
