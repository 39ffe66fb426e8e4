import type { Session } from '../../sql/session.ts';
import { DatabaseError } from '../../sql/database-error.ts';
import type { Identifiers } from '../identifiers/default.ts';
import type { TypeMap } from '../types/default.ts';
import type {
  ColumnReplacement,
  ColumnSpec,
  DefaultValue,
  ForeignKeySpec,
  IndexSpec,
  ReferentialAction,
  SchemaChanger,
  TableSpec,
} from './schema-changer.ts';

export interface SchemaDialect {
  /** A changer that works on `session`, outside of any transaction. */
  createChanger(session: Session): SchemaChanger;
}

/** The statements that all databases share; subclasses add the rest. */
export abstract class SqlSchemaChanger implements SchemaChanger {
  constructor(
    protected readonly session: Session,
    protected readonly identifiers: Identifiers,
    protected readonly types: TypeMap,
  ) {}

  abstract hasTable(table: string): Promise<boolean>;
  abstract hasColumn(table: string, column: string): Promise<boolean>;
  abstract hasIndex(table: string, index: string): Promise<boolean>;
  abstract hasForeignKey(table: string, key: string): Promise<boolean>;
  abstract changeColumn(table: string, to: ColumnSpec): Promise<void>;
  /** The work of `replaceColumn` when the column was not replaced yet. */
  protected abstract replace(
    table: string,
    replacement: ColumnReplacement,
    fill: () => Promise<void>,
  ): Promise<void>;
  abstract setNotNull(table: string, column: string): Promise<void>;
  abstract dropNotNull(table: string, column: string): Promise<void>;
  abstract dropIndex(table: string, index: string): Promise<void>;
  abstract dropForeignKey(table: string, key: string): Promise<void>;
  /** The whole definition of a column after its name, such as `integer not null default 1`. */
  protected abstract columnSql(column: ColumnSpec, primaryKey: readonly string[]): string;
  protected abstract textLiteral(text: string): string;
  protected abstract booleanLiteral(value: boolean): string;

  async createTable(spec: TableSpec): Promise<void> {
    await this.ensure(() => this.hasTable(spec.name), this.createTableSql(spec));
    for (const index of spec.indexes ?? []) await this.createIndex(spec.name, index);
  }

  async dropTable(table: string): Promise<void> {
    await this.run(`drop table if exists ${this.identifiers.table(table)}`);
  }

  async renameTable(from: string, to: string): Promise<void> {
    if (await this.hasTable(from)) {
      await this.run(`alter table ${this.identifiers.table(from)} rename to ${this.quote(to)}`);
    } else if (!(await this.hasTable(to))) {
      throw new DatabaseError('missingTable', { table: from });
    }
  }

  async addColumn(table: string, column: ColumnSpec): Promise<void> {
    await this.ensure(
      () => this.hasColumn(table, column.name),
      `${this.alter(table)} add column ${this.quote(column.name)} ${this.columnSql(column, [])}`,
    );
  }

  async dropColumn(table: string, column: string): Promise<void> {
    await this.ensure(
      async () => !(await this.hasColumn(table, column)),
      `${this.alter(table)} drop column ${this.quote(column)}`,
    );
  }

  async renameColumn(table: string, from: string, to: string): Promise<void> {
    if (await this.hasColumn(table, from)) {
      await this.run(`${this.alter(table)} rename column ${this.quote(from)} to ${this.quote(to)}`);
    } else if (!(await this.hasColumn(table, to))) {
      throw new DatabaseError('missingColumn', { table, columns: [from] });
    }
  }

  async setDefault(table: string, column: string, value: DefaultValue): Promise<void> {
    await this.run(
      `${this.alter(table)} alter column ${this.quote(column)} set default ${this.defaultSql(value)}`,
    );
  }

  async dropDefault(table: string, column: string): Promise<void> {
    await this.run(`${this.alter(table)} alter column ${this.quote(column)} drop default`);
  }

  async replaceColumn(
    table: string,
    replacement: ColumnReplacement,
    fill: () => Promise<void>,
  ): Promise<void> {
    const { former, source } = replacement;
    const isReplaced =
      former === undefined
        ? !(await this.hasColumn(table, source))
        : await this.hasColumn(table, former.name);
    if (!isReplaced) await this.replace(table, replacement, fill);
  }

