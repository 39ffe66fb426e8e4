import type {
  ColumnReplacement,
  ColumnSpec,
  DefaultValue,
  TableSpec,
} from '../../dialects/schema/schema-changer.ts';
import type { Database } from '../../databases/database.ts';
import type { Unit } from '../../sql/unit.ts';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import { models } from '../../metadata/models/models.ts';
import type { BaseDatabases } from '../bases/base-databases.ts';
import type { Conversion, ConvertValue } from '../columns/convert-value.ts';
import { ColumnFilling, type FilledColumn, type FillOptions } from '../columns/fill-column.ts';
import type { PlaceInViews } from '../columns/place-in-views.ts';
import type { MovedValues } from '../columns/moved-values.ts';
import { numberedAfter } from '../columns/number-filling.ts';
import { RowNumbers, type RowNumbering } from '../columns/number-rows.ts';
import { forgetNumbers, passNumbers } from '../columns/row-counter.ts';
import type { FindWrittenRows } from '../schema-changes.ts';
import { createLinkJobKinds, type LinkJobKinds } from './link-jobs.ts';
import { createRowOrderKind, type ArrangeRows } from './row-order-job.ts';
import type { SchemaJobKind } from './schema-job-kind.ts';
import { insertTableRows, type TableRows } from '../table-rows.ts';
import { uniqueIndex } from '../columns/unique-index.ts';

/** The database of a job. */
export interface OnBase {
  readonly base: { readonly id: string; readonly own: boolean };
}

export interface CreateTable extends OnBase {
  readonly spec: TableSpec;
  readonly rows: TableRows;
}

export interface CreateColumn extends OnBase {
  readonly tableName: string;
  readonly spec: ColumnSpec;
  readonly row: ColumnRow;
  readonly unique: boolean;
  /** The view from which the column was added. */
  readonly viewId?: string | undefined;
  /**
   * How existing rows are filled when the default value is not meant for them: they take the values of another column, are
   * numbered in key order, or stay empty.
   */
  readonly existing?: Conversion | RowNumbering | 'empty';
}

export interface AlterColumn extends OnBase {
  readonly tableName: string;
  readonly columnName: string;
  readonly columnId: string;
  readonly nullable?: boolean;
  readonly wasNullable: boolean;
  /** `former` is undefined when an existing database has a default that cannot be written again. */
  readonly default?: { readonly to: NewDefault; readonly former: NewDefault | undefined };
  readonly unique?: boolean;
  /** The columns of `trellis_column` that change. */
  readonly patch: Partial<ColumnRow>;
  /** The new display column. */
  readonly heirId?: string;
  /** The new options of other columns. */
  readonly others?: readonly OptionsOf[];
}

export interface RestoreColumn extends AlterColumn {
  /**
   * How rows that were written while the column was deleted are filled, if the server fills it. Undefined in jobs that an older
   * version began.
   */
  readonly missing?: { readonly tableId: string; readonly cells: Conversion | RowNumbering };
}

/** The options of a column. */
export interface OptionsOf {
  readonly id: string;
  readonly meta: NonNullable<ColumnRow['meta']>;
}

/** `none` drops the default. */
export type NewDefault = DefaultValue | { readonly kind: 'none' };

export interface RetypeColumn extends OnBase {
  readonly tableName: string;
  readonly spec: ColumnSpec;
  readonly conversion: Conversion;
  readonly columnId: string;
  /** The column's metadata row after the change. The former values are kept in the column `parked`. */
  readonly row: ColumnRow;
  readonly parked: ColumnRow;
  /** Whether formulas keep naming the former values. Undefined in changes that an older version began. */
  readonly keepsFormulas?: boolean;
  /** For a type that numbers rows: gives a number to rows that have none, or that of another row. */
  readonly numbering?: RowNumbering;
}

/** A change of type in an external database, which another application may use: the column keeps its name and rules there. */
export interface ReplaceColumn extends Omit<RetypeColumn, 'spec'> {
  readonly replacement: ColumnReplacement & { readonly former: NonNullable<ColumnReplacement['former']> };
  readonly unique?: boolean;
  /** The rules that the change removes, so that it can be reverted; a default that cannot be written again is left out. */
  readonly rulesBefore?: Pick<ColumnReplacement, 'nullable' | 'default'>;
}

export interface SchemaJobKinds extends LinkJobKinds {
  readonly createTable: SchemaJobKind<CreateTable>;
  readonly createColumn: SchemaJobKind<CreateColumn>;
  readonly alterColumn: SchemaJobKind<AlterColumn>;
  readonly restoreColumn: SchemaJobKind<RestoreColumn>;
  readonly retypeColumn: SchemaJobKind<RetypeColumn>;
  readonly replaceColumn: SchemaJobKind<ReplaceColumn>;
  readonly arrangeRows: SchemaJobKind<ArrangeRows>;
}

async function changeDefault(
  database: Database,
  table: string,
  column: string,
  value: NewDefault,
): Promise<void> {
  await database.schema((changer) =>
    value.kind === 'none' ? changer.dropDefault(table, column) : changer.setDefault(table, column, value),
  );
}

