import type { AccessScope, AuditText, ColumnSchema, ProjectSnapshot, TableSchema } from '@trellis/sdk/server';
import type { StorageKind } from '@trellis/sdk/shared';
import type { Database } from '../../databases/database.ts';
import { DatabaseError } from '../../databases/index.ts';
import { chooseName } from '../names.ts';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import { models } from '../../metadata/models/models.ts';
import { projectErrors } from '../../metadata/project-errors.ts';
import type { SchemaChange } from '../schema-changes.ts';
import { schemaErrors } from '../schema-errors.ts';
import { columnChanges } from './column-changes.ts';
import { createRowsInTheWay, type RowsAsked, type RowsInTheWay } from './rows-in-the-way.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';

/** The most columns of a table. Databases allow more. */
const mostColumns = 500;

export interface FoundTable {
  readonly snapshot: ProjectSnapshot;
  readonly table: TableSchema;
}

export interface FoundColumn extends FoundTable {
  readonly column: ColumnSchema;
}

/** The request for a column's name in the database. */
interface WantedName {
  readonly title: string;
  /** The name that is asked for. */
  readonly columnName?: string | undefined;
  /** Names that the same change gives to other columns. */
  readonly besides?: readonly string[];
}

/** The log entry of a change to the columns of a table. */
interface ColumnChange extends Pick<SchemaChange, 'changes'> {
  readonly subType: string;
  readonly description: AuditText;
}

