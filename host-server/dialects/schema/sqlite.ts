import { DatabaseError } from '../../sql/database-error.ts';
import { sqliteIdentifiers } from '../identifiers/sqlite.ts';
import { SQLITE_DECIMAL, sqliteTypes } from '../types/sqlite.ts';
import { CreateTableText } from './create-table-text.ts';
import { SqlSchemaChanger, standardTextLiteral, type SchemaDialect } from './default.ts';
import type { ColumnReplacement, ColumnSpec, DefaultValue, ForeignKeySpec } from './schema-changer.ts';

export const sqliteSchema: SchemaDialect = {
  createChanger: (session) => new SqliteSchemaChanger(session, sqliteIdentifiers, sqliteTypes),
};

/** The name of a table during its rebuild. A rebuild is one transaction, so a crash leaves no table of this name. */
const REBUILT = 'trellis_rebuild';

interface Rebuild {
  readonly edit: (text: CreateTableText) => void;
  /** Columns to leave out of the copy. */
  readonly without?: readonly string[];
  /** A test, in SQL, that finds copied rows whose value does not fit. */
  readonly misfit?: string;
  /** Work on the old table that is done first, in the same transaction. */
  readonly before?: () => Promise<void>;
  /** Expressions by which columns are read from the old table, by name; also for columns that only the new table has. */
  readonly read?: ReadonlyMap<string, string>;
}

/**
 * Changes SQLite tables natively where SQLite can, else by rebuilding the table.
 *
 * With foreign keys on, dropping a table deletes its rows first and so, by cascade, the rows of its children. The pragma cannot
 * change within a transaction. So it is switched off before the transaction begins, row counts are compared and
 * `foreign_key_check` runs before the commit, and then the pragma is switched on again.
 */
class SqliteSchemaChanger extends SqlSchemaChanger {
  hasTable(table: string): Promise<boolean> {
    return this.exists("select 1 from sqlite_master where type = 'table' and name = ? collate nocase", [
      table,
    ]);
  }

  hasColumn(table: string, column: string): Promise<boolean> {
    return this.exists('select 1 from pragma_table_xinfo(?) where name = ? collate nocase', [table, column]);
  }

  hasIndex(table: string, index: string): Promise<boolean> {
    return this.exists(
      "select 1 from sqlite_master where type = 'index' and tbl_name = ? collate nocase and name = ? collate nocase",
      [table, index],
    );
  }

  async hasForeignKey(table: string, key: string): Promise<boolean> {
    return (await this.hasTable(table)) && (await this.#text(table)).hasConstraint(key);
  }

  override async dropTable(table: string): Promise<void> {
    if ((await this.#children(table)).length > 0) throw new DatabaseError('foreignKey', { table });
    await this.#withoutForeignKeys(() => super.dropTable(table));
  }

  override async addColumn(table: string, column: ColumnSpec): Promise<void> {
    if (await this.hasColumn(table, column.name)) return;
    const constant = column.default?.kind !== 'now';
    const fillable = column.nullable !== false || column.default !== undefined;
    if (constant && fillable && column.autoIncrement !== true) {
      await super.addColumn(table, column);
    } else {
      await this.#rebuild(table, {
        edit: (text) => text.add(`${this.quote(column.name)} ${this.columnSql(column, [])}`),
      });
    }
  }

  override async dropColumn(table: string, column: string): Promise<void> {
    if (!(await this.hasColumn(table, column))) return;
    await this.#dropIndexesOn(table, column);
    if ((await this.#text(table)).isConstrained(column)) {
      await this.#rebuild(table, { edit: (text) => text.removeColumn(column), without: [column] });
    } else {
      await super.dropColumn(table, column);
    }
  }

  async changeColumn(table: string, to: ColumnSpec): Promise<void> {
    const column = this.quote(to.name);
    const type = this.nativeType(to);
    const wantsText = ['decimal', 'string', 'text', 'json', 'date', 'time', 'datetime'].includes(to.kind);
    await this.#rebuild(table, {
      edit: (text) => text.replaceColumn(to.name, `${column} ${this.columnSql(to, [])}`),
      read: wantsText ? new Map([[to.name.toLowerCase(), `cast(${column} as text)`]]) : undefined,
      misfit: misfitSql(column, to, type),
    });
  }

  async setNotNull(table: string, column: string): Promise<void> {
    await this.#rebuild(table, { edit: (text) => text.setClause(column, ['not', 'null'], 'not null') });
  }

  async dropNotNull(table: string, column: string): Promise<void> {
    await this.#rebuild(table, { edit: (text) => text.setClause(column, ['not', 'null'], undefined) });
  }

