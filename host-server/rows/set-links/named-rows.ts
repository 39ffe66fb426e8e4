import type { ColumnSchema } from '@trellis/sdk/server';
import type { CellValue, Expression, RowKey, StorageKind } from '@trellis/sdk/shared';
import type { Cells } from '../../databases/database.ts';
import { computedType } from '../../query/computed-columns.ts';
import { selectGroupPages } from '../../query/partitions.ts';
import { selectIn, selectOne, type CompiledQuery } from '../../query/select.ts';
import { readOptions, readyFor, workOf } from '../read-options.ts';
import type { OpenTable } from '../open-table.ts';
import type { TableMemory } from '../table-memory.ts';
import type { ColumnCodec } from '../table-plan.ts';
import type { CallLimits } from './call-limits.ts';
import { columnsOf, countableKey, keyOf, whereOfKey } from '../row-keys.ts';

/** Rows that one statement names, well below any database's limit of parameters. */
const atOnce = 500;

/** A row that a cell names, with the cells of its table's plan. */
export interface NamedRow {
  readonly key: RowKey;
  readonly cells: Cells;
}

/** The rows with these keys that exist for the caller, by key. */
export async function rowsOfKeys(
  open: OpenTable,
  keys: readonly RowKey[],
  limits: CallLimits,
): Promise<ReadonlyMap<RowKey, NamedRow>> {
  const { plan, context, database, handle } = open;
  const rule = handle.scope.rowPredicate(handle.table.id);
  const wheres = [...new Set(keys)].flatMap((key) => {
    const where = whereOfKey(plan, key);
    return where === undefined ? [] : [columnsOf(where)];
  });
  const only = countableKey(plan);
  const rows: Cells[] = [];
  for (let from = 0; from < wheres.length; from += atOnce) {
    const part = wheres.slice(from, from + atOnce);
    const statements =
      only === undefined
        ? part.map((where) => selectOne(context, plan.stored, where, { rule }))
        : [
            selectIn(
              { ...context, rule },
              plan.stored,
              only.column,
              part.map((where) => where[0]?.[1] ?? null),
            ),
          ];
    const options = readOptions(handle.scope, 'page', limits());
    const answers = await database.read((unit) => unit.batch(statements), options);
    for (const answer of answers) for (const cells of answer.rows) rows.push(cells);
  }
  return new Map(rows.map((cells) => [keyOf(plan, cells), { key: keyOf(plan, cells), cells }]));
}

/** Finds the rows of a text; none for a text that is no title. */
export type NamesRows = (text: string) => readonly NamedRow[];

/** The rows with some titles, at most two per title: one is the match, several are ambiguous. */
class TitledRows {
  readonly #found = new Map<string, NamedRow[]>();
  readonly #titleOf: (text: string) => string | undefined;

  constructor(titleOf: (text: string) => string | undefined) {
    this.#titleOf = titleOf;
  }

  add(title: string, row: NamedRow): void {
    this.#found.set(title, [...(this.#found.get(title) ?? []), row]);
  }

  /** None for a text that is no title. */
  named(text: string): readonly NamedRow[] {
    const title = this.#titleOf(text);
    return (title === undefined ? undefined : this.#found.get(title)) ?? [];
  }
}

/** The parameters of a search: what is remembered of the table, and the limits. */
export interface Search {
  readonly memory: TableMemory;
  readonly limits: CallLimits;
}

/**
 * The rows of a table that exist for the caller and have one of these titles, which are parsed as values of the table's display
 * column.
 */
export async function rowsOfTitles(
  open: OpenTable,
  display: ColumnSchema,
  texts: readonly string[],
  { memory, limits }: Search,
): Promise<TitledRows> {
  const { plan, context, database, handle } = open;
  const codec = plan.readable.get(display.id);
  const storage =
    display.columnName === '' ? (computedType(context, display)?.kind ?? 'text') : display.storage;
  const read = (text: string) => valueOf(codec, storage, text);
  const found = new TitledRows((text) => {
    const value = read(text);
    return value === undefined ? undefined : formatted(codec, value);
  });
  const values = [...new Set(texts.flatMap((text) => read(text) ?? []))];
  const width = plan.stored.length;
  for (let from = 0; from < values.length; from += atOnce) {
    const choices = values
      .slice(from, from + atOnce)
      .map((value): Expression => ({ kind: 'literal', value, storage }));
    const compiled: CompiledQuery = {
      ...context,
      rule: handle.scope.rowPredicate(handle.table.id),
      predicate: { kind: 'in', item: { kind: 'column', columnId: display.id }, values: choices },
      order: plan.table.primaryKey.map((column) => ({ column, direction: 'asc' })),
    };
    const work = await workOf(memory, open, compiled);
    const statement = selectGroupPages(readyFor(work, compiled), plan.stored, {
      by: display,
      perGroup: 2,
      limit: 2 * atOnce,
    });
    const options = readOptions(handle.scope, work, limits());
    const { rows } = await database.read((unit) => unit.rows(statement), options);
    for (const cells of rows) {
      const title = formatted(codec, codec?.decode(cells[width]) ?? null);
      found.add(title, { key: keyOf(plan, cells), cells: cells.slice(0, width) });
    }
  }
  return found;
}

type Plain = string | number | boolean;

const numberKinds: ReadonlySet<StorageKind> = new Set(['integer', 'bigint', 'decimal', 'float']);

/** The value of a text in the column; undefined for a text that no cell can hold. */
function valueOf(codec: ColumnCodec | undefined, storage: StorageKind, text: string): Plain | undefined {
  const { type, context, column } = codec ?? {};
  // The type of a computed column describes the computation; its cells have the storage kind of the result.
  if (column?.columnName === '') {
    if (!numberKinds.has(storage)) return text;
    const number = Number(text);
    return Number.isFinite(number) ? number : undefined;
  }
  if (codec === undefined || type === undefined || context === undefined) return text;
  const parsed = type.parse(text, codec.context);
  const value = parsed.ok ? parsed.value : null;
  if (value === null || typeof value === 'object') return undefined;
  try {
    codec?.encode(value);
  } catch {
    // A text that the column cannot hold names no row.
    return undefined;
  }
  return value;
}

/** Values are compared in their displayed form: 1.50 and 1.5 are equal. */
function formatted(codec: ColumnCodec | undefined, value: CellValue): string {
  const { type, context } = codec ?? {};
  return type === undefined || context === undefined ? JSON.stringify(value) : type.format(value, context);
}
