import type { ColumnInTable, ColumnUses, TableUses } from '@trellis/sdk/shared';
import type { ColumnSchema, FilterSchema, ProjectSnapshot, ServerColumnType } from '@trellis/sdk/server';
import type { RegistryView } from '@trellis/core';
import { computedFrom } from '../../query/computed-columns.ts';
import { columnsOver, linkColumns, removalOf } from '../links/links.ts';
import { schemaErrors } from '../schema-errors.ts';

/** Everything in a snapshot that uses a column. */
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
  const views = table.views.map(({ id, title, filters, sorts, meta = {} }) => ({
    id,
    title,
    filters: filters.some(names),
    sorts: sorts.some((sort) => sort.columnId === columnId),
    // Only a view's type understands its options, so they are searched for the id, which occurs in no other text.
    options: JSON.stringify(meta).includes(JSON.stringify(columnId)),
  }));
  const gone = goingWith(snapshot, columnTypes, column);
  const computed = partsOf(snapshot, column).flatMap((id) => computedFrom(snapshot, columnTypes, id));
  return {
    views: views.filter((view) => view.filters || view.sorts || view.options),
    columns: [...new Set(computed)]
      .filter((of) => of.id !== columnId && isKnown(snapshot, of))
      .map((of) => ({ ...placed(snapshot, of), goes: gone.has(of.id) })),
    namesRows: column?.display === true,
  };
}

/** Everything in a snapshot that uses a table. */
export function tableUses(snapshot: ProjectSnapshot, tableId: string): TableUses {
  const table = snapshot.tables.get(tableId);
  if (table === undefined) throw schemaErrors.create('TABLE_NOT_FOUND');
  const links = linkColumns(snapshot, table).filter((column) => isKnown(snapshot, column));
  return { links: links.map((column) => placed(snapshot, column)) };
}

/** Whether people see a column: neither one of a junction table nor one that only holds a link. */
function isKnown({ tables }: ProjectSnapshot, { tableId, system }: ColumnSchema): boolean {
  return !system && tables.get(tableId)?.junction !== true;
}

/** Columns with their tables, as text for a sentence. */
export function columnList(snapshot: ProjectSnapshot, columns: readonly ColumnSchema[]): string {
  return columns
    .map((column) => placed(snapshot, column))
    .map(({ table, title }) => `“${table}.${title}”`)
    .join(', ');
}

/** A column with its table's title, as it is shown to people. */
export function placed({ tables }: ProjectSnapshot, { id, title, tableId }: ColumnSchema): ColumnInTable {
  return { id, title, table: tables.get(tableId)?.title ?? '' };
}

/** The columns that are deleted together with the link that a column shows. */
function goingWith(
  snapshot: ProjectSnapshot,
  columnTypes: RegistryView<ServerColumnType>,
  column: ColumnSchema | undefined,
): ReadonlySet<string> {
  const link = column?.linkId === undefined ? undefined : snapshot.links.get(column.linkId);
  const base = link && snapshot.bases.get(link.baseId);
  if (link === undefined || base === undefined) return new Set();
  const { columnIds } = removalOf(snapshot, link, base);
  return new Set([...columnIds, ...columnsOver(snapshot, columnTypes, columnIds).map(({ id }) => id)]);
}

/** The ids that computed columns may use: the column and, if it shows a link, both sides of the link. */
function partsOf({ links }: ProjectSnapshot, column: ColumnSchema | undefined): readonly string[] {
  if (column === undefined) return [];
  const link = column.linkId === undefined ? undefined : links.get(column.linkId);
  return link === undefined ? [column.id] : [column.id, link.id, link.inverseId];
}
