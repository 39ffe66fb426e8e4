import type { FilterSchema, LinkSchema, ProjectSnapshot, TableSchema, ViewSchema } from '@trellis/sdk/server';
import type { CellValue } from '@trellis/sdk/shared';
import type { ArchivedFilter, ArchivedLink, ArchivedTable, ArchivedView } from './archive.ts';

/** The description of a table for the archive. */
export function archivedTable(
  table: TableSchema,
  { project }: ProjectSnapshot,
  rows: ArchivedTable['rows'],
): ArchivedTable {
  const { id, title, tableName, kind, junction, order, meta, columns, links, viewGroups, views } = table;
  return {
    id,
    title,
    tableName: tableName.startsWith(project.prefix) ? tableName.slice(project.prefix.length) : tableName,
    kind,
    junction,
    order,
    ...(meta && { meta }),
    columns: columns.map((column) => ({
      id: column.id,
      title: column.title,
      columnName: column.columnName,
      type: column.type,
      nativeType: column.nativeType,
      ...(column.length !== undefined && { length: column.length }),
      ...(column.precision !== undefined && { precision: column.precision }),
      ...(column.scale !== undefined && { scale: column.scale }),
      primaryKey: column.primaryKey,
      autoIncrement: column.autoIncrement,
      autoUpdate: column.autoUpdate,
      required: column.required,
      unsigned: column.unsigned,
      unique: column.unique,
      display: column.display,
      ...(column.defaultValue !== undefined && { defaultValue: column.defaultValue }),
      ...(column.description !== undefined && { description: column.description }),
      order: column.order,
      ...(column.meta && { meta: column.meta }),
      ...(column.linkId !== undefined && { linkId: column.linkId }),
    })),
    links: links.map(archivedLink),
    viewGroups,
    views: views.map(archivedView),
    rows,
  };
}

function archivedLink(link: LinkSchema): ArchivedLink {
  const { id, kind, tableId, columnIds, toTableId, toColumnIds, through, inverseId } = link;
  return {
    id,
    kind,
    tableId,
    columnIds,
    toTableId,
    toColumnIds,
    through,
    inverseId,
    isVirtual: link.constraint === undefined && through === undefined,
    ...(link.onDelete !== undefined && { onDelete: link.onDelete }),
    ...(link.onUpdate !== undefined && { onUpdate: link.onUpdate }),
  };
}

function archivedView(view: ViewSchema): ArchivedView {
  const { id, title, type, isDefault, showSystemFields, lockType, order, description, meta } = view;
  const { groupId, icon } = view;
  return {
    id,
    title,
    type,
    isDefault,
    showSystemFields,
    lockType,
    order,
    ...(description !== undefined && { description }),
    ...(groupId !== undefined && { groupId }),
    ...(icon !== undefined && { icon }),
    ...(meta && { meta }),
    columns: view.columns.map((column) => ({
      columnId: column.columnId,
      show: column.show,
      order: column.order,
      width: column.width,
      ...(column.meta && { meta: column.meta }),
    })),
    sorts: view.sorts
      .toSorted((a, b) => a.order - b.order)
      .map(({ columnId, direction }) => ({ columnId, direction })),
    filters: view.filters.map(archivedFilter),
  };
}

function archivedFilter(filter: FilterSchema): ArchivedFilter {
  return {
    isGroup: filter.isGroup,
    logicalOp: filter.logicalOp,
    ...(filter.columnId !== undefined && { columnId: filter.columnId }),
    ...(filter.operator !== undefined && { operator: filter.operator }),
    ...(filter.value !== undefined && { value: filter.value as CellValue }),
    children: filter.children.map(archivedFilter),
  };
}
