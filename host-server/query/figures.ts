import type { AggregateNode, Expression } from '@trellis/sdk/shared';
import { bound, joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import { aggregated } from './aggregates.ts';
import { reading, tableSql } from './compile-context.ts';
import { compileColumn, compileExpression, operation } from './compile-expression.ts';
import { summing } from './expression-limits.ts';
import { queryErrors } from './query-errors.ts';
import { commonType, converted, isNumber, type ResultType, type TypedSql } from './result-types.ts';
import { orderTerms, orderValue, type OrderBy } from './order.ts';
import { readSql, whereOf, type CompiledQuery } from './select.ts';

/** The most characters of the different values of one statement of figures. */
const longest = 5_000_000;

/** One column by which rows are grouped. */
export interface GroupBy extends OrderBy {
  /** Groups rows by this expression instead of the column's value, see `bandOf`. */
  readonly band?: Expression;
}

/** The figures that are asked of the rows of a query. */
export interface FiguresOf {
  readonly nodes: readonly AggregateNode[];
  /** The columns by which rows are grouped; without any, all rows are one group. */
  readonly by?: readonly GroupBy[];
  /** The most groups. */
  readonly limit?: number;
}

/** An expression that figures use. It is computed once for each row and then read by name. */
interface PreparedValue {
  readonly name: string;
  readonly made: TypedSql;
  isRanked: boolean;
}

/**
 * Figures over the rows of a query, or over each group of them; groups come in the order that a sort of the rows by the same
 * columns gives.
 *
 * Cells: the values of `by`, then (only with `by`) the number of rows of the group, then one for each node.
 */
export function selectFigures(
  asked: CompiledQuery,
  { nodes, by = [], limit }: FiguresOf,
): { readonly query: SqlFragment; readonly types: readonly ResultType[] } {
  const query = reading(asked);
  const { statements } = query.dialect;
  const prepared: PreparedValue[] = [];
  const add = summing({ length: longest, bindings: query.dialect.limits.parametersPerStatement / 2 });
  const preparedColumns = new Map<string, PreparedValue>();
  const prepare = (of: Expression): PreparedValue => {
    const before = of.kind === 'column' ? preparedColumns.get(of.columnId) : undefined;
    if (before !== undefined) return before;
    const value = { name: `v${prepared.length}`, made: compileExpression(query, of), isRanked: false };
    add(value.made.sql);
    prepared.push(value);
    if (of.kind === 'column') preparedColumns.set(of.columnId, value);
    return value;
  };
  const figures = nodes.map((node) => figureSql(query, node, prepare));
  const groups = by.map((of, at) => ({ ...of, ...groupedBy(query, of, at) }));
  const values = valuesOf(query, [
    ...groups.map((group, at) => ({ ...group, name: `g${at}` })),
    ...prepared.map(({ made, name }) => ({ made, name })),
  ]);
  const terms = groups.map(({ made }, at): TypedSql => ({ sql: text(`figured.g${at}`), type: made.type }));
  const keys = terms.map((value) => groupKey(query, value));
  const ranked = prepared.filter(({ isRanked }) => isRanked);
  const from = sql`(${ranked.length === 0 ? values : withRanks(query, values, { ranked, keys })}) as figured`;
  const shown = figures.map((figure) => readSql(query, figure));
  const types = figures.map(({ type }) => type);
  if (groups.length === 0) return { query: statements.select({ columns: joined(shown, ', '), from }), types };
  const counted = statements.select({
    columns: joined(
      [
        ...terms.map((value, at) => sql`${groupValue(query, value)} as ${text(`k${at}`)}`),
        text('count(*) as counted'),
        ...shown.map((figure, at) => sql`${figure} as ${text(`f${at}`)}`),
      ],
      ', ',
    ),
    from,
    groupBy: keys,
  });
  // The place of a value in the list of its type is looked up once for each group, not for each row.
  const named = groups.map(({ made }, at): TypedSql => ({ sql: text(`grouped.k${at}`), type: made.type }));
  return {
    query: statements.select({
      columns: joined(
        [
          ...named.map((value) => readSql(query, value)),
          text('grouped.counted'),
          ...shown.map((_, at) => text(`grouped.f${at}`)),
        ],
        ', ',
      ),
      from: sql`(${counted}) as grouped`,
      orderBy: groups.flatMap(({ column, band, direction, made }, at) => {
        const value = named[at] ?? made;
        return band === undefined
          ? orderTerms(query, column, { value, direction })
          : query.dialect.functions.orderBy(value.type, value.sql, direction);
      }),
      ...(limit === undefined ? {} : { limit }),
    }),
    types,
  };
}

/**
 * A value of each row under a name. `worked` is an intermediate value, which the rows that this value is read from hold under its
 * own name.
 */
interface RowValue {
  readonly name: string;
  readonly made: TypedSql;
  readonly worked?: { readonly name: string; readonly sql: SqlFragment };
}

/**
 * The value that rows are grouped by. For bands of a computed column the value is computed once for each row, and compared with
 * each bound by its name.
 */
function groupedBy(
  query: CompiledQuery,
  { column, band }: GroupBy,
  at: number,
): Pick<RowValue, 'made' | 'worked'> {
  if (band === undefined) return { made: orderValue(query, column) };
  if (column.columnName !== '') return { made: compileExpression(query, band) };
  const value = compileColumn(query, column);
  const name = `b${at}`;
  const known = { columnId: column.id, value: { ...value, sql: text(`worked.${name}`) } };
  return { made: compileExpression({ ...query, known }, band), worked: { name, sql: value.sql } };
}

/** Computes values once, in a derived table, and binds them once: PostgreSQL takes a repeated expression for a different one. */
function valuesOf(query: CompiledQuery, values: readonly RowValue[]): SqlFragment {
  const { statements } = query.dialect;
  const from = tableSql(query);
  const where = whereOf(query);
  const named = (value: SqlFragment, name: string) => sql`${value} as ${text(name)}`;
  if (values.length === 0) return statements.select({ columns: text('1 as one'), from, where });
  if (values.every(({ worked }) => worked === undefined)) {
    const columns = values.map(({ made, name }) => named(made.sql, name));
    return statements.select({ columns: joined(columns, ', '), from, where });
  }
  const worked = values.map((of) => named(of.worked?.sql ?? of.made.sql, of.worked?.name ?? of.name));
  const rows = statements.workedOnce(statements.select({ columns: joined(worked, ', '), from, where }));
  const columns = values.map(({ made, name, worked: of }) =>
    named(of === undefined ? text(`worked.${name}`) : made.sql, name),
  );
  return statements.select({ columns: joined(columns, ', '), from: sql`(${rows}) as worked` });
}

type Prepare = (of: Expression) => PreparedValue;

function figureSql(query: CompiledQuery, node: AggregateNode, prepare: Prepare): TypedSql {
  switch (node.kind) {
    case 'count':
      return { sql: text('count(*)'), type: { kind: 'bigint', nullable: false } };
    case 'number':
      return { sql: bound(node.value), type: { kind: 'float', nullable: false }, literal: node.value };
    case 'aggregate':
      return node.aggregate === 'median'
        ? median(query, prepare(node.of))
        : aggregated(query, node.aggregate, preparedSql(prepare(node.of)));
    case 'arithmetic': {
      const sides = [node.left, node.right].map((side) => figureSql(query, side, prepare));
      const meeting = commonType(sides.map((side) => side.type));
      // Sums that leave 64 bits would lose digits on SQLite.
      const type = meeting.kind === 'bigint' ? ({ kind: 'decimal' } as const) : meeting;
      const items = sides.map((side) => ({
        ...side,
        sql: converted(query.dialect, side, type),
        type: { ...type, nullable: side.type.nullable },
      }));
      return operation(query, node.operator, { type, items });
    }
    case 'daysBetween': {
      const [from, to] = [node.from, node.to].map((side) => figureSql(query, side, prepare).sql);
      const days = query.dialect.dates.daysBetween(from ?? text('null'), to ?? text('null'));
      return { sql: days, type: { kind: 'integer', nullable: true } };
    }
  }
}

function preparedSql({ name, made }: PreparedValue): TypedSql {
  const { type, magnitude } = made;
  return { sql: text(`figured.${name}`), type, ...(magnitude !== undefined && { magnitude }) };
}

/** The median: the mean of the one or two middle values by the ranks of `withRanks`. It is exact except for doubles. */
function median(query: CompiledQuery, value: PreparedValue): TypedSql {
  const { kind } = value.made.type;
  if (!isNumber(kind)) throw queryErrors.create('NUMBERS_EXPECTED');
  value.isRanked = true;
  const { name } = value;
  const [rank, count] = [text(`figured.${name}_rank * 2`), text(`figured.${name}_count`)];
  const item = preparedSql(value);
  const middle = {
    ...item,
    sql: sql`case when ${rank} >= ${count} and ${rank} <= ${count} + 2 then ${item.sql} end`,
  };
  // A double holds every number of 32 bits exactly.
  if (kind === 'integer' || kind === 'float') return aggregated(query, 'avg', middle);
  const type = { kind: 'decimal' } as const;
  const ends = [aggregated(query, 'min', middle), aggregated(query, 'max', middle)];
  const sum = operation(query, 'add', { type, items: ends });
  return operation(query, 'multiply', { type, items: [sum, half(query)] });
}

function half({ dialect }: CompiledQuery): TypedSql {
  const type = { kind: 'decimal', nullable: false } as const;
  return { sql: dialect.functions.value(type, '0.5'), type, literal: '0.5' };
}

/** The prepared values, and for the ranked ones their rank in the group (greatest first, empty ones last) and their number. */
function withRanks(
  { dialect }: CompiledQuery,
  values: SqlFragment,
  { ranked, keys }: { readonly ranked: readonly PreparedValue[]; readonly keys: readonly SqlFragment[] },
): SqlFragment {
  const { functions, statements } = dialect;
  const part = keys.length === 0 ? text('') : sql`partition by ${joined(keys, ', ')}`;
  const ranks = ranked.flatMap((value) => {
    const { sql: cell, type } = preparedSql(value);
    const order = joined(functions.orderBy(type, cell, 'desc'), ', ');
    return [
      sql`row_number() over (${part} order by ${order}) as ${text(`${value.name}_rank`)}`,
      sql`count(${cell}) over (${part}) as ${text(`${value.name}_count`)}`,
    ];
  });
  return statements.select({
    columns: joined([text('figured.*'), ...ranks], ', '),
    from: sql`(${values}) as figured`,
  });
}

function groupKey({ dialect }: CompiledQuery, { sql: value, type }: TypedSql): SqlFragment {
  return type.kind === 'boolean' ? value : dialect.functions.groupKey(type, value);
}

/** The value that the rows of a group share. */
function groupValue({ dialect }: CompiledQuery, { sql: value, type }: TypedSql): SqlFragment {
  return type.kind === 'boolean' ? value : dialect.functions.minimum(type, value);
}
