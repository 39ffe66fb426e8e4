import { idsInTree, type RegistryView } from '../shared/index.ts';
import type { ServerColumnType } from './column-types.ts';
import type { ColumnSchema, ProjectSnapshot, TableSchema } from './schema.ts';

/**
 * The tables whose rows contribute to the cells of a table: linked tables, tables linked to those if cells are computed over
 * further links, and junction tables.
 * @public
 */
export function reachedTables(
  table: TableSchema,
  types: RegistryView<ServerColumnType>,
  snapshot: ProjectSnapshot,
): readonly string[] {
  const reached = new Set<string>();
  const seen = new Set<string>();
  const follow = (column: ColumnSchema | undefined): void => {
    if (column === undefined || column.columnName !== '' || seen.has(column.id)) return;
    seen.add(column.id);
    const { linked, compute } = types.get(column.type)?.server ?? {};
    const cells = linked?.(column, snapshot);
    const to = cells && snapshot.links.get(cells.linkId)?.toTableId;
    // Cells show linked rows by their display column.
    const shown = cells?.columnId ?? (to && snapshot.tables.get(to)?.displayColumn?.id);
    const ids = [cells?.linkId, shown, ...idsInTree(compute?.(column, snapshot))];
    for (const id of ids) {
      if (id === undefined) continue;
      const link = snapshot.links.get(id);
      for (const over of [link?.toTableId, link?.through?.tableId]) if (over !== undefined) reached.add(over);
      follow(snapshot.column(id));
    }
  };
  for (const column of table.columns) follow(column);
  reached.delete(table.id);
  return [...reached].filter((id) => snapshot.tables.has(id)).toSorted();
}
