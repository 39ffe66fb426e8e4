import { sql, text } from '../../sql/fragment.ts';
import { defaultStatements, limitClause, type StatementSql } from './default.ts';

/** SQLite has one writer at a time and needs no locks. */
export const sqliteStatements: StatementSql = {
  ...defaultStatements,
  locksRows: false,
  locking: (select, { limit }) => sql`${select}${text(limitClause({ limit }))}`,
};
