import { Registry } from '@trellis/core';
import type {
  ColumnSchema,
  FunctionDefinition,
  LinkSchema,
  ProjectSnapshot,
  ServerColumnType,
  TableSchema,
} from '@trellis/sdk/server';
import type { StorageKind } from '@trellis/sdk/shared';
import type { Database } from '../../databases/database.ts';
import { insertInto } from '../insert.ts';
import { hostFunctions } from '../host-functions.ts';
import type { CompileContext } from '../compile-context.ts';

/** A cell as a test writes it down, in the form of the wire. */
export type Cell = string | number | boolean | null;

/** A table of a test: its columns by name, and its rows. The first column is the key. */
export interface TableFixture {
  readonly columns: Readonly<Record<string, StorageKind>>;
  readonly rows: readonly (readonly Cell[])[];
}

/** Columns whose cells hold values of linked rows, as lookups do: the link, and the column of the linked table. */
export type Lists = Readonly<Record<string, { readonly linkId: string; readonly columnId: string }>>;

type LinkFixture = Pick<
  LinkSchema,
  'id' | 'kind' | 'tableId' | 'columnIds' | 'toTableId' | 'toColumnIds' | 'through'
>;

/** Column `name` of table `table`, as fixtures and trees name it. */
export function columnId(table: string, name: string): string {
  return `${table}.${name}`;
}

function columnOf(database: Database, table: string, name: string, kind: StorageKind): ColumnSchema {
  return {
    id: columnId(table, name),
    tableId: table,
    title: name,
    columnName: name,
    type: 'Plain',
    storage: kind,
    nativeType: database.dialect.types.nativeFor(kind),
    primaryKey: name === 'id',
    required: name === 'id',
  } as ColumnSchema;
}

const listType = 'List';

function listsOf(table: string, lists: Lists): readonly ColumnSchema[] {
  return Object.keys(lists)
    .filter((id) => id.startsWith(`${table}.`))
    .map((id) => ({ id, tableId: table, title: id, columnName: '', type: listType }) as ColumnSchema);
}

/** Makes the tables in a database, fills them, and gives the schema that the compiler needs of them. */
export async function createTables(
  database: Database,
  fixtures: Readonly<Record<string, TableFixture>>,
  linkFixtures: readonly LinkFixture[],
  lists: Lists = {},
): Promise<{ context(table: string): CompileContext; functions: Registry<FunctionDefinition> }> {
  const links = linkFixtures.map((link) => ({ title: link.id, inverseId: '', ...link }) as LinkSchema);
  const tables = new Map<string, TableSchema>();
  for (const [name, fixture] of Object.entries(fixtures)) {
    const columns = Object.entries(fixture.columns).map(([column, kind]) =>
      columnOf(database, name, column, kind),
    );
    await database.schema((changer) =>
      changer.createTable({
        name,
        columns: columns.map((column) => ({
          name: column.columnName,
          kind: column.storage,
          nullable: !column.required,
        })),
        primaryKey: ['id'],
      }),
    );
    const codecs = columns.map(({ storage, nativeType }) =>
      database.dialect.types.codec(storage, nativeType),
    );
    const rows = fixture.rows.map((row) => row.map((cell, index) => codecs[index]?.toDatabase(cell) ?? null));
    if (rows.length > 0) {
      const names = columns.map((column) => column.columnName);
      await database.write((unit) => unit.run(insertInto(database.dialect, name, names, rows)));
    }
    const all = [...columns, ...listsOf(name, lists)];
    tables.set(name, {
      id: name,
      title: name,
      tableName: name,
      baseId: 'own',
      columns,
      columnById: new Map(all.map((column) => [column.id, column])),
      primaryKey: columns.filter((column) => column.primaryKey),
      links: links.filter((link) => link.tableId === name),
    } as unknown as TableSchema);
  }
  const snapshot = {
    bases: new Map([['own', { own: true }]]),
    tables,
    links: new Map(links.map((link) => [link.id, link])),
  } as unknown as ProjectSnapshot;
  const columnTypes = new Registry<ServerColumnType>({ id: 'columnTypes', absentPolicy: 'raw' });
  columnTypes.register(
    {
      id: listType,
      server: { compute: () => undefined, linked: ({ id }: ColumnSchema) => lists[id] },
    } as unknown as ServerColumnType,
    'test',
  );
  const functions = new Registry<FunctionDefinition>({ id: 'functions', absentPolicy: 'refused' });
  for (const { definition } of hostFunctions.values()) functions.register(definition, 'host');
  return {
    functions,
    context(name) {
      const table = tables.get(name);
      if (table === undefined) throw new Error(`No fixture makes the table '${name}'.`);
      return { table, dialect: database.dialect, reach: { snapshot, columnTypes, functions } };
    },
  };
}
