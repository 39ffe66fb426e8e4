import type { CellValue } from '@trellis/sdk/shared';
import type { RowChange } from '../changes/row-change.ts';
import type { Binding } from '../sql/session.ts';
import { newId } from '../metadata/ids.ts';
import { insertRows } from '../query/insert.ts';
import { selectIn } from '../query/select.ts';
import { rowErrors } from './row-errors.ts';
import type { OpenTable } from './open-table.ts';
import { keyOf, keyOfWhere, type Where } from './row-keys.ts';
import { insertionOf, type Cells } from './row-values.ts';
import type { ColumnCodec, TablePlan, Values } from './table-plan.ts';
import type { TableWrite } from './table-write.ts';

export async function insertOne(
  write: TableWrite,
  given: Values,
): Promise<{ cells: Cells; change: RowChange }> {
  const rows = completedRows(write.open, [given]);
  const [cells] = await insertChunk(write, columnsOf(rows), rows);
  if (cells === undefined) throw rowErrors.create('NOT_ONE_ROW');
  await passGivenKeys(write, rows);
  return { cells, change: insertionOf(write.plan, cells) };
}

export async function insertMany(write: TableWrite, given: readonly Values[]): Promise<readonly RowChange[]> {
  const rows = completedRows(write.open, given);
  const changes: RowChange[] = [];
  for (const group of groupsOfSameColumns(rows)) {
    const columns = columnsOf(group);
    // A row without any column cannot share a statement with others.
    const chunks =
      columns.length === 0 ? group.map((row) => [row]) : write.limits.chunkRows(columns.length, group);
    for (const chunk of chunks) {
      for (const cells of await insertChunk(write, columns, chunk))
        changes.push(insertionOf(write.plan, cells));
    }
  }
  await passGivenKeys(write, rows);
  return changes;
}

/** The columns that the rows of one statement set. */
function columnsOf([first]: readonly Values[]): readonly ColumnCodec[] {
  return [...(first?.keys() ?? [])];
}

/** Moves the counter of keys past those that were given, so that the next row without one does not meet them. */
async function passGivenKeys(write: TableWrite, rows: readonly Values[]): Promise<void> {
  const { autoIncrement } = write.plan;
  if (!write.open.own || autoIncrement === undefined) return;
  let greatest = 0n;
  for (const values of rows) {
    const given = values.get(autoIncrement);
    if (typeof given !== 'number' && typeof given !== 'string') continue;
    const key = BigInt(given);
    if (key > greatest) greatest = key;
  }
  const { passKeyCounter } = write.context.dialect.statements;
  const key = { table: write.plan.table.tableName, column: autoIncrement.column.columnName };
  const pass = greatest > 0n ? passKeyCounter(key, String(greatest)) : undefined;
  if (pass) await write.unit.rows(pass);
}

/** Inserts rows with the same columns in one statement, and gives all cells of each as they are stored. */
async function insertChunk(
  write: TableWrite,
  columns: readonly ColumnCodec[],
  rows: readonly Values[],
): Promise<readonly Cells[]> {
  const { plan, context, unit } = write;
  const { table } = plan;
  const keys = rows.map((values) => givenKey(plan, values));
  if (plan.autoIncrement === undefined && keys.some((key) => key === undefined)) {
    const missing = plan.key.find((of) =>
      rows.some((values) => values.get(of) === undefined || values.get(of) === null),
    );
    throw rowErrors.create('KEY_MISSING', { table: table.title, column: missing?.column.title ?? '' });
  }
  const { returnsInserted, keyStep } = context.dialect.statements;
  const bindings = rows.map((values) => columns.map((of) => of.encode(values.get(of) ?? null)));
  const named = columns.map((of) => of.column);
  // What triggers of an external database do to a new row is seen only by reading it afterwards.
  if (write.open.own && returnsInserted) {
    const stored = plan.columns.map((of) => of.column);
    const { rows: inserted } = await unit.rows(insertRows(context, named, bindings, stored));
    if (inserted.length !== rows.length) throw rowErrors.create('NOT_ONE_ROW');
    return inserted;
  }
  const known = keys.filter((key) => key !== undefined);
  if (known.length === rows.length) {
    await unit.run(insertRows(context, named, bindings, []));
    return readBack(write, known);
  }
  if (keyStep === undefined) {
    const key = plan.key.map((of) => of.column);
    const answer = await unit.rows(insertRows(context, named, bindings, key));
    const made = answer.rows.map((cells) =>
      plan.key.map((of, index) => [of, cells[index] as Binding] as const),
    );
    return readBack(write, made);
  }
  const [inserted, step] = await unit.batch([insertRows(context, named, bindings, []), keyStep]);
  const first = BigInt(inserted?.lastId ?? 0);
  const by = BigInt(Number(step?.rows[0]?.[0] ?? 1));
  const counted = rows.map((values, index) => countedKey(plan, values, first + by * BigInt(index)));
  return readBack(write, counted);
}

