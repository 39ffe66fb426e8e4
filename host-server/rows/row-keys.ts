import { formatRowKey, parseRowKey, type CellValue, type RowKey } from '@trellis/sdk/shared';
import type { Cells } from '../databases/database.ts';
import type { Binding } from '../sql/session.ts';
import { rowErrors } from './row-errors.ts';
import type { ColumnCodec, TablePlan } from './table-plan.ts';

/** Columns with the values that name rows, as the database holds them. */
export type Where = readonly (readonly [ColumnCodec, Binding])[];

/**
 * The columns of the key with the values that a text names. Undefined for a text that no key can have.
 *
 * @throws TrellisError 400 for a table without a key: none of its rows can be named.
 */
export function whereOfKey({ key, table }: TablePlan, text: RowKey): Where | undefined {
  if (key.length === 0)
    throw rowErrors.create('TABLE_READ_ONLY', { reason: table.readOnlyReason ?? 'no key' });
  return whereOfName(key, text);
}

/** As `whereOfKey`, for the columns by which foreign keys name rows; these need not be the primary key. */
export function whereOfName(ends: readonly ColumnCodec[], text: RowKey): Where | undefined {
  const parts = parseRowKey(text, ends.length);
  if (parts === undefined) return undefined;
  const where: (readonly [ColumnCodec, Binding])[] = [];
  for (const [index, codec] of ends.entries()) {
    const binding = keyBinding(codec, parts[index] ?? '');
    if (binding === undefined) return undefined;
    where.push([codec, binding]);
  }
  return where;
}

function keyBinding({ type, context, encode }: ColumnCodec, text: string): Binding | undefined {
  try {
    if (type === undefined) return encode(text);
    const parsed = type.parse(text, context);
    // `null` is no key.
    return parsed.ok && parsed.value !== null ? encode(parsed.value) : undefined;
  } catch {
    // What the column could not hold names no row.
    return undefined;
  }
}

/** The columns of the key with the values that a row has. */
export function whereOfCells({ key, keyIndexes }: TablePlan, cells: Cells): Where {
  return key.map((codec, index) => [codec, cells[keyIndexes[index] ?? 0] as Binding] as const);
}

/** Columns by their titles, with values as they are written. */
export function whereOfValues(plan: TablePlan, values: Readonly<Record<string, CellValue>>): Where {
  return Object.entries(values).flatMap(([title, value]) => {
    const column = plan.table.columnByTitle.get(title);
    const codec = column && plan.byId.get(column.id);
    return codec === undefined ? [] : [[codec, codec.encode(value)] as const];
  });
}

/** Columns and values in the form that the query compiler takes. */
export function columnsOf(where: Where) {
  return where.map(([codec, value]) => [codec.column, value] as const);
}

/** The key of a row with all cells of the plan. */
export function keyOf({ key, keyIndexes }: TablePlan, cells: Cells): RowKey {
  return formatRowKey(key.map(({ decode }, index) => decode(cells[keyIndexes[index] ?? 0])));
}

/** The key that the columns and values of a key stand for. */
export function keyOfWhere(where: Where): RowKey {
  return formatRowKey(where.map(([{ decode }, value]) => decode(value)));
}

/** The one column of a key by which many rows can be named at once: numbers and texts, compared as they are stored. */
export function countableKey({ key }: TablePlan): ColumnCodec | undefined {
  const [only] = key;
  const isCountable =
    only !== undefined &&
    key.length === 1 &&
    ['integer', 'bigint', 'string', 'text'].includes(only.column.storage);
  return isCountable ? only : undefined;
}
