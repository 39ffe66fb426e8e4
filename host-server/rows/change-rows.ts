import type { AccessScope } from '@trellis/sdk/server';
import type { Predicate } from '@trellis/sdk/shared';
import type { RowChange } from '../changes/change-recorder.ts';
import type { Unit } from '../sql/unit.ts';
import type { Binding } from '../sql/session.ts';
import { deleteRow, lockingRows, selectAll, selectWhere, updateRow, type Question } from '../query/select.ts';
import { rowErrors } from './row-errors.ts';
import type { OpenTable, RowReader } from './row-reader.ts';
import { columnsOf, deletionOf, differenceOf, type Cells, type Where } from './row-values.ts';
import type { Values } from './table-plan.ts';

/** Larger sets are changed without remembering each row, and cannot be taken back. */
const mostRemembered = 10_000;

export async function updateOne(
  reader: RowReader,
  unit: Unit,
  open: OpenTable,
  where: Where,
  values: Values,
  scope: AccessScope,
): Promise<{ readonly cells: Cells; readonly change: RowChange | undefined } | undefined> {
  const predicate = scope.rowPredicate(open.table.id);
  // Nothing may be written to a row that does not exist for the caller.
  if (predicate !== undefined && (await reader.lockCells(unit, open, where, predicate)) === undefined)
    return undefined;
  const context = { table: open.table, dialect: open.database.dialect };
  const columnsWhere = columnsOf(where);
  const [old, updated, renewed] = await unit.batch([
    lockingRows(context, reader.cellsQuery(open, where)),
    updateRow(context, assignments(open, values), columnsWhere),
    reader.cellsQuery(open, newWhere(where, values)),
  ]);
  const before = old?.rows[0];
  const after = renewed?.rows[0];
  if (before === undefined && updated?.changes === 0) return undefined;
  if (
    before === undefined ||
    after === undefined ||
    old?.rows.length !== 1 ||
    renewed?.rows.length !== 1 ||
    updated?.changes !== 1
  )
    throw rowErrors.create('NOT_ONE_ROW');
  return { cells: after, change: differenceOf(open, before, after) };
}

export async function deleteOne(
  reader: RowReader,
  unit: Unit,
  open: OpenTable,
  where: Where,
  scope: AccessScope,
): Promise<RowChange | undefined> {
  const before = await reader.lockCells(unit, open, where, scope.rowPredicate(open.table.id));
  if (before === undefined) return undefined;
  const { changes } = await unit.run(
    deleteRow({ table: open.table, dialect: open.database.dialect }, columnsOf(where)),
  );
  if (changes !== 1) throw rowErrors.create('NOT_ONE_ROW');
  return deletionOf(open, before);
}

/** The keys of the rows that meet a condition and exist for the caller. */
export async function keysWhere(
  unit: Unit,
  open: OpenTable,
  where: Where,
  forced: Predicate | undefined,
): Promise<readonly Where[]> {
  const { table, database, plan } = open;
  const context = { table, dialect: database.dialect };
  const query = selectWhere(
    context,
    plan.key.map((of) => of.column),
    columnsOf(where),
    forced,
  );
  const { rows } = await unit.rows(lockingRows(context, query));
  return rows.map((cells) => plan.key.map((of, index) => [of, cells[index] as Binding] as const));
}

/** All columns of the rows that a question matches; undefined when there are too many to remember. */
export async function matchingRows(
  unit: Unit,
  open: OpenTable,
  question: Question,
): Promise<readonly Cells[] | undefined> {
  const columns = open.plan.columns.map((of) => of.column);
  const query = selectAll({ ...question, order: [] }, columns);
  const { rows } = await unit.rows(lockingRows(question, query, mostRemembered + 1));
  return rows.length > mostRemembered ? undefined : rows;
}

export function assignments(open: OpenTable, values: Values) {
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
  const stamped = open.plan.columns.filter((of) => of.column.autoUpdate && !values.has(of));
  return [
    ...[...values].map(([of, value]) => [of.column, of.encode(value)] as const),
    ...stamped.map((of) => [of.column, of.encode(now)] as const),
  ];
}

/** Where the row is after an update that may have changed its key. */
function newWhere(where: Where, values: Values): Where {
  return where.map(([of, value]) => {
    const changed = values.get(of);
    return [of, changed === undefined || changed === null ? value : of.encode(changed)] as const;
  });
}
