import type { Database } from '../database.ts';
import type { Unit } from '../../sql/unit.ts';

type Row = Record<string, unknown>;

/** The rows of each table of a database. */
export type Contents = ReadonlyMap<string, readonly Row[]>;

interface TableOfMysql {
  readonly name: string;
  /** `null` if no column has an automatic number. */
  readonly next: unknown;
}

function tablesOf(unit: Unit): Promise<readonly TableOfMysql[]> {
  return unit.all<TableOfMysql>(
    unit.knex.raw(
      'select table_name as name, auto_increment as next from information_schema.tables ' +
        "where table_schema = database() and table_type = 'BASE TABLE'",
    ),
  );
}

export function readContents(database: Database): Promise<Contents> {
  return database.read(async (unit) => {
    const contents = new Map<string, readonly Row[]>();
    for (const { name } of await tablesOf(unit)) contents.set(name, await unit.all<Row>(unit.knex(name)));
    return contents;
  });
}

/** Restores a MySQL database to these tables and rows. In the remaining tables, only rows may have changed. */
export async function restoreContents(database: Database, contents: Contents): Promise<void> {
  const used = await database.read(async (unit) => {
    const tables = await tablesOf(unit);
    await unit.run(unit.knex.raw('set foreign_key_checks = 0'));
    const added = tables.filter(({ name }) => !contents.has(name));
    if (added.length > 0) {
      const names = added.map(({ name }) => name);
      await unit.run(unit.knex.raw(`drop table ${names.map(() => '??').join(', ')}`, names));
    }
    const kept = tables.filter(({ name }) => contents.has(name));
    const found = await unit.all<TableOfMysql>(
      unit.knex.unionAll(
        kept.map(({ name }) => unit.knex.select(unit.knex.raw('? as name', name)).from(name).limit(1)),
        true,
      ),
    );
    const withRows = new Set(found.map(({ name }) => name));
    for (const { name, next } of kept) {
      // Automatic keys start from one again.
      if (next !== null && withRows.delete(name)) await unit.run(unit.knex.raw('truncate table ??', name));
    }
    return withRows;
  });
  await database.write(async (unit) => {
    for (const name of used) await unit.run(unit.knex(name).delete());
    for (const [name, rows] of contents)
      if (rows.length > 0) await unit.run(unit.knex(name).insert([...rows]));
  });
}

/** A MySQL database's structure as text, which is equal for equally built databases. */
export async function readShape(database: Database): Promise<string> {
  const parts = await database.read(async (unit) => [
    await unit.rows(
      unit.knex.raw(
        'select table_name, column_name, column_type, is_nullable, column_default, extra, collation_name ' +
          'from information_schema.columns where table_schema = database() order by table_name, ordinal_position',
      ),
    ),
    await unit.rows(
      unit.knex.raw(
        'select table_name, index_name, seq_in_index, column_name, non_unique from information_schema.statistics ' +
          'where table_schema = database() order by table_name, index_name, seq_in_index',
      ),
    ),
    await unit.rows(
      unit.knex.raw(
        'select table_name, constraint_name, constraint_type from information_schema.table_constraints ' +
          'where table_schema = database() order by table_name, constraint_name',
      ),
    ),
    await unit.rows(
      unit.knex.raw(
        'select trigger_name from information_schema.triggers where trigger_schema = database() ' +
          'union all select routine_name from information_schema.routines where routine_schema = database() ' +
          'union all select default_collation_name from information_schema.schemata where schema_name = database() ' +
          "union all select table_type from information_schema.tables where table_schema = database() and table_type <> 'BASE TABLE'",
      ),
    ),
  ]);
  return JSON.stringify(parts.map(({ rows }) => rows));
}

/** Whether nobody else is connected to a MySQL database. */
export async function isAtRest(database: Database): Promise<boolean> {
  const { rows } = await database.read((unit) =>
    unit.rows(
      unit.knex.raw(
        'select count(*) from information_schema.processlist where db = database() and id <> connection_id()',
      ),
    ),
  );
  return Number(rows[0]?.[0]) === 0;
}
