import type {
  AccessScope,
  ColumnInput,
  ColumnSchema,
  ProjectSnapshot,
  SchemaStore,
  TableSchema,
} from '@trellis/sdk/server';
import type { StorageKind } from '@trellis/sdk/shared';
import type { Database } from '../databases/database.ts';
import { DatabaseError } from '../databases/index.ts';
import { newId } from '../metadata/ids.ts';
import { planColumn, type ColumnPlan } from './column-plan.ts';
import { reportLoss, type Conversion } from './convert-column.ts';
import type { NewDefault } from './job-kinds.ts';
import { checkColumnTitle, chooseName } from './names.ts';
import type { ColumnRow, Stored } from './rows.ts';
import { schemaErrors } from './schema-errors.ts';
import type { SchemaStoreParts } from './schema-store.ts';

type ColumnMethods = Pick<SchemaStore, 'createColumn' | 'updateColumn' | 'deleteColumn' | 'setDisplayColumn'>;

interface FoundColumn {
  readonly snapshot: ProjectSnapshot;
  readonly table: TableSchema;
  readonly column: ColumnSchema;
}

/** The options of a column that a type change may read as "yes, lose those values". */
const lossAccepted = 'acceptLoss';

/** Adding, changing and parking columns. */
export function columnMethods(parts: SchemaStoreParts): ColumnMethods {
  const { metadata, databases, columnTypes, jobs, kinds, record, announce, snapshotOf, hooks, convert } =
    parts;
  const { database, generations } = metadata;

  async function findTable(
    scope: AccessScope,
    tableId: string,
  ): Promise<{ snapshot: ProjectSnapshot; table: TableSchema }> {
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
    if (base === undefined) throw schemaErrors.create('PROJECT_NOT_FOUND');
    return base;
  }

  function assertChangeable(table: TableSchema): void {
    if (table.kind === 'view') throw schemaErrors.create('TABLE_READ_ONLY', { reason: table.readOnlyReason });
  }

  /** Names of all columns that the table has in the database, parked ones too. */
  async function takenNames(table: TableSchema): Promise<readonly string[]> {
    const rows = await database.read((unit) =>
      unit.all<{ column_name: string }>(
        unit.knex('trellis_column').where({ table_id: table.id }).select('column_name'),
      ),
    );
    return rows.map((row) => row.column_name);
  }

  /** A name that the table does not have, known to us or not: a job must never take a column for its own that was there. */
  async function freeColumnName(
    target: Database,
    table: TableSchema,
    title: string,
    wanted: string | undefined,
  ): Promise<string> {
    const taken = [...(await takenNames(table))];
    for (;;) {
      const name = chooseName('column', title, wanted, taken);
      const isThere = await target.schema((changer) => changer.hasColumn(table.tableName, name));
      if (!isThere) return name;
      taken.push(name);
    }
  }

  /** MySQL keeps no index over a whole text of any length. */
  function assertIndexable(target: Database, column: string, storage: StorageKind): void {
    const isLong = storage === 'text' || storage === 'json' || storage === 'binary';
    if (isLong && target.dialect.name === 'mysql') throw schemaErrors.create('UNIQUE_LONG_TEXT', { column });
  }

  /** Says which column it is when a value stands twice in one that is to be unique. */
  async function runUnique(column: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (error instanceof DatabaseError && error.kind === 'unique') {
        throw schemaErrors.create('COLUMN_NOT_UNIQUE', { column });
      }
      throw error;
    }
  }

  async function hasRows(target: Database, table: TableSchema, emptyIn?: ColumnSchema): Promise<boolean> {
    const { identifiers } = target.dialect;
    const columns = table.columns.slice(0, 1).map((column) => identifiers.knexName(column.columnName));
    const query = target.builder(identifiers.knexName(table.tableName)).select(columns).limit(1);
    if (emptyIn) void query.whereNull(identifiers.knexName(emptyIn.columnName));
    const { rows } = await target.read((unit) => unit.rows(query));
    return rows.length > 0;
  }

  function change(scope: AccessScope, table: TableSchema, subType: string, description: string) {
    return {
      scope,
      auditType: 'TABLE_COLUMN',
      auditSubType: subType,
      projectId: table.projectId,
      baseId: table.baseId,
      tableId: table.id,
      description,
    };
  }

  /** Changes that only the metadata sees. */
  async function patchRow(
    scope: AccessScope,
    { table, column }: Pick<FoundColumn, 'table' | 'column'>,
    patch: Readonly<Record<string, unknown>>,
    subType: string,
    description: string,
  ): Promise<void> {
    await database.write(
      async (unit) => {
        await generations.bump(unit, table.projectId);
        const { changes } = await unit.run(
          unit
            .knex('trellis_column')
            .where({ id: column.id })
            .whereNull('parked_at')
            .update({ ...patch, updated_at: Date.now() }),
        );
        if (changes === 0) throw schemaErrors.create('COLUMN_NOT_FOUND', { column: column.title });
        await record(unit, change(scope, table, subType, description));
      },
      { retry: true },
    );
  }

  async function readRow(columnId: string): Promise<ColumnRow> {
    const row = await database.read((unit) =>
      unit.first<Stored<ColumnRow>>(unit.knex('trellis_column').where({ id: columnId }).select('*')),
    );
    if (row === undefined) throw schemaErrors.create('COLUMN_NOT_FOUND', { column: columnId });
    return row as ColumnRow;
  }

  /** What the column would be with this patch. */
  function merged(column: ColumnSchema, patch: Partial<ColumnInput>): ColumnInput {
    const keepsType = patch.type === undefined || patch.type === column.type;
    const wanted = patch.meta ?? (keepsType ? column.meta : undefined) ?? {};
    const meta = Object.fromEntries(Object.entries(wanted).filter(([name]) => name !== lossAccepted));
    return {
      title: patch.title ?? column.title,
      type: patch.type ?? column.type,
      nativeType: keepsType ? (patch.nativeType ?? column.nativeType) : patch.nativeType,
      length: patch.length ?? (keepsType ? column.length : undefined),
      precision: patch.precision ?? (keepsType ? column.precision : undefined),
      scale: patch.scale ?? (keepsType ? column.scale : undefined),
      required: patch.required ?? column.required,
      unique: patch.unique ?? column.unique,
      autoUpdate: patch.autoUpdate ?? column.autoUpdate,
      unsigned: column.unsigned,
      defaultValue:
        'defaultValue' in patch ? patch.defaultValue : keepsType ? column.defaultValue : undefined,
      meta: Object.keys(meta).length > 0 ? meta : undefined,
    };
  }

  async function retype(
    scope: AccessScope,
    found: FoundColumn,
    patch: Partial<ColumnInput>,
    signal: AbortSignal,
  ): Promise<void> {
    const { snapshot, table, column } = found;
    const base = baseOf(snapshot, table);
    const target = await databases.of(base);
    if (table.primaryKey.length === 0) throw schemaErrors.create('RETYPE_NEEDS_KEY');
    const input = merged(column, patch);
    const columnName = await freeColumnName(target, table, input.title ?? column.title, undefined);
    const now = Date.now();
    const plan = planColumn(
      input,
      {
        projectId: table.projectId,
        tableId: table.id,
        title: input.title ?? column.title,
        columnName,
        order: column.order,
        now,
      },
      { columnTypes, dialect: target.dialect },
    );
    if (plan.row.is_unique) assertIndexable(target, plan.row.title, plan.row.storage);
    const conversion: Conversion = {
      from: {
        name: column.columnName,
        storage: column.storage,
        nativeType: column.nativeType,
        type: column.type,
        title: column.title,
        options: column.meta ?? {},
      },
      to: {
        name: columnName,
        storage: plan.row.storage,
        nativeType: plan.row.native_type,
        type: plan.row.uidt,
        title: plan.row.title,
        options: input.meta ?? {},
      },
      key: table.primaryKey.map((key) => key.columnName),
    };
    if (patch.meta?.[lossAccepted] !== true) {
      const { total, lost, samples } = await reportLoss(target, table.tableName, conversion, convert);
      if (lost > 0) {
        const type = columnTypes.get(plan.row.uidt)?.label ?? plan.row.uidt;
        throw schemaErrors.create('RETYPE_LOSES_VALUES', {
          lost,
          total,
          samples,
          type,
          column: column.title,
        });
      }
    }
    const before = await readRow(column.id);
    const parked: ColumnRow = {
      ...before,
      id: newId('column'),
      title: `${column.title} (old)`,
      required: false,
      display: false,
      parked_at: now,
      updated_at: now,
    };
    const row: ColumnRow = {
      ...plan.row,
      id: column.id,
      display: before.display,
      created_at: before.created_at,
    };
    const payload = {
      base,
      tableName: table.tableName,
      spec: plan.spec,
      conversion,
      columnId: column.id,
      row,
      parked,
    };
    await runUnique(column.title, () =>
      jobs.run(
        table.projectId,
        kinds.retypeColumn,
        payload,
        signal,
        change(scope, table, 'UPDATED', `Column ${column.title} of ${table.title} became ${plan.row.uidt}`),
      ),
    );
  }

  /** Required, default and unique: what the database enforces. */
  async function alter(
    scope: AccessScope,
    found: FoundColumn,
    patch: Partial<ColumnInput>,
    signal: AbortSignal,
  ): Promise<void> {
    const { snapshot, table, column } = found;
    const base = baseOf(snapshot, table);
    const target = await databases.of(base);
    const plans = { columnTypes, dialect: target.dialect };
    const changesDefault = 'defaultValue' in patch && patch.defaultValue !== column.defaultValue;
    const planned = (wanted: Partial<ColumnInput>, defaultValue: string | undefined): ColumnPlan =>
      planColumn(
        { ...merged(column, wanted), nativeType: undefined, defaultValue },
        {
          projectId: table.projectId,
          tableId: table.id,
          title: patch.title ?? column.title,
          columnName: column.columnName,
          order: patch.order ?? column.order,
          now: Date.now(),
        },
        plans,
      );
    const plan = planned(patch, changesDefault ? patch.defaultValue : undefined);
    const becomesUnique = plan.row.is_unique && !column.unique;
    if (becomesUnique) assertIndexable(target, column.title, column.storage);
    if (plan.row.required && !column.required && (await hasRows(target, table, column))) {
      throw schemaErrors.create('COLUMN_NEEDS_DEFAULT', { column: column.title });
    }
    const none: NewDefault = { kind: 'none' };
    const payload = {
      base,
      tableName: table.tableName,
      columnName: column.columnName,
      columnId: column.id,
      nullable: plan.row.required === column.required ? undefined : !plan.row.required,
      wasNullable: !column.required,
      default: changesDefault
        ? {
            to: plan.spec.default ?? none,
            former: base.own ? (planned({}, column.defaultValue).spec.default ?? none) : undefined,
          }
        : undefined,
      unique: plan.row.is_unique === column.unique ? undefined : plan.row.is_unique,
      patch: {
        title: plan.row.title,
        uidt: plan.row.uidt,
        fallback: plan.row.fallback,
        meta: plan.row.meta,
        required: plan.row.required,
        is_unique: plan.row.is_unique,
        ...(changesDefault && { default_value: plan.row.default_value }),
        auto_update: plan.row.auto_update,
        sort_order: plan.row.sort_order,
      },
    };
    await runUnique(column.title, () =>
      jobs.run(
        table.projectId,
        kinds.alterColumn,
        payload,
        signal,
        change(scope, table, 'UPDATED', `Column ${column.title} of ${table.title} was changed`),
      ),
    );
  }

  return {
    async createColumn(scope, tableId, wanted) {
      const before = await findTable(scope, tableId);
      const input = await hooks.call('columns.willCreate', wanted, { scope, table: before.table });
      await jobs.exclusively(before.table.projectId, async (signal) => {
        const { snapshot, table } = await findTable(scope, tableId);
        assertChangeable(table);
        const base = baseOf(snapshot, table);
        const target = await databases.of(base);
        const limit = Math.min(target.dialect.limits.columnsPerTable, 500);
        if (table.columns.length >= limit) throw schemaErrors.create('TOO_MANY_COLUMNS', { limit });
        const title = checkColumnTitle(
          input.title ?? input.columnName ?? '',
          table.columns.map((column) => column.title),
        );
        const columnName = await freeColumnName(target, table, title, input.columnName);
        const order = input.order ?? Math.max(0, ...table.columns.map((column) => column.order)) + 1;
        const plan = planColumn(
          { ...input, primaryKey: false, autoIncrement: false },
          { projectId: table.projectId, tableId, title, columnName, order, now: Date.now() },
          { columnTypes, dialect: target.dialect },
        );
        if (plan.row.required && plan.spec.default === undefined && (await hasRows(target, table))) {
          throw schemaErrors.create('COLUMN_NEEDS_DEFAULT', { column: title });
        }
        const payload = {
          base,
          tableName: table.tableName,
          spec: plan.spec,
          row: plan.row,
          unique: plan.row.is_unique,
        };
        if (plan.row.is_unique) assertIndexable(target, title, plan.row.storage);
        await runUnique(title, () =>
          jobs.run(
            table.projectId,
            kinds.createColumn,
            payload,
            signal,
            change(scope, table, 'CREATED', `Column ${title} was added to ${table.title}`),
          ),
        );
      });
      announce({ projectId: before.table.projectId, tableId, requestId: scope.requestId });
      return (await findTable(scope, tableId)).table;
    },

    async updateColumn(scope, columnId, patch) {
      const before = await findColumn(scope, columnId);
      await jobs.exclusively(before.table.projectId, async (signal) => {
        const found = await findColumn(scope, columnId);
        const { table, column } = found;
        const others = table.columns.filter((other) => other.id !== columnId);
        const title =
          patch.title === undefined || patch.title === column.title
            ? column.title
            : checkColumnTitle(
                patch.title,
                others.map((other) => other.title),
              );
        const isOnlyRename = !changesMore(column, patch);
        if (isOnlyRename) {
          if (title === column.title && patch.order === undefined) return;
          const renamed = title === column.title ? `was moved` : `was renamed to ${title}`;
          await patchRow(
            scope,
            found,
            { title, ...(patch.order !== undefined && { sort_order: patch.order }) },
            'UPDATED',
            `Column ${column.title} of ${table.title} ${renamed}`,
          );
          return;
        }
        if (column.primaryKey) {
          const meta = patch.meta && { meta: JSON.stringify(patch.meta) };
          if (patch.type !== undefined && patch.type !== column.type) {
            throw schemaErrors.create('KEY_COLUMN', { column: column.title });
          }
          await patchRow(
            scope,
            found,
            { title, ...meta },
            'UPDATED',
            `Column ${column.title} of ${table.title} was changed`,
          );
          return;
        }
        assertChangeable(table);
        const type = columnTypes.get(patch.type ?? column.type);
        const staysInPlace =
          type?.accepts.includes(column.storage) === true && type.storage === column.storage;
        if (!staysInPlace && patch.type !== undefined && patch.type !== column.type) {
          await retype(scope, found, { ...patch, title }, signal);
          return;
        }
        await alter(scope, found, { ...patch, title }, signal);
      });
      announce({ projectId: before.table.projectId, tableId: before.table.id, requestId: scope.requestId });
      return (await findTable(scope, before.table.id)).table;
    },

    async deleteColumn(scope, columnId) {
      const before = await findColumn(scope, columnId);
      await hooks.call('columns.willDelete', { scope, table: before.table, columnId });
      await jobs.exclusively(before.table.projectId, async (signal) => {
        const found = await findColumn(scope, columnId);
        const { snapshot, table, column } = found;
        if (column.primaryKey) throw schemaErrors.create('KEY_COLUMN', { column: column.title });
        assertChangeable(table);
        const heir = column.display
          ? table.columns.find((other) => other.id !== columnId && !other.system)
          : undefined;
        const payload = {
          base: baseOf(snapshot, table),
          tableName: table.tableName,
          columnName: column.columnName,
          columnId,
          // A parked column is written by nobody, so it must not demand a value.
          nullable: column.required ? true : undefined,
          wasNullable: !column.required,
          unique: column.unique ? false : undefined,
          patch: { parked_at: Date.now(), display: false },
          heirId: heir?.id,
        };
        await jobs.run(
          table.projectId,
          kinds.alterColumn,
          payload,
          signal,
          change(scope, table, 'DELETED', `Column ${column.title} of ${table.title} was deleted`),
        );
      });
      announce({ projectId: before.table.projectId, tableId: before.table.id, requestId: scope.requestId });
      return (await findTable(scope, before.table.id)).table;
    },

    async setDisplayColumn(scope, columnId) {
      const { table, column } = await findColumn(scope, columnId);
      await database.write(
        async (unit) => {
          await generations.bump(unit, table.projectId);
          await unit.run(
            unit.knex('trellis_column').where({ table_id: table.id }).update({ display: false }),
          );
          const { changes } = await unit.run(
            unit
              .knex('trellis_column')
              .where({ id: columnId })
              .whereNull('parked_at')
              .update({ display: true }),
          );
          if (changes === 0) throw schemaErrors.create('COLUMN_NOT_FOUND', { column: column.title });
          await record(
            unit,
            change(scope, table, 'UPDATED', `Column ${column.title} names the rows of ${table.title}`),
          );
        },
        { retry: true },
      );
      announce({ projectId: table.projectId, tableId: table.id, requestId: scope.requestId });
    },
  };
}

/** Whether a patch asks for more than another title or place. Clients send whole columns back, so equal values do not count. */
function changesMore(column: ColumnSchema, patch: Partial<ColumnInput>): boolean {
  return (
    (patch.type !== undefined && patch.type !== column.type) ||
    (patch.required !== undefined && patch.required !== column.required) ||
    (patch.unique !== undefined && patch.unique !== column.unique) ||
    (patch.autoUpdate !== undefined && patch.autoUpdate !== column.autoUpdate) ||
    ('defaultValue' in patch && patch.defaultValue !== column.defaultValue) ||
    (patch.meta !== undefined && JSON.stringify(patch.meta) !== JSON.stringify(column.meta ?? {}))
  );
}
