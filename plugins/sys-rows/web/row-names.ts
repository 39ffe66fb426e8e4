import type { CellValue, ColumnEntity, Row } from '@trellis/sdk/shared';
import { showInHeading, type WebColumnType } from '@trellis/sdk/web';

/** Edits as part of a row, by column title. */
export function titled(edits: Readonly<Record<string, CellValue>>, columns: readonly ColumnEntity[]): Row {
  return Object.fromEntries(
    columns.flatMap(({ id, title }) => (id in edits ? [[title, edits[id] ?? null]] : [])),
  );
}

/** A row's name: the text of its primary value, unless the type hides that. */
export function titleOf(
  columns: readonly ColumnEntity[],
  row: Readonly<Record<string, unknown>>,
  types: readonly WebColumnType[],
): string | undefined {
  const column = columns.find((of) => of.pv);
  if (column === undefined) return undefined;
  const type = types.find(({ id }) => id === column.uidt);
  return showInHeading(row[column.title], column, type) || undefined;
}
