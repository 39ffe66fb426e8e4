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

/** Terms of `order by`: SQL Server refuses a column that stands twice, and a bound value that stands alone. */
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

/** ` order by ... offset 50 rows fetch next 25 rows only`: a page is a part of an order. */
function pageClause({
  orderBy = [],
  limit,
  offset = 0,
}: Pick<SelectParts, 'orderBy' | 'limit' | 'offset'>): SqlFragment {
  const terms = orderTerms(orderBy);
  if (limit === undefined) return clause(' order by ', terms);
  // SQL Server fetches one row at the least.
  const rows = limit === 0 ? text(' offset 9223372036854775807 rows') : text(` offset ${offset} rows`);
  const fetch = limit === 0 ? text('') : text(` fetch next ${limit} rows only`);
  return sql`${clause(' order by ', terms.length === 0 ? [noOrder] : terms)}${rows}${fetch}`;
}

/** The table that keeps what an insert made until it is read: `output` alone fails on tables that have triggers. */
const made = text('#trellis_made');

/**
 * Inserts several rows and gives them back in their order, which no other statement promises: what is counted or made by the database
 * tells nothing of it. So rows are inserted together with their places, and only a merge gives back what it does not write.
 */
function mergeInOrder({ table, columns, tuples, returning }: InsertParts): SqlFragment {
  const { places, count, bindings } = tuples;
  const width = places.length;
  // A column of empty values alone would be one of numbers, which not every column takes.
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
    // Through a union, so that a copy of a counting column does not count by itself.
    const shape = sql`select ${back} from ${table} union all select ${back} from ${table}`;
    return sql`set nocount on; drop table if exists ${made}; select top (0) shape.* into ${made} from (${shape}) as shape; ${insert}; set nocount off; select ${back} from ${made} order by ${back}; drop table ${made}`;
  },
  randomOrder: () => text('newid()'),
};
