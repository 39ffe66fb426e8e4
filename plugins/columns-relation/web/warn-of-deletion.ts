import type { RowsToDelete } from '@trellis/sdk/web';
import { linkOf } from './link-calls.ts';

/** Keys that one question names. */
const mostKeys = 500;

/** What becomes of the rows that point to rows which are about to be deleted. */
export async function warnOfDeletion(rows: RowsToDelete): Promise<string | undefined> {
  const { project, table, column, rowKeys, t, request } = rows;
  const link = linkOf(column);
  const keys = (table.columns ?? []).filter(({ pk }) => pk);
  const isAsked = link?.type === 'hm' && link.childColumnId !== undefined && keys.length === 1;
  if (!isAsked || column.system || rowKeys.length > mostKeys) return undefined;
  const other = [project.id, link.tableId].map(encodeURIComponent).join('/');
  const pointing = { fk_column_id: link.childColumnId, comparison_op: 'in', value: rowKeys };
  const { count: found } = await request<{ readonly count: number | string }>({
    path: `/api/v1/db/data/noco/${other}/count`,
    query: { filterArrJson: JSON.stringify([pointing]) },
  });
  const count = Number(found);
  if (count === 0) return undefined;
  if (!link.isHeld)
    return t('{{count}} rows linked in “{{column}}” will point to nothing.', {
      count,
      column: column.title,
      one: '{{count}} row linked in “{{column}}” will point to nothing.',
    });
  // What a database of others does by itself is not recorded, so that Undo cannot take it back.
  const isOpened = project.bases?.some(({ id, is_meta: own }) => id === table.base_id && !own) === true;
  switch (link.onDelete) {
    case 'cascade':
      return isOpened
        ? t('{{count}} rows linked in “{{column}}” are deleted as well, and Undo does not bring them back.', {
            count,
            column: column.title,
            one: '{{count}} row linked in “{{column}}” is deleted as well, and Undo does not bring it back.',
          })
        : t('{{count}} rows linked in “{{column}}” are deleted as well.', {
            count,
            column: column.title,
            one: '{{count}} row linked in “{{column}}” is deleted as well.',
          });
    case 'set null':
    case 'set default':
      return isOpened
        ? t('{{count}} rows lose their link in “{{column}}”, and Undo does not link them again.', {
            count,
            column: column.title,
            one: '{{count}} row loses its link in “{{column}}”, and Undo does not link it again.',
          })
        : t('{{count}} rows lose their link in “{{column}}”.', {
            count,
            column: column.title,
            one: '{{count}} row loses its link in “{{column}}”.',
          });
    default:
      return t('{{count}} rows are linked in “{{column}}”: the deletion will be refused.', {
        count,
        column: column.title,
        one: '{{count}} row is linked in “{{column}}”: the deletion will be refused.',
      });
  }
}
