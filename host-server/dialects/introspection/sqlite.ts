import { DatabaseError, type DatabaseErrorKind } from '../../sql/database-error.ts';
import type { Unit } from '../../sql/unit.ts';
import { sqliteTypes } from '../types/sqlite.ts';
import { assembleSchema, gatherKeys, select, type Introspection } from './default.ts';

interface ColumnRow {
  readonly of: string;
  readonly table_kind: 'table' | 'view';
  readonly table_sql: string | null;
  readonly name: string | null;
  readonly type: string;
  readonly required: number;
  readonly fallback: string | null;
  readonly key_position: number;
  readonly hidden: number;
}

interface KeyRow {
  readonly of: string;
  readonly name: string;
  readonly column_name: string;
}

interface ForeignKeyRow extends KeyRow {
  readonly target: string;
  readonly target_column: string | null;
  readonly on_delete: string;
  readonly on_update: string;
}

const TABLES =
  "from sqlite_master m %JOIN% where m.type in ('table', 'view') and m.name not like 'sqlite\\_%' escape '\\'";

export const sqliteIntrospection: Introspection = {
  async read(unit) {
    const columns = (await unlessBroken(() => columnsOf(unit))) ?? (await columnsOfWhole(unit));
    const foreignKeys = await select<ForeignKeyRow>(
      unit,
      'select m.name as "of", m.name || \'_fk_\' || f.id as name, f."from" as column_name, f."table" as target, ' +
        'f."to" as target_column, lower(f.on_delete) as on_delete, lower(f.on_update) as on_update ' +
        `${TABLES.replace('%JOIN%', 'join pragma_foreign_key_list(m.name) f')} order by m.name, f.id, f.seq`,
    );
    const uniqueKeys = await select<KeyRow>(
      unit,
      'select m.name as "of", l.name, i.name as column_name ' +
        `${TABLES.replace('%JOIN%', 'join pragma_index_list(m.name) l join pragma_index_info(l.name) i')} ` +
        'and l."unique" = 1 and l.origin <> \'pk\' and l.partial = 0 and i.name is not null order by m.name, l.seq, i.seqno',
    );

    const real = columns.filter((column): column is ColumnRow & { name: string } => column.name !== null);
    const primaryKeys = primaryKeysOf(real);
    return assembleSchema({
      tables: [...new Map(columns.map(({ of, table_kind: kind }) => [of, { name: of, kind }])).values()],
      columns: real.map((column) => {
        const isRowId =
          column.table_kind === 'table' &&
          /^integer$/i.test(column.type) &&
          primaryKeys.get(column.of)?.length === 1 &&
          column.key_position === 1 &&
          !/without\s+rowid/i.test(column.table_sql ?? '');
        return {
          of: column.of,
          name: column.name,
          native: column.type,
          reading: sqliteTypes.read(column.type),
          nullable: column.required === 0 && column.key_position === 0,
          ...(column.fallback === null ? {} : { default: column.fallback }),
          autoIncrement: isRowId,
          computed: column.hidden >= 2,
        };
      }),
      primaryKeys,
      foreignKeys: gatherKeys(foreignKeys).map(({ first, rows }) => ({
        of: first.of,
        name: first.name,
        columns: rows.map((row) => row.column_name),
        table: first.target,
        // Without a list the key refers to the other table's primary key.
        references:
          first.target_column === null
            ? (primaryKeys.get(first.target) ?? [])
            : rows.map((row) => row.target_column ?? row.column_name),
        onDelete: first.on_delete,
        onUpdate: first.on_update,
      })),
      uniqueKeys: gatherKeys(uniqueKeys).map(({ first, rows }) => ({
        of: first.of,
        name: first.name,
        columns: rows.map((row) => row.column_name),
      })),
    });
  },
};

function columnsOf(unit: Unit, only?: string): Promise<readonly ColumnRow[]> {
  return select<ColumnRow>(
    unit,
    'select m.name as "of", m.type as table_kind, m.sql as table_sql, c.name, c.type, c."notnull" as required, ' +
      'c.dflt_value as fallback, c.pk as key_position, c.hidden ' +
      `${TABLES.replace('%JOIN%', 'left join pragma_table_xinfo(m.name) c')} and coalesce(c.hidden, 0) <> 1` +
      `${only === undefined ? '' : ' and m.name = ?'} order by m.name, c.cid`,
    only === undefined ? [] : [only],
  );
}

/** Asks for each table's columns separately, so that only a view that cannot be read is left out. */
async function columnsOfWhole(unit: Unit): Promise<readonly ColumnRow[]> {
  const tables = await select<Pick<ColumnRow, 'of' | 'table_kind'>>(
    unit,
    `select m.name as "of", m.type as table_kind ${TABLES.replace('%JOIN%', '')} order by m.name`,
  );
  const columns: ColumnRow[] = [];
  for (const { of, table_kind: kind } of tables) {
    const ask = () => columnsOf(unit, of);
    columns.push(...((kind === 'view' ? await unlessBroken(ask) : await ask()) ?? []));
  }
  return columns;
}

/** The errors for a view that uses something which was dropped: every query for its columns fails. */
const broken: ReadonlySet<DatabaseErrorKind> = new Set(['missingTable', 'missingColumn', 'unknown']);

/** The answer to a question about columns; undefined when it involves a view that can no longer be read. */
export async function unlessBroken<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof DatabaseError && broken.has(error.kind)) return undefined;
    throw error;
  }
}

function primaryKeysOf(columns: readonly (ColumnRow & { name: string })[]): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  const inKey = columns
    .filter((column) => column.key_position > 0)
    .sort((a, b) => a.key_position - b.key_position);
  for (const { of, name } of inKey) keys.set(of, [...(keys.get(of) ?? []), name]);
  return keys;
}
