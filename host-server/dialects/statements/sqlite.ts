import { bound, joined, sql, text } from '../../sql/fragment.ts';
import { defaultStatements, limitClause, type StatementSql } from './default.ts';

/** SQLite has one writer at a time and needs no locks. */
export const sqliteStatements: StatementSql = {
  ...defaultStatements,
  locksRows: false,
  // As in PostgreSQL: a select without a limit is merged into the outer one.
  workedOnce: (select) => sql`${select} limit -1`,
  // There is one writer at a time, and its counter goes up by one.
  tellsLastKey: true,
  keepsBound: () => true,
  locking: (select, { limit }) => sql`${select}${text(limitClause({ limit }))}`,
  // The length is in the head of a row, so asking for it does not read the cell.
  shortRow: (cells, most) => {
    const isLong = cells.map((cell) => sql`octet_length(${cell}) > ${text(String(most))}`);
    return isLong.length === 0
      ? undefined
      : sql`case when ${joined(isLong, ' or ')} then trellis_long_row() else 1 end`;
  },
  nextKey: (table) =>
    sql`select coalesce((select seq from sqlite_sequence where name = ${bound(table)}), 0) + 1`,
  // An abandoned thread can be stopped only while its statement calls a JavaScript function. A call takes as long as reading a
  // row, so there is one for 4,096 rows: 15 ns per row instead of 75. With keys that are no numbers, it is called for each row.
  endable: (key) =>
    key === undefined ? text('trellis_goes_on()') : sql`(${key} & 4095 or trellis_goes_on())`,
};
