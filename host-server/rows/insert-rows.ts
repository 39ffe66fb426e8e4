import type { ColumnSchema } from '@trellis/sdk/server';
import type { Cells } from '../databases/database.ts';
import type { RowChange } from '../changes/row-change.ts';
import type { Foretell } from '../sql/foresight.ts';
import type { Binding } from '../sql/session.ts';
import { newId } from '../runtime/ids.ts';
import { insertRows } from '../query/insert.ts';
import { typeOf } from '../query/compile-context.ts';
import { selectIn } from '../query/select.ts';
import { authorOf } from './author-of.ts';
import { rowErrors } from './row-errors.ts';
import type { OpenTable } from './open-table.ts';
import { keyOf, keyOfWhere, type Where } from './row-keys.ts';
import { insertionOf } from './row-values.ts';
import { placedAtEnd } from './row-order.ts';
import type { ColumnCodec, TablePlan, Values } from './table-plan.ts';
import type { TableWrite } from './table-write.ts';

/** Rows about to be inserted that set the same columns. */
interface AlikeRows {
  /** Where these columns stand among those of the plan. */
  readonly places: readonly number[];
  /** Their values as the database takes them, for each row. */
  readonly rows: readonly (readonly Binding[])[];
}

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
  // Writes that begin in the same moment share one message to the database, so nothing is awaited before that message is sent.
  const placed = write.plan.rowOrder === undefined ? given : await placedAtEnd(write, given);
  const groups = completedRows(write.open, placed);
  const inserted: Cells[] = [];
  for (const { places, rows } of groups) {
    // A row that sets no column cannot share an insert with others.
    const chunks =
      places.length === 0 ? rows.map((row) => [row]) : write.limits.chunkRows(places.length, rows);
    for (const chunk of chunks)
      for (const cells of await insertChunk(write, { places, rows: chunk })) inserted.push(cells);
  }
  await passGivenKeys(write, groups);
  return inserted;
}

/** Moves the key counter past keys that were given, so that the next row without a key does not collide with them. */
async function passGivenKeys(write: TableWrite, groups: readonly AlikeRows[]): Promise<void> {
  const { autoIncrement } = write.plan;
  if (!write.open.own || autoIncrement === undefined) return;
  let greatest = 0n;
  for (const { places, rows } of groups) {
    const at = places.indexOf(autoIncrement.place);
    if (at === -1) continue;
    for (const row of rows) {
      const given = row[at] ?? null;
      if (given === null || typeof given === 'object') continue;
      const key = BigInt(given);
      if (key > greatest) greatest = key;
    }
  }
  const { passKeyCounter } = write.context.dialect.statements;
  const key = { table: write.plan.table.tableName, column: autoIncrement.column.columnName };
  const pass = greatest > 0n ? passKeyCounter(key, String(greatest)) : undefined;
  if (pass) await write.unit.rows(pass);
}

