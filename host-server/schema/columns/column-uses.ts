import type { ColumnUses } from '@trellis/sdk/shared';
import type { ColumnSchema, FilterSchema, ProjectSnapshot, ServerColumnType } from '@trellis/sdk/server';
import type { RegistryView } from '@trellis/core';
import { computedFrom } from '../../query/computed-columns.ts';
import { schemaErrors } from '../schema-errors.ts';

/** What would notice a change of a column, as far as a snapshot shows it. */
export function columnUses(
  snapshot: ProjectSnapshot,
  columnTypes: RegistryView<ServerColumnType>,
  columnId: string,
): ColumnUses {
  const column = snapshot.column(columnId);
  const table = column && snapshot.tables.get(column.tableId);
  if (table === undefined) throw schemaErrors.create('COLUMN_NOT_FOUND', { column: columnId });
  const names = ({ columnId: of, children }: FilterSchema): boolean =>
    of === columnId || children.some(names);
  const views = table.views.map(({ id, title, filters, sorts }) => ({
    id,
    title,
    filters: filters.some(names),
    sorts: sorts.some((sort) => sort.columnId === columnId),
  }));
  return {
    views: views.filter((view) => view.filters || view.sorts),
    columns: [...new Set(partsOf(snapshot, column).flatMap((id) => computedFrom(snapshot, columnTypes, id)))]
      .filter(({ id }) => id !== columnId)
      .map(({ id, title, tableId }) => ({ id, title, table: snapshot.tables.get(tableId)?.title ?? '' })),
  };
}

/** What others may be made of: the column, and, where it shows a link, that link from both sides. */
function partsOf({ links }: ProjectSnapshot, column: ColumnSchema | undefined): readonly string[] {
  if (column === undefined) return [];
  const link = column.linkId === undefined ? undefined : links.get(column.linkId);
  return link === undefined ? [column.id] : [column.id, link.id, link.inverseId];
}
