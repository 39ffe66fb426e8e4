import type {
  BaseSchema,
  ColumnSchema,
  FilterSchema,
  ProjectSnapshot,
  TableSchema,
  ViewSchema,
} from '@trellis/sdk/server';
import { flag, jsonObject, wireTime } from '../../metadata/stored-values.ts';
import type { Unit } from '../../sql/unit.ts';
import {
  toBase,
  toColumn,
  toFilter,
  toProject,
  toSort,
  toView,
  toViewColumn,
  type BaseRow,
  type ColumnRow,
  type FilterRow,
  type ProjectRow,
  type SortRow,
  type Stored,
  type TableRow,
  type ViewColumnRow,
  type ViewRow,
} from '../rows.ts';
import { toLink, type LinkRow } from '../links.ts';
import { indexColumns, indexTables } from './schema-indexes.ts';

type Order = { readonly order: number; readonly id: string };

function byOrder(left: Order, right: Order): number {
  return left.order - right.order || (left.id < right.id ? -1 : 1);
}

function grouped<Item>(
  items: readonly Item[],
  key: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

/** Reads everything about a project in one unit, in as many queries as there are kinds of things. Undefined when it is gone. */
export async function loadSnapshot(
  unit: Unit,
  projectId: string,
  generation: number,
): Promise<ProjectSnapshot | undefined> {
  const ofProject = { project_id: projectId };
  const projectRow = await unit.first<Stored<ProjectRow>>(
    unit.knex('trellis_project').where({ id: projectId }).whereNull('deleted_at').select('*'),
  );
  if (projectRow === undefined) return undefined;
  const read = <Row extends object>(table: string) =>
    unit.all<Row>(unit.knex(table).where(ofProject).select('*'));
  const baseRows = await read<Stored<BaseRow>>('trellis_base');
  const tableRows = await unit.all<Stored<TableRow>>(
    unit.knex('trellis_table').where(ofProject).whereNull('parked_at').select('*'),
  );
  const columnRows = await unit.all<Stored<ColumnRow>>(
    unit.knex('trellis_column').where(ofProject).whereNull('parked_at').select('*'),
  );
  const viewRows = await read<Stored<ViewRow>>('trellis_view');
  const viewColumns = await read<Stored<ViewColumnRow>>('trellis_view_column');
  const links = await read<Stored<LinkRow>>('trellis_link');
  const sorts = await read<Stored<SortRow>>('trellis_sort');
  const filters = await read<Stored<FilterRow>>('trellis_filter');

  const bases = new Map(baseRows.map((row) => [String(row.id), toBase(row)]));
  const keyPositions = new Map(columnRows.map((row) => [String(row.id), Number(row.key_position ?? 0)]));
  const columnsByTable = grouped(columnRows.map(toColumn), (column) => column.tableId);
  const known = new Set(columnRows.map((row) => String(row.id)));
  const parts = {
    columns: grouped(
      viewColumns.map(toViewColumn).filter(({ columnId }) => known.has(columnId)),
      ({ viewId }) => viewId,
    ),
    sorts: grouped(
      sorts.map(toSort).filter(({ columnId }) => known.has(columnId)),
      ({ viewId }) => viewId,
    ),
    filters: grouped(filters, (row) => String(row.view_id)),
  };
  const viewsByTable = grouped(
    viewRows.map((row) =>
      toView(row, {
        columns: (parts.columns.get(String(row.id)) ?? []).toSorted(byOrder),
        sorts: (parts.sorts.get(String(row.id)) ?? []).toSorted(byOrder),
        filters: filterTree(parts.filters.get(String(row.id)) ?? [], known),
      }),
    ),
    ({ tableId }) => tableId,
  );
  const tables = tableRows
    .map((row) =>
      toTable(
        row,
        bases,
        columnsByTable.get(String(row.id)) ?? [],
        viewsByTable.get(String(row.id)) ?? [],
        keyPositions,
      ),
    )
    .toSorted(byOrder);
  return { generation, project: toProject(projectRow), bases, ...indexTables(tables, links.map(toLink)) };
}

/** Conditions on a column that is gone are not applied; they are gone with it. */
function filterTree(rows: readonly Stored<FilterRow>[], known: ReadonlySet<string>): readonly FilterSchema[] {
  const byParent = grouped(rows, (row) => String((row.parent_id as string | null) ?? ''));
  const build = (parent: string): readonly FilterSchema[] =>
    (byParent.get(parent) ?? [])
      .map((row) => toFilter(row, build(String(row.id))))
      .filter((filter) => filter.isGroup || (filter.columnId !== undefined && known.has(filter.columnId)))
      .toSorted(byOrder);
  return build('');
}

function toTable(
  row: Stored<TableRow>,
  bases: ReadonlyMap<string, BaseSchema>,
  unordered: readonly ColumnSchema[],
  views: readonly ViewSchema[],
  keyPositions: ReadonlyMap<string, number>,
): TableSchema {
  const columns = unordered.toSorted(byOrder);
  const primaryKey = columns
    .filter((column) => column.primaryKey)
    .toSorted((a, b) => (keyPositions.get(a.id) ?? 0) - (keyPositions.get(b.id) ?? 0));
  const sortedViews = views.toSorted(byOrder);
  const baseId = String(row.base_id);
  return {
    id: String(row.id),
    projectId: String(row.project_id),
    baseId,
    title: String(row.title),
    tableName: String(row.table_name),
    kind: row.kind === 'view' ? 'view' : 'table',
    junction: flag(row.junction),
    order: Number(row.sort_order),
    meta: jsonObject(row.meta),
    createdAt: wireTime(row.created_at),
    updatedAt: wireTime(row.updated_at),
    ...indexColumns(columns),
    primaryKey,
    links: [],
    views: sortedViews,
    defaultView: sortedViews.find((view) => view.isDefault) ?? sortedViews[0],
    readOnlyReason: readOnlyReason(row, bases.get(baseId), primaryKey),
  };
}

function readOnlyReason(
  row: Stored<TableRow>,
  base: BaseSchema | undefined,
  primaryKey: readonly ColumnSchema[],
): string | undefined {
  if (typeof row.read_only_reason === 'string' && row.read_only_reason !== '') return row.read_only_reason;
  if (base?.readOnlyReason !== undefined) return base.readOnlyReason;
  if (row.kind === 'view') return 'This is a view of the database: its rows can only be read.';
  if (primaryKey.length === 0) return 'This table has no primary key, so its rows can only be read.';
  return undefined;
}