/** The key of a row to which the database gave a number. */
function countedKey(plan: TablePlan, values: Values, number: bigint): Where {
  return plan.key.map(
    (of) => [of, of.encode(of === plan.autoIncrement ? String(number) : (values.get(of) ?? null))] as const,
  );
}

/**
 * The inserted rows as they are stored, in the order of their keys.
 *
 * @throws TrellisError when one of them is not found, since it would be a row without its change record.
 */
async function readBack(write: TableWrite, keys: readonly Where[]): Promise<readonly Cells[]> {
  const found = await readByKeys(write, keys);
  const read: Cells[] = [];
  for (const where of keys) {
    // A key may be stored in another form than it was given in, such as 1.50 for 1.5; the database knows it still.
    const cells = found.get(keyOfWhere(where)) ?? (await write.readCells(where));
    if (cells === undefined) throw rowErrors.create('NOT_ONE_ROW');
    read.push(cells);
  }
  return read;
}

/** The rows with these keys in one query, where the key is a single column. */
async function readByKeys(
  { plan, context, unit }: TableWrite,
  keys: readonly Where[],
): Promise<ReadonlyMap<string, Cells>> {
  const [only, ...others] = plan.key;
  if (only === undefined || others.length > 0) return new Map();
  const values = keys.map((where) => where[0]?.[1] ?? null);
  const columns = plan.columns.map((of) => of.column);
  const { rows } = await unit.rows(selectIn(context, columns, only.column, values));
  return new Map(rows.map((cells) => [keyOf(plan, cells), cells]));
}

/** Rows as they are inserted, their columns in the order of the table. */
function completedRows({ plan, own }: OpenTable, rows: readonly Values[]): readonly Values[] {
  const set = new Set(rows.flatMap((values) => [...values.keys()]));
  // What is empty unless it is set may as well be set to nothing, so that rows with unlike columns share a statement.
  const fillable = new Set(
    [...set].filter(({ column }) => own && !column.required && column.defaultValue === undefined),
  );
  return rows.map((values) => completed(plan, values, rows.length > 1 ? fillable : new Set()));
}

/** Keys that we make and values that a type fills in. */
function completed(plan: TablePlan, values: Values, fillable: ReadonlySet<ColumnCodec>): Values {
  const completed = new Map<ColumnCodec, CellValue>();
  for (const of of plan.columns) {
    const { column } = of;
    const value = values.get(of);
    if (value !== undefined && value !== null) completed.set(of, value);
    else if (column.primaryKey && column.meta?.ag !== undefined) completed.set(of, newId('row'));
    else if (column.autoIncrement) continue;
    else if (value === null && column.required && column.defaultValue !== undefined) continue;
    else if (value === null || fillable.has(of)) completed.set(of, null);
  }
  return completed;
}

/** The key of a row about to be inserted, as far as it is known. */
function givenKey(plan: TablePlan, values: Values): Where | undefined {
  const parts = plan.key.map((of) => [of, values.get(of)] as const);
  return parts.some(([, value]) => value === undefined || value === null)
    ? undefined
    : parts.map(([of, value]) => [of, of.encode(value ?? null)] as const);
}

/** Rows that set the same columns stand together; the order of the rows is kept within and between groups. */
function groupsOfSameColumns(rows: readonly Values[]): readonly (readonly Values[])[] {
  const groups: Values[][] = [];
  let last = '';
  for (const row of rows) {
    const signature = [...row.keys()].map((of) => of.column.id).join(' ');
    const group = groups.at(-1);
    if (group !== undefined && signature === last) group.push(row);
    else groups.push([row]);
    last = signature;
  }
  return groups;
}
