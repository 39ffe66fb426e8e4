import type { ColumnSchema } from '@trellis/sdk/server';
import type { CellValue } from '@trellis/sdk/shared';
import type { Cells } from '../databases/database.ts';
import type { RowChange } from '../changes/row-change.ts';
import type { Foretell } from '../sql/foresight.ts';
import type { Binding } from '../sql/session.ts';
import { newId } from '../runtime/ids.ts';
import { insertRows } from '../query/insert.ts';
import { typeOf } from '../query/compile-context.ts';
import { selectIn } from '../query/select.ts';
import { rowErrors } from './row-errors.ts';
import type { OpenTable } from './open-table.ts';
import { keyOf, keyOfWhere, type Where } from './row-keys.ts';
import { insertionOf } from './row-values.ts';
import { placedAtEnd } from './row-order.ts';
import type { ColumnCodec, TablePlan, Values } from './table-plan.ts';
import type { TableWrite } from './table-write.ts';

/** A row about to be inserted: a value for each column of the plan, undefined where the database is to decide. */
type NewRow = readonly (CellValue | undefined)[];

export async function insertOne(
  write: TableWrite,
  given: Values,
): Promise<{ cells: Cells; change: RowChange }> {
  const [cells] = await insertMany(write, [given]);
  if (cells === undefined) throw rowErrors.create('NOT_ONE_ROW');
  return { cells, change: insertionOf(write.plan, cells) };
}

/** Inserts rows and gives all cells of each, as they are stored, in the order of the rows. */
export async function insertMany(write: TableWrite, given: readonly Values[]): Promise<readonly Cells[]> {
  // Writes that begin in the same moment share a message to the database, so nothing is awaited without need.
  const placed = write.plan.rowOrder === undefined ? given : await placedAtEnd(write, given);
  const rows = completedRows(write.open, placed);
  const inserted: Cells[] = [];
  for (const { places, rows: group } of groupsOfSameColumns(rows)) {
    // A row without any column cannot share a statement with others.
    const chunks =
      places.length === 0 ? group.map((row) => [row]) : write.limits.chunkRows(places.length, group);
    for (const chunk of chunks)
      for (const cells of await insertChunk(write, places, chunk)) inserted.push(cells);
  }
  await passGivenKeys(write, rows);
  return inserted;
}

/** Moves the counter of keys past those that were given, so that the next row without one does not meet them. */
async function passGivenKeys(write: TableWrite, rows: readonly NewRow[]): Promise<void> {
  const { autoIncrement, columns } = write.plan;
  if (!write.open.own || autoIncrement === undefined) return;
  const place = columns.indexOf(autoIncrement);
  let greatest = 0n;
  for (const row of rows) {
    const given = row[place];
    if (typeof given !== 'number' && typeof given !== 'string') continue;
    const key = BigInt(given);
    if (key > greatest) greatest = key;
  }
  const { passKeyCounter } = write.context.dialect.statements;
  const key = { table: write.plan.table.tableName, column: autoIncrement.column.columnName };
  const pass = greatest > 0n ? passKeyCounter(key, String(greatest)) : undefined;
  if (pass) await write.unit.rows(pass);
}

/**
 * Inserts rows in one statement, and gives all cells of each as they are stored.
 *
 * @param places which columns of the plan all these rows set
 */
