import { bound, joined, sql, text } from '../../sql/fragment.ts';
import { defaultStatements, limitClause, type StatementSql } from './default.ts';

/** SQLite has one writer at a time and needs no locks. */
export const sqliteStatements: StatementSql = {
  ...defaultStatements,
  locksRows: false,
  // As in PostgreSQL: a select without a limit is taken into the one around it.
  workedOnce: (select) => sql`${select} limit -1`,
  // One writer at a time, whose counter goes up by one.
  tellsLastKey: true,
  keepsBound: () => true,
  locking: (select, { limit }) => sql`${select}${text(limitClause({ limit }))}`,
  // The length stands in the head of a row, so that asking for it does not read the cell.
  shortRow: (cells, most) => {
    const isLong = cells.map((cell) => sql`octet_length(${cell}) > ${text(String(most))}`);
    return isLong.length === 0
      ? undefined
      : sql`case when ${joined(isLong, ' or ')} then trellis_long_row() else 1 end`;
  },
  nextKey: (table) =>
    sql`select coalesce((select seq from sqlite_sequence where name = ${bound(table)}), 0) + 1`,
  // A thread that is given up can be stopped only where a statement calls a function of ours. A call takes as long as looking at a
  // row, so there is one for some thousand rows: 15 ns a row in place of 75. Keys that are no numbers call for each row.
  endable: (key) =>
    key === undefined ? text('trellis_goes_on()') : sql`(${key} & 4095 or trellis_goes_on())`,
};
