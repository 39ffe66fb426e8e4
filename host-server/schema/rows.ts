import type { StorageKind, LogicalOp } from '@trellis/sdk/shared';
import type {
  BaseSchema,
  ColumnSchema,
  FilterSchema,
  ProjectSchema,
  SortSchema,
  ViewColumnSchema,
  ViewSchema,
} from '@trellis/sdk/server';
import { flag, json, jsonObject, optionalText, text, wireTime } from '../metadata/stored-values.ts';

/** Rows of the metadata tables as they are written. Flags are booleans, times milliseconds, JSON text. */
export interface Stamps {
  readonly created_at: number;
  readonly updated_at: number;
}

export interface ProjectRow extends Stamps {
  readonly id: string;
  readonly title: string;
  readonly prefix: string;
  readonly description: string | null;
  readonly color: string | null;
  readonly meta: string | null;
  readonly sort_order: number;
  readonly deleted_at: number | null;
}

export interface BaseRow extends Stamps {
  readonly id: string;
  readonly project_id: string;
  readonly alias: string | null;
  readonly own: boolean;
  readonly dialect: BaseSchema['dialect'];
  readonly config: string | null;
  readonly inflection_table: string | null;
  readonly inflection_column: string | null;
}

export interface TableRow extends Stamps {
  readonly id: string;
  readonly project_id: string;
  readonly base_id: string;
  readonly title: string;
  readonly table_name: string;
  readonly kind: 'table' | 'view';
  readonly junction: boolean;
  readonly read_only_reason: string | null;
  readonly meta: string | null;
  readonly sort_order: number;
  readonly parked_at: number | null;
}

export interface ColumnRow extends Stamps {
  readonly id: string;
  readonly project_id: string;
  readonly table_id: string;
  readonly title: string;
  readonly column_name: string;
  readonly uidt: string;
  readonly storage: StorageKind;
  readonly native_type: string;
  readonly length: string | null;
  readonly precision: string | null;
  readonly scale: string | null;
  readonly fallback: string;
  readonly primary_key: boolean;
  readonly key_position: number | null;
  readonly auto_increment: boolean;
  readonly auto_update: boolean;
  readonly required: boolean;
  readonly is_unsigned: boolean;
  readonly is_unique: boolean;
  readonly display: boolean;
  readonly system: boolean;
  readonly computed: boolean;
  readonly default_value: string | null;
  readonly meta: string | null;
  readonly sort_order: number;
  readonly parked_at: number | null;
}

export interface ViewRow extends Stamps {
  readonly id: string;
  readonly project_id: string;
  readonly table_id: string;
  readonly title: string;
  readonly type: string;
  readonly is_default: boolean;
  readonly show_system_fields: boolean;
  readonly lock_type: ViewSchema['lockType'];
  readonly owner_id: string | null;
  readonly meta: string | null;
  readonly sort_order: number;
}

export interface ViewColumnRow extends Stamps {
  readonly id: string;
  readonly project_id: string;
  readonly view_id: string;
  readonly column_id: string;
  readonly visible: boolean;
  readonly width: number | null;
  readonly sort_order: number;
}

export interface SortRow extends Stamps {
  readonly id: string;
  readonly project_id: string;
  readonly view_id: string;
  readonly column_id: string;
  readonly direction: 'asc' | 'desc';
  readonly sort_order: number;
}

export interface FilterRow extends Stamps {
  readonly id: string;
  readonly project_id: string;
  readonly view_id: string;
  readonly parent_id: string | null;
  readonly is_group: boolean;
  readonly logical_op: LogicalOp;
  readonly column_id: string | null;
  readonly operator: string | null;
  readonly value: string | null;
  readonly sort_order: number;
}

/** What a driver gives back: flags may be numbers or texts, large numbers texts. */
export type Stored<Row> = { readonly [Key in keyof Row]: unknown };

export const defaultColumnWidth = 180;

function times(row: Stored<Stamps>): { readonly createdAt: string; readonly updatedAt: string } {
  return { createdAt: wireTime(row.created_at), updatedAt: wireTime(row.updated_at) };
}

