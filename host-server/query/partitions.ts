import type { ColumnSchema, LinkSchema } from '@trellis/sdk/server';
import type { Predicate } from '@trellis/sdk/shared';
import { isText } from '../dialects/functions/default.ts';
import type { Binding } from '../sql/session.ts';
import { joined, sql, text, type SqlFragment } from '../sql/fragment.ts';
import { columnSql, reading, tableSql, typeOf, type CompileContext } from './compile-context.ts';
import { compileColumn } from './compile-expression.ts';
import { compileRule } from './compile-predicate.ts';
import { columnIn, isKeyOf, sameValues } from './compile-related.ts';
import { keysOf } from './key-texts.ts';
import { queryErrors } from './query-errors.ts';
import { textsOf } from './kept-texts.ts';
import { orderOf, orderTerms } from './order.ts';
import { shownSql, whereOf, type CompiledQuery } from './select.ts';

/**
 * The first rows of each part of a table, in one statement: a window function numbers the rows within their part, and rows beyond
 * the wanted number are left out.
 */
interface Partition {
  readonly query: CompiledQuery;
  readonly from: SqlFragment;
  readonly where: SqlFragment | undefined;
  /** The values that the rows of one part have in common. */
  readonly by: readonly SqlFragment[];
  /** The select list. */
  readonly shown: readonly SqlFragment[];
  /** The most rows of each part. */
  readonly perPart: number;
  /** The number of rows of each part to skip. */
  readonly skip?: number;
}

/** Values of a select list, named by a letter and their number. */
function named(letter: string, values: readonly SqlFragment[]): readonly SqlFragment[] {
  return values.map((value, index) => sql`${value} as ${text(letter + index)}`);
}

/** The rows of the parts. Cells: `c0`, `c1` and so on, then `place`, the number of the row in its part, from 1. */
function partitioned({ query, from, where, by, shown, perPart, skip = 0 }: Partition) {
  const { statements } = query.dialect;
  const order = orderOf(query);
  const { anyOrder } = statements;
  const terms = order.length === 0 && anyOrder !== undefined ? [anyOrder] : order;
  const orderBy = terms.length === 0 ? text('') : sql` order by ${joined(terms, ', ')}`;
  const place = sql`row_number() over (partition by ${joined(by, ', ')}${orderBy}) as place`;
  const columns = joined([...named('c', shown), place], ', ');
  const numbered = statements.select({ columns, from, where });
  const names = shown.map((_, index) => `parts.c${index}`);
  return {
    columns: text([...names, 'parts.place'].join(', ')),
    from: sql`(${numbered}) as parts`,
    where: text(`parts.place > ${skip} and parts.place <= ${skip + perPart}`),
  };
}

export interface GroupsOf {
  readonly by: ColumnSchema;
  readonly perGroup: number;
  /** The most rows of all groups together. Every group gets its first row before any gets a second one. */
  readonly limit: number;
}

/**
 * The first rows of each group of rows with the same value in a column, groups in the order of that value.
 *
 * Cells: those of `columns`, the value, how many rows the group has, and the number of the row in its group, from 1. Every row of
 * the table is numbered, so the numbering reads keys only; cells are read only for the rows that are shown.
 */
export function selectGroupPages(
  asked: CompiledQuery,
  columns: readonly ColumnSchema[],
  { by, perGroup, limit }: GroupsOf,
): SqlFragment {
  const query = reading(asked);
  const { functions, statements } = query.dialect;
  const value = compileColumn(query, by);
  const key = functions.groupKey(value.type, value.sql);
  const count = sql`count(*) over (partition by ${key})`;
  const cells = columns.map((column) => shownSql(query, column));
  const { primaryKey } = query.table;
  const hasKey = primaryKey.length > 0 && primaryKey.every(({ required }) => required);
  const carried = hasKey ? primaryKey.map((column) => columnSql(query, column)) : cells;
  const parts = partitioned({
    query,
    from: tableSql(query),
    where: whereOf(query),
    by: [key],
    shown: [...carried, value.sql, count],
    perPart: perGroup,
  });
  const [valueCell, countCell, place] = [`c${carried.length}`, `c${carried.length + 1}`, 'place'].map(
    (cell) => text(`parts.${cell}`),
  ) as [SqlFragment, SqlFragment, SqlFragment];
  const order = orderTerms(query, by, { value: { type: value.type, sql: valueCell }, direction: 'asc' });
  const kept = sql`(${statements.select({ ...parts, orderBy: [place, ...order], limit })}) as parts`;
  const isRow = carried.map((cell, index) => sql`${cell} = ${text(`parts.c${index}`)}`);
  const shown = hasKey ? cells : cells.map((_, index) => text(`parts.c${index}`));
  return statements.select({
    columns: joined([...shown, valueCell, countCell, place], ', '),
    from: hasKey ? sql`${kept} join ${tableSql(query)} on ${joined(isRow, ' and ')}` : kept,
    orderBy: [...order, place],
  });
}