async function insertChunk(
  write: TableWrite,
  places: readonly number[],
  rows: readonly NewRow[],
): Promise<readonly Cells[]> {
  const { plan, context, unit } = write;
  const { table } = plan;
  const { returnsInserted, keyStep } = context.dialect.statements;
  const isMissing = (place: number) => rows.some((row) => (row[place] ?? null) === null);
  const missing = plan.keyIndexes.find(isMissing);
  // A key that the database computes is known only where an insert tells it.
  const isMade = (place: number) =>
    keyStep === undefined && plan.columns[place]?.column.defaultValue !== undefined;
  const unmade = plan.keyIndexes.find((place) => isMissing(place) && !isMade(place));
  if (plan.autoIncrement === undefined && unmade !== undefined) {
    const column = plan.columns[unmade]?.column.title ?? '';
    throw rowErrors.create('KEY_MISSING', { table: table.title, column });
  }
  const named = places.flatMap((place) => plan.columns[place]?.column ?? []);
  const bindings = rows.map((row) => places.map((place) => binding(plan, row, place)));
  // What triggers of an external database do to a new row is seen only by reading it afterwards.
  if (write.open.own && returnsInserted) {
    const known = knownPlaces(write, places);
    const isKnown = (place: number) => known.has(place);
    const returned = plan.stored.filter((_, place) => !isKnown(place));
    // Without one of them the rows could not be counted.
    const counted = returned.length > 0 ? returned : plan.stored.slice(0, 1);
    const insert = insertRows(context, named, bindings, counted);
    const foretell = rows.length === 1 ? foretoldRow(write, counted) : undefined;
    const [{ rows: inserted } = { rows: [] }] = await unit.batch([{ ...insert, foretell }]);
    if (inserted.length !== rows.length) throw rowErrors.create('NOT_ONE_ROW');
    if (returned.length === plan.stored.length) return inserted;
    const boundAt = plan.stored.map((_, place) => (isKnown(place) ? places.indexOf(place) : -1));
    return inserted.map((cells, row) => mergedCells(boundAt, bindings[row] ?? [], cells));
  }
  if (missing === undefined) {
    await unit.run(insertRows(context, named, bindings, []));
    return readBack(
      write,
      rows.map((row) => givenKey(plan, row)),
    );
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
  const counted = rows.map((row, index) => countedKey(plan, row, first + by * BigInt(index)));
  return readBack(write, counted);
}

/** Those of the places whose cells read as they are bound. */
function knownPlaces({ plan, context }: TableWrite, places: readonly number[]): ReadonlySet<number> {
  const { keepsBound } = context.dialect.statements;
  return new Set(
    places.filter((place) => {
      const column = plan.stored[place];
      return column !== undefined && keepsBound(typeOf(column));
    }),
  );
}

/** What the database gives back of a row without a key, where it is only the next number and cells that stay empty. */
function foretoldRow(
  { plan, context: { dialect } }: TableWrite,
  returned: readonly ColumnSchema[],
): Foretell | undefined {
  const counting = dialect.statements.nextKey(plan.table.tableName);
  const isKnown = (column: ColumnSchema) =>
    column === plan.autoIncrement?.column || column.defaultValue === undefined;
  if (counting === undefined || !returned.some((column) => column.autoIncrement) || !returned.every(isKnown))
    return undefined;
  return (known) => {
    const next = known.read(counting)?.[0]?.[0];
    if (typeof next !== 'number') return undefined;
    known.expect(counting, [[next + 1]]);
    return { rows: [returned.map((column) => (column.autoIncrement ? next : null))], changes: 1 };
  };
}

/**
 * All cells of an inserted row: those that were bound, and between them those that came back.
 *
 * @param boundAt for each cell where it stands among the bound ones, -1 where it came back
 */
function mergedCells(boundAt: readonly number[], bound: readonly Binding[], returned: Cells): Cells {
  let next = 0;
  return boundAt.map((at) => {
    if (at >= 0) return bound[at] ?? null;
    next += 1;
    return returned[next - 1];
  });
}

function binding({ columns }: TablePlan, row: NewRow, place: number): Binding {
  return columns[place]?.encode(row[place] ?? null) ?? null;
}

/** The key of a row about to be inserted with all of it. */
function givenKey(plan: TablePlan, row: NewRow): Where {
  return plan.key.map((of, index) => [of, binding(plan, row, plan.keyIndexes[index] ?? 0)] as const);
}

/** The key of a row to which the database gave a number. */
function countedKey(plan: TablePlan, row: NewRow, number: bigint): Where {
  return givenKey(plan, row).map(([of, value]) =>
    of === plan.autoIncrement ? ([of, of.encode(String(number))] as const) : ([of, value] as const),
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
  const { rows } = await unit.rows(selectIn(context, plan.stored, only.column, values));
  return new Map(rows.map((cells) => [keyOf(plan, cells), cells]));
}

/** Rows as they are inserted, with keys that we make and values that a type fills in. */
function completedRows({ plan, own }: OpenTable, rows: readonly Values[]): readonly NewRow[] {
  // What is empty unless it is set may as well be set to nothing, so that rows with unlike columns share a statement.
  const set = new Set<ColumnCodec>();
  if (own && rows.length > 1) for (const values of rows) for (const of of values.keys()) set.add(of);
  const completions = plan.columns.map((of) => completionOf(of, set.has(of)));
  return rows.map((values) => completions.map((complete) => complete(values)));
}

/** What a new row holds in a column. */
function completionOf(of: ColumnCodec, isSetByOthers: boolean): (values: Values) => CellValue | undefined {
  const { column } = of;
  const isMade = column.primaryKey && column.meta?.ag !== undefined;
  const hasDefault = column.defaultValue !== undefined;
  const fallback = isSetByOthers && !column.required && !hasDefault ? null : undefined;
  return (values) => {
    const value = values.get(of);
    if (value !== undefined && value !== null) return value;
    if (isMade) return newId('row');
    if (column.autoIncrement) return undefined;
    if (value === null) return column.required && hasDefault ? undefined : null;
    return fallback;
  };
}

/** Rows that set the same columns stand together; the order of the rows is kept within and between groups. */
function groupsOfSameColumns(
  rows: readonly NewRow[],
): readonly { readonly places: readonly number[]; readonly rows: readonly NewRow[] }[] {
  const groups: { places: readonly number[]; rows: NewRow[] }[] = [];
  let last: NewRow | undefined;
  for (const row of rows) {
    const group = groups.at(-1);
    if (
      group !== undefined &&
      last?.every((value, place) => (value === undefined) === (row[place] === undefined))
    )
      group.rows.push(row);
    else
      groups.push({
        places: row.flatMap((value, place) => (value === undefined ? [] : [place])),
        rows: [row],
      });
    last = row;
  }
  return groups;
}
