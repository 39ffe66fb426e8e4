import { bulkDataPath, dataPath, type Row, type TableEntity } from '@trellis/sdk/shared';
import { messageOfRefusal, type Refusal, type WrittenCells, keyOfRow } from '@trellis/sdk/web';
import type { CellChange, CellFailure } from '@trellis/sdk/web/rows';
import { linkedRowsOf, mostInCell } from '../shared/index.ts';
import { linkOf, mostAtOnce } from './link-calls.ts';

/** Maximum number of linked rows that are read for one cell. */
const mostCopied = 10_000;

interface Page {
  readonly list: readonly Row[];
  readonly pageInfo: { readonly totalRows: number };
}

/** Writes cells of a link column: texts identify rows by their titles, copied cells by their keys. */
export async function writeLinks(cells: WrittenCells): Promise<readonly CellFailure[]> {
  const { project, table, column, changes, t } = cells;
  const tableId = linkOf(column)?.tableId;
  const other =
    tableId !== undefined && changes.some(({ value }) => linkedRowsOf(value).length > 0)
      ? await cells.request<TableEntity>({ path: `/api/v1/db/meta/tables/${encodeURIComponent(tableId)}` })
      : undefined;
  const failures: CellFailure[] = [];
  const body: { row: string; rows: string | readonly string[] }[] = [];
  for (const change of changes) {
    const rows = typeof change.value === 'string' ? change.value : await keysOf(cells, other, change);
    if (rows !== 'hidden' && rows !== 'too many') body.push({ row: change.rowKey, rows });
    else
      failures.push({
        rowKey: change.rowKey,
        columnId: column.id,
        message:
          rows === 'hidden'
            ? t('The copied rows cannot be told by what the cell shows. Paste their titles.')
            : t('The copied cell has more than {{most}} links: they cannot be pasted at once.', {
                most: mostCopied,
              }),
      });
  }
  if (body.length === 0) return failures;
  const { refused } = await cells.perform<{ readonly refused: readonly (Refusal & { row: string })[] }>({
    method: 'PUT',
    path: bulkDataPath(project.id, table.id, 'links', column.id),
    body,
    outlasts: true,
  });
  return [
    ...failures,
    ...refused.map((refusal) => ({
      rowKey: refusal.row,
      columnId: column.id,
      message: messageOfRefusal(refusal, t),
    })),
  ];
}

/** The keys of all rows of a copied cell; or a reason why not: part of a key is hidden, or there are too many rows. */
async function keysOf(
  { project, request }: WrittenCells,
  other: TableEntity | undefined,
  { value, from }: CellChange,
): Promise<readonly string[] | 'hidden' | 'too many'> {
  const shown = linkedRowsOf(value);
  if (shown.length === 0) return [];
  if (other === undefined) return 'hidden';
  let rows: readonly Row[] = shown;
  if (shown.length >= mostInCell && from !== undefined) {
    const path = dataPath(project.id, from.tableId, from.rowKey, 'hm', from.columnId);
    const fields = (other.columns ?? []).filter(({ pk }) => pk).map(({ title }) => title);
    const all: Row[] = [];
    for (let isDone = false; !isDone;) {
      const query = { fields: fields.join(','), limit: String(mostAtOnce), offset: String(all.length) };
      const page = await request<Page>({ path, query });
      all.push(...page.list);
      // Writing only some of them would remove the others from the cell.
      if (page.pageInfo.totalRows > mostCopied) return 'too many';
      isDone = page.list.length === 0 || all.length >= page.pageInfo.totalRows;
    }
    rows = all;
  }
  const keys = rows.flatMap((row) => keyOfRow(other, row) ?? []);
  return keys.length === rows.length ? keys : 'hidden';
}
