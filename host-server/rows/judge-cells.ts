import type { CellWrite } from '@trellis/sdk/server';
import type { CellValue, RowKey } from '@trellis/sdk/shared';
import { selectOne } from '../query/select.ts';
import type { OpenTable } from './open-table.ts';
import { rowErrors } from './row-errors.ts';
import { columnsOf, whereOfKey } from './row-keys.ts';
import type { ColumnCodec, Values } from './table-plan.ts';

/** Values for one row; it has a key where it is there already. */
interface JudgedRow {
  readonly key?: RowKey;
  readonly values: Values;
}

/**
 * Asks the types of columns that know more than their values about what is to be written; most tables have no such column, and then
 * nothing is asked. It must not run inside of a transaction: a type may read.
 *
 * @throws TrellisError 400 that names the first value which is refused.
 */
export async function judgeCells(open: OpenTable, rows: readonly JudgedRow[]): Promise<void> {
  for (const of of open.plan.judged) await judgeColumn(open, of, rows);
}

async function judgeColumn(open: OpenTable, of: ColumnCodec, rows: readonly JudgedRow[]): Promise<void> {
  const { column, type } = of;
  const { scope } = open.handle;
  const writes: CellWrite[] = [];
  const numbers: number[] = [];
  for (const [index, { key, values }] of rows.entries()) {
    const value = values.get(of) ?? null;
    if (value === null) continue;
    writes.push({ value, former: () => cellOf(open, of, key) });
    numbers.push(index + 1);
  }
  if (writes.length === 0) return;
  const problems = (await type?.server?.judge?.(writes, { column, scope })) ?? [];
  const first = problems.findIndex((problem) => problem !== undefined);
  const problem = problems[first];
  if (problem === undefined) return;
  const row = numbers[first] ?? 1;
  throw rows.length === 1
    ? rowErrors.create('VALUE_REFUSED', { column: column.title, problem })
    : rowErrors.create('VALUE_REFUSED_IN_ROW', { column: column.title, problem, row });
}

async function cellOf(open: OpenTable, of: ColumnCodec, key: RowKey | undefined): Promise<CellValue> {
  const where = key === undefined ? undefined : whereOfKey(open.plan, key);
  if (where === undefined) return null;
  const rule = open.handle.scope.rowPredicate(open.handle.table.id);
  const statement = selectOne(open.context, [of.column], columnsOf(where), rule);
  const { rows } = await open.database.read((unit) => unit.rows(statement));
  return rows[0] === undefined ? null : of.decode(rows[0][0]);
}
