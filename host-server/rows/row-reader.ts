import type { RegistryView } from '@trellis/core';
import type {
  AccessScope,
  Bus,
  PageRequest,
  RowQuery,
  SchemaStore,
  ServerColumnType,
  TableSchema,
} from '@trellis/sdk/server';
import { parseRowKey, type FilterOperator, type Predicate, type Row, type RowKey } from '@trellis/sdk/shared';
import { DatabaseError } from '../databases/index.ts';
import type { Database } from '../databases/database.ts';
import type { Unit } from '../sql/unit.ts';
import type { Binding } from '../sql/session.ts';
import type { SqlFragment } from '../sql/fragment.ts';
import { columnContext } from '../query/column-context.ts';
import { queryErrors } from '../query/query-errors.ts';
import {
  lockingRows,
  selectAll,
  selectCount,
  selectGroups,
  selectPage,
  selectWhere,
  type PageOf,
} from '../query/select.ts';
import type { BaseDatabases } from '../schema/bases/base-databases.ts';
import { schemaErrors } from '../schema/schema-errors.ts';
import { PageAnchors } from './page-anchors.ts';
import { prepareQuestion, type PreparedQuestion } from './questions.ts';
import { rowErrors } from './row-errors.ts';
import { planTable, rowBuilder, type ColumnPlan, type TablePlan } from './table-plan.ts';

export interface RowReaderDependencies {
  readonly schema: SchemaStore;
  readonly databases: BaseDatabases;
  readonly columnTypes: RegistryView<ServerColumnType>;
  readonly filterOperators: RegistryView<FilterOperator>;
  /** Tells of rows that other servers wrote. */
  readonly bus: Bus;
}

/** A table with its database and its prepared columns, for one call. */
export interface OpenTable {
  readonly table: TableSchema;
  readonly plan: TablePlan;
  readonly database: Database;
  readonly own: boolean;
  readonly generation: number;
}

/** The columns of a key with their values. */
type KeyValues = readonly (readonly [ColumnPlan, Binding])[];

const countLimit = 10_000;
/** Members may page anywhere within this. */
const readLimit = 15_000;
/** How long a count is believed when other programs may write as well. */
const countLife = 5000;
const mostCounts = 500;

interface KnownCount {
  readonly version: number;
  readonly at: number;
  readonly count: number;
}

/** Reads of rows: every one compiles through the query compiler. */
export class RowReader {
  readonly #deps: RowReaderDependencies;
  readonly #plans = new WeakMap<TableSchema, TablePlan>();
  readonly #versions = new Map<string, number>();
  readonly #counts = new Map<string, KnownCount>();
  readonly #anchors = new PageAnchors();

  constructor(deps: RowReaderDependencies) {
    this.#deps = deps;
    // Plans hold what types do with values; a type that comes or goes makes them anew.
    deps.columnTypes.onDidChange(() => {
      this.#planAge += 1;
    });
    deps.bus.subscribe('rows.changed', {
      message: ({ tableId }) => this.touch(tableId),
      gap: () => this.#touchAll(),
    });
  }

  #planAge = 0;
  readonly #planAges = new WeakMap<TablePlan, number>();

  /** Forgets counts and places of a table after a write to it. */
  touch(tableId: string): void {
    this.#versions.set(tableId, (this.#versions.get(tableId) ?? 0) + 1);
  }

  #touchAll(): void {
    for (const tableId of this.#versions.keys()) this.touch(tableId);
    this.#counts.clear();
    this.#anchors.clear();
  }