export function toProject(row: Stored<ProjectRow>): ProjectSchema {
  return {
    id: text(row.id),
    title: text(row.title),
    prefix: text(row.prefix),
    description: optionalText(row.description),
    color: optionalText(row.color),
    meta: jsonObject(row.meta),
    order: Number(row.sort_order),
    ...times(row),
  };
}

export function toBase(row: Stored<BaseRow>): BaseSchema {
  return {
    id: text(row.id),
    projectId: text(row.project_id),
    alias: optionalText(row.alias),
    own: flag(row.own),
    dialect: text(row.dialect) as BaseSchema['dialect'],
    readOnlyReason: undefined,
    ...times(row),
  };
}

/** Column names that hold when a row was made and changed; such columns count as system columns. */
const stampNames = new Set(['created_at', 'updated_at']);

export function toColumn(row: Stored<ColumnRow>): ColumnSchema {
  const primaryKey = flag(row.primary_key);
  const defaultValue = optionalText(row.default_value);
  const meta = jsonObject(row.meta);
  return {
    id: text(row.id),
    tableId: text(row.table_id),
    title: text(row.title),
    columnName: text(row.column_name),
    type: text(row.uidt),
    storage: text(row.storage) as StorageKind,
    nativeType: text(row.native_type),
    length: optionalText(row.length),
    precision: optionalText(row.precision),
    scale: optionalText(row.scale),
    fallback: text(row.fallback),
    primaryKey,
    autoIncrement: flag(row.auto_increment),
    autoUpdate: flag(row.auto_update),
    required: flag(row.required),
    unsigned: flag(row.is_unsigned),
    unique: flag(row.is_unique),
    display: flag(row.display),
    system:
      flag(row.system) ||
      row.uidt === 'ForeignKey' ||
      stampNames.has(text(row.column_name)) ||
      (primaryKey && (flag(row.auto_increment) || defaultValue !== undefined || meta?.ag !== undefined)),
    generated: flag(row.computed),
    defaultValue,
    order: Number(row.sort_order),
    meta,
    ...times(row),
  };
}

export function toViewColumn(row: Stored<ViewColumnRow>): ViewColumnSchema {
  return {
    id: text(row.id),
    viewId: text(row.view_id),
    columnId: text(row.column_id),
    show: flag(row.visible),
    order: Number(row.sort_order),
    width: Number(row.width ?? defaultColumnWidth),
    ...times(row),
  };
}

export function toSort(row: Stored<SortRow>): SortSchema {
  return {
    id: text(row.id),
    viewId: text(row.view_id),
    columnId: text(row.column_id),
    direction: row.direction === 'desc' ? 'desc' : 'asc',
    order: Number(row.sort_order),
    ...times(row),
  };
}

export function toFilter(row: Stored<FilterRow>, children: readonly FilterSchema[]): FilterSchema {
  return {
    id: text(row.id),
    viewId: text(row.view_id),
    parentId: optionalText(row.parent_id),
    isGroup: flag(row.is_group),
    logicalOp: text(row.logical_op) as LogicalOp,
    columnId: optionalText(row.column_id),
    operator: optionalText(row.operator),
    value: json(row.value),
    order: Number(row.sort_order),
    children,
    ...times(row),
  };
}

export interface ViewParts {
  readonly columns: readonly ViewColumnSchema[];
  readonly sorts: readonly SortSchema[];
  readonly filters: readonly FilterSchema[];
}

export function toView(row: Stored<ViewRow>, parts: ViewParts): ViewSchema {
  return {
    id: text(row.id),
    tableId: text(row.table_id),
    title: text(row.title),
    type: text(row.type),
    isDefault: flag(row.is_default),
    showSystemFields: flag(row.show_system_fields),
    lockType: text(row.lock_type) as ViewSchema['lockType'],
    ownerId: optionalText(row.owner_id),
    order: Number(row.sort_order),
    meta: jsonObject(row.meta),
    ...parts,
    ...times(row),
  };
}
