import { TrellisError, type Registry, type RegistryView } from '@trellis/core';
import {
  mayRead,
  type ColumnSchema,
  type PageRequest,
  type RowQuery,
  type RowReads,
  type RowStream,
  type TableHandle,
} from '@trellis/sdk/server';
import {
  formatRowKey,
  type Aggregation,
  type CellValue,
  type FilterOperator,
  type Predicate,
  type Row,
  type RowKey,
} from '@trellis/sdk/shared';
import type { Cells, Database } from '../databases/database.ts';
import { DatabaseError } from '../databases/index.ts';
import { predicateOfFilters, predicateOfSavedFilters, queryScope } from '../query/build-predicate.ts';
import { queryErrors } from '../query/query-errors.ts';
import {
  selectAll,
  selectCount,
  selectGroups,
  selectOne,
  selectPage,
  type CompiledQuery,
} from '../query/select.ts';
import type { PluginErrors } from '../runtime/tokens.ts';
import { isDecidedBy } from './decided-by.ts';
import { createFigureReads } from './figure-reads.ts';
import { assertExportable, assertInReach, servedInTime } from './served-to-visitors.ts';
import type { OpenTable, OpenTables } from './open-table.ts';
import { isShortPage, pageStart } from './page-start.ts';
import { readOptions, readyFor, shareOf, workByKey, workOf } from './read-options.ts';
import { LinkedCellReader, type Extent } from './linked-cells.ts';
import { linkedPageOf } from './linked-json.ts';
import { createResolve, shownColumns, type ResolvedQuery } from './resolve-query.ts';
import { DatabaseSnapshots, type StreamSource } from './database-snapshots.ts';
import { rowErrors } from './row-errors.ts';
import { columnsOf, whereOfKey } from './row-keys.ts';
import type { TableMemory } from './table-memory.ts';
import { selectionOf } from './selection.ts';
import type { TablePlan } from './table-plan.ts';

export interface RowReaderDependencies {
  readonly tables: OpenTables;
  readonly memory: TableMemory;
  readonly filterOperators: RegistryView<FilterOperator>;
  readonly aggregations: Registry<Aggregation>;
  readonly errors: PluginErrors;
}

/** Milliseconds. */
const countLimit = 10_000;
/** Members may page anywhere within this time. Milliseconds. */
const readLimit = 15_000;

/** The most linked rows per link in a batch of an export. */
const mostOfBatch = 10_000;
/** The most linked rows per link of one row of an export, since they are in memory together. Longer cells end with a mark. */
const mostOfRow = 30_000;

/**
 * How a read is cancelled. The signal is requested only where something can be cancelled: creating one takes longer than reading a
 * short page.
 */
interface Abortable {
  readonly signal?: AbortSignal;
}

/** The number of rows of a resolved query: as remembered, or as the database counts them within 10 s. */
export async function countRows(
  memory: TableMemory,
  { open, compiled }: { readonly open: OpenTable; readonly compiled: CompiledQuery },
  asked: Abortable = {},
): Promise<number> {
  const { shape } = selectCount(compiled);
  return memory.count(open.handle.table.id, shape, async () => {
    try {
      const work = await workOf(memory, open, { ...compiled, order: [] });
      const options = readOptions(open.handle.scope, work, { signal: asked.signal, timeoutMs: countLimit });
      const { query } = selectCount(readyFor(work, compiled));
      const { rows } = await open.database.read((unit) => unit.rows(query), options);
      const count = Number(rows[0]?.[0] ?? 0);
      if (compiled.rule === undefined && compiled.predicate === undefined)
        memory.learnSize(open.handle.table.id, count);
      return count;
    } catch (error) {
      if (error instanceof DatabaseError && error.kind === 'timeout')
        throw queryErrors.create('COUNT_TIMEOUT', {}, error);
      throw error;
    }
  });
}