export interface LinkedTo {
  readonly link: LinkSchema;
  /** The values of the link's columns in the rows where the link starts. */
  readonly keys: readonly (readonly Binding[])[];
  /** The most linked rows of each of these rows. */
  readonly perRow: number;
  /** The number of linked rows to skip for each of these rows. */
  readonly skip?: number | undefined;
  /** The most rows of all together. Every row where the link starts gets its first linked row before any gets a second one. */
  readonly limit: number;
  /** The condition on rows of the junction table, where the link has one. */
  readonly across?: Predicate;
}

/**
 * The rows that a link leads to from any of several rows, which are named by their values in the link's columns.
 *
 * Cells: the values by which a row is linked, the cells of `columns`, and the number of the row among the rows with the same
 * values.
 *
 * @param asked a query of the table that the link leads to
 */
export function selectLinked(
  asked: CompiledQuery,
  columns: readonly ColumnSchema[],
  of: LinkedTo,
): SqlFragment {
  const query = reading(asked);
  const end = nearEnd(query, of.link);
  if (!isKept(query, columns, of)) return compileLinked(query, columns, of, end);
  const bindings = of.keys.map(([value]) => value ?? null);
  const kept = textsOf(columns, end.near.table).of(shapeOf(query, of), () => {
    const made = compileLinked(query, columns, of, end);
    // The text is kept only if the keys are its only bindings, each once and in order.
    const areKeysAlone =
      made.bindings.length === bindings.length && made.bindings.every((value, at) => value === bindings[at]);
    return areKeysAlone ? made.sql : undefined;
  });
  return kept === undefined ? compileLinked(query, columns, of, end) : { sql: kept, bindings };
}

/**
 * The text of `selectLinked` for `count` keys of one column, made before the keys are known. Undefined unless the keys are the
 * only bindings, each bound once.
 */
export function selectLinkedText(
  asked: CompiledQuery,
  columns: readonly ColumnSchema[],
  { count, ...of }: Omit<LinkedTo, 'keys'> & { readonly count: number },
): LinkedText | undefined {
  const keys = Array.from({ length: count }, (_, index) => [String(index)]);
  const linked = { ...of, keys };
  const query = reading(asked);
  if (!isKept(query, columns, linked)) return undefined;
  const end = nearEnd(query, of.link);
  const isNumbered = !leadsToOne(end, of.skip) && (of.skip ?? 0) === 0;
  const all = selectLinked(asked, columns, linked);
  const few = isNumbered ? compileFew(query, columns, linked, end) : undefined;
  const areKeysAlone = [all, ...(few === undefined ? [] : [few])].every(
    ({ bindings }) =>
      bindings.length === count && bindings.every((value, index) => value === keys[index]?.[0]),
  );
  if (!areKeysAlone) return undefined;
  return { sql: all.sql, ...(few && { few: { sql: few.sql, most: mostUnnumbered } }) };
}

/** The SQL text of a read of linked rows. */
interface LinkedText {
  readonly sql: string;
  /**
   * A cheaper read without row numbers: all linked rows of all keys in their order, at most `most` of them. Numbering rows takes
   * longer than reading a few too many. When it returns `most` rows, the numbered read is needed.
   */
  readonly few?: { readonly sql: string; readonly most: number };
}

const mostUnnumbered = 1000;

/** Whether each key leads to at most one row, so that rows need no numbers. */
function leadsToOne({ near, nearIds }: NearEnd, skip = 0): boolean {
  return skip === 0 && isKeyOf(near.table, nearIds);
}

/** The `from`, conditions and columns of a read of linked rows. */
function linkedParts(
  query: CompiledQuery,
  columns: readonly ColumnSchema[],
  { keys, across }: Pick<LinkedTo, 'keys' | 'across'>,
  { near, nearIds, from }: NearEnd,
) {
  const ends = nearIds.map((id) => columnIn(near.table, id));
  const isOneOf = oneOfKeys(near, ends, keys);
  const linked = across === undefined ? isOneOf : sql`${isOneOf} and ${compileRule(near, across)}`;
  const shown = [
    ...ends.map((column) => columnSql(near, column)),
    ...columns.map((column) => shownSql(query, column)),
  ];
  return { ends, shown, from, where: whereOf(query, linked) };
}

