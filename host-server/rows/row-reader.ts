import type { RegistryView } from '@trellis/core';
import type { PageRequest, RowQuery, RowReads, TableHandle } from '@trellis/sdk/server';
import {
  formatRowKey,
  type CellValue,
  type FilterOperator,
  type Predicate,
  type Row,
  type RowKey,
} from '@trellis/sdk/shared';
import { DatabaseError } from '../databases/index.ts';
import { queryErrors } from '../query/query-errors.ts';
import {
  selectAll,
  selectCount,
  selectGroups,
  selectPage,
  selectWhere,
  type CompiledQuery,
} from '../query/select.ts';
import type { Query } from '../sql/unit.ts';
import { isDecidedBy } from './decided-by.ts';
import type { OpenTable, OpenTables } from './open-table.ts';
import { pageStart } from './page-start.ts';
import { readOptions, shareOf, workOf } from './read-options.ts';
import { resolveQuery, type ResolvedQuery } from './resolve-query.ts';
import { rowErrors } from './row-errors.ts';
import { columnsOf, whereOfKey } from './row-keys.ts';
import type { TableMemory } from './table-memory.ts';
import { jsonCellsOf, rowBuilder, type ColumnCodec } from './table-plan.ts';

export interface RowReaderDependencies {
  readonly tables: OpenTables;
  readonly memory: TableMemory;
  readonly filterOperators: RegistryView<FilterOperator>;
}

/** Milliseconds. */
const countLimit = 10_000;
/** Members may page anywhere within this. Milliseconds. */
const readLimit = 15_000;

/** A query against an open table, ready to be compiled. */
export type Resolve = (open: OpenTable, query: RowQuery) => ResolvedQuery;

export function createResolve(deps: Pick<RowReaderDependencies, 'filterOperators'>): Resolve {
  return ({ handle, context }, query) => resolveQuery(handle, context, query, deps.filterOperators);
}

/** How many rows a resolved query has: as remembered, else as the database counts them within 10 s. */
export async function countRows(
  memory: TableMemory,
  { open, compiled }: { readonly open: OpenTable; readonly compiled: CompiledQuery },
  signal: AbortSignal | undefined,
): Promise<number> {
  const { query, shape } = selectCount(compiled);
  return memory.count(open.handle.table.id, shape, async () => {
    try {
      const work = workOf(memory, { ...compiled, order: [] });
      const options = readOptions(open.handle.scope, work, { signal, timeoutMs: countLimit });
      const { rows } = await open.database.read((unit) => unit.rows(query), options);
      const count = Number(rows[0]?.[0] ?? 0);
      if (compiled.predicate === undefined) memory.learnSize(open.handle.table.id, count);
      return count;
    } catch (error) {
      if (error instanceof DatabaseError && error.kind === 'timeout')
        throw queryErrors.create('COUNT_TIMEOUT', {}, error);
      throw error;
    }
  });
}

