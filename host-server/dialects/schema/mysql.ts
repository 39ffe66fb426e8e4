import { DatabaseError } from '../../sql/database-error.ts';
import { mysqlIdentifiers } from '../identifiers/mysql.ts';
import { mysqlTypes, printedDefault } from '../types/mysql.ts';
import { SqlSchemaChanger, standardTextLiteral, type SchemaDialect } from './default.ts';
import type { ColumnReplacement, ColumnSpec, ReferentialAction, TableSpec } from './schema-changer.ts';

export const mysqlSchema: SchemaDialect = {
  createChanger: (session) => new MysqlSchemaChanger(session, mysqlIdentifiers, mysqlTypes),
};

const IN_SCHEMA = 'table_schema = database()';

/** The collations without padding of MySQL and of MariaDB; each server has one of them, unless it is very old. */
const EXACT_COLLATIONS = ['utf8mb4_0900_bin', 'utf8mb4_nopad_bin'];

class MysqlSchemaChanger extends SqlSchemaChanger {
  #collation = 'utf8mb4_bin';

  hasTable(table: string): Promise<boolean> {
    return this.exists(`select 1 from information_schema.tables where ${IN_SCHEMA} and table_name = ?`, [
      table,
    ]);
  }

  hasColumn(table: string, column: string): Promise<boolean> {
    return this.exists(
      `select 1 from information_schema.columns where ${IN_SCHEMA} and table_name = ? and column_name = ?`,
      [table, column],
    );
  }

  hasIndex(table: string, index: string): Promise<boolean> {
    return this.exists(
      `select 1 from information_schema.statistics where ${IN_SCHEMA} and table_name = ? and index_name = ?`,
      [table, index],
    );
  }

  hasForeignKey(table: string, key: string): Promise<boolean> {
    return this.exists(
      `select 1 from information_schema.table_constraints where ${IN_SCHEMA} and table_name = ? and constraint_name = ?`,
      [table, key],
    );
  }

  override async dropColumn(table: string, column: string): Promise<void> {
    // MySQL refuses to drop a column that a foreign key uses.
    const keys = await this.session.execute(
      `select distinct constraint_name from information_schema.key_column_usage where ${IN_SCHEMA} ` +
        'and table_name = ? and column_name = ? and referenced_table_name is not null',
      [table, column],
    );
    for (const [key] of keys.rows) await this.dropForeignKey(table, String(key));
    await super.dropColumn(table, column);
  }

  async changeColumn(table: string, to: ColumnSpec): Promise<void> {
    await this.run(`${this.alter(table)} modify column ${this.quote(to.name)} ${this.columnSql(to)}`);
  }

  async setNotNull(table: string, column: string): Promise<void> {
    await this.#modify(table, column, 'not null');
  }

  async dropNotNull(table: string, column: string): Promise<void> {
    await this.#modify(table, column, 'null');
  }

  async dropIndex(table: string, index: string): Promise<void> {
    if (await this.hasIndex(table, index))
      await this.run(`drop index ${this.quote(index)} on ${this.quote(table)}`);
  }

  async dropForeignKey(table: string, key: string): Promise<void> {
    if (await this.hasForeignKey(table, key))
      await this.run(`${this.alter(table)} drop foreign key ${this.quote(key)}`);
  }

  /**
   * InnoDB has no `set default`. The columns of foreign keys that this product makes have the default null, so `set null` means
   * the same.
   */
  protected override actionSql(action: ReferentialAction): string {
    return super.actionSql(action === 'set default' ? 'set null' : action);
  }

  /**
   * MySQL commits each change of a schema, so all columns are renamed in one statement. A column with indexes or keys is refused,
   * since they would stay with the former values.
   */
  protected async replace(
    table: string,
    { column, source, former, ...rules }: ColumnReplacement,
    fill: () => Promise<void>,
  ): Promise<void> {
    if (await this.#isIndexed(table, column)) {
      throw new DatabaseError('check', { table, columns: [column], code: 'COLUMN_INDEXED' });
    }
    const found = await this.session.execute(
      `select is_nullable, column_default from information_schema.columns where ${IN_SCHEMA} and table_name = ? and column_name = ?`,
      [table, column],
    );
    const [isNullable, printed] = found.rows[0] ?? [];
    if (!(await this.hasColumn(table, source)))
      await this.run(`${this.alter(table)} add column ${this.quote(source)} ${rules.nativeType} null`);
    await this.run(`lock tables ${this.quote(table)} write`);
    try {
      await fill();
      const takesNulls = rules.nullable ?? isNullable === 'YES';
      const changes = [
        former === undefined
          ? `drop column ${this.quote(column)}`
          : `change column ${this.quote(column)} ${this.quote(former.name)} ${former.nativeType} null`,
        `change column ${this.quote(source)} ${this.quote(column)} ${rules.nativeType} ${takesNulls ? 'null' : 'not null'}`,
      ];
      await this.run(`${this.alter(table)} ${changes.join(', ')}`);
    } finally {
      await this.run('unlock tables');
    }
    if (rules.default === undefined) {
      if (typeof printed === 'string' && printed !== 'NULL')
        await this.#restoreDefault(table, column, printed);
    } else if (rules.default.kind !== 'none') await this.setDefault(table, column, rules.default);
  }

