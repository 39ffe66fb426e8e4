import type { RestoredRows, RowRestores, ValuesByColumn } from '@trellis/sdk/server';
import { isFilled, type CellValue, type ParseResult } from '@trellis/sdk/shared';
import { selectIn } from '../query/select.ts';
import { inParts } from '../sql/in-parts.ts';
import { DatabaseError } from '../databases/index.ts';
import type { OpenTables } from './open-table.ts';
import { withoutMissingEnds } from './missing-ends.ts';
import { updateNamed } from './change-named.ts';
import { insertMany } from './insert-rows.ts';
import type { RecordedWrites } from './recorded-writes.ts';
import { isTooLong } from './read-values.ts';
import { rowErrors } from './row-errors.ts';
import { keyOf, keyOfWhere, type Where } from './row-keys.ts';
import { insertionOf, insertionsOf } from './row-values.ts';
import type { ColumnCodec, TablePlan, Values } from './table-plan.ts';
import type { TableWrite } from './table-write.ts';
import type { WriteInput } from './write-input.ts';
import type { OnTable } from './writes-on-table.ts';

/** Keys that one journey to the database asks for. */
const keysAtOnce = 500;

interface RestoreDependencies {
  readonly asked: WriteInput;
  readonly writes: RecordedWrites;
  readonly onTable: OnTable;
  readonly tables: OpenTables;
}

/** See `RowRestores.restore`. */
export function createRestore({
  asked,
  writes,
  onTable,
  tables,
}: RestoreDependencies): RowRestores['restore'] {
  return (handle, rows, { mayBeThere = false } = {}) =>
    onTable(handle, 'bulkDataInsert', async (open): Promise<RestoredRows> => {
      const { plan } = open;
      open.handle.scope.require('tableCreate');
      if (!open.own) throw rowErrors.create('LOAD_OWN_ONLY', { table: plan.table.title });
      const refused: Record<string, number> = {};
      const read = rows.map((row) => keptValues(plan, row, refused));
      const given = await asked.willCreate(open, read, { origin: 'restore' });
      for (const values of given) keyIn(plan, values);
      const put = (those: readonly Values[]) =>
        writes.run(open, [], (write) => putBack(write, those, mayBeThere), { origin: 'import' });
      try {
        await put(given);
        return { refused, unlinked: {}, leftOut: 0 };
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.kind !== 'foreignKey') throw error;
      }
      // Looked up only now: what a backup holds is nearly always whole.
      const { rows: whole, ...told } = await withoutMissingEnds(open, given, tables);
      await put(whole);
      return { refused, ...told };
    });
}

async function putBack(write: TableWrite, given: readonly Values[], mayBeThere: boolean) {
  const { plan } = write;
  const there = mayBeThere ? await keysThere(write, given) : new Set<string>();
  if (there.size === 0) {
    const alike = insertionsOf(plan, await insertMany(write, given));
    return { result: undefined, changes: [], alike };
  }
  const isThere = (values: Values) => there.has(keyOfWhere(keyIn(plan, values)));
  const inserted = await insertMany(
    write,
    given.filter((values) => !isThere(values)),
  );
  const patches = given.filter(isThere).flatMap((values) => {
    const others = new Map([...values].filter(([of]) => !plan.key.includes(of)));
    // A row that holds nothing but its key, as those between two tables do, is as it was.
    return others.size === 0 ? [] : [{ where: keyIn(plan, values), values: others }];
  });
  const { changes } = await updateNamed(write, patches);
  const insertions = inserted.map((cells) => insertionOf(plan, cells));
  return { result: undefined, changes: [...changes, ...insertions] };
}

/** The values of a row that its columns still take, without its place in the row order. */
function keptValues(plan: TablePlan, row: ValuesByColumn, refused: Record<string, number>): Values {
  const values = new Map<ColumnCodec, CellValue>();
  for (const [id, value] of Object.entries(row)) {
    const of = plan.byId.get(id);
    if (of === undefined || of.column.generated || of === plan.rowOrder) continue;
    const kept = keptValue(of, value);
    if (kept === undefined) refused[id] = (refused[id] ?? 0) + 1;
    else values.set(of, kept);
  }
  return values;
}

/** Undefined for a value that the type of the column does not take, that is longer than what is written to a cell, or the database cannot hold. */
function keptValue(of: ColumnCodec, value: CellValue): CellValue | undefined {
  const { column, type } = of;
  if (value === null) return null;
  if (type === undefined)
    throw rowErrors.create('COLUMN_TYPE_DISABLED', { column: column.title, type: column.type });
  // Before its type looks at it, which may take long.
  if (typeof value === 'string' && isTooLong(value)) return undefined;
  let parsed: ParseResult<CellValue>;
  try {
    parsed = isFilled(type) ? { ok: true, value } : type.parse(value, of.context);
  } catch (error) {
    throw of.failure(error);
  }
  if (!parsed.ok || isTooLong(parsed.value)) return undefined;
  try {
    of.encode(parsed.value);
  } catch {
    return undefined;
  }
  return parsed.value;
}

/** @throws TrellisError 400 for a row without its key. */
function keyIn(plan: TablePlan, values: Values): Where {
  return plan.key.map((of) => {
    const value = values.get(of) ?? null;
    if (value === null)
      throw rowErrors.create('KEY_MISSING', { table: plan.table.title, column: of.column.title });
    return [of, of.encode(value)] as const;
  });
}

/** The keys of those rows that are there. */
async function keysThere(write: TableWrite, rows: readonly Values[]): Promise<ReadonlySet<string>> {
  const { plan, context, unit } = write;
  const found = new Set<string>();
  const wheres = rows.map((values) => keyIn(plan, values));
  const [only, ...others] = plan.key;
  for (const part of inParts(wheres, keysAtOnce)) {
    const queries =
      only !== undefined && others.length === 0
        ? [
            selectIn(
              context,
              plan.stored,
              only.column,
              part.map((where) => where[0]?.[1] ?? null),
            ),
          ]
        : part.map((where) => write.lockQuery(where));
    for (const answer of await unit.batch(queries))
      for (const cells of answer.rows) found.add(keyOf(plan, cells));
  }
  return found;
}
