import { mayRead, type ColumnSchema, type GroupFigures, type RowReads } from '@trellis/sdk/server';
import type {
  AggregateNode,
  AggregationOf,
  CellValue,
  Expression,
  Predicate,
  StorageKind,
} from '@trellis/sdk/shared';
import type { CompileContext } from '../query/compile-context.ts';
import { computedDecoder, computedType } from '../query/computed-columns.ts';
import { selectFigures, type GroupBy } from '../query/figures.ts';
import { filledCells } from '../query/filled-cells.ts';
import { shapeOf, type CompiledQuery } from '../query/select.ts';
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
      const values = groups.map((of) => valueDecoder(open, compiled, of));
      // Counts of rows add up, other figures do not. Without other figures, the upper levels follow from the groups of the last level.
      const asks = groups.map((_, level) => level).slice(asked.length === 0 ? -1 : 0);
      const statementsOf = (of: CompiledQuery) =>
        asks.map((level) => ({
          ...selectFigures(of, { by: groups.slice(0, level + 1), nodes: asked, limit: mostGroups + 1 }),
          by: values.slice(0, level + 1),
        }));
      const shape = statementsOf(compiled).map(({ query: statement }) => shapeOf(statement));
      return memory.groups(handle.table.id, JSON.stringify([shape, wanted]), async () => {
        const work = await workOf(memory, open, { ...compiled, order: 'random' });
        const statements = statementsOf(readyFor(work, compiled));
        // One reader reads all levels, so that they count the same rows.
        const found = await open.database.read(
          async (unit) => {
            const levels: GroupFigures[][] = [];
            for (const { query: statement, types, by } of statements) {
              const { rows } = await unit.rows(statement);
              if (rows.length > mostGroups) throw rowErrors.create('TOO_MANY_GROUPS', { limit: mostGroups });
              const decoders = types.map((type) => computedDecoder(compiled, type));
              levels.push(
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
            return levels;
          },
          readOptions(handle.scope, work, { signal, timeoutMs: readLimit }),
        );
        const [last = []] = found;
        return asked.length > 0 ? found : groups.map((_, level) => addedUp(last, level + 1));
      });
    },
  };
}

/** Sums groups up by their first columns, in the order in which these groups first appear. */
function addedUp(groups: readonly GroupFigures[], columns: number): readonly GroupFigures[] {
  const added = new Map<string, GroupFigures>();
  for (const { values: all, count, figures } of groups) {
    const values = all.slice(0, columns);
    const key = JSON.stringify(values);
    added.set(key, { values, count: count + (added.get(key)?.count ?? 0), figures });
  }
  return [...added.values()];
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
  { column, band }: GroupBy,
): (raw: unknown) => CellValue {
  const codec = plan.readable.get(column.id);
  if (codec === undefined || !mayRead(handle.scope, column))
    throw rowErrors.create('GROUP_COLUMN_UNKNOWN', { column: column.title });
  if (band !== undefined) return (raw) => (raw === null ? null : Number(raw));
  const computed = column.columnName === '' ? computedType(context, column) : undefined;
  if (computed !== undefined) return computedDecoder(context, computed);
  // Out of a derived table MySQL gives booleans as numbers.
  if (column.storage === 'boolean') return (raw) => (raw === null ? null : raw === true || Number(raw) === 1);
  return (raw) => codec.decode(raw);
}

function kindOf(context: CompileContext, column: ColumnSchema): StorageKind | undefined {
  return column.columnName === '' ? computedType(context, column)?.kind : column.storage;
}

/** True where a condition is met, else null, so that `count` counts the rows that meet it. */
function trueWhere(when: Predicate): Expression {
  return {
    kind: 'case',
    branches: [{ when, value: { kind: 'literal', value: true, storage: 'boolean' } }],
  };
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
  if (found === undefined) return undefined;
  const filled = found.ofLists === true ? filledCells(context, column) : undefined;
  const kind = filled === undefined ? kindOf(context, column) : 'boolean';
  if (kind === undefined || (found.accepts !== 'any' && !found.accepts.includes(kind))) return undefined;
  try {
    return found.build(filled === undefined ? { kind: 'column', columnId } : trueWhere(filled));
  } catch (error) {
    errors.charge(aggregations.subject(aggregation), error);
    return undefined;
  }
}
