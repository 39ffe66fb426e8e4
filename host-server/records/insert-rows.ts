import type { ColumnSchema } from '@trellis/sdk/server';
import { formatRowKey } from '@trellis/sdk/shared';
import type { RowChange } from '../changes/change-recorder.ts';
import type { Unit } from '../databases/database.ts';
import type { Binding } from '../databases/session.ts';
import { newId } from '../metadata/ids.ts';
import type { CompileContext } from '../query/compile-predicate.ts';
import { canReturn, insertRows } from '../query/insert.ts';
import { selectIn } from '../query/select.ts';
import { recordErrors } from './record-errors.ts';
import type { OpenTable, RecordReader } from './record-reader.ts';
import { insertionOf, keyOf, type Cells, type Where } from './row-values.ts';
import type { ColumnPlan, Values } from './table-plan.ts';

export async function insertOne(
  reader: RecordReader,
  unit: Unit,
  open: OpenTable,
  given: Values,
): Promise<{ cells: Cells; change: RowChange }> {
  const values = completed(open, given);
  const [cells] = await insertChunk(reader, unit, open, [...values.keys()], [values]);
  if (cells === undefined) throw recordErrors.create('NOT_ONE_ROW');
  return { cells, change: insertionOf(open, cells) };
}

export async function insertMany(
  reader: RecordReader,
  unit: Unit,
  open: OpenTable,
  given: readonly Values[],
): Promise<readonly RowChange[]> {
  const rows = given.map((values) => completed(open, values));
  const changes: RowChange[] = [];
  for (const group of groupsOfSameColumns(rows)) {
    const columns = [...(group[0]?.keys() ?? [])];
    // A row without any column cannot share a statement with others.
    const chunks =
      columns.length === 0
        ? group.map((row) => [row])
        : open.database.dialect.limits.chunkRows(columns.length, group);
    for (const chunk of chunks) {
      for (const cells of await insertChunk(reader, unit, open, columns, chunk))
        changes.push(insertionOf(open, cells));
    }
  }
  return changes;
}

/** Inserts rows with the same columns in one statement, and gives all cells of each as they are stored. */
async function insertChunk(
  reader: RecordReader,
  unit: Unit,
  open: OpenTable,
  columns: readonly ColumnPlan[],
  rows: readonly Values[],
): Promise<readonly Cells[]> {
  const { database, table, plan } = open;
  const keys = rows.map((values) => givenKey(open, values));
  const counted = plan.autoIncrement;
  if (counted === undefined && keys.some((key) => key === undefined)) {
    const missing = plan.key.find((of) =>
      rows.some((values) => values.get(of) === undefined || values.get(of) === null),
    );
    throw recordErrors.create('KEY_MISSING', { table: table.title, column: missing?.column.title ?? '' });
  }
  const context = { table, dialect: database.dialect };
  const bindings = rows.map((values) => columns.map((of) => of.encode(values.get(of) ?? null)));
  const named = columns.map((of) => of.column);
  // What triggers of an external database do to a new row is seen only by reading it afterwards.
  if (open.own && canReturn(database.dialect)) {
    const stored = plan.columns.map((of) => of.column);
    const { rows: inserted } = await unit.rows(insertRows(context, named, bindings, stored));
    if (inserted.length !== rows.length) throw recordErrors.create('NOT_ONE_ROW');
    return inserted;
  }
  return readBack(reader, unit, open, await insertForKeys(unit, context, named, bindings, open, keys));
}

async function insertForKeys(
  unit: Unit,
  context: CompileContext,
  columns: readonly ColumnSchema[],
  bindings: readonly (readonly Binding[])[],
  { plan }: OpenTable,
  keys: readonly (Where | undefined)[],
): Promise<readonly Where[]> {
  const isKnown = keys.every((key) => key !== undefined);
  const returning = isKnown ? [] : plan.key.map((of) => of.column);
  const statement = insertRows(context, columns, bindings, returning);
  if (isKnown || !canReturn(context.dialect)) {
    const { lastId } = await unit.run(statement);
    return keys.map((key, index) => key ?? countedKey(plan.key, lastId, index));
  }
  const answer = await unit.rows(statement);
  return answer.rows.map((cells) => plan.key.map((of, index) => [of, cells[index] as Binding] as const));
}

/** MySQL names the first key of a statement; the others follow it. */
function countedKey(key: readonly ColumnPlan[], lastId: number | string | undefined, index: number): Where {
  const first = BigInt(lastId ?? 0);
  return key.map((of) => [of, of.encode(String(first + BigInt(index)))] as const);
}

/** The inserted rows as they are stored, in the order of their keys. */
async function readBack(
  reader: RecordReader,
  unit: Unit,
  open: OpenTable,
  keys: readonly Where[],
): Promise<readonly Cells[]> {
  const [only] = open.plan.key;
  if (open.plan.key.length !== 1 || only === undefined) {
    const read: Cells[] = [];
    for (const where of keys) {
      const cells = await reader.readCells(unit, open, where);
      if (cells !== undefined) read.push(cells);
    }
    return read;
  }
  const values = keys.map((where) => where[0]?.[1] ?? null);
  const columns = open.plan.columns.map((of) => of.column);
  const context = { table: open.table, dialect: open.database.dialect };
  const { rows } = await unit.rows(selectIn(context, columns, only.column, values));
  const byKey = new Map(rows.map((cells) => [keyOf(open, cells), cells]));
  return values.flatMap((value) => {
    const cells = byKey.get(formatRowKey([only.decode(value)]));
    return cells === undefined ? [] : [cells];
  });
}

/** Keys that we make (CONTRACT 9.4) and values that a type fills in. */
function completed(open: OpenTable, values: Values): Values {
  const completed = new Map(values);
  for (const of of open.plan.columns) {
    const { column } = of;
    if (completed.has(of) && completed.get(of) !== null) continue;
    if (column.primaryKey && column.meta?.ag !== undefined) completed.set(of, newId('row'));
    else if (column.autoIncrement) completed.delete(of);
    else if (completed.get(of) === null && column.required && column.defaultValue !== undefined)
      completed.delete(of);
  }
  return completed;
}

/** The key of a row about to be inserted, as far as it is known. */
function givenKey(open: OpenTable, values: Values): Where | undefined {
  const parts = open.plan.key.map((of) => [of, values.get(of)] as const);
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
