import type { ValuesByColumn } from '@trellis/sdk/server';
import { formatRowKey, type CellValue, type RowKey } from '@trellis/sdk/shared';
import { rowHistory } from '../changes/read-log.ts';
import type { Metadata } from '../metadata/metadata.ts';
import { isKeyOf } from '../query/compile-related.ts';
import { selectWhere } from '../query/select.ts';
import type { OpenTable } from './open-table.ts';
import { readOptions } from './read-options.ts';
import { columnsOf, keyOfWhere, whereOfKey } from './row-keys.ts';
import type { ColumnCodec } from './table-plan.ts';

/** The value by which foreign keys name a row, between two entries of the log, both excluded. */
export interface NameOfRow {
  readonly name: RowKey;
  readonly after: number;
  readonly before: number;
}

/** The most entries of the row that are read, and how many at once; the row's earlier names stay unknown. */
const mostEntries = 2000;
const entriesAtOnce = 200;
/** Milliseconds. */
const readLimit = 15_000;

/**
 * The values by which foreign keys over some columns name a row. Its key never changes; other columns may have had other values,
 * which another row may have now. If other programs changed them without the log, both their current values and those in the log
 * count.
 */
export async function namesOfRow(
  metadata: Metadata,
  open: OpenTable,
  { key, columnIds }: { readonly key: RowKey; readonly columnIds: readonly string[] },
): Promise<readonly NameOfRow[]> {
  const { plan } = open;
  const where = whereOfKey(plan, key);
  if (where === undefined) return [];
  const codecs = columnIds.flatMap((id) => plan.byId.get(id) ?? []);
  if (codecs.length < columnIds.length) return [];
  if (isKeyOf(plan.table, columnIds)) {
    const ordered = codecs.flatMap((codec) => where.filter(([of]) => of === codec));
    return [{ name: keyOfWhere(ordered), after: -1, before: Number.POSITIVE_INFINITY }];
  }
  const names: NameOfRow[] = [];
  const add = (values: ValuesByColumn | undefined, of: Omit<NameOfRow, 'name'>) => {
    const cells = columnIds.map((id) => values?.[id] ?? null);
    if (!cells.includes(null)) names.push({ name: formatRowKey(cells), ...of });
  };
  let values = await heldNow(open, codecs, columnsOf(where));
  let before = Number.POSITIVE_INFINITY;
  let last: number | undefined;
  for (let looked = 0; looked < mostEntries; looked += entriesAtOnce) {
    const found = await rowHistory(
      metadata,
      { tableId: plan.table.id, key },
      { before: last, limit: entriesAtOnce },
    );
    for (const { seq, change } of found) {
      last = seq;
      if (change.isPurged === true) {
        add(values, { after: seq, before });
        return names;
      }
      const { op, before: was, after: is } = change;
      if (op === 'update' && !columnIds.some((id) => id in (is ?? {}))) continue;
      add(values, { after: seq, before });
      const isNewest = before === Number.POSITIVE_INFINITY;
      if (isNewest && op !== 'delete') add({ ...values, ...is }, { after: seq, before });
      values = op === 'update' ? { ...values, ...was } : was;
      before = seq;
    }
    if (found.length < entriesAtOnce) {
      add(values, { after: -1, before });
      return names;
    }
  }
  add(values, { after: last ?? -1, before });
  return names;
}

/** The row's values in the columns; undefined if the row is gone. */
async function heldNow(
  { handle, context, database }: OpenTable,
  codecs: readonly ColumnCodec[],
  where: ReturnType<typeof columnsOf>,
): Promise<Readonly<Record<string, CellValue>> | undefined> {
  const columns = codecs.map(({ column }) => column);
  const { rows } = await database.read(
    (unit) => unit.rows(selectWhere(context, columns, where)),
    readOptions(handle.scope, 'page', { timeoutMs: readLimit }),
  );
  const [cells] = rows;
  if (cells === undefined) return undefined;
  return Object.fromEntries(codecs.map(({ column, decode }, index) => [column.id, decode(cells[index])]));
}
