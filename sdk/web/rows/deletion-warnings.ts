import type { RowKey } from '../../shared/index.ts';
import type { WriteCellsOf } from './write-cells.ts';

/**
 * What the types of a table's columns have to say before rows of it are deleted, a sentence each. What cannot be found out is left out:
 * the database decides in any case.
 *
 * @public
 */
export async function deletionWarnings(
  { project, table, api, t, typeOf }: Omit<WriteCellsOf, 'rows'>,
  rowKeys: readonly RowKey[],
): Promise<readonly string[]> {
  const asked = (table.columns ?? []).flatMap((column) => {
    const warn = typeOf(column.uidt)?.warnOfDeletion;
    return warn === undefined
      ? []
      : [warn({ project, table, column, rowKeys, t, request: (request) => api.request(request) })];
  });
  const answers = await Promise.allSettled(asked);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? (answer.value ?? []) : []));
}
