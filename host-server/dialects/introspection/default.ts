import type { Unit } from '../../sql/unit.ts';
import type { Binding } from '../../sql/session.ts';
import type { NativeTypeReading } from '../types/default.ts';

export interface IntrospectedColumn {
  readonly name: string;
  /** As the database prints it, with its sizes: `character varying(50)`. */
  readonly native: string;
  readonly reading: NativeTypeReading;
  readonly nullable: boolean;
  /** The SQL of the default, as the database prints it. */
  readonly default?: string;
  readonly autoIncrement: boolean;
  /** True for generated columns and for identities "always", which no insert or update may set. */
  readonly computed: boolean;
}

export interface IntrospectedForeignKey {
  /** SQLite stores no names, so its names are made of the table and a number. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly table: string;
  readonly references: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
}

/** A foreign key that leads to another schema, or to another database of the server. */
export interface IntrospectedOutwardKey extends Pick<
  IntrospectedForeignKey,
  'name' | 'columns' | 'table' | 'references'
> {
  readonly schema: string;
}

export interface IntrospectedUniqueKey {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface IntrospectedTable {
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly columns: readonly IntrospectedColumn[];
  /** In the order of the key, not of the table's columns. */
  readonly primaryKey: readonly string[];
  /** Foreign keys to tables of the same schema. */
  readonly foreignKeys: readonly IntrospectedForeignKey[];
  readonly outwardKeys: readonly IntrospectedOutwardKey[];
  /** Without the primary key. */
  readonly uniqueKeys: readonly IntrospectedUniqueKey[];
}

export interface IntrospectedSchema {
  readonly tables: readonly IntrospectedTable[];
}

export interface Introspection {
  /** Whether the database has this schema; undefined for databases whose schemas have no names. */
  hasSchema?(unit: Unit, name: string): Promise<boolean>;
  /** Reads the whole schema in a handful of queries, however many tables it has. */
  read(unit: Unit): Promise<IntrospectedSchema>;
}

/** The results of one database's queries, by table name. */
export interface SchemaParts {
  readonly tables: readonly { readonly name: string; readonly kind: 'table' | 'view' }[];
  readonly columns: readonly (IntrospectedColumn & { readonly of: string })[];
  readonly primaryKeys: ReadonlyMap<string, readonly string[]>;
  /** A key with a `schema` leads to a table of that other schema. */
  readonly foreignKeys: readonly (IntrospectedForeignKey & {
    readonly of: string;
    readonly schema?: string | null | undefined;
  })[];
  readonly uniqueKeys: readonly (IntrospectedUniqueKey & { readonly of: string })[];
}

export function assembleSchema(parts: SchemaParts): IntrospectedSchema {
  const columns = byTable(parts.columns);
  const ownKeys = parts.foreignKeys.filter((key) => !isOutward(key)).map(({ schema: _, ...key }) => key);
  const foreignKeys = byTable(ownKeys);
  const outwardKeys = byTable(parts.foreignKeys.filter(isOutward));
  const uniqueKeys = byTable(parts.uniqueKeys);
  const tables = parts.tables.map(({ name, kind }) => ({
    name,
    kind,
    columns: columns.get(name) ?? [],
    primaryKey: parts.primaryKeys.get(name) ?? [],
    foreignKeys: foreignKeys.get(name) ?? [],
    outwardKeys: outwardKeys.get(name) ?? [],
    uniqueKeys: uniqueKeys.get(name) ?? [],
  }));
  return { tables };
}

function isOutward<Key extends { readonly schema?: string | null | undefined }>(
  key: Key,
): key is Key & { readonly schema: string } {
  return typeof key.schema === 'string';
}

function byTable<Part extends { readonly of: string }>(
  parts: readonly Part[],
): Map<string, Omit<Part, 'of'>[]> {
  const groups = new Map<string, Omit<Part, 'of'>[]>();
  for (const { of, ...part } of parts) {
    const group = groups.get(of);
    if (group === undefined) groups.set(of, [part]);
    else group.push(part);
  }
  return groups;
}

/** Groups rows of (table, key name, column) by key, in the order of the rows. */
export function gatherKeys<Row extends { readonly of: string; readonly name: string }>(
  rows: readonly Row[],
): { readonly first: Row; readonly rows: readonly Row[] }[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.of, row.name]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].flatMap((group) =>
    group[0] === undefined ? [] : [{ first: group[0], rows: group }],
  );
}

export function select<Row extends object>(
  unit: Unit,
  sql: string,
  bindings: readonly Binding[] = [],
): Promise<Row[]> {
  return unit.all<Row>(unit.knex.raw(sql, bindings as never[]));
}
