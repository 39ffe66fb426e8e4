import type {
  IntrospectedColumn,
  IntrospectedSchema,
  IntrospectedTable,
} from '../../dialects/introspection/default.ts';
import type { RegistryView } from '@trellis/core';
import type { ServerColumnType } from '@trellis/sdk/server';
import { newId } from '../../runtime/ids.ts';
import { freeTitle, inflect } from '../names.ts';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import type { TableRow } from '../../metadata/models/table-model.ts';
import { isShownOfExternal } from '../../metadata/models/column-rules.ts';
import { defaultView, type TableRows } from '../table-rows.ts';
import { withDisplayOfExternal } from './display-of-external.ts';

export interface ExternalPlace {
  readonly projectId: string;
  readonly baseId: string;
  readonly inflectionTable: 'camelize' | 'none';
  readonly inflectionColumn: 'camelize' | 'none';
  readonly now: number;
  /** The titles and places that other bases of the project use. */
  readonly taken?: TakenPlaces;
}

/** Titles of tables are unique in a project, and tables of a further base come after the existing ones. */
export interface TakenPlaces {
  readonly titles: readonly string[];
  readonly order: number;
}

/**
 * The metadata of an existing database: tables first, then views, with titles, keys and column types read from the schema. The
 * database itself is not changed.
 */
export function planExternalTables(
  schema: IntrospectedSchema,
  place: ExternalPlace,
  columnTypes: RegistryView<ServerColumnType>,
): readonly TableRows[] {
  const { titles: others = [], order = 1 } = place.taken ?? {};
  const titles = new Set(others.map((title) => title.toLowerCase()));
  const ordered = schema.tables
    .filter((table) => table.name !== '')
    .toSorted(
      (a, b) => Number(a.kind === 'view') - Number(b.kind === 'view') || a.name.localeCompare(b.name),
    );
  return ordered.map((table, index) => {
    const title = freeTitle(inflect(table.name, place.inflectionTable), titles);
    titles.add(title.toLowerCase());
    return planExternalTable(table, { title, order: order + index + 1 }, place, columnTypes);
  });
}

/** The metadata of one table of an existing database. */
export function planExternalTable(
  table: IntrospectedTable,
  { title, order }: { readonly title: string; readonly order: number },
  place: ExternalPlace,
  columnTypes: RegistryView<ServerColumnType>,
): TableRows {
  const row: TableRow = {
    id: newId('table'),
    project_id: place.projectId,
    base_id: place.baseId,
    title,
    table_name: table.name,
    kind: table.kind,
    junction: false,
    read_only_reason: null,
    meta: null,
    view_groups: null,
    sort_order: order,
    parked_at: null,
    created_at: place.now,
    updated_at: place.now,
  };
  const columns = withDisplayOfExternal(table.name, planExternalColumns(table, row, place, columnTypes));
  return { table: row, columns, ...defaultView(row, columns, place.now, isShownOfExternal) };
}

/**
 * Removes columns with an empty name, which SQLite allows: here an empty name means a column that is not in the database. If such
 * a column is in the key, no row can be named and the table is read only.
 */
function withNames(table: IntrospectedTable): IntrospectedTable {
  const key = table.primaryKey.length > 0 ? table.primaryKey : uniqueKeyOf(table);
  return {
    ...table,
    columns: table.columns.filter((column) => column.name !== ''),
    primaryKey: key.includes('') ? [] : key,
  };
}

/** The key for a table without a primary key: the shortest unique key whose columns are never empty. */
function uniqueKeyOf({ columns, uniqueKeys }: IntrospectedTable): readonly string[] {
  const never = new Set(columns.filter(({ nullable }) => !nullable).map(({ name }) => name));
  const [shortest] = uniqueKeys
    .filter((key) => key.columns.every((name) => never.has(name)))
    .toSorted((one, other) => one.columns.length - other.columns.length);
  return shortest?.columns ?? [];
}

/** The columns of one table of an existing database. */
export function planExternalColumns(
  found: IntrospectedTable,
  row: TableRow,
  place: ExternalPlace,
  columnTypes: RegistryView<ServerColumnType>,
): readonly ColumnRow[] {
  const table = withNames(found);
  const foreign = new Set(table.foreignKeys.flatMap((key) => key.columns));
  const unique = new Set(
    table.uniqueKeys.filter((key) => key.columns.length === 1).flatMap((key) => key.columns),
  );
  const titles = new Set<string>();
  return table.columns.map((column, index) => {
    const title = freeTitle(inflect(column.name, place.inflectionColumn), titles);
    titles.add(title.toLowerCase());
    const keyPosition = table.primaryKey.indexOf(column.name);
    const uidt = foreign.has(column.name) && keyPosition === -1 ? 'ForeignKey' : typeFor(column, columnTypes);
    return {
      id: newId('column'),
      project_id: place.projectId,
      table_id: row.id,
      title,
      column_name: column.name,
      uidt,
      storage: column.reading.kind,
      native_type: column.native,
      length: sizeOf(column.reading.length),
      precision: sizeOf(column.reading.precision),
      scale: sizeOf(column.reading.scale),
      fallback: columnTypes.get(uidt)?.fallback ?? 'SingleLineText',
      primary_key: keyPosition !== -1,
      key_position: keyPosition === -1 ? null : keyPosition,
      auto_increment: column.autoIncrement,
      auto_update: false,
      required: !column.nullable && column.default === undefined && !column.autoIncrement && !column.computed,
      is_unsigned: /unsigned/i.test(column.native),
      is_unique: unique.has(column.name),
      display: false,
      system: uidt === 'ForeignKey',
      computed: column.computed || !column.reading.editable,
      default_value: column.default ?? null,
      description: null,
      meta: optionsFor(uidt, column, columnTypes),
      link_id: null,
      sort_order: index + 1,
      parked_at: null,
      created_at: place.now,
      updated_at: place.now,
    };
  });
}

const sizeOf = (size: number | undefined): string | null => (size === undefined ? null : String(size));

/** The column type for a native type, or plain text while no plugin provides that type. */
function typeFor(column: IntrospectedColumn, columnTypes: RegistryView<ServerColumnType>): string {
  const { uidt, kind } = column.reading;
  if (columnTypes.get(uidt)?.accepts.includes(kind)) return uidt;
  const byKind = columnTypes.list().find((type) => type.storage === kind && type.creatable !== false);
  return byKind?.id ?? 'SingleLineText';
}

/** The choices that the database allows, as options of the column type. */
function optionsFor(
  uidt: string,
  { reading: { choices } }: IntrospectedColumn,
  columnTypes: RegistryView<ServerColumnType>,
): ColumnRow['meta'] {
  return (choices && columnTypes.get(uidt)?.server?.optionsOfTexts?.(choices)) ?? null;
}
