import {
  mayRead,
  type LinkSchema,
  type RowStore,
  type SchemaStore,
  type TableHandle,
  type TableSchema,
} from '@trellis/sdk/server';
import { TrellisError, type CellValue, type FilterNode, type Row } from '@trellis/sdk/shared';
import type { RowEvent } from '../shared/index.ts';

interface LinkedEventsDependencies {
  readonly schema: Pick<SchemaStore, 'open'>;
  readonly rowStore: Pick<RowStore, 'list'>;
}

type Cell = RowEvent['cells'][number];

/** A link column of the table whose link is a foreign key of one column in the same table. */
interface Way {
  readonly columnId: string;
  readonly keyId: string;
  readonly link: LinkSchema;
  readonly to: TableSchema;
}

/**
 * The events of a row with a cell for each link that was made or taken away by the foreign key of the row, beside the one of the key: the
 * linked rows as cells of the link hold them now. Of a row that is gone, or not there for the caller, its key is told alone, as the
 * foreign key tells it.
 */
export async function withLinkedRows(
  deps: LinkedEventsDependencies,
  handle: TableHandle,
  events: readonly RowEvent[],
): Promise<readonly RowEvent[]> {
  const keys = new Set(events.flatMap(({ cells }) => cells.map((cell) => cell.fk_column_id)));
  const ways = waysOf(handle).filter(({ keyId }) => keys.has(keyId));
  const told = new Map<Way, (key: CellValue) => CellValue>();
  for (const way of ways) {
    const changed = events.flatMap(({ cells }) => cells.filter((cell) => cell.fk_column_id === way.keyId));
    const values = new Set(changed.flatMap(({ before, after }) => [before, after]));
    values.delete(null);
    told.set(way, await linkedRows(deps, handle, way, [...values]));
  }
  return events.map((event) => ({
    ...event,
    cells: event.cells.flatMap((cell): readonly Cell[] => [
      cell,
      ...ways.flatMap((way): readonly Cell[] => {
        const show = told.get(way);
        if (way.keyId !== cell.fk_column_id || show === undefined) return [];
        return [{ fk_column_id: way.columnId, before: show(cell.before), after: show(cell.after) }];
      }),
    ]),
  }));
}

function waysOf({ scope, table, snapshot }: TableHandle): readonly Way[] {
  return table.columns.flatMap((column): readonly Way[] => {
    const link = table.links.find(({ id }) => id === column.linkId);
    const to = snapshot.tables.get(link?.toTableId ?? '');
    const [keyId, ...more] = link?.columnIds ?? [];
    if (link?.kind !== 'belongsTo' || to === undefined || keyId === undefined || more.length > 0) return [];
    return mayRead(scope, column) && !column.system ? [{ columnId: column.id, keyId, link, to }] : [];
  });
}

/** Keys are numbers or texts. */
const textOfKey = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Reads the rows with these keys, as far as the caller may, and gives them as cells of the link hold them. */
async function linkedRows(
  { schema, rowStore }: LinkedEventsDependencies,
  { scope }: TableHandle,
  { link, to }: Way,
  values: readonly CellValue[],
): Promise<(key: CellValue) => CellValue> {
  const key = to.columnById.get(link.toColumnIds[0] ?? '');
  const naming = [...to.primaryKey, ...(to.displayColumn ? [to.displayColumn] : [])].map(
    ({ title }) => title,
  );
  const rows = new Map<string, Row>();
  if (key !== undefined && values.length > 0)
    try {
      const inTable = await schema.open(scope, to.id);
      const filters = values.map((value): FilterNode => ({
        kind: 'condition',
        logicalOp: 'or',
        columnId: key.id,
        operator: 'eq',
        value: textOfKey(value),
      }));
      const fields = [...new Set([...naming, key.title])];
      const page = { limit: values.length, offset: 0 };
      for (const row of await rowStore.list(inTable, { filters, fields }, page))
        rows.set(textOfKey(row[key.title]), row);
    } catch (error) {
      // Who may not read that table is told the keys, which stand in this one.
      if (!(error instanceof TrellisError)) throw error;
    }
  return (value) => {
    if (value === null || key === undefined) return null;
    const row = rows.get(textOfKey(value));
    if (row === undefined) return { [key.title]: value };
    return Object.fromEntries(
      naming.filter((title) => title in row).map((title) => [title, row[title] ?? null]),
    );
  };
}