/** The linked rows of all keys in the order of the query, without numbers. The limit is in the inner query, so that few rows are sorted. */
function compileFew(
  query: CompiledQuery,
  columns: readonly ColumnSchema[],
  of: Pick<LinkedTo, 'keys' | 'across'>,
  end: NearEnd,
): SqlFragment {
  const { statements } = query.dialect;
  const { shown, from, where } = linkedParts(query, columns, of, end);
  const order = query.order === 'random' ? [] : query.order;
  const values = order.map(({ column }, index) => sql`${columnSql(query, column)} as ${text(`o${index}`)}`);
  const some = statements.select({
    columns: joined([...named('c', shown), ...values], ', '),
    from,
    where,
    limit: mostUnnumbered,
  });
  return statements.select({
    columns: text(shown.map((_, index) => `parts.c${index}`).join(', ')),
    from: sql`(${some}) as parts`,
    orderBy: order.flatMap(({ column, direction }, index) =>
      orderTerms(query, column, {
        value: { type: { ...typeOf(column), nullable: !column.required }, sql: text(`parts.o${index}`) },
        direction,
      }),
    ),
  });
}

type NearEnd = ReturnType<typeof nearEnd>;

function compileLinked(
  query: CompiledQuery,
  columns: readonly ColumnSchema[],
  { keys, perRow, skip, limit, across }: LinkedTo,
  end: NearEnd,
): SqlFragment {
  const { near } = end;
  const { ends, shown, from, where } = linkedParts(query, columns, { keys, across }, end);
  const { statements } = query.dialect;
  if (leadsToOne(end, skip))
    return statements.select({ columns: joined([...shown, text('1 as place')], ', '), from, where, limit });
  const parts = partitioned({
    query,
    from,
    where,
    by: ends.map((column) => keysOf(near).groupKey(typeOf(column), columnSql(near, column))),
    shown,
    perPart: perRow,
    skip,
  });
  return statements.select({ ...parts, orderBy: [text('parts.place')], limit });
}

/** The most keys of a kept text. A page has no more; exports have more, and use each number of keys only once. */
const mostKeptKeys = 100;

/** Whether the text depends only on its shape. The sources of computed columns, and of sorts by them, may change without the column. */
function isKept(
  { rule, predicate, isSearch, order, table }: CompiledQuery,
  columns: readonly ColumnSchema[],
  { link, keys, across }: LinkedTo,
): boolean {
  const isPlain = rule === undefined && predicate === undefined && across === undefined && isSearch !== true;
  const isOfOneColumn = link.columnIds.length === 1 && keys.length > 0 && keys.length <= mostKeptKeys;
  const isByKey =
    order !== 'random' && order.every(({ column }) => column.primaryKey || column === table.rowOrder);
  return isPlain && isOfOneColumn && isByKey && columns.every(({ columnName }) => columnName !== '');
}

/** The facts that decide the text of such a read, besides its columns and tables. */
function shapeOf({ order }: CompiledQuery, { link, keys, perRow, skip, limit }: LinkedTo): string {
  const by = order === 'random' ? [] : order.map(({ column, direction }) => column.id + direction);
  const ends = [link.toColumnIds, link.through?.columnIds, link.through?.toColumnIds];
  return [...ends, keys.length, perRow, skip, limit, ...by].join(' ');
}

/**
 * Finds which of some keys the database holds to be the same as the values of a row; for the key `alfki` this may also be
 * `ALFKI`. Undefined when no value is a text, since then only equal values are the same.
 *
 * Cells: the place of the first such key among all keys, or -1, and the values of the row. Rows with the same values come once.
 *
 * @param ends values of rows: only rows with one of these values are wanted, so no others are read
 */
export function selectSpellings(
  asked: CompileContext,
  nearIds: readonly string[],
  { keys, ends }: { readonly keys: LinkedTo['keys']; readonly ends?: LinkedTo['keys'] },
): SqlFragment | undefined {
  const near = reading(asked);
  const columns = nearIds.map((id) => columnIn(near.table, id));
  if (!columns.some(isWritten)) return undefined;
  const fewer = ends !== undefined && ends.length < keys.length ? ends : keys;
  const { select } = near.dialect.statements;
  const held = columns.map((column) => columnSql(near, column));
  const written = columns.map((column) => writtenSql(near, column));
  // Each different list of values is compared once, not each row.
  const spellings = select({
    columns: joined(
      [
        ...named('e', held),
        ...named(
          'c',
          written.map(({ shown }) => shown),
        ),
      ],
      ', ',
    ),
    from: tableSql(near),
    where: joined(holdingTexts(near, columns, fewer), ' and '),
    groupBy: [...held, ...written.flatMap(({ letters }) => letters ?? [])],
  });
  const cells = columns.map((_, index) => text(`spelled.c${index}`));
  return select({
    columns: joined([sql`${placeOfKey(near, columns, keys)} as place`, ...cells], ', '),
    from: sql`(${spellings}) as spelled`,
  });
}