/** Reads of rows: every one compiles through the query compiler. */
export function createRowReads(deps: RowReaderDependencies): Omit<RowReads, 'history'> {
  const { tables, memory } = deps;
  const resolve = createResolve(deps);

  async function pageOf(
    open: OpenTable,
    { compiled, columns }: ResolvedQuery,
    page: PageRequest,
    signal: AbortSignal | undefined,
  ): Promise<readonly Row[]> {
    const start = pageStart(memory, open, { compiled, columns }, page);
    const build = rowBuilder(codecsOf(open, columns));
    const { rows } = await open.database.read(
      (unit) => unit.rows(selectPage(compiled, columns, start.of)),
      readOptions(open.handle.scope, workOf(memory, compiled), { signal, timeoutMs: readLimit }),
    );
    start.learn(rows[0]);
    return rows.map(build);
  }

  /** The same as the bytes of a JSON array, written where the rows are read if that takes no code of a type. */
  async function pageBytes(
    open: OpenTable,
    resolved: ResolvedQuery,
    page: PageRequest,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const { compiled, columns } = resolved;
    const cells = jsonCellsOf(codecsOf(open, columns));
    const start = pageStart(memory, open, resolved, page);
    if (cells === undefined || start.isWorthLearning)
      return new TextEncoder().encode(JSON.stringify(await pageOf(open, resolved, page, signal)));
    const options = { signal, timeoutMs: readLimit };
    return open.database.readJson(
      selectPage(compiled, columns, start.of),
      cells,
      readOptions(open.handle.scope, workOf(memory, compiled), options),
    );
  }

  async function byKey(
    handle: TableHandle,
    key: RowKey,
    query: Pick<RowQuery, 'fields'> = {},
  ): Promise<Row | undefined> {
    const open = await tables.open(handle);
    const where = whereOfKey(open.plan, key);
    if (where === undefined) return undefined;
    const { columns } = resolve(open, { fields: query.fields });
    const forced = handle.scope.rowPredicate(handle.table.id);
    const statement = selectWhere(open.context, columns, columnsOf(where), forced);
    const cells = await (isOfOneRow(open, columns, forced)
      ? open.database.get(statement)
      : open.database.read(
          async (unit) => (await unit.rows(statement)).rows[0],
          readOptions(handle.scope, 'long', { timeoutMs: readLimit }),
        ));
    return cells === undefined ? undefined : rowBuilder(codecsOf(open, columns))(cells);
  }

  return {
    async list(handle, query, page, signal) {
      handle.scope.require('dataList');
      const open = await tables.open(handle);
      return pageOf(open, resolve(open, query), page, signal);
    },
    async page(handle, query, page, signal) {
      handle.scope.require('dataList');
      handle.scope.require('dataCount');
      const open = await tables.open(handle);
      const resolved = resolve(open, query);
      const [rows, totalRows] = await Promise.all([
        pageOf(open, resolved, page, signal),
        countRows(memory, { open, compiled: resolved.compiled }, signal),
      ]);
      return { rows, totalRows };
    },
    async pageJson(handle, query, page, { count, signal }) {
      handle.scope.require('dataList');
      if (count) handle.scope.require('dataCount');
      const open = await tables.open(handle);
      const resolved = resolve(open, query);
      const [rows, totalRows] = await Promise.all([
        pageBytes(open, resolved, page, signal),
        count ? countRows(memory, { open, compiled: resolved.compiled }, signal) : undefined,
      ]);
      return { rows, totalRows };
    },
    async count(handle, query, signal) {
      handle.scope.require('dataCount');
      const open = await tables.open(handle);
      const { compiled } = resolve(open, { ...query, fields: [], sort: undefined, sortKeys: undefined });
      return countRows(memory, { open, compiled }, signal);
    },
    async read(handle, key, query) {
      handle.scope.require('dataRead');
      return byKey(handle, key, query);
    },
    async exists(handle, key) {
      handle.scope.require('dataExist');
      return (await byKey(handle, key)) !== undefined;
    },
    async findOne(handle, query) {
      handle.scope.require('dataFindOne');
      const open = await tables.open(handle);
      const [row] = await pageOf(open, resolve(open, query), { limit: 1, offset: 0 }, undefined);
      return row;
    },
    async groupBy(handle, columnName, query, page) {
      handle.scope.require('dataGroupBy');
      const open = await tables.open(handle);
      const column = handle.table.columnByName.get(columnName);
      const visible = handle.scope.readableColumns(handle.table.id);
      const codec = column && open.plan.readable.get(column.id);
      if (column === undefined || codec === undefined || (visible !== 'all' && !visible.has(column.id))) {
        throw rowErrors.create('GROUP_COLUMN_UNKNOWN', { column: columnName });
      }
      const { compiled } = resolve(open, { ...query, fields: [] });
      const { rows } = await open.database.read(
        (unit) => unit.rows(selectGroups(compiled, column, page)),
        readOptions(handle.scope, workOf(memory, { ...compiled, order: 'random' }), { timeoutMs: readLimit }),
      );
      const groups = rows.map(([n, value]): Row => ({ count: Number(n), [columnName]: codec.decode(value) }));
      return { list: groups, totalRows: await countRows(memory, { open, compiled }, undefined) };
    },
    async stream(handle, query, signal) {
      handle.scope.require('exportCsv');
      const open = await tables.open(handle);
      const { compiled, columns } = resolve(open, query);
      return { columns, batches: batchesOf(open, selectAll(compiled, columns), { columns, signal }) };
    },
    keyOf(table, row) {
      const values = table.primaryKey.map((column) => row[column.title]);
      return values.length === 0 || values.some((value) => value === undefined || value === null)
        ? undefined
        : formatRowKey(values as CellValue[]);
    },
  };
}

/**
 * Whether a read by key looks at that row alone. `Database.get` may block the process while it runs, and what is computed over
 * linked rows may look at many.
 */
function isOfOneRow(
  { plan }: OpenTable,
  columns: ResolvedQuery['columns'],
  forced: Predicate | undefined,
): boolean {
  const isStored = columns.every(({ id }) => plan.byId.has(id));
  return isStored && (forced === undefined || isDecidedBy(new Set(plan.byId.keys()), forced));
}

async function* batchesOf(
  open: OpenTable,
  statement: Query,
  { columns, signal }: { columns: ResolvedQuery['columns']; signal: AbortSignal | undefined },
): AsyncIterable<readonly Row[]> {
  const build = rowBuilder(codecsOf(open, columns));
  for await (const { rows } of open.database.stream(statement, { signal, share: shareOf(open.handle.scope) }))
    yield rows.map(build);
}

function codecsOf({ plan }: OpenTable, columns: ResolvedQuery['columns']): readonly ColumnCodec[] {
  return columns.flatMap((column) => plan.readable.get(column.id) ?? []);
}
