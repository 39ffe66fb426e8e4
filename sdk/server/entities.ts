import {
  usualColumnWidth,
  viewTypeNumbers,
  type BaseEntity,
  type CellValue,
  type ColumnEntity,
  type FilterEntity,
  type ListedViewEntity,
  type ProjectEntity,
  type SortEntity,
  type TableEntity,
  type ViewColumnEntity,
  type ViewEntity,
  type RegistryView,
} from '../shared/index.ts';
import { askedAs } from './asked-as.ts';
import type { AskedReach, ServerColumnType } from './column-types.ts';
import { reachedTables } from './reached-tables.ts';
import type {
  BaseSchema,
  ColumnSchema,
  FilterSchema,
  ProjectSchema,
  ProjectSnapshot,
  SortSchema,
  TableSchema,
  ViewColumnSchema,
  ViewSchema,
} from './schema.ts';

/** The fields that every object of a project has on the wire. */
interface Place {
  readonly base_id: string;
  readonly project_id: string;
}

function placeOf(table: TableSchema): Place {
  return { base_id: table.baseId, project_id: table.projectId };
}

/** Names of dialects on the wire that differ from the dialect's id. */
const clientNames: ReadonlyMap<string, string> = new Map([
  ['sqlite', 'sqlite3'],
  ['postgres', 'pg'],
  ['mysql', 'mysql2'],
]);

/** The name by which clients of the API know a dialect: `sqlite3`, `pg`, `mysql2`, `mssql`. @public */
export function clientNameOf(dialect: string): string {
  return clientNames.get(dialect) ?? dialect;
}

/** A base on the wire. @public */
export function toBaseEntity(base: BaseSchema): BaseEntity {
  return {
    id: base.id,
    project_id: base.projectId,
    alias: base.alias ?? null,
    type: clientNameOf(base.dialect),
    is_meta: base.own,
    read_only: base.readOnlyReason !== undefined,
    schema_changes: base.schemaChanges,
    inflection_column: 'camelize',
    inflection_table: 'camelize',
    created_at: base.createdAt,
    updated_at: base.updatedAt,
  };
}

/** A project on the wire, with its bases if they are given. @public */
export function toProjectEntity(
  project: ProjectSchema & {
    readonly role?: string | undefined;
    readonly permissions?: readonly string[];
    readonly rights?: string;
  },
  bases?: readonly BaseSchema[],
): ProjectEntity {
  return {
    id: project.id,
    title: project.title,
    prefix: project.prefix,
    status: null,
    description: project.description ?? null,
    meta: project.meta ?? null,
    color: project.color ?? null,
    uuid: null,
    password: null,
    roles: null,
    is_meta: bases?.every((base) => base.own) ?? true,
    deleted: false,
    order: project.order,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
    ...(bases && { bases: bases.map(toBaseEntity) }),
    ...(project.role !== undefined && { role: project.role as NonNullable<ProjectEntity['role']> }),
    ...(project.permissions && { permissions: project.permissions }),
    ...(project.rights !== undefined && { rights: project.rights }),
  };
}

/** The checks of a column in the form of the v1 API: JSON as text. */
function toValidate(type: ServerColumnType | undefined): string | null {
  const names = type?.validators?.map(({ id }) => id) ?? [];
  if (names.length === 0) return null;
  return JSON.stringify({
    func: names,
    args: names.map(() => ''),
    msg: names.map((name) => `Validation failed : ${name}`),
  });
}

/** Whether a foreign key is hidden: in external databases people know these keys, whereas those of own tables are made with their links. */
function isInternal(
  column: ColumnSchema,
  table: TableSchema,
  snapshot: ProjectSnapshot | undefined,
): boolean {
  return column.type === 'ForeignKey' && snapshot?.bases.get(table.baseId)?.own === true;
}

/** A column on the wire; `type` is undefined while no plugin provides it. @public */
export function toColumnEntity(
  column: ColumnSchema,
  table: TableSchema,
  type: ServerColumnType | undefined,
  snapshot?: ProjectSnapshot,
): ColumnEntity {
  const { toColOptions, toMeta } = type?.server ?? {};
  const options = toColOptions?.(column, table, snapshot);
  return {
    id: column.id,
    ...placeOf(table),
    fk_model_id: table.id,
    title: column.title,
    column_name: column.columnName === '' ? null : column.columnName,
    uidt: column.type,
    dt: column.nativeType === '' ? null : column.nativeType,
    dtx: 'specificType',
    dtxp: type?.server?.toDtxp?.(column) ?? column.length ?? column.precision ?? '',
    dtxs: column.scale ?? '',
    np: column.precision ?? null,
    ns: column.scale ?? null,
    clen: column.length ?? null,
    cop: String(column.order),
    cdf: column.defaultValue ?? null,
    ct: null,
    pk: column.primaryKey,
    pv: column.display,
    rqd: column.required,
    un: column.unsigned,
    ai: column.autoIncrement || type?.numbersRows === true,
    au: column.autoUpdate,
    unique: column.unique,
    system: column.system,
    virtual: column.storage === 'virtual' ? true : null,
    storage: column.storage,
    order: column.order,
    ...(column.generated && { generated: true }),
    ...(isInternal(column, table, snapshot) && { internal: true }),
    description: column.description ?? null,
    meta: (toMeta === undefined ? column.meta : toMeta(column, table, snapshot)) ?? null,
    validate: toValidate(type),
    ...(options !== undefined && { colOptions: options }),
    created_at: column.createdAt,
    updated_at: column.updatedAt,
  };
}