  override async setDefault(table: string, column: string, value: DefaultValue): Promise<void> {
    await this.#rebuild(table, {
      edit: (text) => text.setClause(column, ['default'], `default ${this.defaultSql(value)}`),
    });
  }

  override async dropDefault(table: string, column: string): Promise<void> {
    await this.#rebuild(table, { edit: (text) => text.setClause(column, ['default'], undefined) });
  }

  async dropIndex(_table: string, index: string): Promise<void> {
    await this.run(`drop index if exists ${this.quote(index)}`);
  }

  override async addForeignKey(table: string, key: ForeignKeySpec): Promise<void> {
    if (await this.hasForeignKey(table, key.name)) return;
    await this.#rebuild(table, { edit: (text) => text.add(this.foreignKeySql(key)) });
  }

  async dropForeignKey(table: string, key: string): Promise<void> {
    if (!(await this.hasForeignKey(table, key))) return;
    await this.#rebuild(table, { edit: (text) => text.removeConstraint(key) });
  }

  protected columnSql(column: ColumnSpec, primaryKey: readonly string[]): string {
    const key = this.declaresPrimaryKey(column, primaryKey) ? ' primary key autoincrement' : '';
    return this.nativeType(column) + key + this.constraintsSql(column);
  }

  protected override declaresPrimaryKey(column: ColumnSpec, primaryKey: readonly string[]): boolean {
    return column.autoIncrement === true && primaryKey.length === 1 && primaryKey[0] === column.name;
  }

  protected textLiteral(text: string): string {
    return standardTextLiteral(text);
  }

  protected booleanLiteral(value: boolean): string {
    return value ? '1' : '0';
  }

  async #text(table: string): Promise<CreateTableText> {
    const found = await this.session.execute(
      "select sql from sqlite_master where type = 'table' and name = ? collate nocase",
      [table],
    );
    const sql = found.rows[0]?.[0];
    if (typeof sql !== 'string') throw new DatabaseError('missingTable', { table });
    return CreateTableText.parse(sql);
  }

  async #dropIndexesOn(table: string, column: string): Promise<void> {
    const found = await this.session.execute(
      'select distinct l.name from pragma_index_list(?) l join pragma_index_info(l.name) i ' +
        "where l.origin = 'c' and i.name = ? collate nocase",
      [table, column],
    );
    for (const [index] of found.rows) await this.dropIndex(table, String(index));
  }

  async #withoutForeignKeys(work: () => Promise<void>): Promise<void> {
    await this.run('pragma foreign_keys = off');
    try {
      await work();
    } finally {
      await this.run('pragma foreign_keys = on');
    }
  }

  /** Indexes, triggers, views and constraints refer to the column by name, so they need no change. */
  protected async replace(
    table: string,
    { column, source, former, ...rules }: ColumnReplacement,
    fill: () => Promise<void>,
  ): Promise<void> {
    const edit = (text: CreateTableText) => {
      text.setType(column, rules.nativeType);
      if (rules.nullable !== undefined)
        text.setClause(column, ['not', 'null'], rules.nullable ? undefined : 'not null');
      if (rules.default !== undefined)
        text.setClause(column, ['default'], this.#defaultClause(rules.default));
      text.removeColumn(source);
      if (former) text.add(`${this.quote(former.name)} ${former.nativeType}`);
    };
    const read = new Map([[column.toLowerCase(), this.quote(source)]]);
    if (former) read.set(former.name.toLowerCase(), this.quote(column));
    const before = async () => {
      if (!(await this.hasColumn(table, source)))
        await this.run(`${this.alter(table)} add column ${this.quote(source)} ${rules.nativeType}`);
      await fill();
    };
    await this.#rebuild(table, { edit, before, read, without: [source] });
  }

  #defaultClause(value: NonNullable<ColumnReplacement['default']>): string | undefined {
    return value.kind === 'none' ? undefined : `default ${this.defaultSql(value)}`;
  }

  async #rebuild(table: string, rebuild: Rebuild): Promise<void> {
    await this.#withoutForeignKeys(async () => {
      // Without this, renaming the new table checks every view, and views of the old table are invalid at that moment.
      await this.run('pragma legacy_alter_table = on');
      await this.run('begin immediate');
      try {
        const violations = await this.#violations(table);
        const attached = await this.#attached(table);
        if (rebuild.before !== undefined) {
          // Triggers answer to what people do to rows; filling a column must not fire them.
          for (const { type, name } of attached)
            if (type === 'trigger') await this.run(`drop trigger ${this.quote(name)}`);
          await rebuild.before();
        }
        const text = await this.#text(table);
        rebuild.edit(text);
        await this.#copyAndSwap(table, text, rebuild);
        for (const { sql } of attached) await this.run(sql);
        await this.#assertKeys(table, violations);
        await this.run('commit');
      } catch (error) {
        await this.run('rollback');
        throw error;
      } finally {
        await this.run('pragma legacy_alter_table = off');
      }
    });
  }

  async #copyAndSwap(table: string, text: CreateTableText, rebuild: Rebuild): Promise<void> {
    const sequence = text.hasAutoIncrement()
      ? await this.session.execute('select seq from sqlite_sequence where name = ? collate nocase', [table])
      : undefined;

    await this.run(`drop table if exists ${REBUILT}`);
    await this.run(text.toSql(REBUILT));
    const columns = await this.#copiedColumns(table, rebuild);
    const sources = columns.map((column) => rebuild.read?.get(column.toLowerCase()) ?? this.quote(column));
    await this.run(
      `insert into ${REBUILT} (${this.list(columns)}) select ${sources.join(', ')} from ${this.quote(table)}`,
    );
    await this.#assertSameCount(table);
    if (rebuild.misfit !== undefined && (await this.#count(`${REBUILT} where ${rebuild.misfit}`)) > 0) {
      throw new DatabaseError('badValue', { table });
    }
    await this.run(`drop table ${this.quote(table)}`);
    await this.run(`alter table ${REBUILT} rename to ${this.quote(table)}`);
    const last = sequence?.rows[0]?.[0];
    if (typeof last === 'number') {
      await this.session.execute('update sqlite_sequence set seq = ? where name = ? collate nocase', [
        last,
        table,
      ]);
    }
  }

  /** The indexes and triggers of a table, which are dropped with it. */
  async #attached(
    table: string,
  ): Promise<readonly { readonly type: string; readonly name: string; readonly sql: string }[]> {
    const found = await this.session.execute(
      "select type, name, sql from sqlite_master where tbl_name = ? collate nocase and type in ('index', 'trigger') and sql is not null",
      [table],
    );
    return found.rows.map(([type, name, sql]) => ({
      type: String(type),
      name: String(name),
      sql: String(sql),
    }));
  }

  /** @throws DatabaseError when more rows than before refer to missing rows */
  async #assertKeys(table: string, before: number): Promise<void> {
    if ((await this.#violations(table)) > before) throw new DatabaseError('foreignKey', { table });
  }

  /** The other tables whose foreign keys point to this one. */
  async #children(table: string): Promise<string[]> {
    const found = await this.session.execute(
      "select distinct m.name from sqlite_master m join pragma_foreign_key_list(m.name) f where m.type = 'table' " +
        'and f."table" = ? collate nocase and m.name <> ? collate nocase',
      [table, table],
    );
    return found.rows.map(([name]) => String(name));
  }

  /** The number of foreign key values that refer to missing rows, in the table and in those that refer to it. */
  async #violations(table: string): Promise<number> {
    let count = 0;
    for (const name of [table, ...(await this.#children(table))]) {
      const found = await this.session.execute('select count(*) from pragma_foreign_key_check(?)', [name]);
      count += Number(found.rows[0]?.[0]);
    }
    return count;
  }

  /** The columns that both tables have, and columns of the new table that are filled by an expression. */
  async #copiedColumns(table: string, { without = [], read }: Rebuild): Promise<string[]> {
    const left = new Set(without.map((name) => name.toLowerCase()));
    const kept = (await this.#storedColumns(table)).filter((name) => !left.has(name.toLowerCase()));
    const known = new Set(kept.map((name) => name.toLowerCase()));
    const made = (await this.#storedColumns(REBUILT)).filter(
      (name) => !known.has(name.toLowerCase()) && read?.has(name.toLowerCase()) === true,
    );
    return [...kept, ...made];
  }

  async #storedColumns(table: string): Promise<string[]> {
    // Hidden 2 and 3 are generated columns, which are computed again.
    const found = await this.session.execute('select name from pragma_table_xinfo(?) where hidden = 0', [
      table,
    ]);
    return found.rows.map(([name]) => String(name));
  }

  async #assertSameCount(table: string): Promise<void> {
    if ((await this.#count(this.quote(table))) !== (await this.#count(REBUILT))) {
      throw new Error(`Rebuilding '${table}' did not keep all rows; nothing was changed`);
    }
  }

  async #count(source: string): Promise<number> {
    const found = await this.session.execute(`select count(*) from ${source.replaceAll('?', '\\?')}`);
    return Number(found.rows[0]?.[0]);
  }
}

/** SQLite stores a value that does not fit as it was, so misfits have to be searched for. */
function misfitSql(column: string, to: ColumnSpec, type: string): string | undefined {
  switch (to.kind) {
    case 'boolean':
      return `${column} is not null and ${column} not in (0, 1)`;
    case 'integer':
    case 'bigint':
      return `${column} is not null and typeof(${column}) <> 'integer'`;
    case 'float':
      return `${column} is not null and typeof(${column}) not in ('integer', 'real')`;
    case 'decimal':
      return type.startsWith(SQLITE_DECIMAL)
        ? `${column} is not null and trellis_decimal_key(${column}) is null`
        : undefined;
    case 'date':
      return `${column} is not null and date(${column}) is null`;
    case 'datetime':
      return `${column} is not null and datetime(${column}) is null`;
    default:
      return undefined;
  }
}
