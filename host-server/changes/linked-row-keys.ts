import type { LinkSchema } from '@trellis/sdk/server';
import { formatRowKey, type CellValue, type RowKey } from '@trellis/sdk/shared';
import type { LogEntry, LoggedRow } from './log-entry.ts';

/** Rows of other tables, or of the same one, as foreign keys name them: by the id of their table. */
export type LinkedRowKeys = ReadonlyMap<string, ReadonlySet<RowKey>>;

type Rows = Pick<LogEntry, 'columns' | 'rows'>;

/** The keys that a foreign key named before and after a change; undefined for an empty one. */
export interface NamedByRow {
  readonly row: LoggedRow;
  readonly before: readonly CellValue[] | undefined;
  readonly after: readonly CellValue[] | undefined;
}

/** The rows that changes of rows link, and those from which they take a link. */
export function rowsLinkedBy(links: readonly LinkSchema[], rows: Rows): LinkedRowKeys {
  const linked = new Map<string, Set<RowKey>>();
  for (const { kind, columnIds, toTableId } of links) {
    if (kind !== 'belongsTo') continue;
    for (const { before, after } of namedIn(rows, columnIds))
      for (const cells of [before, after]) {
        if (cells === undefined) continue;
        const keys = linked.get(toTableId) ?? new Set();
        linked.set(toTableId, keys.add(formatRowKey(cells)));
      }
  }
  return linked;
}

/** What the columns of a foreign key name in each row; without the rows in which nothing is said of them. */
export function namedIn({ columns, rows }: Rows, columnIds: readonly string[]): readonly NamedByRow[] {
  const at = columnIds.map((id) => columns.indexOf(id));
  if (at.includes(-1)) return [];
  return rows.flatMap((row): readonly NamedByRow[] => {
    const [, before, after, places] = row;
    const indexes = places === undefined ? at : at.map((place) => places.indexOf(place));
    const named = { row, before: cellsAt(before, indexes), after: cellsAt(after, indexes) };
    return named.before === undefined && named.after === undefined ? [] : [named];
  });
}

function cellsAt(
  cells: readonly CellValue[] | null,
  indexes: readonly number[],
): readonly CellValue[] | undefined {
  const found = cells === null ? [null] : indexes.map((index) => cells[index] ?? null);
  return found.includes(null) ? undefined : found;
}