/** Inserts rows in one statement, and gives all cells of each as they are stored. */
async function insertChunk(write: TableWrite, alike: AlikeRows): Promise<readonly Cells[]> {
  const { plan, context, unit } = write;
  const { table } = plan;
  const { places, rows } = alike;
  const { returnsInserted, keyStep } = context.dialect.statements;
  const isMissing = (place: number) => {
    const at = places.indexOf(place);
    return rows.some((row) => (row[at] ?? null) === null);
  };
  const missing = plan.keyIndexes.find(isMissing);
  // A key that the database computes is known only where the insert returns it.
  const isMade = (place: number) =>
    keyStep === undefined && plan.columns[place]?.column.defaultValue !== undefined;
  const unmade = plan.keyIndexes.find((place) => isMissing(place) && !isMade(place));
  if (plan.autoIncrement === undefined && unmade !== undefined) {
    const column = plan.columns[unmade]?.column.title ?? '';
    throw rowErrors.create('KEY_MISSING', { table: table.title, column });
  }
  // What triggers of an external database do to a new row is seen only by reading it afterwards.
  if (write.open.own && returnsInserted) return insertKnown(write, alike);
  const named = columnsAt(plan, places);
  if (missing === undefined) {
    await unit.run(insertRows(context, named, rows, []));
    return readBack(
      write,
      rows.map((row) => givenKey(plan, places, row)),
    );
  }
  if (keyStep === undefined) {
    const key = plan.key.map((of) => of.column);
    const answer = await unit.rows(insertRows(context, named, rows, key));
    if (answer.rows.length !== rows.length) throw rowErrors.create('ROW_KEPT_OUT', { table: table.title });
    const made = answer.rows.map((cells) =>
      plan.key.map((of, index) => [of, cells[index] as Binding] as const),
    );
    return readBack(write, made);
  }
  const [inserted, step] = await unit.batch([insertRows(context, named, rows, []), keyStep]);
  const first = BigInt(inserted?.lastId ?? 0);
  const by = BigInt(Number(step?.rows[0]?.[0] ?? 1));
  const counted = rows.map((row, index) =>
    givenKey(plan, places, row).map(([of, value]) =>
      of === plan.autoIncrement
        ? ([of, of.encode(String(first + by * BigInt(index)))] as const)
        : ([of, value] as const),
    ),
  );
  return readBack(write, counted);
}

/** Inserts rows into an own table. The database returns only the cells whose values are not known before. */
async function insertKnown(write: TableWrite, { places, rows }: AlikeRows): Promise<readonly Cells[]> {
  const { plan, context, unit } = write;
  const named = columnsAt(plan, places);
  const known = knownPlaces(write, places);
  const boundAt = plan.stored.map((_, place) => (known.has(place) ? places.indexOf(place) : -1));
  const returned = plan.stored.filter((_, place) => !known.has(place));
  if (rows.length > 1 && isCounted(write, returned)) {
    const [answer] = await unit.batch([insertRows(context, named, rows, [])]);
    if (answer?.changes !== rows.length) throw rowErrors.create('NOT_ONE_ROW');
    const { lastId = 0 } = answer;
    return rows.map((bound, index) =>
      mergedCells(boundAt, bound, [keyBefore(lastId, rows.length - 1 - index)]),
    );
  }
  // Something must be returned, or nobody could tell how many rows were inserted.
  const counted = returned.length > 0 ? returned : plan.stored.slice(0, 1);
  const insert = insertRows(context, named, rows, counted);
  const foretell = rows.length === 1 ? foretoldRow(write, counted) : undefined;
  const [{ rows: inserted } = { rows: [] }] = await unit.batch([{ ...insert, foretell }]);
  if (inserted.length !== rows.length) throw rowErrors.create('NOT_ONE_ROW');
  if (returned.length === plan.stored.length) return inserted;
  return inserted.map((cells, row) => mergedCells(boundAt, rows[row] ?? [], cells));
}

/** The key that was counted so many rows before the last one. */
function keyBefore(last: number | string, rows: number): number | string {
  return typeof last === 'number' ? last - rows : String(BigInt(last) - BigInt(rows));
}

function columnsAt({ stored }: TablePlan, places: readonly number[]): readonly ColumnSchema[] {
  return places.flatMap((place) => stored[place] ?? []);
}

/** Whether only the keys of many rows are unknown, and follow from the last key. */
function isCounted({ context }: TableWrite, returned: readonly ColumnSchema[]): boolean {
  return (
    context.dialect.statements.tellsLastKey &&
    returned.length === 1 &&
    returned.every((column) => column.autoIncrement)
  );
}

/** The places, among the given ones, whose cells are read back exactly as they are bound, so that the database need not return them. */
function knownPlaces({ plan, context }: TableWrite, places: readonly number[]): ReadonlySet<number> {
  const { keepsBound } = context.dialect.statements;
  return new Set(
    places.filter((place) => {
      const column = plan.stored[place];
      return column !== undefined && keepsBound(typeOf(column));
    }),
  );
}