/** The steps that every change of a column needs: finding and checking the column, its names and rows, and announcing the change. */
export function createColumnTools(parts: SchemaStoreParts) {
  const { metadata, snapshotOf, changeMetadata } = parts;
  const { database } = metadata;
  const rowsInTheWay = createRowsInTheWay(parts);

  async function findTable(scope: AccessScope, tableId: string): Promise<FoundTable> {
    const snapshot = await snapshotOf(scope);
    const table = snapshot.tables.get(tableId);
    if (table === undefined) throw schemaErrors.create('TABLE_NOT_FOUND');
    return { snapshot, table };
  }

  async function findColumn(scope: AccessScope, columnId: string): Promise<FoundColumn> {
    const snapshot = await snapshotOf(scope);
    const column = snapshot.column(columnId);
    const table = column && snapshot.tables.get(column.tableId);
    if (column === undefined || table === undefined)
      throw schemaErrors.create('COLUMN_NOT_FOUND', { column: columnId });
    return { snapshot, table, column };
  }

  function baseOf(snapshot: ProjectSnapshot, table: TableSchema) {
    const base = snapshot.bases.get(table.baseId);
    if (base === undefined) throw projectErrors.create('PROJECT_NOT_FOUND');
    return base;
  }

  function assertChangeable(table: TableSchema): void {
    if (table.kind === 'view') throw schemaErrors.create('TABLE_READ_ONLY', { reason: table.readOnlyReason });
  }

  /** The names of all columns that the table has in the database, including parked ones. */
  async function takenNames(table: TableSchema): Promise<readonly string[]> {
    const { ColumnModel } = await models();
    const rows = await database.read(async (unit) =>
      ColumnModel.query(unit.knex).where({ table_id: table.id }).select('column_name'),
    );
    return rows.map((row) => row.column_name);
  }

  /** Refuses a column beyond the database's limit. Deleted columns count until they are purged. */
  async function assertRoom(target: Database, table: TableSchema): Promise<void> {
    const limit = Math.min(target.dialect.limits.columnsPerTable, mostColumns);
    const names = await takenNames(table);
    if (names.length >= limit) throw schemaErrors.create('TOO_MANY_COLUMNS', { limit });
  }

  /**
   * A name that no column of the table has in the database, not even one that the metadata does not know: a job that runs again
   * would take such a column for the one it added, and drop it on failure.
   */
  async function freeColumnName(
    target: Database,
    table: TableSchema,
    { title, columnName, besides = [] }: WantedName,
  ): Promise<string> {
    const taken = [...(await takenNames(table)), ...besides];
    for (;;) {
      const name = chooseName('column', title, columnName, taken);
      const isThere = await target.schema((changer) => changer.hasColumn(table.tableName, name));
      if (!isThere) return name;
      taken.push(name);
    }
  }

  /** MySQL cannot index a text of any length as a whole. */
  function assertIndexable(target: Database, column: string, storage: StorageKind): void {
    const isLong = storage === 'text' || storage === 'json' || storage === 'binary';
    if (isLong && !target.dialect.statements.indexesLongText)
      throw schemaErrors.create('UNIQUE_LONG_TEXT', { column });
  }

  /** Refuses to make a column unique, naming values that are in several rows. */
  async function runUnique(
    title: string,
    repeated: () => Promise<RowsInTheWay>,
    run: () => Promise<void>,
  ): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.kind !== 'unique') throw error;
      const { count, samples } = await repeated();
      const code = samples === '' ? 'COLUMN_NOT_UNIQUE_UNSEEN' : 'COLUMN_NOT_UNIQUE';
      throw schemaErrors.create(code, { column: title, count, values: samples }, error);
    }
  }

  /**
   * @param column the title of a column that is yet to be added, for which no row has a value
   * @throws TrellisError 400 that names rows without a value.
   */
  async function assertNoneEmpty(asked: RowsAsked, column: ColumnSchema | string): Promise<void> {
    const [title, emptyIn] = typeof column === 'string' ? [column, undefined] : [column.title, column];
    const { count, samples } = await rowsInTheWay.empty(asked, emptyIn);
    if (count === 0) return;
    const code = samples === '' ? 'COLUMN_NEEDS_DEFAULT_UNSEEN' : 'COLUMN_NEEDS_DEFAULT';
    throw schemaErrors.create(code, { column: title, count, rows: samples });
  }

  async function hasRows(
    target: Database,
    table: TableSchema,
    emptyIn?: Pick<ColumnSchema, 'columnName'>,
  ): Promise<boolean> {
    const { identifiers } = target.dialect;
    const columns = [...table.columnByName.keys()].slice(0, 1).map((name) => identifiers.knexName(name));
    const query = target.builder(identifiers.knexTable(table.tableName)).select(columns).limit(1);
    if (emptyIn) void query.whereNull(identifiers.knexName(emptyIn.columnName));
    const { rows } = await target.read((unit) => unit.rows(query));
    return rows.length > 0;
  }

  function change(
    scope: AccessScope,
    table: TableSchema,
    { subType, description, changes = [] }: ColumnChange,
  ): SchemaChange {
    return {
      scope,
      auditType: 'TABLE_COLUMN',
      auditSubType: subType,
      projectId: table.projectId,
      baseId: table.baseId,
      tableId: table.id,
      description,
      changes,
    };
  }

  /** Updates the metadata of a column; the database is not changed. */
  async function patchRow(
    scope: AccessScope,
    { table, column }: Pick<FoundColumn, 'table' | 'column'>,
    patch: Partial<ColumnRow>,
    description: AuditText,
  ): Promise<void> {
    const { ColumnModel } = await models();
    await changeMetadata(
      table.projectId,
      async (unit) => {
        const changes = await ColumnModel.query(unit.knex)
          .where({ id: column.id })
          .whereNull('parked_at')
          .patch({ ...patch, updated_at: Date.now() });
        if (changes === 0) throw schemaErrors.create('COLUMN_NOT_FOUND', { column: column.title });
      },
      change(scope, table, { subType: 'UPDATED', description, changes: columnChanges(column, patch) }),
    );
  }

  async function readRow(columnId: string): Promise<ColumnRow> {
    const { ColumnModel } = await models();
    const row = await database.read(async (unit) => ColumnModel.query(unit.knex).findById(columnId));
    if (row === undefined) throw schemaErrors.create('COLUMN_NOT_FOUND', { column: columnId });
    return row.toJSON();
  }

  return {
    findTable,
    findColumn,
    baseOf,
    assertChangeable,
    assertRoom,
    freeColumnName,
    assertIndexable,
    runUnique,
    hasRows,
    assertNoneEmpty,
    repeatedValues: rowsInTheWay.repeated,
    change,
    patchRow,
    readRow,
  };
}

export type ColumnTools = ReturnType<typeof createColumnTools>;