  #isIndexed(table: string, column: string): Promise<boolean> {
    return this.exists(
      `select 1 from information_schema.statistics where ${IN_SCHEMA} and table_name = ? and column_name = ?`,
      [table, column],
    );
  }

  /** `modify` states the whole definition of a column, so the rest of it is read and repeated. */
  async #modify(table: string, column: string, emptiness: 'null' | 'not null'): Promise<void> {
    const found = await this.session.execute(
      'select column_type, column_default, extra, character_set_name, collation_name, data_type ' +
        `from information_schema.columns where ${IN_SCHEMA} and table_name = ? and column_name = ?`,
      [table, column],
    );
    const row = found.rows[0];
    if (row === undefined) throw new DatabaseError('missingColumn', { table, columns: [column] });
    const [type, fallback, extra, charset, collation] = row.map((cell) =>
      typeof cell === 'string' ? cell : undefined,
    );
    const charsetSql = charset === undefined ? '' : ` character set ${charset} collate ${collation}`;
    const increments = extra?.includes('auto_increment') === true ? ' auto_increment' : '';
    await this.run(
      `${this.alter(table)} modify column ${this.quote(column)} ${type}${charsetSql} ${emptiness}${increments}`,
    );
    // The default is set separately, since MySQL and MariaDB print defaults differently.
    if (fallback !== undefined && fallback !== 'NULL')
      await this.#restoreDefault(table, column, printedDefault(type ?? '', fallback));
  }

  async #restoreDefault(table: string, column: string, printed: string): Promise<void> {
    const isLiteral = /^'(?:[^']|'')*'$|^-?\d+(\.\d+)?$/.test(printed);
    const isNow = /^current_timestamp(\(\d?\))?$/i.test(printed);
    const sql = isLiteral ? printed : isNow ? printed : this.textLiteral(printed);
    await this.run(`${this.alter(table)} alter column ${this.quote(column)} set default ${sql}`);
  }

  /** Text compares by bytes, including trailing spaces, as on the other databases. */
  override async createTable(spec: TableSpec): Promise<void> {
    const found = await this.session.execute(
      'select collation_name from information_schema.collations where collation_name in (?, ?)',
      EXACT_COLLATIONS,
    );
    this.#collation = typeof found.rows[0]?.[0] === 'string' ? found.rows[0][0] : 'utf8mb4_bin';
    await super.createTable(spec);
  }

  protected override createTableSql(spec: TableSpec): string {
    return `${super.createTableSql(spec)} character set utf8mb4 collate ${this.#collation}`;
  }

  protected columnSql(column: ColumnSpec): string {
    const increments = column.autoIncrement === true ? ' auto_increment' : '';
    const empty = column.nullable === false || column.autoIncrement === true ? ' not null' : ' null';
    const fallback = column.default === undefined ? '' : ` default ${this.#defaultOf(column)}`;
    return `${this.nativeType(column)}${empty}${increments}${fallback}`;
  }

  #defaultOf(column: ColumnSpec): string {
    if (column.default?.kind === 'now')
      return this.nativeType(column).endsWith('(6)') ? 'current_timestamp(6)' : 'current_timestamp';
    // Text and JSON columns accept only expressions as defaults.
    const sql = column.default === undefined ? 'null' : this.defaultSql(column.default);
    return column.kind === 'text' || column.kind === 'json' ? `(${sql})` : sql;
  }

  protected textLiteral(text: string): string {
    return standardTextLiteral(text.replaceAll('\\', '\\\\'));
  }

  protected booleanLiteral(value: boolean): string {
    return value ? '1' : '0';
  }
}