export interface JobKindsDependencies {
  readonly databases: BaseDatabases;
  readonly convert: ConvertValue;
  readonly moved: MovedValues;
  readonly writtenRows: FindWrittenRows;
  readonly placeInViews: PlaceInViews;
}

export function createJobKinds({
  databases,
  convert,
  moved,
  writtenRows,
  placeInViews,
}: JobKindsDependencies): SchemaJobKinds {
  /** The former values are kept in a parked column. */
  async function commitRetype(
    unit: Unit,
    { columnId, row, parked, conversion, keepsFormulas = false }: Omit<RetypeColumn, 'spec'>,
  ): Promise<void> {
    const { ColumnModel } = await models();
    await ColumnModel.query(unit.knex).insert(parked);
    await ColumnModel.query(unit.knex).findById(columnId).patch(row);
    if (parked.uidt !== row.uidt) await forgetNumbers(unit, columnId);
    await moved.moveConditions(unit, columnId, conversion, { keepsFormulas });
  }

  /** Other programs may write to an external database, and their writes are not in the log. */
  function fillingOf(
    {
      base,
      tableId,
      ...of
    }: OnBase & { tableId: string } & Omit<FilledColumn, 'convert' | 'written' | 'asksInside'>,
    options: FillOptions,
  ): ColumnFilling {
    const isLogged = base.own && of.conversion.isNamedByCell === true;
    return new ColumnFilling(
      { ...of, convert, written: isLogged ? writtenRows(tableId) : undefined, asksInside: !base.own },
      options,
    );
  }

  /** How rows that existed before are filled in a column that the server fills. */
  function cellsOf(
    {
      cells,
      ...of
    }: OnBase & { tableId: string; tableName: string; database: Database } & {
      cells: Conversion | RowNumbering;
    },
    options: FillOptions,
  ): ColumnFilling | RowNumbers {
    return 'from' in cells
      ? fillingOf({ ...of, conversion: cells }, options)
      : new RowNumbers({ ...of, numbering: cells, ...options });
  }

  const createTable: SchemaJobKind<CreateTable> = {
    kind: 'createTable',
    async apply({ base, spec }) {
      const database = await databases.of(base);
      await database.schema((changer) => changer.createTable(spec));
    },
    commit: (unit, { rows }) => insertTableRows(unit, rows),
    async revert({ base, spec }) {
      const database = await databases.of(base);
      await database.schema((changer) => changer.dropTable(spec.name));
    },
  };

  const createColumn: SchemaJobKind<CreateColumn> = {
    kind: 'createColumn',
    async apply({ base, tableName, spec, row, unique, existing }, { reach, signal, progress }) {
      const database = await databases.of(base);
      const added = existing === undefined ? spec : { ...spec, default: undefined };
      await database.schema((changer) => changer.addColumn(tableName, added));
      await reach('added');
      const filling =
        existing === undefined || existing === 'empty'
          ? undefined
          : cellsOf(
              { base, tableName, cells: existing, tableId: row.table_id, database },
              { signal, progress },
            );
      await filling?.approach();
      const value = spec.default;
      if (existing !== undefined && value !== undefined)
        await database.schema((changer) => changer.setDefault(tableName, spec.name, value));
      if (unique)
        await database.schema((changer) => changer.createIndex(tableName, uniqueIndex(tableName, spec.name)));
      if (filling === undefined) return undefined;
      return { database, approach: () => filling.approach(), run: (unit) => filling.finish(unit) };
    },
    async commit(unit, { row, viewId }) {
      const { ColumnModel } = await models();
      await ColumnModel.query(unit.knex).insert(row);
      await placeInViews(unit, row, { viewId });
    },
    async revert({ base, tableName, spec }) {
      const database = await databases.of(base);
      await database.schema((changer) => changer.dropColumn(tableName, spec.name));
    },
  };

  const alterColumn: SchemaJobKind<AlterColumn> = {
    kind: 'alterColumn',
    async apply(payload) {
      const { base, tableName, columnName, nullable, unique } = payload;
      const database = await databases.of(base);
      await database.schema(async (changer) => {
        if (nullable === true) await changer.dropNotNull(tableName, columnName);
        if (nullable === false) await changer.setNotNull(tableName, columnName);
        if (unique === true) await changer.createIndex(tableName, uniqueIndex(tableName, columnName));
        if (unique === false) await changer.dropIndex(tableName, uniqueIndex(tableName, columnName).name);
      });
      // The default is changed last: when an earlier step fails, `revert` has no default to restore.
      if (payload.default) await changeDefault(database, tableName, columnName, payload.default.to);
    },
    async commit(unit, { columnId, patch, heirId, others = [] }) {
      const { ColumnModel } = await models();
      if (heirId !== undefined) await ColumnModel.query(unit.knex).findById(heirId).patch({ display: true });
      for (const { id, meta } of others) await ColumnModel.query(unit.knex).findById(id).patch({ meta });
      const former = await ColumnModel.query(unit.knex).findById(columnId).select('uidt');
      await ColumnModel.query(unit.knex)
        .findById(columnId)
        .patch({ ...patch, updated_at: Date.now() });
      if (patch.uidt !== undefined && patch.uidt !== former?.uidt) await forgetNumbers(unit, columnId);
    },
    async revert(payload) {
      const { base, tableName, columnName, nullable, wasNullable, unique } = payload;
      const database = await databases.of(base);
      await database.schema(async (changer) => {
        if (nullable === false && wasNullable) await changer.dropNotNull(tableName, columnName);
        if (unique === true) await changer.dropIndex(tableName, uniqueIndex(tableName, columnName).name);
      });
      if (payload.default?.former)
        await changeDefault(database, tableName, columnName, payload.default.former);
    },
  };

  const restoreColumn: SchemaJobKind<RestoreColumn> = {
    ...alterColumn,
    kind: 'restoreColumn',
    async apply(payload, context) {
      await alterColumn.apply(payload, context);
      const { base, tableName, missing } = payload;
      if (missing === undefined) return undefined;
      const database = await databases.of(base);
      const filling = cellsOf({ base, tableName, ...missing, database }, context);
      await filling.approach();
      return { database, approach: () => filling.approach(), run: (unit) => filling.finish(unit) };
    },
    /** Views made while the column was deleted have no place for it. */
    async commit(unit, payload) {
      await alterColumn.commit(unit, payload);
      const { ColumnModel } = await models();
      const row = await ColumnModel.query(unit.knex).findById(payload.columnId);
      if (row !== undefined) await placeInViews(unit, row);
      const { tableName, columnId, base, missing } = payload;
      if (missing === undefined || 'from' in missing.cells) return;
      const { column } = missing.cells;
      // Numbers of deleted rows are not given again. This transaction cannot reach the rows of another database.
      if (base.own) await passNumbers(unit, columnId, { tableName, column });
      else await forgetNumbers(unit, columnId);
    },
  };

  const retypeColumn: SchemaJobKind<RetypeColumn> = {
    kind: 'retypeColumn',
    async apply(payload, { reach, signal, progress }) {
      const { base, tableName, spec, conversion, row, numbering } = payload;
      const database = await databases.of(base);
      // The column accepts nulls and has no default until every value is converted.
      await database.schema((changer) =>
        changer.addColumn(tableName, { ...spec, nullable: true, default: undefined }),
      );
      await reach('added');
      const converted = fillingOf(
        { base, tableName, conversion, tableId: row.table_id, database },
        { signal, progress },
      );
      const filling = numberedAfter(converted, numbering, { database, tableName, signal, progress });
      await filling.approach();
      await reach('converted');
      const value = spec.default;
      if (value !== undefined)
        await database.schema((changer) => changer.setDefault(tableName, spec.name, value));
      if (spec.nullable === false)
        await database.schema((changer) => changer.setNotNull(tableName, spec.name));
      if (row.is_unique) {
        await database.schema((changer) => changer.createIndex(tableName, uniqueIndex(tableName, spec.name)));
      }
      // No writer sets a parked column, so it must accept nulls.
      await database.schema((changer) => changer.dropNotNull(tableName, conversion.from.name));
      return { database, approach: () => filling.approach(), run: (unit) => filling.finish(unit) };
    },
    commit: commitRetype,
    async revert({ base, tableName, spec }) {
      const database = await databases.of(base);
      await database.schema((changer) => changer.dropColumn(tableName, spec.name));
    },
  };

  const replaceColumn: SchemaJobKind<ReplaceColumn> = {
    kind: 'replaceColumn',
    async apply(payload, { reach, signal, progress }) {
      const { base, tableName, conversion, replacement, unique, numbering } = payload;
      const database = await databases.of(base);
      const converted = new ColumnFilling(
        { database, tableName, conversion, convert, written: undefined, asksInside: !base.own },
        { signal, progress },
      );
      const filling = numberedAfter(converted, numbering, { database, tableName, signal });
      return {
        runWith: (commit) =>
          database.schema(async (changer, unit) => {
            const fill = async () => void (await filling.finish(unit));
            await changer.replaceColumn(tableName, replacement, fill);
            const index = uniqueIndex(tableName, replacement.column);
            if (unique === true) await changer.createIndex(tableName, index);
            if (unique === false) await changer.dropIndex(tableName, index.name);
            await reach('replaced');
            await commit();
          }),
      };
    },
    commit: commitRetype,
    /** Restores the former values if the column was already replaced. */
    async revert({ base, tableName, replacement, unique, rulesBefore }) {
      const { column, source, former } = replacement;
      const database = await databases.of(base);
      await database.schema(async (changer) => {
        if (unique === true) await changer.dropIndex(tableName, uniqueIndex(tableName, column).name);
        const back = { ...rulesBefore, column, nativeType: former.nativeType, source: former.name };
        await changer.replaceColumn(tableName, back, () => Promise.resolve());
        if (unique === false) await changer.createIndex(tableName, uniqueIndex(tableName, column));
        await changer.dropColumn(tableName, source);
      });
    },
  };

  return {
    createTable,
    createColumn,
    alterColumn,
    restoreColumn,
    retypeColumn,
    replaceColumn,
    arrangeRows: createRowOrderKind(databases),
    ...createLinkJobKinds(databases, placeInViews),
  };
}
