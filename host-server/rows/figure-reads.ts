import { mayRead, type GroupFigures, type RowReads } from '@trellis/sdk/server';
import type { AggregateNode, AggregationOf, CellValue } from '@trellis/sdk/shared';
import type { CompileContext } from '../query/compile-context.ts';
import { computedDecoder, computedType } from '../query/computed-columns.ts';
import { selectFigures } from '../query/figures.ts';
import type { OrderBy } from '../query/order.ts';
import type { OpenTable } from './open-table.ts';
import { readOptions, readyFor, workOf } from './read-options.ts';
import { rowErrors } from './row-errors.ts';
import type { Resolve } from './resolve-query.ts';
import type { RowReaderDependencies } from './row-reader.ts';

/** Milliseconds. */
const readLimit = 15_000;
/** Groups of the last level. */
const mostGroups = 5000;

/** Reads of figures: over all rows of a query, or over each group of them. */
export function createFigureReads(
  deps: RowReaderDependencies,
  resolve: Resolve,
): Pick<RowReads, 'aggregate' | 'groupFigures'> {
  const { tables, memory } = deps;

  return {
    async aggregate(handle, query, wanted, signal) {
      handle.scope.require('dataGroupBy');
      const open = await tables.open(handle);
      const { compiled } = resolve(open, { ...query, fields: [], groups: [] });
      const nodes = wanted.map((of) => nodeOf(open, compiled, deps, of));
      const asked = nodes.filter((node) => node !== undefined);
      if (asked.length === 0) return wanted.map(() => null);
      const work = await workOf(memory, open, { ...compiled, order: 'random' });
      const made = selectFigures(readyFor(work, compiled), { nodes: asked });
      const { rows } = await open.database.read(
        (unit) => unit.rows(made.query),
        readOptions(handle.scope, work, { signal, timeoutMs: readLimit }),
      );
      return spread(
        nodes,
        made.types.map((type, at) => computedDecoder(compiled, type)(rows[0]?.[at])),
      );
    },

    async groupFigures(handle, query, wanted, signal) {
      handle.scope.require('dataGroupBy');
      const open = await tables.open(handle);
      const { compiled, groups } = resolve(open, { ...query, fields: [] });
      if (groups.length === 0) return [];
      const nodes = wanted.map((of) => nodeOf(open, compiled, deps, of));
      const asked = nodes.filter((node) => node !== undefined);
      const work = await workOf(memory, open, { ...compiled, order: 'random' });
      const ready = readyFor(work, compiled);
      const values = groups.map(({ column }) => valueDecoder(open, compiled, column));
      const levels = groups.map((_, level) =>
        selectFigures(ready, { by: groups.slice(0, level + 1), nodes: asked, limit: mostGroups + 1 }),
      );
      // One reader for all levels, so that they tell of the same rows.
      return open.database.read(
        async (unit) => {
          const found: GroupFigures[][] = [];
          for (const [level, { query: statement, types }] of levels.entries()) {
            const { rows } = await unit.rows(statement);
            if (rows.length > mostGroups) throw rowErrors.create('TOO_MANY_GROUPS', { limit: mostGroups });
            const decoders = types.map((type) => computedDecoder(compiled, type));
            const by = values.slice(0, level + 1);
            found.push(
              rows.map((cells) => ({
                values: by.map((decode, at) => decode(cells[at])),
                count: Number(cells[by.length]),
                figures: spread(
                  nodes,
                  decoders.map((decode, at) => decode(cells[by.length + 1 + at])),
                ),
              })),
            );
          }
          return found;
        },
        readOptions(handle.scope, work, { signal, timeoutMs: readLimit }),
      );
    },
  };
}

/** The figures in the order in which they were asked for, null for those that the database was not asked for. */
function spread(
  nodes: readonly (AggregateNode | undefined)[],
  values: readonly CellValue[],
): readonly CellValue[] {
  let next = 0;
  return nodes.map((node) => (node === undefined ? null : (values[next++] ?? null)));
}

/** Reads the value that the rows of a group have in common. */
function valueDecoder(
  { plan, handle }: OpenTable,
  context: CompileContext,
  column: OrderBy['column'],
): (raw: unknown) => CellValue {
  const codec = plan.readable.get(column.id);
  if (codec === undefined || !mayRead(handle.scope, column))
    throw rowErrors.create('GROUP_COLUMN_UNKNOWN', { column: column.title });
  const computed = column.columnName === '' ? computedType(context, column) : undefined;
  if (computed !== undefined) return computedDecoder(context, computed);
  // Out of a derived table MySQL gives booleans as numbers.
  if (column.storage === 'boolean') return (raw) => (raw === null ? null : raw === true || Number(raw) === 1);
  return (raw) => codec.decode(raw);
}

/**
 * What an aggregation asks of the database; undefined where nobody provides it, it does not suit the column or it fails.
 *
 * @throws TrellisError `AGGREGATE_COLUMN_UNKNOWN`.
 */
function nodeOf(
  { handle, plan }: OpenTable,
  context: CompileContext,
  { aggregations, errors }: Pick<RowReaderDependencies, 'aggregations' | 'errors'>,
  { columnId, aggregation }: AggregationOf,
): AggregateNode | undefined {
  const column = plan.readable.get(columnId)?.column;
  if (column === undefined || !mayRead(handle.scope, column))
    throw rowErrors.create('AGGREGATE_COLUMN_UNKNOWN', { column: columnId });
  const found = aggregations.get(aggregation);
  const kind = column.columnName === '' ? computedType(context, column)?.kind : column.storage;
  if (found === undefined || kind === undefined) return undefined;
  if (found.accepts !== 'any' && !found.accepts.includes(kind)) return undefined;
  try {
    return found.build({ kind: 'column', columnId });
  } catch (error) {
    errors.charge(aggregations.subject(aggregation), error);
    return undefined;
  }
}
