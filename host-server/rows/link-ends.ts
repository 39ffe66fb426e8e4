import type { TableSchema } from '@trellis/sdk/server';
import type { CellValue, RowKey } from '@trellis/sdk/shared';
import { columnIn } from '../query/compile-related.ts';
import { selectOne } from '../query/select.ts';
import type { Binding } from '../sql/session.ts';
import type { OpenTable } from './open-table.ts';
import { readOptions } from './read-options.ts';
import { rowErrors } from './row-errors.ts';
import { columnsOf, whereOfKey } from './row-keys.ts';

/** Milliseconds. */
const readLimit = 15_000;

/**
 * The values by which a row is linked, as the database holds them.
 *
 * @throws TrellisError 404 `ROW_MISSING` when the row is not there for the caller.
 */
export async function linkingValues(
  open: OpenTable,
  key: RowKey,
  columnIds: readonly string[],
): Promise<readonly Binding[]> {
  const { table, scope } = open.handle;
  const where = whereOfKey(open.plan, key);
  if (where === undefined) throw rowErrors.create('ROW_MISSING', { table: table.title });
  const columns = columnIds.map((id) => columnIn(table, id));
  const rule = scope.rowPredicate(table.id);
  const statement = selectOne(open.context, columns, columnsOf(where), { rule });
  const { rows } = await open.database.read(
    (unit) => unit.rows(statement),
    readOptions(scope, 'page', { timeoutMs: readLimit }),
  );
  const [cells] = rows;
  if (cells === undefined) throw rowErrors.create('ROW_MISSING', { table: table.title });
  return cells as readonly Binding[];
}

/** The values by which a row is linked, decoded as people and clients write them. */
export async function linkingCells(
  open: OpenTable,
  key: RowKey,
  columnIds: readonly string[],
): Promise<readonly CellValue[]> {
  const values = await linkingValues(open, key, columnIds);
  return columnIds.map((id, index) => open.plan.byId.get(id)?.decode(values[index]) ?? null);
}

/**
 * The columns of a foreign key that are emptied where its link is taken away: those that may be empty, since one empty column is enough.
 * All of them where none may be, so that the database says so.
 */
export function emptiedColumns({ columnById }: TableSchema, columnIds: readonly string[]): readonly string[] {
  const free = columnIds.filter((id) => {
    const column = columnById.get(id);
    return column !== undefined && !column.required && !column.primaryKey;
  });
  return free.length === 0 ? columnIds : free;
}
