import type {
  BaseSchema,
  ColumnSchema,
  FilterSchema,
  ProjectSnapshot,
  TableSchema,
  ViewSchema,
} from '@trellis/sdk/server';
import { rowOrderType } from '../../metadata/models/column-rules.ts';
import type { FilterRow } from '../../metadata/models/filter-model.ts';
import type { MetadataModel, ModelOf, RowOf } from '../../metadata/models/metadata-model.ts';
import { models } from '../../metadata/models/models.ts';
import type { TableRow } from '../../metadata/models/table-model.ts';
import { wireTime } from '../../metadata/stored-values.ts';
import type { Unit } from '../../sql/unit.ts';
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

/**
 * Reads everything about a project in one unit, in as many queries as there are kinds of things. Undefined if the project does
 * not exist. Deleted tables and columns are left out unless `deleted` is 'included'.
 */
export async function loadSnapshot(
  unit: Unit,
  projectId: string,
  generation: number,
  deleted: 'included' | 'left out' = 'left out',
): Promise<ProjectSnapshot | undefined> {
  const model = await models();
  /** Plain rows without the methods of models: there may be many thousands, and the snapshot does not need them. */
  async function read<Entity extends MetadataModel>(
    Entity: ModelOf<Entity>,
    where: Readonly<Record<string, unknown>>,
  ): Promise<readonly RowOf<Entity>[]> {
    const stored = await unit.all<Record<string, unknown>>(
      unit.knex(Entity.tableName).where(where).select('*'),
    );
    return stored.map((row) => Entity.parse(row));
  }
  const ofProject = { project_id: projectId };
  const present = deleted === 'included' ? ofProject : { ...ofProject, parked_at: null };
  const [projectRow] = await read(model.ProjectModel, { id: projectId, deleted_at: null });
  if (projectRow === undefined) return undefined;
  const baseRows = await read(model.BaseModel, ofProject);
  const tableRows = await read(model.TableModel, present);
  const columnRows = await read(model.ColumnModel, present);
  const viewRows = await read(model.ViewModel, ofProject);
  const viewColumns = await read(model.ViewColumnModel, ofProject);
  const links = await read(model.LinkModel, ofProject);
  const sorts = await read(model.SortModel, ofProject);
  const filters = await read(model.FilterModel, ofProject);

  const bases = new Map(
    baseRows
      .toSorted((one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1))
      .map((row) => [row.id, model.toBase(row)]),
  );
  const keyPositions = new Map(columnRows.map((row) => [row.id, row.key_position ?? 0]));
  const columnsByTable = grouped(columnRows.map(model.toColumn), (column) => column.tableId);
  const known = new Set(columnRows.map((row) => row.id));
  const parts = {
    columns: grouped(
      viewColumns.map(model.toViewColumn).filter(({ columnId }) => known.has(columnId)),
      ({ viewId }) => viewId,
    ),
    sorts: grouped(
      sorts.map(model.toSort).filter(({ columnId }) => known.has(columnId)),
      ({ viewId }) => viewId,
    ),
    filters: grouped(filters, (row) => row.view_id),
  };
  const viewsByTable = grouped(
    viewRows.map((row) =>
      model.toView(row, {
        columns: (parts.columns.get(row.id) ?? []).toSorted(byOrder),
        sorts: (parts.sorts.get(row.id) ?? []).toSorted(byOrder),
        filters: filterTree(parts.filters.get(row.id) ?? [], known, model.toFilter),
      }),
    ),
    ({ tableId }) => tableId,
  );
  const tables = tableRows
    .map((row) =>
      toTable(row, {
        base: bases.get(row.base_id),
        unordered: columnsByTable.get(row.id) ?? [],
        views: viewsByTable.get(row.id) ?? [],
        keyPositions,
      }),
    )
    .toSorted(byOrder);
  return {
    generation,
    project: model.toProject(projectRow),
    bases,
    ...indexTables(tables, links.map(model.toLink)),
  };
}

/** The filters of a view as a tree, without conditions on unknown columns. */
export function filterTree(
  rows: readonly FilterRow[],
  known: ReadonlySet<string>,
  toFilter: (row: FilterRow, children: readonly FilterSchema[]) => FilterSchema,
): readonly FilterSchema[] {
  const byParent = grouped(rows, (row) => row.parent_id ?? '');
  const build = (parent: string): readonly FilterSchema[] =>
    (byParent.get(parent) ?? [])
      .map((row) => toFilter(row, build(row.id)))
      .filter((filter) => filter.isGroup || (filter.columnId !== undefined && known.has(filter.columnId)))
      .toSorted(byOrder);
  return build('');
}

/** The parts of a table, and its base. */
interface TableParts {
  readonly base: BaseSchema | undefined;
  readonly unordered: readonly ColumnSchema[];
  readonly views: readonly ViewSchema[];
  /** The positions of columns in the primary key, by id. */
  readonly keyPositions: ReadonlyMap<string, number>;
}

function toTable(row: TableRow, { base, unordered, views, keyPositions }: TableParts): TableSchema {
  const columns = unordered.filter(({ type }) => type !== rowOrderType).toSorted(byOrder);
  const primaryKey = columns
    .filter((column) => column.primaryKey)
    .toSorted((a, b) => (keyPositions.get(a.id) ?? 0) - (keyPositions.get(b.id) ?? 0));
  const sortedViews = views.toSorted(byOrder);
  return {
    id: row.id,
    projectId: row.project_id,
    baseId: row.base_id,
    title: row.title,
    tableName: row.table_name,
    kind: row.kind,
    junction: row.junction,
    order: row.sort_order,
    meta: row.meta ?? undefined,
    createdAt: wireTime(row.created_at),
    updatedAt: wireTime(row.updated_at),
    ...indexColumns(columns),
    primaryKey,
    rowOrder: unordered.find(({ type }) => type === rowOrderType),
    links: [],
    views: sortedViews,
    viewGroups: (row.view_groups ?? []).toSorted(byOrder),
    defaultView: sortedViews.find((view) => view.isDefault) ?? sortedViews[0],
    readOnlyReason: readOnlyReason(row, base, primaryKey),
  };
}

function readOnlyReason(
  row: TableRow,
  base: BaseSchema | undefined,
  primaryKey: readonly ColumnSchema[],
): string | undefined {
  if (row.read_only_reason !== null && row.read_only_reason !== '') return row.read_only_reason;
  if (base?.readOnlyReason !== undefined) return base.readOnlyReason;
  if (row.kind === 'view') return 'This is a view of the database: its rows can only be read.';
  if (primaryKey.length === 0) return 'This table has no primary key, so its rows can only be read.';
  return undefined;
}
