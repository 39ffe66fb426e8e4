import { DatabaseError } from '../../sql/database-error.ts';
import type { Identifiers } from '../identifiers/default.ts';
import type { Session } from '../../sql/session.ts';
import { mssqlTypes } from '../types/mssql.ts';
import { SqlSchemaChanger, standardTextLiteral, type SchemaDialect } from './default.ts';
import type { ColumnReplacement, ColumnSpec, IndexSpec, TableSpec, DefaultValue } from './schema-changer.ts';

export function mssqlSchema(identifiers: Identifiers): SchemaDialect {
  return { createChanger: (session) => new MssqlSchemaChanger(session, identifiers, mssqlTypes) };
}

/** A column as in SQL Server's catalogue. */
interface FoundColumn {
  readonly type: string;
  readonly isNullable: boolean;
  readonly collation: string | undefined;
  /** The default as printed, with its brackets. */
  readonly default: string | undefined;
}

class MssqlSchemaChanger extends SqlSchemaChanger {
  constructor(session: Session, identifiers: Identifiers, types: typeof mssqlTypes) {
    super(session, identifiers, types);
  }

  hasTable(table: string): Promise<boolean> {
    return this.exists('select 1 where object_id(?) is not null', [this.#table(table)]);
  }

  hasColumn(table: string, column: string): Promise<boolean> {
    return this.exists('select 1 from sys.columns where object_id = object_id(?) and name = ?', [
      this.#table(table),
      column,
    ]);
  }

  hasIndex(table: string, index: string): Promise<boolean> {
    return this.exists('select 1 from sys.indexes where object_id = object_id(?) and name = ?', [
      this.#table(table),
      index,
    ]);
  }

  hasForeignKey(table: string, key: string): Promise<boolean> {
    return this.exists('select 1 from sys.foreign_keys where parent_object_id = object_id(?) and name = ?', [
      this.#table(table),
      key,
    ]);
  }

  override async renameTable(from: string, to: string): Promise<void> {
    if (await this.hasTable(from)) {
      await this.#rename(this.#table(from), to);
    } else if (!(await this.hasTable(to))) {
      throw new DatabaseError('missingTable', { table: from });
    }
  }

  override async addColumn(table: string, column: ColumnSpec): Promise<void> {
    // Existing rows get the default too, as on the other databases.
    const filled = column.default !== undefined && column.nullable !== false ? ' with values' : '';
    await this.ensure(
      () => this.hasColumn(table, column.name),
      `${this.alter(table)} add ${this.quote(column.name)} ${this.columnSql(column)}${filled}`,
    );
  }

  override async dropColumn(table: string, column: string): Promise<void> {
    if (!(await this.hasColumn(table, column))) return;
    await this.#dropUses(table, column);
    await super.dropColumn(table, column);
  }

  override async renameColumn(table: string, from: string, to: string): Promise<void> {
    if (await this.hasColumn(table, from)) {
      await this.#rename(`${this.#table(table)}.${this.quote(from)}`, to, 'COLUMN');
    } else if (!(await this.hasColumn(table, to))) {
      throw new DatabaseError('missingColumn', { table, columns: [from] });
    }
  }

  override async setDefault(table: string, column: string, value: DefaultValue): Promise<void> {
    await this.dropDefault(table, column);
    await this.run(`${this.alter(table)} add default ${this.defaultSql(value)} for ${this.quote(column)}`);
  }

  override async dropDefault(table: string, column: string): Promise<void> {
    const found = await this.session.execute(
      'select d.name from sys.default_constraints d join sys.columns c on c.default_object_id = d.object_id ' +
        'where c.object_id = object_id(?) and c.name = ?',
      [this.#table(table), column],
    );
    for (const [name] of found.rows) await this.#dropConstraint(table, String(name));
  }

  async changeColumn(table: string, to: ColumnSpec): Promise<void> {
    await this.dropDefault(table, to.name);
    await this.#alterColumn(table, to.name, this.nativeType(to), to.nullable !== false);
    if (to.default !== undefined) await this.setDefault(table, to.name, to.default);
  }

  async setNotNull(table: string, column: string): Promise<void> {
    const { type, collation } = await this.#found(table, column);
    await this.#alterColumn(table, column, withCollation(type, collation), false);
  }

  async dropNotNull(table: string, column: string): Promise<void> {
    const { type, collation } = await this.#found(table, column);
    await this.#alterColumn(table, column, withCollation(type, collation), true);
  }

  /** On SQL Server a unique index allows a single null, on other databases any number, so rows with a null are left out of the index. */
  override async createIndex(table: string, index: IndexSpec): Promise<void> {
    if (index.unique !== true) return super.createIndex(table, index);
    const filled = index.columns.map((column) => `${this.quote(column)} is not null`).join(' and ');
    await this.ensure(
      () => this.hasIndex(table, index.name),
      `create unique index ${this.quote(index.name)} on ${this.#table(table)} (${this.list(index.columns)}) where ${filled}`,
    );
  }

  async dropIndex(table: string, index: string): Promise<void> {
    if (await this.hasIndex(table, index))
      await this.run(`drop index ${this.quote(index)} on ${this.#table(table)}`);
  }

  async dropForeignKey(table: string, key: string): Promise<void> {
    if (await this.hasForeignKey(table, key)) await this.#dropConstraint(table, key);
  }

  /** A column with indexes or keys is refused, since they would stay with the former values. */
  protected async replace(
    table: string,
    { column, source, former, ...rules }: ColumnReplacement,
    fill: () => Promise<void>,
  ): Promise<void> {
    if (await this.#isIndexed(table, column)) {
      throw new DatabaseError('check', { table, columns: [column], code: 'COLUMN_INDEXED' });
    }
    const found = await this.#found(table, column);
    await this.run('begin transaction');
    try {
      // A select that returns no rows would not read the table, and so would not lock it.
      await this.run(`select top (1) 1 as one from ${this.#table(table)} with (tablockx, holdlock)`);
      if (!(await this.hasColumn(table, source)))
        await this.run(`${this.alter(table)} add ${this.quote(source)} ${rules.nativeType} null`);
      await fill();
      await this.#dropUses(table, column);
      if (former === undefined) await this.run(`${this.alter(table)} drop column ${this.quote(column)}`);
      else {
        await this.#alterColumn(table, column, former.nativeType, true);
        await this.#rename(`${this.#table(table)}.${this.quote(column)}`, former.name, 'COLUMN');
      }
      await this.#rename(`${this.#table(table)}.${this.quote(source)}`, column, 'COLUMN');
      if (!(rules.nullable ?? found.isNullable))
        await this.#alterColumn(table, column, rules.nativeType, false);
      if (rules.default === undefined) await this.#restoreDefault(table, column, found.default);
      else if (rules.default.kind !== 'none') await this.setDefault(table, column, rules.default);
      await this.run('commit');
    } catch (error) {
      await this.run('rollback');
      throw error;
    }
  }

  protected columnSql(column: ColumnSpec): string {
    const counting = column.autoIncrement === true ? ' identity(1,1)' : '';
    const empty = column.nullable === false ? ' not null' : ' null';
    const fallback = column.default === undefined ? '' : ` default ${this.defaultSql(column.default)}`;
    return `${this.nativeType(column)}${counting}${column.autoIncrement === true ? ' not null' : empty}${fallback}`;
  }

  /** SQL Server requires key columns to be `not null`. */
  protected override createTableSql(spec: TableSpec): string {
    const keys = new Set(spec.primaryKey ?? []);
    return super.createTableSql({
      ...spec,
      columns: spec.columns.map((column) =>
        keys.has(column.name) ? { ...column, nullable: false } : column,
      ),
    });
  }

  protected override actionSql(action: Parameters<SqlSchemaChanger['actionSql']>[0]): string {
    // SQL Server has no word for `restrict`, and `no action` does the same there.
    return super.actionSql(action === 'restrict' ? 'no action' : action);
  }

  protected textLiteral(text: string): string {
    return `N${standardTextLiteral(text)}`;
  }

  protected booleanLiteral(value: boolean): string {
    return value ? '1' : '0';
  }

  protected override nowSql(): string {
    return 'convert(datetime2(0), convert(varchar(19), sysutcdatetime(), 126))';
  }

  #table(table: string): string {
    return this.identifiers.table(table);
  }

  /** @param path the quoted name, which is itself within a text literal here */
  async #rename(path: string, to: string, kind?: 'COLUMN'): Promise<void> {
    const what = kind === undefined ? '' : `, N'${kind}'`;
    await this.run(`exec sp_rename ${this.textLiteral(path)}, ${this.textLiteral(to)}${what}`);
  }

  async #alterColumn(table: string, column: string, type: string, isNullable: boolean): Promise<void> {
    await this.run(
      `${this.alter(table)} alter column ${this.quote(column)} ${type} ${isNullable ? 'null' : 'not null'}`,
    );
  }

