import { mysqlTypes, printedDefault } from '../types/mysql.ts';
import { assembleSchema, gatherKeys, select, type Introspection } from './default.ts';

interface TableRow {
  readonly name: string;
  readonly kind: string;
  readonly version: string;
}

interface ColumnRow {
  readonly of: string;
  readonly name: string;
  readonly native: string;
  readonly nullable: string;
  readonly fallback: string | null;
  readonly extra: string;
}

interface KeyRow {
  readonly of: string;
  readonly name: string;
  readonly column_name: string;
  readonly target: string | null;
  /** `null` if it is the same database. */
  readonly target_schema: string | null;
  readonly target_column: string | null;
  readonly on_delete: string | null;
  readonly on_update: string | null;
  readonly kind: string;
}

export const mysqlIntrospection: Introspection = {
  async read(unit) {
    const tables = await select<TableRow>(
      unit,
      'select table_name as name, table_type as kind, version() as version from information_schema.tables ' +
        "where table_schema = database() and table_type in ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED') order by table_name",
    );
    const columns = await select<ColumnRow>(
      unit,
      'select table_name as `of`, column_name as name, column_type as native, is_nullable as nullable, ' +
        'column_default as fallback, extra from information_schema.columns where table_schema = database() ' +
        'order by table_name, ordinal_position',
    );
    const keys = await select<KeyRow>(
      unit,
      'select k.table_name as `of`, k.constraint_name as name, k.column_name as column_name, ' +
        'k.referenced_table_name as target, nullif(k.referenced_table_schema, k.table_schema) as target_schema, k.referenced_column_name as target_column, r.delete_rule as on_delete, ' +
        'r.update_rule as on_update, c.constraint_type as kind from information_schema.key_column_usage k ' +
        'join information_schema.table_constraints c on c.constraint_schema = k.constraint_schema ' +
        'and c.table_name = k.table_name and c.constraint_name = k.constraint_name ' +
        'left join information_schema.referential_constraints r on r.constraint_schema = k.constraint_schema ' +
        'and r.table_name = k.table_name and r.constraint_name = k.constraint_name ' +
        'where k.table_schema = database() ' +
        'order by k.table_name, k.constraint_name, k.ordinal_position',
    );
    // MariaDB has no JSON type: `json` is a long text with a check named like the column.
    const jsonColumns = new Set<string>();
    if (tables[0]?.version.includes('MariaDB') === true) {
      const checks = await select<{ of: string; name: string }>(
        unit,
        'select table_name as `of`, constraint_name as name from information_schema.check_constraints ' +
          "where constraint_schema = database() and check_clause like 'json\\_valid(%'",
      );
      for (const { of, name } of checks) jsonColumns.add(JSON.stringify([of, name]));
    }

    const gathered = gatherKeys(keys);
    const ofKind = (kind: string) => gathered.filter(({ first }) => first.kind === kind);
    return assembleSchema({
      tables: tables.map(({ name, kind }) => ({ name, kind: kind === 'VIEW' ? 'view' : 'table' })),
      columns: columns.map((column) => ({
        of: column.of,
        name: column.name,
        native: column.native,
        reading: mysqlTypes.read(
          jsonColumns.has(JSON.stringify([column.of, column.name])) ? 'json' : column.native,
        ),
        nullable: column.nullable === 'YES',
        ...(column.fallback === null || column.fallback === 'NULL'
          ? {}
          : { default: printedDefault(column.native, column.fallback) }),
        autoIncrement: /auto_increment/i.test(column.extra),
        computed: /\b(virtual|stored|persistent)\b.*generated|^(virtual|stored|persistent)$/i.test(
          column.extra,
        ),
      })),
      primaryKeys: new Map(
        ofKind('PRIMARY KEY').map(({ first, rows }) => [first.of, rows.map((row) => row.column_name)]),
      ),
      foreignKeys: ofKind('FOREIGN KEY').map(({ first, rows }) => ({
        of: first.of,
        name: first.name,
        columns: rows.map((row) => row.column_name),
        table: first.target ?? '',
        schema: first.target_schema,
        references: rows.map((row) => row.target_column ?? ''),
        onDelete: (first.on_delete ?? 'no action').toLowerCase(),
        onUpdate: (first.on_update ?? 'no action').toLowerCase(),
      })),
      uniqueKeys: ofKind('UNIQUE').map(({ first, rows }) => ({
        of: first.of,
        name: first.name,
        columns: rows.map((row) => row.column_name),
      })),
    });
  },
};
