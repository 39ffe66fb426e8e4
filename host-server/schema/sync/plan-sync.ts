import type { RegistryView } from '@trellis/core';
import type {
  OutwardKey,
  SchemaDifference,
  SchemaRename,
  ServerColumnType,
  TableDifferences,
} from '@trellis/sdk/server';
import type {
  IntrospectedOutwardKey,
  IntrospectedSchema,
  IntrospectedTable,
} from '../../dialects/introspection/default.ts';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import type { LinkRow } from '../../metadata/models/link-model.ts';
import type { TableRow } from '../../metadata/models/table-model.ts';
import { displayOfExternal } from '../bases/display-of-external.ts';
import { columnsThatShow, junctionsOf, withLinkColumns } from '../bases/external-link-columns.ts';
import { planExternalColumns, planExternalTable, type ExternalPlace } from '../bases/external-schema.ts';
import { freeTitle, inflect } from '../names.ts';
import type { TableRows } from '../table-rows.ts';
import { changesOf, type ColumnPatch } from './plan-column-sync.ts';
import { planLinkSync, type LinkSync } from './plan-link-sync.ts';
import { withRenames, type Renamed } from './renames.ts';
import { renamedColumn, renamedTables } from './suggested-renames.ts';

/** The metadata of a base, including parked parts. */
export interface StoredSchema {
  readonly tables: readonly TableRow[];
  readonly columns: readonly ColumnRow[];
  readonly links: readonly LinkRow[];
}

/** The writes that bring the metadata in line with the database. */
export interface SyncPlan extends LinkSync {
  readonly tables: readonly TableDifferences[];
  readonly newTables: readonly TableRows[];
  readonly goneTables: readonly string[];
  readonly newColumns: readonly ColumnRow[];
  readonly goneColumns: readonly string[];
  readonly changedColumns: readonly ColumnPatch[];
  readonly renamedTables: Renamed['tables'];
  readonly renamedColumns: Renamed['columns'];
}

/** The changes of one table that both have. */
interface TableSync {
  readonly differences: readonly SchemaDifference[];
  readonly columns: readonly ColumnRow[];
  readonly added: readonly ColumnRow[];
  readonly gone: readonly string[];
  readonly changed: readonly ColumnPatch[];
}

interface Planned {
  /** The renames that a person stated. */
  readonly renames?: readonly SchemaRename[];
  readonly stored: StoredSchema;
  readonly place: ExternalPlace;
  readonly columnTypes: RegistryView<ServerColumnType>;
}

const isPresent = ({ parked_at: at }: { readonly parked_at: number | null }) => at === null;

/** Compares the schema of the database with the metadata. Tables and columns are identified by their names in the database. */
export function planSync(found: IntrospectedSchema, given: Planned): SyncPlan {
  const renamed = withRenames(found, given.stored, given.renames ?? []);
  const { stored } = renamed;
  const of: Planned = { ...given, stored };
  const inDatabase = new Map(found.tables.filter(({ name }) => name !== '').map((of) => [of.name, of]));
  const present = stored.tables.filter(isPresent);
  // Parked ones are in the trash and can be restored, so they are neither new nor gone.
  const known = new Set(stored.tables.map(({ table_name: name }) => name));
  const added = planNewTables(
    [...inDatabase.values()].filter(({ name }) => !known.has(name)),
    of,
  );

  const kept = new Map<string, TableSync>();
  for (const row of present) {
    const table = inDatabase.get(row.table_name);
    if (table !== undefined) kept.set(row.id, planTableSync(table, row, of));
  }
  const syncs = [...kept.values()];
  const live = [
    ...present.flatMap((table) => {
      const sync = kept.get(table.id);
      return sync === undefined ? [] : [{ table, columns: sync.columns }];
    }),
    ...added.map((rows) => ({ ...rows, isNew: true })),
  ];
  const links = planLinkSync(found, live, stored);
  const gone = new Map(
    present
      .filter(({ id }) => !kept.has(id))
      .map((table) => [table.id, { table, columns: [] as ColumnRow[] }]),
  );
  for (const column of stored.columns) if (isPresent(column)) gone.get(column.table_id)?.columns.push(column);
  const renamedTo = renamedTables([...gone.values()], added);
  const outward = (name: string) => {
    const keys = inDatabase.get(name)?.outwardKeys ?? [];
    return keys.length === 0 ? {} : { outwardKeys: keys.map(toOutwardKey) };
  };
  const tables = [
    ...present.map((row): TableDifferences => {
      const { id, title, table_name: name, kind } = row;
      const own = kept.get(id)?.differences ?? [tableRemoved(renamedTo.get(id))];
      const differences = [...own, ...(links.differences.get(id) ?? [])];
      return { id, title, name, kind, differences, ...outward(name) };
    }),
    ...added.map(({ table }): TableDifferences => {
      const { table_name: name, kind } = table;
      const differences = [{ kind: 'tableAdded' } as const];
      return { id: undefined, title: undefined, name, kind, differences, ...outward(name) };
    }),
  ];
  const linksToShow = [...links.newLinks, ...links.unshownLinks];
  const junctions = junctionsOf(linksToShow);
  function newLinkColumns(tableId: string, columns: readonly ColumnRow[]): readonly ColumnRow[] {
    const own = linksToShow.filter(({ table_id: id }) => id === tableId);
    const order = Math.max(0, ...columns.map((column) => column.sort_order));
    return columnsThatShow(own, { columns, order, now: of.place.now, junctions });
  }
  return {
    ...links,
    tables,
    newTables: withLinkColumns(added, links.newLinks),
    goneTables: [...gone.keys()],
    newColumns: [
      ...syncs.flatMap((sync) => sync.added),
      ...[...kept].flatMap(([tableId, { columns }]) => newLinkColumns(tableId, columns)),
    ],
    goneColumns: syncs.flatMap((sync) => sync.gone),
    changedColumns: [...syncs.flatMap((sync) => sync.changed), ...links.changedColumns],
    renamedTables: renamed.tables,
    renamedColumns: renamed.columns,
  };
}