  async #dropConstraint(table: string, name: string): Promise<void> {
    await this.run(`${this.alter(table)} drop constraint ${this.quote(name)}`);
  }

  async #restoreDefault(table: string, column: string, printed: string | undefined): Promise<void> {
    if (printed !== undefined)
      await this.run(`${this.alter(table)} add default ${printed} for ${this.quote(column)}`);
  }

  #isIndexed(table: string, column: string): Promise<boolean> {
    return this.exists(
      'select 1 from sys.index_columns k join sys.columns c on c.object_id = k.object_id and c.column_id = k.column_id ' +
        'where k.object_id = object_id(?) and c.name = ?',
      [this.#table(table), column],
    );
  }

  /** SQL Server refuses to drop a column that a default, a rule, a foreign key or an index uses. */
  async #dropUses(table: string, column: string): Promise<void> {
    await this.dropDefault(table, column);
    const [name, of] = [this.#table(table), [this.#table(table), column]];
    const rules = await this.session.execute(
      'select r.name from sys.check_constraints r join sys.columns c on c.object_id = r.parent_object_id and c.column_id = r.parent_column_id ' +
        'where r.parent_object_id = object_id(?) and c.name = ?',
      of,
    );
    const keys = await this.session.execute(
      'select distinct f.name from sys.foreign_keys f join sys.foreign_key_columns k on k.constraint_object_id = f.object_id ' +
        'join sys.columns c on c.object_id = k.parent_object_id and c.column_id = k.parent_column_id ' +
        'where f.parent_object_id = object_id(?) and c.name = ?',
      of,
    );
    for (const [constraint] of [...rules.rows, ...keys.rows])
      await this.#dropConstraint(table, String(constraint));
    const indexes = await this.session.execute(
      'select distinct i.name, i.is_unique_constraint from sys.indexes i join sys.index_columns k on k.object_id = i.object_id and k.index_id = i.index_id ' +
        'join sys.columns c on c.object_id = k.object_id and c.column_id = k.column_id ' +
        'where i.object_id = object_id(?) and c.name = ? and i.is_primary_key = 0',
      of,
    );
    for (const [index, isConstraint] of indexes.rows) {
      if (isConstraint) await this.#dropConstraint(table, String(index));
      else await this.run(`drop index ${this.quote(String(index))} on ${name}`);
    }
  }

  async #found(table: string, column: string): Promise<FoundColumn> {
    const { rows } = await this.session.execute(
      "select type_name(c.system_type_id) + case when type_name(c.system_type_id) in ('nvarchar', 'nchar') " +
        "then '(' + case when c.max_length = -1 then 'max' else cast(c.max_length / 2 as varchar(5)) end + ')' " +
        "when type_name(c.system_type_id) in ('varchar', 'char', 'varbinary', 'binary') " +
        "then '(' + case when c.max_length = -1 then 'max' else cast(c.max_length as varchar(5)) end + ')' " +
        "when type_name(c.system_type_id) in ('decimal', 'numeric') then '(' + cast(c.precision as varchar(2)) + ',' + cast(c.scale as varchar(2)) + ')' " +
        "when type_name(c.system_type_id) in ('datetime2', 'time', 'datetimeoffset') then '(' + cast(c.scale as varchar(2)) + ')' else '' end, " +
        'c.is_nullable, c.collation_name, d.definition from sys.columns c left join sys.default_constraints d on d.object_id = c.default_object_id ' +
        'where c.object_id = object_id(?) and c.name = ?',
      [this.#table(table), column],
    );
    const row = rows[0];
    if (row === undefined) throw new DatabaseError('missingColumn', { table, columns: [column] });
    const [type, isNullable, collation, printed] = row;
    return {
      type: String(type),
      isNullable: Boolean(isNullable),
      collation: typeof collation === 'string' ? collation : undefined,
      default: typeof printed === 'string' ? printed : undefined,
    };
  }
}

function withCollation(type: string, collation: string | undefined): string {
  return collation === undefined ? type : `${type} collate ${collation}`;
}