/** How the values of a computed column are treated, on the wire. @public */
export function toldAsked(column: ColumnSchema, reach: AskedReach): Pick<ColumnEntity, 'asked'> {
  const asked = column.storage === 'virtual' ? askedAs(column, reach) : undefined;
  return asked === undefined ? {} : { asked };
}

/** The number of a view type on the wire; types without one are sent as a grid. */
function viewTypeNumber(type: string): number {
  return Object.hasOwn(viewTypeNumbers, type)
    ? viewTypeNumbers[type as keyof typeof viewTypeNumbers]
    : viewTypeNumbers.grid;
}

/** A view on the wire, without its columns, sorts and filters. @public */
export function toViewEntity(view: ViewSchema, table: TableSchema): ViewEntity {
  return {
    id: view.id,
    ...placeOf(table),
    fk_model_id: table.id,
    title: view.title,
    type: viewTypeNumber(view.type),
    view_type: view.type,
    is_default: view.isDefault,
    show_system_fields: view.showSystemFields,
    lock_type: view.lockType,
    uuid: null,
    password: null,
    show: true,
    order: view.order,
    meta: view.meta ?? null,
    description: view.description ?? null,
    group_id: view.groupId ?? null,
    icon: view.icon ?? null,
    created_at: view.createdAt,
    updated_at: view.updatedAt,
  };
}

/** A view in lists for members; visitors of links do not get the table's name in the database. @public */
export function toListedView(view: ViewSchema, table: TableSchema): ListedViewEntity {
  const entity = toViewEntity(view, table);
  return {
    ...entity,
    ptn: table.tableName,
    _ptn: table.title,
    ptype: table.kind,
    tn: view.title,
    _tn: view.title,
    view: {
      fk_view_id: view.id,
      ...placeOf(table),
      created_at: entity.created_at,
      updated_at: entity.updated_at,
    },
  };
}

/** The place of a column in a view, on the wire. @public */
export function toViewColumnEntity(column: ViewColumnSchema, table: TableSchema): ViewColumnEntity {
  return {
    id: column.id,
    fk_view_id: column.viewId,
    fk_column_id: column.columnId,
    ...placeOf(table),
    width: `${column.width ?? usualColumnWidth}px`,
    is_width_chosen: column.width !== undefined,
    show: column.show,
    order: column.order,
    meta: column.meta ?? null,
    created_at: column.createdAt,
    updated_at: column.updatedAt,
  };
}

/** A sort on the wire. @public */
export function toSortEntity(sort: SortSchema, table: TableSchema): SortEntity {
  return {
    id: sort.id,
    ...placeOf(table),
    fk_view_id: sort.viewId,
    fk_column_id: sort.columnId,
    direction: sort.direction,
    order: sort.order,
    created_at: sort.createdAt,
    updated_at: sort.updatedAt,
  };
}

/** A filter on the wire; a group with its filters. @public */
export function toFilterEntity(filter: FilterSchema, table: TableSchema): FilterEntity {
  return {
    id: filter.id,
    ...placeOf(table),
    fk_view_id: filter.viewId,
    fk_hook_id: null,
    fk_column_id: filter.columnId ?? null,
    fk_parent_id: filter.parentId ?? null,
    logical_op: filter.logicalOp,
    comparison_op: filter.operator ?? null,
    value: (filter.value ?? null) as CellValue,
    is_group: filter.isGroup ? true : null,
    ...(filter.isGroup && { children: filter.children.map((child) => toFilterEntity(child, table)) }),
    order: filter.order,
    created_at: filter.createdAt,
    updated_at: filter.updatedAt,
  };
}

/** A table for lists, without its columns and views. @public */
export function toTableSummary(table: TableSchema): TableEntity {
  return {
    id: table.id,
    ...placeOf(table),
    table_name: table.tableName,
    title: table.title,
    type: table.kind,
    mm: table.junction,
    meta: table.meta ?? null,
    schema: null,
    order: table.order,
    enabled: true,
    created_at: table.createdAt,
    updated_at: table.updatedAt,
  };
}

/**
 * The whole table, as returned by calls on columns; with a snapshot, columns that show columns of other tables tell about these.
 * @public
 */
export function toTableEntity(
  table: TableSchema,
  types: RegistryView<ServerColumnType>,
  snapshot?: ProjectSnapshot,
): TableEntity {
  const columns = table.columns.map((column) => ({
    ...toColumnEntity(column, table, types.get(column.type), snapshot),
    ...(snapshot && toldAsked(column, { snapshot, types })),
  }));
  const reached = snapshot === undefined ? [] : reachedTables(table, types, snapshot);
  return {
    ...toTableSummary(table),
    columns,
    views: table.views.map((view) => toListedView(view, table)),
    columnsById: Object.fromEntries(columns.map((column) => [column.id, column])),
    ...(reached.length > 0 && { reached_tables: reached }),
    ...(table.readOnlyReason !== undefined && { readOnlyReason: table.readOnlyReason }),
  };
}