  #version(tableId: string): number {
    return this.#versions.get(tableId) ?? 0;
  }

  async open(scope: AccessScope, tableId: string): Promise<OpenTable> {
    const snapshot = await this.#deps.schema.snapshot(scope);
    const table = snapshot.tables.get(tableId);
    const base = table && snapshot.bases.get(table.baseId);
    if (table === undefined || base === undefined) throw schemaErrors.create('TABLE_NOT_FOUND');
    const database = await this.#deps.databases.of(base);
    return {
      table,
      plan: this.#plan(table, database),
      database,
      own: base.own,
      generation: snapshot.generation,
    };
  }

  #plan(table: TableSchema, database: Database): TablePlan {
    const known = this.#plans.get(table);
    if (known !== undefined && this.#planAges.get(known) === this.#planAge) return known;
    const plan = planTable(table, this.#deps.columnTypes, database.dialect);
    this.#plans.set(table, plan);
    this.#planAges.set(plan, this.#planAge);
    return plan;
  }

  prepare(scope: AccessScope, { table, database }: OpenTable, query: RowQuery): PreparedQuestion {
    return prepareQuestion(scope, table, database.dialect, query, {
      operators: this.#deps.filterOperators,
      columnTypes: this.#deps.columnTypes,
    });
  }

  plansFor(open: OpenTable, prepared: PreparedQuestion): readonly ColumnPlan[] {
    return prepared.columns.flatMap((column) => open.plan.byId.get(column.id) ?? []);
  }

  async list(
    scope: AccessScope,
    tableId: string,
    query: RowQuery,
    page: PageRequest,
    signal: AbortSignal | undefined,
  ): Promise<readonly Row[]> {
    const open = await this.open(scope, tableId);
    const prepared = this.prepare(scope, open, query);
    const plans = this.plansFor(open, prepared);
    const build = rowBuilder(plans);
    const { question, columns } = prepared;
    const key = open.plan.key[0];
    const keyAt = key === undefined ? -1 : columns.indexOf(key.column);
    const fits = keyAt !== -1 && page.offset > 0 && PageAnchors.fits(question);
    const version = this.#version(tableId);
    // Two external databases may each have a table of this name.
    const shape = fits ? `${tableId} ${selectCount(question).shape}` : '';
    const anchor = fits && key ? this.#anchors.nearest(shape, version, page.offset) : undefined;
    const of: PageOf = {
      limit: page.limit,
      offset: page.offset - (anchor?.offset ?? 0),
      ...(anchor && key && { after: { column: key.column, value: anchor.key, inclusive: true } }),
    };
    const { rows } = await open.database.read((unit) => unit.rows(selectPage(question, columns, of)), {
      signal,
      timeoutMs: readLimit,
    });
    if (fits && rows[0] !== undefined)
      this.#anchors.learn(shape, version, page.offset, rows[0][keyAt] as Binding);
    return rows.map(build);
  }

  async count(scope: AccessScope, tableId: string, query: RowQuery, signal?: AbortSignal): Promise<number> {
    const open = await this.open(scope, tableId);
    const { question } = this.prepare(scope, open, {
      ...query,
      fields: [],
      sort: undefined,
      sortKeys: undefined,
    });
    const { query: statement, shape } = selectCount(question);
    const version = this.#version(tableId);
    const cacheKey = `${tableId} ${shape}`;
    const known = this.#counts.get(cacheKey);
    if (known !== undefined && known.version === version && Date.now() - known.at < countLife)
      return known.count;
    try {
      const { rows } = await open.database.read((unit) => unit.rows(statement), {
        signal,
        timeoutMs: countLimit,
      });
      const count = Number(rows[0]?.[0] ?? 0);
      if (this.#counts.size >= mostCounts) this.#counts.clear();
      this.#counts.set(cacheKey, { version, at: Date.now(), count });
      return count;
    } catch (error) {
      if (error instanceof DatabaseError && error.kind === 'timeout')
        throw queryErrors.create('COUNT_TIMEOUT', {}, error);
      throw error;
    }
  }

  /** The key's values as the database takes them. Undefined for text that no key can have. */
  keyValues(open: OpenTable, key: RowKey): KeyValues | undefined {
    const { plan, table } = open;
    if (plan.key.length === 0)
      throw rowErrors.create('TABLE_READ_ONLY', { reason: table.readOnlyReason ?? 'no key' });
    const parts = parseRowKey(key, plan.key.length);
    if (parts === undefined) return undefined;
    const values: (readonly [ColumnPlan, Binding])[] = [];
    for (const [index, of] of plan.key.entries()) {
      const binding = this.#keyBinding(of, parts[index] ?? '');
      if (binding === undefined) return undefined;
      values.push([of, binding]);
    }
    return values;
  }

  #keyBinding(of: ColumnPlan, text: string): Binding | undefined {
    const { column } = of;
    const type = this.#deps.columnTypes.get(column.type);
    try {
      if (type === undefined) return of.encode(text);
      const parsed = type.parse(text, columnContext(column, type));
      // `null` is no key; neither is what the column could not hold.
      return parsed.ok && parsed.value !== null ? of.encode(parsed.value) : undefined;
    } catch {
      return undefined;
    }
  }

  /** The row with this key, with all columns of the plan, inside a unit. Only if it meets the predicate, where one is given. */
  async readCells(
    unit: Unit,
    open: OpenTable,
    where: KeyValues,
    predicate?: Predicate,
  ): Promise<readonly unknown[] | undefined> {
    const { rows } = await unit.rows(this.cellsQuery(open, where, predicate));
    return rows.length === 1 ? rows[0] : undefined;
  }

  /** As `readCells`, inside a transaction that is about to write: the row stays as it is until that ends. */
  async lockCells(
    unit: Unit,
    open: OpenTable,
    where: KeyValues,
    predicate?: Predicate,
  ): Promise<readonly unknown[] | undefined> {
    const context = { table: open.table, dialect: open.database.dialect };
    const { rows } = await unit.rows(lockingRows(context, this.cellsQuery(open, where, predicate)));
    return rows.length === 1 ? rows[0] : undefined;
  }

  /** Asks for all columns of the plan of the row with this key. */
  cellsQuery({ table, database, plan }: OpenTable, where: KeyValues, predicate?: Predicate): SqlFragment {
    return selectWhere(
      { table, dialect: database.dialect },
      plan.columns.map((of) => of.column),
      where.map(([of, value]) => [of.column, value] as const),
      predicate,
    );
  }

  async read(
    scope: AccessScope,
    tableId: string,
    key: RowKey,
    query: Pick<RowQuery, 'fields' | 'viewId'>,
  ): Promise<Row | undefined> {
    const open = await this.open(scope, tableId);
    const where = this.keyValues(open, key);
    if (where === undefined) return undefined;
    // A view's filters do not hide a row that is asked for by its key, but the caller's own limits do.
    const prepared = this.prepare(scope, open, query);
    const columns = prepared.columns;
    const { rows } = await open.database.read((unit) =>
      unit.rows(
        selectWhere(
          { table: open.table, dialect: open.database.dialect },
          columns,
          where.map(([of, value]) => [of.column, value] as const),
          scope.rowPredicate(tableId),
        ),
      ),
    );
    const [cells] = rows;
    return cells === undefined || rows.length !== 1
      ? undefined
      : rowBuilder(this.plansFor(open, prepared))(cells);
  }

  async findOne(scope: AccessScope, tableId: string, query: RowQuery): Promise<Row | undefined> {
    const [row] = await this.list(scope, tableId, query, { limit: 1, offset: 0 }, undefined);
    return row;
  }

  async groupBy(
    scope: AccessScope,
    tableId: string,
    columnName: string,
    query: RowQuery,
    page: PageRequest,
  ): Promise<{ readonly list: readonly Row[]; readonly totalRows: number }> {
    const open = await this.open(scope, tableId);
    const column = open.table.columnByName.get(columnName);
    const visible = scope.readableColumns(tableId);
    const of = column && open.plan.byId.get(column.id);
    if (column === undefined || of === undefined || (visible !== 'all' && !visible.has(column.id))) {
      throw rowErrors.create('GROUP_COLUMN_UNKNOWN', { column: columnName });
    }
    const { question } = this.prepare(scope, open, { ...query, fields: [] });
    const { rows } = await open.database.read((unit) => unit.rows(selectGroups(question, column, page)), {
      timeoutMs: readLimit,
    });
    const list = rows.map(([count, value]): Row => ({
      count: Number(count),
      [columnName]: of.decode(value),
    }));
    return { list, totalRows: await this.count(scope, tableId, query) };
  }

  async *stream(
    scope: AccessScope,
    tableId: string,
    query: RowQuery,
    signal: AbortSignal | undefined,
  ): AsyncIterable<readonly Row[]> {
    const open = await this.open(scope, tableId);
    const prepared = this.prepare(scope, open, query);
    const build = rowBuilder(this.plansFor(open, prepared));
    const statement = selectAll(prepared.question, prepared.columns);
    for await (const { rows } of open.database.stream(statement, { signal })) yield rows.map(build);
  }
}