/** Reads of rows; all of them use the query compiler. */
export function createRowReads(deps: RowReaderDependencies): Omit<RowReads, 'history' | 'deletions'> {
  const { tables, memory } = deps;
  const resolve = createResolve(deps);
  const linked = new LinkedCellReader(deps);

  async function pageOf(
    open: OpenTable,
    { compiled, columns, nested }: ResolvedQuery,
    page: PageRequest,
    signal: AbortSignal | undefined,
  ): Promise<readonly Row[]> {
    const selection = selectionOf(open.plan, columns);
    const { read } = selection;
    const start = pageStart(memory, open, { compiled, columns: read }, page);
    const work = await workOf(memory, open, compiled);
    const { rows } = await open.database.read(
      (unit) => unit.rows(selectPage(readyFor(work, compiled), withColumns(read, start.besides), start.of)),
      readOptions(open.handle.scope, work, { signal, timeoutMs: readLimit }),
    );
    start.learn(rows[0]);
    return linked.rows(open, selection, rows, { nested, signal });
  }

  async function openWhole(handle: TableHandle, query: RowQuery, signal?: AbortSignal): Promise<OpenTable> {
    handle.scope.require('exportCsv');
    const open = await tables.open(handle);
    await assertExportable(handle, () => countOf(open, query, signal));
    return open;
  }

  function countOf(open: OpenTable, query: RowQuery, signal?: AbortSignal): Promise<number> {
    const { compiled } = resolve(open, { ...query, fields: [], sort: undefined, sortKeys: undefined });
    return countRows(memory, { open, compiled }, { signal });
  }

  function streamRows(
    open: OpenTable,
    query: RowQuery,
    { signal, source }: Abortable & { readonly source: (database: Database) => StreamSource },
  ): RowStream {
    const { compiled, columns } = resolve(open, query);
    const selection = selectionOf(open.plan, columns);
    // Compile errors are thrown before the first row is read.
    const statement = selectAll(compiled, selection.read);
    const options = { signal, share: shareOf(open.handle.scope) };
    const batches = source(open.database).stream(statement, options);
    const rowsOf = (cells: readonly Cells[], extent: Extent) =>
      linked.rows(open, selection, cells, { ...extent, signal });
    return { columns, batches: servedInTime(open.handle, wholeRows(batches, rowsOf)) };
  }

  /** A page as the bytes of a JSON array. The reading thread writes them unless a column type needs its own code for that. */
  async function pageBytes(
    open: OpenTable,
    resolved: ResolvedQuery,
    page: PageRequest,
    asked: Abortable,
  ): Promise<Uint8Array> {
    const { compiled, columns, nested } = resolved;
    const selection = selectionOf(open.plan, columns);
    const inRows = async () =>
      new TextEncoder().encode(JSON.stringify(await pageOf(open, resolved, page, asked.signal)));
    if (open.database.readJson === undefined) return inRows();
    const start = pageStart(memory, open, { compiled, columns: selection.read }, page);
    const form = selection.json ?? (await linkedPageOf(deps, open, { selection, nested, limit: page.limit }));
    if (form === undefined || start.isWorthLearning) return inRows();
    const isShort = selection.json !== undefined && isShortPage(resolved, start.of);
    const work = await workOf(memory, open, compiled);
    const statement = selectPage(readyFor(work, compiled), selection.read, { ...start.of, isShort });
    const written = await open.database.readJson(statement, form, {
      isShort,
      work,
      share: shareOf(open.handle.scope),
      timeoutMs: readLimit,
      get signal() {
        return asked.signal;
      },
    });
    return written.length === 0 ? inRows() : written;
  }

  async function byKey(
    handle: TableHandle,
    key: RowKey,
    query: Pick<RowQuery, 'fields' | 'nested'> = {},
    predicate?: Predicate,
  ): Promise<Row | undefined> {
    const open = await tables.open(handle);
    const where = whereOfKey(open.plan, key);
    if (where === undefined) return undefined;
    const columns = shownColumns(open, query, deps.filterOperators);
    const rule = handle.scope.rowPredicate(handle.table.id);
    const selection = selectionOf(open.plan, columns);
    const statement = selectOne(open.context, selection.read, columnsOf(where), { rule, predicate });
    const cells = await (selection.isStored && isOneByIndex(open.plan, [rule, predicate])
      ? open.database.get(statement)
      : open.database.read(
          async (unit) => (await unit.rows(statement)).rows[0],
          readOptions(handle.scope, workByKey(open.plan), { timeoutMs: readLimit }),
        ));
    if (cells === undefined) return undefined;
    const [row] = await linked.rows(open, selection, [cells], { nested: query.nested });
    return row;
  }

  return {
    async list(handle, query, page, signal) {
      handle.scope.require('dataList');
      assertInReach(handle, page);
      const open = await tables.open(handle);
      return pageOf(open, resolve(open, query), page, signal);
    },
    async page(handle, query, page, signal) {
      handle.scope.require('dataList');
      handle.scope.require('dataCount');
      // Before the count begins.
      assertInReach(handle, page);
      const open = await tables.open(handle);
      const resolved = resolve(open, query);
      const [rows, totalRows] = await Promise.all([
        pageOf(open, resolved, page, signal),
        countRows(memory, { open, compiled: resolved.compiled }, { signal }),
      ]);
      return { rows, totalRows };
    },
    async pageJson(handle, query, page, options) {
      const { count } = options;
      handle.scope.require('dataList');
      if (count) handle.scope.require('dataCount');
      assertInReach(handle, page);
      const open = await tables.open(handle);
      const resolved = resolve(open, query);
      const [rows, totalRows] = await Promise.all([
        pageBytes(open, resolved, page, options),
        count ? countRows(memory, { open, compiled: resolved.compiled }, options) : undefined,
      ]);
      return { rows, totalRows };
    },
    async count(handle, query, signal) {
      handle.scope.require('dataCount');
      return countOf(await tables.open(handle), query, signal);
    },
    async read(handle, key, query) {
      handle.scope.require('dataRead');
      return byKey(handle, key, query);
    },
    async exists(handle, key, condition) {
      handle.scope.require('dataExist');
      return (await byKey(handle, key, {}, condition)) !== undefined;
    },
    async findOne(handle, query, signal) {
      handle.scope.require('dataFindOne');
      const open = await tables.open(handle);
      const [row] = await pageOf(open, resolve(open, query), { limit: 1, offset: 0 }, signal);
      return row;
    },
    async groupBy(handle, columnName, query, { signal, ...page }) {
      handle.scope.require('dataGroupBy');
      assertInReach(handle, page);
      const open = await tables.open(handle);
      const column = handle.table.columnByName.get(columnName);
      const codec = column && open.plan.readable.get(column.id);
      if (column === undefined || codec === undefined || !mayRead(handle.scope, column)) {
        throw rowErrors.create('GROUP_COLUMN_UNKNOWN', { column: columnName });
      }
      const { compiled } = resolve(open, { ...query, fields: [] });
      const work = await workOf(memory, open, { ...compiled, order: 'random' });
      const { rows } = await open.database.read(
        (unit) => unit.rows(selectGroups(readyFor(work, compiled), column, page)),
        readOptions(handle.scope, work, { signal, timeoutMs: readLimit }),
      );
      const groups = rows.map(([n, value]): Row => ({ count: Number(n), [columnName]: codec.decode(value) }));
      return { list: groups, totalRows: await countRows(memory, { open, compiled }, { signal }) };
    },
    ...createFigureReads(deps, resolve),
    stream: async (handle, query, signal) =>
      streamRows(await openWhole(handle, query, signal), query, { signal, source: (database) => database }),
    snapshot(signal) {
      const taken = new DatabaseSnapshots(signal);
      return {
        stream: async (handle, query) => {
          const open = await openWhole(handle, query, signal);
          const source = await taken.of(open.database, shareOf(open.handle.scope));
          return streamRows(open, query, { signal, source: () => source });
        },
        close: () => taken.close(),
      };
    },
    async conditionOf(handle, asked) {
      handle.scope.require('dataList');
      const { context } = await tables.open(handle);
      const of = queryScope(handle.scope, context, deps.filterOperators);
      if (asked !== undefined) return predicateOfFilters({ ...of, reader: asked.reader }, asked.filters);
      return predicateOfSavedFilters({ ...of, visible: 'all' }, handle.view?.filters ?? []);
    },
    keyOf(table, row) {
      const values = table.primaryKey.map((column) => row[column.title]);
      return values.length === 0 || values.some((value) => value === undefined || value === null)
        ? undefined
        : formatRowKey(values as CellValue[]);
    },
  };
}

