import { joined, sql, text, type SqlFragment } from '../../sql/fragment.ts';
import {
  clause,
  defaultStatements,
  type InsertParts,
  type SelectParts,
  type StatementSql,
} from './default.ts';

const noOrder = text('(select null)');
const direction = / (?:asc|desc)$/;

/** Terms of `order by`: SQL Server refuses a column that occurs twice, and a bound value on its own. */
function orderTerms(terms: readonly SqlFragment[]): readonly SqlFragment[] {
  const known = new Set<string>();
  return terms.flatMap((term) => {
    const value = term.sql.replace(direction, '');
    const key = JSON.stringify([value, term.bindings.map(String)]);
    if (known.has(key)) return [];
    known.add(key);
    const isComputed = /[.[]|^\d+$|^\w+$|^\(select\b/.test(value);
    return [isComputed ? term : { ...term, sql: `(select ${value})${direction.exec(term.sql)?.[0] ?? ''}` }];
  });
}

/** ` order by ... offset 50 rows fetch next 25 rows only`: SQL Server allows a page only with an order. */
function pageClause({
  orderBy = [],
  limit,
  offset = 0,
}: Pick<SelectParts, 'orderBy' | 'limit' | 'offset'>): SqlFragment {
  const terms = orderTerms(orderBy);
  if (limit === undefined) return clause(' order by ', terms);
  // SQL Server fetches at least one row.
  const rows = limit === 0 ? text(' offset 9223372036854775807 rows') : text(` offset ${offset} rows`);
  const fetch = limit === 0 ? text('') : text(` fetch next ${limit} rows only`);
  return sql`${clause(' order by ', terms.length === 0 ? [noOrder] : terms)}${rows}${fetch}`;
}

/** The table for an insert's output: `output` to the client fails on tables with triggers. */
const made = text('#trellis_made');

/**
 * Inserts several rows and returns them in their order. No other statement guarantees the order, and generated values do not tell
 * it. So rows are inserted together with their places, and only `merge` can return columns that it does not write.
 */
function mergeInOrder({ table, columns, tuples, returning }: InsertParts): SqlFragment {
  const { places, count, bindings } = tuples;
  const width = places.length;
  // A column with only nulls would get a number type, which not every column accepts.
  const filled = places.flatMap((_, place) =>
    Array.from({ length: count }, (__, row) => bindings[row * width + place]).some((value) => value !== null)
      ? [place]
      : [],
  );
  const rows = Array.from({ length: count }, (_, row) => {
    const values = filled.map((place) => ({
      sql: places[place] ?? '?',
      bindings: [bindings[row * width + place] ?? null],
    }));
    return sql`(${joined([...values, text(String(row))], ', ')})`;
  });
  const names = [...filled.map((place) => `c${place}`), 'place'].join(', ');
  const values = places.map((_, place) => text(filled.includes(place) ? `given.c${place}` : 'null'));
  const back = joined(returning, ', ');
  const told = joined(
    returning.map((name) => sql`inserted.${name}`),
    ', ',
  );
  const shape = sql`select ${back}, 0 as trellis_place from ${table} union all select ${back}, 0 as trellis_place from ${table}`;
  const merge = sql`merge into ${table} as kept using (values ${joined(rows, ', ')}) as given (${text(names)}) on 1 = 0 when not matched then insert (${joined(columns, ', ')}) values (${joined(values, ', ')}) output ${told}, given.place into ${made}`;
  return sql`set nocount on; drop table if exists ${made}; select top (0) shape.* into ${made} from (${shape}) as shape; ${merge}; set nocount off; select ${back} from ${made} order by trellis_place; drop table ${made}`;
}

export const mssqlStatements: StatementSql = {
  ...defaultStatements,
  returnsUpdated: false,
  indexesLongText: false,
  aggregatesQueries: false,
  anyOrder: noOrder,
  lockHint: text(' with (updlock, rowlock)'),
  select({ columns, from, where, groupBy, having, ...page }) {
    const condition = where === undefined ? text('') : sql` where ${where}`;
    return sql`select ${columns} from ${from}${condition}${clause(' group by ', groupBy)}${clause(' having ', having && [having])}${pageClause(page)}`;
  },
  locking: (select, page) => sql`${select}${pageClause(page)}`,
  insert({ table, columns, tuples, returning }) {
    const back = joined(returning, ', ');
    if (returning.length > 0 && columns.length > 0 && tuples.count > 1)
      return mergeInOrder({ table, columns, tuples, returning });
    const output =
      returning.length === 0
        ? text('')
        : sql` output ${joined(
            returning.map((name) => sql`inserted.${name}`),
            ', ',
          )} into ${made}`;
    const insert =
      columns.length === 0
        ? sql`insert into ${table}${output} default values`
        : sql`insert into ${table} (${joined(columns, ', ')})${output} values ${tuples}`;
    if (returning.length === 0) return insert;
    // The union keeps the copy of a counting column from counting itself.
    const shape = sql`select ${back} from ${table} union all select ${back} from ${table}`;
    return sql`set nocount on; drop table if exists ${made}; select top (0) shape.* into ${made} from (${shape}) as shape; ${insert}; set nocount off; select ${back} from ${made} order by ${back}; drop table ${made}`;
  },
  randomOrder: () => text('newid()'),
};