function tableRemoved(renamedTo: string | undefined): SchemaDifference {
  return { kind: 'tableRemoved', ...(renamedTo !== undefined && { renamedTo }) };
}

function toOutwardKey({ columns, schema, table, references }: IntrospectedOutwardKey): OutwardKey {
  return { columns, schema, toTable: table, toColumns: references };
}

function planNewTables(
  tables: readonly IntrospectedTable[],
  { stored, place, columnTypes }: Planned,
): readonly TableRows[] {
  const present = stored.tables.filter(isPresent);
  const titles = new Set(
    [...present.map(({ title }) => title), ...(place.taken?.titles ?? [])].map((title) =>
      title.toLowerCase(),
    ),
  );
  let order = Math.max(1, ...present.map((table) => table.sort_order));
  return tables.map((table) => {
    const title = freeTitle(inflect(table.name, place.inflectionTable), titles);
    titles.add(title.toLowerCase());
    order += 1;
    return planExternalTable(table, { title, order }, place, columnTypes);
  });
}

function planTableSync(table: IntrospectedTable, row: TableRow, of: Planned): TableSync {
  const own = of.stored.columns.filter((column) => column.table_id === row.id);
  const present = own.filter(isPresent);
  const known = new Set(own.map(({ column_name: name }) => name));
  const inDatabase = planExternalColumns(table, row, of.place, of.columnTypes);
  const byName = new Map(inDatabase.map((column) => [column.column_name, column]));

  const titles = new Set(present.map(({ title }) => title.toLowerCase()));
  let order = Math.max(0, ...present.map((column) => column.sort_order));
  const added = inDatabase
    .filter(({ column_name: name }) => !known.has(name))
    .map((column): ColumnRow => {
      const title = freeTitle(column.title, titles);
      titles.add(title.toLowerCase());
      order += 1;
      return { ...column, title, sort_order: order };
    });
  // A column without a name in the database is computed by this product.
  const gone = present.filter(({ column_name: name }) => name !== '' && !byName.has(name));
  const changes = present.flatMap((column) => {
    const now = byName.get(column.column_name);
    return now === undefined ? [] : changesOf(column, now, of.columnTypes);
  });
  const left = present.filter((column) => !gone.includes(column));
  const isNameless = gone.some((column) => column.display);
  const renamedTo = renamedColumn(gone, added);
  const heir = isNameless ? displayOfExternal(table.name, left) : undefined;
  return {
    differences: [
      ...added.map(
        ({ column_name: column, native_type: nativeType }) =>
          ({ kind: 'columnAdded', column, nativeType }) as const,
      ),
      ...gone.map(
        ({ id, column_name: column }) =>
          ({
            kind: 'columnRemoved',
            column,
            columnId: id,
            ...(renamedTo !== undefined && { renamedTo }),
          }) as const,
      ),
      ...changes.map(({ difference }) => difference),
    ],
    columns: [...left, ...added],
    added,
    gone: gone.map(({ id }) => id),
    changed: [...changes, ...(heir === undefined ? [] : [{ id: heir.id, patch: { display: true } }])],
  };
}