/** Conditions, one for each text column, that its value is in the lists. */
function holdingTexts(
  near: CompileContext,
  columns: readonly ColumnSchema[],
  lists: LinkedTo['keys'],
): readonly SqlFragment[] {
  return columns.flatMap((column, index) => {
    if (!isWritten(column)) return [];
    const values = [...new Set(lists.map((list) => list[index] ?? null))];
    const choices = values.map((value) => near.dialect.functions.value(typeOf(column), value));
    return [keysOf(near).oneOf(typeOf(column), columnSql(near, column), choices)];
  });
}

/** The place of the first key that equals the values `spelled.e0`, `spelled.e1` and so on. */
function placeOfKey(
  near: CompileContext,
  columns: readonly ColumnSchema[],
  keys: LinkedTo['keys'],
): SqlFragment {
  const { functions } = near.dialect;
  const places = keys.map((key, place) => {
    const equal = columns.map((column, index) => {
      const value = functions.value(typeOf(column), key[index] ?? null);
      return keysOf(near).equals(typeOf(column), text(`spelled.e${index}`), value);
    });
    return sql`when ${joined(equal, ' and ')} then ${text(String(place))}`;
  });
  return sql`case ${joined(places, ' ')} else -1 end`;
}

/** A value of grouped rows as it is stored, and a form that tells its letters apart where the database holds them to be the same. */
function writtenSql(near: CompileContext, column: ColumnSchema) {
  const { letters, minimum, groupKey } = near.dialect.functions;
  const value = columnSql(near, column);
  if (!isWritten(column)) return { shown: value, letters: undefined };
  const type = typeOf(column);
  return {
    shown: minimum(type, letters?.(value) ?? value),
    letters: letters?.(value) ?? groupKey(type, value),
  };
}

const isWritten = (column: ColumnSchema): boolean => isText(typeOf(column));

/** The table and columns that hold the values of a link at its far side: the linked table or the junction table. */
export function nearEnd(query: CompiledQuery, link: LinkSchema) {
  const { through } = link;
  if (through === undefined) return { near: query, nearIds: link.toColumnIds, from: tableSql(query) };
  const table = query.reach.snapshot.tables.get(through.tableId);
  if (table === undefined) throw queryErrors.create('LINK_MISSING', { table: query.table.title });
  const near: CompileContext = { ...query, table, alias: 'j0' };
  const on = sameValues([near, through.toColumnIds], [query, link.toColumnIds]);
  return { near, nearIds: through.columnIds, from: sql`${tableSql(query)} join ${tableSql(near)} on ${on}` };
}

/** The rows that are linked by one of these lists of values, and that meet the rule if there is one. */
export function selectHolding(
  asked: CompileContext,
  columns: readonly ColumnSchema[],
  of: {
    readonly ends: readonly ColumnSchema[];
    readonly keys: readonly (readonly Binding[])[];
    readonly rule: Predicate | undefined;
    readonly limit: number;
  },
): SqlFragment {
  const query = reading(asked);
  return query.dialect.statements.select({
    columns: joined(
      columns.map((column) => shownSql(query, column)),
      ', ',
    ),
    from: tableSql(query),
    where: whereOf({ ...query, rule: of.rule, predicate: undefined }, oneOfKeys(query, of.ends, of.keys)),
    limit: of.limit,
  });
}

function oneOfKeys(
  near: CompileContext,
  ends: readonly ColumnSchema[],
  keys: readonly (readonly Binding[])[],
): SqlFragment {
  const by = keysOf(near);
  const { functions } = near.dialect;
  const [only, ...others] = ends;
  const valueOf = (column: ColumnSchema, value: Binding | undefined) =>
    functions.value(typeOf(column), value ?? null);
  if (only !== undefined && others.length === 0) {
    const choices = keys.map(([value]) => valueOf(only, value));
    return by.oneOf(typeOf(only), columnSql(near, only), choices);
  }
  const named = keys.map((key) => {
    const equal = ends.map((column, index) =>
      by.equals(typeOf(column), columnSql(near, column), valueOf(column, key[index])),
    );
    return sql`(${joined(equal, ' and ')})`;
  });
  return named.length === 0 ? text('1 = 0') : anyOf(named);
}

/**
 * Joins conditions with `or` as a balanced tree: databases limit the nesting of conditions, and a plain chain nests as deep as it
 * is long.
 */
function anyOf(conditions: readonly SqlFragment[]): SqlFragment {
  if (conditions.length <= 2) return sql`(${joined(conditions, ' or ')})`;
  const half = Math.ceil(conditions.length / 2);
  return sql`(${anyOf(conditions.slice(0, half))} or ${anyOf(conditions.slice(half))})`;
}
