import type { RegistryView } from '@trellis/core';
import type { PageRequest, RowQuery, RowReads, ServerColumnType, TableHandle } from '@trellis/sdk/server';
import {
  formatRowKey,
  type CellValue,
  type FilterOperator,
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
  type PageOf,
} from '../query/select.ts';
import type { Binding } from '../sql/session.ts';
import type { OpenTable, OpenTables } from './open-table.ts';
import { PageAnchors } from './page-anchors.ts';
import { readOptions, shareOf, workOf } from './read-options.ts';
import { resolveQuery, type ResolvedQuery } from './resolve-query.ts';
import { rowErrors } from './row-errors.ts';
import { columnsOf, whereOfKey } from './row-keys.ts';
import type { TableMemory } from './table-memory.ts';
import { rowBuilder, type ColumnCodec } from './table-plan.ts';

export interface RowReaderDependencies {
  readonly tables: OpenTables;
  readonly memory: TableMemory;
  readonly columnTypes: RegistryView<ServerColumnType>;
  readonly filterOperators: RegistryView<FilterOperator>;
}

/** Milliseconds. */
const countLimit = 10_000;
/** Members may page anywhere within this. Milliseconds. */
const readLimit = 15_000;

/** A query against an open table, ready to be compiled. */
export type Resolve = (open: OpenTable, query: RowQuery) => ResolvedQuery;

export function createResolve(deps: Pick<RowReaderDependencies, 'columnTypes' | 'filterOperators'>): Resolve {
  const registries = { operators: deps.filterOperators, columnTypes: deps.columnTypes };
  return ({ handle, database }, query) => resolveQuery(handle, database.dialect, query, registries);
}

/** Reads of rows: every one compiles through the query compiler. */
export function createRowReads(deps: RowReaderDependencies): RowReads {
  const { tables, memory } = deps;
  const resolve = createResolve(deps);

  async function pageOf(
    handle: TableHandle,
    query: RowQuery,
    page: PageRequest,
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    const open = await tables.open(handle);
    const { compiled, columns } = resolve(open, query);
    const build = rowBuilder(codecsOf(open, columns));
    const tableId = handle.table.id;
    const key = open.plan.key[0];
    const keyAt = key === undefined ? -1 : columns.indexOf(key.column);
    const fits = keyAt !== -1 && page.offset > 0 && PageAnchors.fits(compiled);
    const version = memory.version(tableId);
    // Two external databases may each have a table of this name.
    const shape = fits ? `${tableId} ${selectCount(compiled).shape}` : '';
    const anchor = fits && key ? memory.anchors.nearest(shape, version, page.offset) : undefined;
    const of: PageOf = {
      limit: page.limit,
      offset: page.offset - (anchor?.offset ?? 0),
      ...(anchor && key && { after: { column: key.column, value: anchor.key, inclusive: true } }),
    };
    const { rows } = await open.database.read(
      (unit) => unit.rows(selectPage(compiled, columns, of)),
      readOptions(handle.scope, workOf(memory, compiled), { signal, timeoutMs: readLimit }),
    );
    if (fits && rows[0] !== undefined)
      memory.anchors.learn(shape, version, page.offset, rows[0][keyAt] as Binding);
    return rows.map(build);
  }

  function countOf(
    { handle, database }: OpenTable,
    compiled: ResolvedQuery['compiled'],
    signal: AbortSignal | undefined,
  ): Promise<number> {
    const { query, shape } = selectCount(compiled);
    return memory.count(handle.table.id, shape, async () => {
      try {
        const options = readOptions(handle.scope, workOf(memory, { ...compiled, order: [] }), {
          signal,
          timeoutMs: countLimit,
        });
        const { rows } = await database.read((unit) => unit.rows(query), options);
        const number = Number(rows[0]?.[0] ?? 0);
        if (compiled.predicate === undefined) memory.learnSize(handle.table.id, number);
        return number;
      } catch (error) {
        if (error instanceof DatabaseError && error.kind === 'timeout')
          throw queryErrors.create('COUNT_TIMEOUT', {}, error);
        throw error;
      }
    });
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
    const cells = await open.database.get(statement);
    return cells === undefined ? undefined : rowBuilder(codecsOf(open, columns))(cells);
  }

  return {
    async list(handle, query, page, signal) {
      handle.scope.require('dataList');
      return pageOf(handle, query, page, signal);
    },
    async count(handle, query, signal) {
      handle.scope.require('dataCount');
      const open = await tables.open(handle);
      const { compiled } = resolve(open, { ...query, fields: [], sort: undefined, sortKeys: undefined });
      return countOf(open, compiled, signal);
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
      const [row] = await pageOf(handle, query, { limit: 1, offset: 0 });
      return row;
    },
    async groupBy(handle, columnName, query, page) {
      handle.scope.require('dataGroupBy');
      const open = await tables.open(handle);
      const column = handle.table.columnByName.get(columnName);
      const visible = handle.scope.readableColumns(handle.table.id);
      const codec = column && open.plan.byId.get(column.id);
      if (column === undefined || codec === undefined || (visible !== 'all' && !visible.has(column.id))) {
        throw rowErrors.create('GROUP_COLUMN_UNKNOWN', { column: columnName });
      }
      const { compiled } = resolve(open, { ...query, fields: [] });
      const { rows } = await open.database.read(
        (unit) => unit.rows(selectGroups(compiled, column, page)),
        readOptions(handle.scope, workOf(memory, { ...compiled, order: 'random' }), { timeoutMs: readLimit }),
      );
      const groups = rows.map(([n, value]): Row => ({ count: Number(n), [columnName]: codec.decode(value) }));
      return { list: groups, totalRows: await countOf(open, compiled, undefined) };
    },
    async *stream(handle, query, signal) {
      handle.scope.require('exportCsv');
      const open = await tables.open(handle);
      const { compiled, columns } = resolve(open, query);
      const build = rowBuilder(codecsOf(open, columns));
      for await (const { rows } of open.database.stream(selectAll(compiled, columns), {
        signal,
        share: shareOf(handle.scope),
      }))
        yield rows.map(build);
    },
    keyOf(table, row) {
      const values = table.primaryKey.map((column) => row[column.title]);
      return values.length === 0 || values.some((value) => value === undefined || value === null)
        ? undefined
        : formatRowKey(values as CellValue[]);
    },
  };
}

function codecsOf({ plan }: OpenTable, columns: ResolvedQuery['columns']): readonly ColumnCodec[] {
  return columns.flatMap((column) => plan.byId.get(column.id) ?? []);
}
