import { dataPath } from '@trellis/sdk/shared';
import type { RowsToDelete } from '@trellis/sdk/web';
import { linkOf, type LinkOf } from './link-calls.ts';

/** Characters of keys that one request names: a server takes addresses of some thousand at the most. */
const mostCharacters = 4000;

/** What becomes of the rows that point to rows which are about to be deleted. */
export async function warnOfDeletion(rows: RowsToDelete): Promise<string | undefined> {
  const { project, table, column, rowKeys, t } = rows;
  const link = linkOf(column);
  const keys = (table.columns ?? []).filter(({ pk }) => pk);
  if (link === undefined || link.type === 'bt' || column.system) return undefined;
  // What a database of others does by itself is not recorded, so that Undo cannot take it back.
  const isOpened = project.bases?.some(({ id, is_meta: own }) => id === table.base_id && !own) === true;
  const isByTable = link.type === 'mm';
  // In our own tables such links go and come back with their rows.
  if (isByTable && !(isOpened && link.isHeld)) return undefined;
  const pointing = isByTable
    ? { tableId: link.junctionId, columnId: link.junctionColumnId }
    : { tableId: link.tableId, columnId: link.childColumnId };
  const canCount = keys.length === 1 && encodeURIComponent(rowKeys.join(',')).length <= mostCharacters;
  const count = canCount ? await countPointing(rows, pointing).catch(() => undefined) : undefined;
  if (count === undefined)
    return isByTable ? undefined : whatMayHappen(link, { column: column.title, isOpened, t });
  if (count === 0) return undefined;
  if (!link.isHeld)
    return t('{{count}} rows linked in “{{column}}” will point to nothing.', {
      count,
      column: column.title,
      one: '{{count}} row linked in “{{column}}” will point to nothing.',
    });
  // Of a link that a table of links makes, only the link goes.
  switch (isByTable && link.onDelete === 'cascade' ? 'set null' : link.onDelete) {
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

/** How many rows of a table point by one of its columns to those that are about to be deleted; undefined where nobody knows by which. */
async function countPointing(
  { project, rowKeys, request }: RowsToDelete,
  { tableId, columnId }: { readonly tableId: string | undefined; readonly columnId: string | undefined },
): Promise<number | undefined> {
  if (tableId === undefined || columnId === undefined) return undefined;
  const pointing = { fk_column_id: columnId, comparison_op: 'in', value: rowKeys };
  const { count } = await request<{ readonly count: number | string }>({
    path: dataPath(project.id, tableId, 'count'),
    query: { filterArrJson: JSON.stringify([pointing]) },
  });
  return Number(count);
}

/** What to say where nobody can count. */
function whatMayHappen(
  { isHeld, onDelete }: LinkOf,
  { column, isOpened, t }: Pick<RowsToDelete, 't'> & { readonly column: string; readonly isOpened: boolean },
): string | undefined {
  if (!isHeld) return undefined;
  switch (onDelete) {
    case 'cascade':
      return isOpened
        ? t('Rows linked in “{{column}}” may be deleted as well, and Undo does not bring them back.', {
            column,
          })
        : t('Rows linked in “{{column}}” may be deleted as well.', { column });
    case 'set null':
    case 'set default':
      return isOpened
        ? t('Rows linked in “{{column}}” may lose their link, and Undo does not link them again.', { column })
        : t('Rows linked in “{{column}}” may lose their link.', { column });
    default:
      return undefined;
  }
}