/** The cells that an insert returns for a row whose key is the next number and whose other unknown cells stay empty. */
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
  const cells: unknown[] = [];
  let next = 0;
  // A plain loop without a callback: it runs for each row of a bulk write.
  for (const at of boundAt) {
    cells.push(at >= 0 ? (bound[at] ?? null) : returned[next]);
    if (at < 0) next += 1;
  }
  return cells;
}

/** The key of a row about to be inserted with these columns. */
function givenKey(plan: TablePlan, places: readonly number[], row: readonly Binding[]): Where {
  return plan.key.map((of) => [of, row[places.indexOf(of.place)] ?? null] as const);
}

/**
 * The inserted rows as they are stored, in the order of their keys.
 *
 * @throws TrellisError `ROW_KEPT_OUT` when one of them is not found, since the log would have no entry of it.
 */
async function readBack(write: TableWrite, keys: readonly Where[]): Promise<readonly Cells[]> {
  const found = await readByKeys(write, keys);
  const read: Cells[] = [];
  for (const where of keys) {
    // A key may be stored in another form than it was given in, such as 1.50 for 1.5; the database knows it still.
    const cells = found.get(keyOfWhere(where)) ?? (await write.readCells(where));
    if (cells === undefined) throw rowErrors.create('ROW_KEPT_OUT', { table: write.plan.table.title });
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

/**
 * Rows as they are inserted, with keys that we make and values that a type fills in. Rows that set the same columns stand together; the
 * order of the rows is kept within and between groups.
 */
function completedRows({ plan, own, handle }: OpenTable, rows: readonly Values[]): readonly AlikeRows[] {
  // A column that is empty unless it is set may as well be set to null, so that rows with different columns share a statement.
  const isSet = (of: ColumnCodec) => own && rows.length > 1 && rows.some((values) => values.has(of));
  const author = authorOf(handle);
  const completions = plan.columns.map((of) =>
    of.type?.author === undefined ? completionOf(of, isSet(of)) : signatureOf(of, author),
  );
  const groups: { readonly places: readonly number[]; readonly rows: Binding[][] }[] = [];
  let group: (typeof groups)[number] | undefined;
  for (const values of rows) {
    const bound: Binding[] = [];
    let isAlike = true;
    for (let place = 0; place < completions.length; place += 1) {
      const binding = completions[place]?.(values);
      if (binding === undefined) continue;
      isAlike &&= group?.places[bound.length] === place;
      bound.push(binding);
    }
    if (group === undefined || !isAlike || bound.length !== group.places.length) {
      const places = completions.flatMap((complete, place) =>
        complete(values) === undefined ? [] : [place],
      );
      group = { places, rows: [] };
      groups.push(group);
    }
    group.rows.push(bound);
  }
  return groups;
}

/** The author of a new row: the caller, or for a restored row the author that it had. */
function signatureOf(of: ColumnCodec, author: string | null): (values: Values) => Binding {
  const binding = of.encode(author);
  return (values) => {
    const value = values.get(of);
    return value === undefined ? binding : of.encode(value);
  };
}

/** The value of a new row in a column; undefined where the database decides. */
function completionOf(of: ColumnCodec, isSetByOthers: boolean): (values: Values) => Binding | undefined {
  const { column } = of;
  const isMade = column.primaryKey && column.meta?.ag !== undefined;
  const hasDefault = column.defaultValue !== undefined;
  const isEmptied = isSetByOthers && !column.required && !hasDefault;
  return (values) => {
    const value = values.get(of);
    if (value !== undefined && value !== null) return of.encode(value);
    if (isMade) return of.encode(newId('row'));
    if (column.autoIncrement) return undefined;
    const isNull = value === null ? !(column.required && hasDefault) : isEmptied;
    return isNull ? of.encode(null) : undefined;
  };
}