/** Adds columns to a list. Without additions it returns the same array, because prepared statements are found by its identity. */
function withColumns(
  columns: readonly ColumnSchema[],
  besides: readonly ColumnSchema[],
): readonly ColumnSchema[] {
  return besides.length === 0 ? columns : [...columns, ...besides];
}

/**
 * Whether a read by key finds its row by an index and reads only that row: `Database.get` may block the process while it runs.
 * Values computed over linked rows may read many.
 */
function isOneByIndex(plan: TablePlan, conditions: readonly (Predicate | undefined)[]): boolean {
  return (
    workByKey(plan) === 'page' &&
    conditions.every((of) => of === undefined || isDecidedBy(new Set(plan.byId.keys()), of))
  );
}

/**
 * Rows with all their linked rows, at most 30,000 per cell. Rows with many linked rows come in smaller batches, so that memory does
 * not grow with the links; a batch is halved once it is refused.
 */
async function* wholeRows(
  batches: AsyncIterable<{ readonly rows: readonly Cells[] }>,
  rowsOf: (cells: readonly Cells[], extent: Extent) => Promise<readonly Row[]>,
): AsyncIterable<readonly Row[]> {
  let size = Number.POSITIVE_INFINITY;
  for await (const { rows } of batches) {
    for (let from = 0; from < rows.length;) {
      const cells = rows.slice(from, from + size);
      try {
        const isOne = cells.length === 1;
        const made = await rowsOf(cells, { whole: isOne ? mostOfRow : mostOfBatch, isCut: isOne });
        from += cells.length;
        // Rows with many linked rows may be rare.
        size *= 2;
        yield made;
      } catch (error) {
        const isTooMuch = error instanceof TrellisError && error.code === 'TOO_MANY_LINKED';
        if (!isTooMuch || cells.length === 1) throw error;
        size = Math.ceil(cells.length / 2);
      }
    }
  }
}