  async createIndex(table: string, index: IndexSpec): Promise<void> {
    const unique = index.unique === true ? 'unique ' : '';
    await this.ensure(
      () => this.hasIndex(table, index.name),
      `create ${unique}index ${this.quote(index.name)} on ${this.identifiers.table(table)} (${this.list(index.columns)})`,
    );
  }

  async addForeignKey(table: string, key: ForeignKeySpec): Promise<void> {
    await this.ensure(
      () => this.hasForeignKey(table, key.name),
      `${this.alter(table)} add ${this.foreignKeySql(key)}`,
    );
  }

  /** Runs `sql` unless its outcome holds already, also when another process brought it about meanwhile. */
  protected async ensure(holds: () => Promise<boolean>, sql: string): Promise<void> {
    if (await holds()) return;
    try {
      await this.run(sql);
    } catch (error) {
      if (!(await holds())) throw error;
    }
  }

  protected createTableSql(spec: TableSpec): string {
    const primaryKey = spec.primaryKey ?? [];
    const parts = spec.columns.map(
      (column) => `${this.quote(column.name)} ${this.columnSql(column, primaryKey)}`,
    );
    const inColumn = spec.columns.some((column) => this.declaresPrimaryKey(column, primaryKey));
    if (primaryKey.length > 0 && !inColumn) parts.push(`primary key (${this.list(primaryKey)})`);
    parts.push(...(spec.foreignKeys ?? []).map((key) => this.foreignKeySql(key)));
    return `create table ${this.identifiers.table(spec.name)} (${parts.join(', ')})`;
  }

  /** Whether the column's own definition contains `primary key`. */
  protected declaresPrimaryKey(_column: ColumnSpec, _primaryKey: readonly string[]): boolean {
    return false;
  }

  protected foreignKeySql(key: ForeignKeySpec): string {
    return (
      `constraint ${this.quote(key.name)} foreign key (${this.list(key.columns)}) ` +
      `references ${this.identifiers.table(key.table)} (${this.list(key.references)})` +
      (key.onDelete === undefined ? '' : ` on delete ${this.actionSql(key.onDelete)}`) +
      (key.onUpdate === undefined ? '' : ` on update ${this.actionSql(key.onUpdate)}`)
    );
  }

  protected actionSql(action: ReferentialAction): string {
    if (!ACTIONS.has(action)) throw new TypeError(`'${action}' is not an action of a foreign key`);
    return action;
  }

  protected nativeType(column: ColumnSpec): string {
    return this.types.nativeFor(column.kind, column);
  }

  protected constraintsSql(column: ColumnSpec): string {
    const empty = column.nullable === false ? ' not null' : '';
    return column.default === undefined ? empty : `${empty} default ${this.defaultSql(column.default)}`;
  }

  protected defaultSql(value: DefaultValue): string {
    if (value.kind === 'now') return this.nowSql();
    switch (typeof value.value) {
      case 'string':
        return this.textLiteral(value.value);
      case 'boolean':
        return this.booleanLiteral(value.value);
      case 'number':
        if (Number.isFinite(value.value)) return String(value.value);
        throw new TypeError('A default must be a finite number');
    }
  }

  protected nowSql(): string {
    return 'current_timestamp';
  }

  protected quote(name: string): string {
    return this.identifiers.quote(name);
  }

  protected list(names: readonly string[]): string {
    return names.map((name) => this.quote(name)).join(', ');
  }

  protected alter(table: string): string {
    return `alter table ${this.identifiers.table(table)}`;
  }

  /** Runs SQL text in which `?` is no placeholder. */
  protected async run(sql: string): Promise<void> {
    await this.session.execute(sql.replaceAll('?', '\\?'));
  }

  protected async exists(sql: string, bindings: readonly string[]): Promise<boolean> {
    return (await this.session.execute(sql, bindings)).rows.length > 0;
  }
}

const ACTIONS = new Set(['no action', 'restrict', 'cascade', 'set null', 'set default']);

/** `'it''s'`: the literal of databases where a backslash is an ordinary character. */
export function standardTextLiteral(text: string): string {
  if (text.includes('\0'))
    throw new TypeError('A default holds a NUL character, which databases cannot keep');
  return `'${text.replaceAll("'", "''")}'`;
}
