import { sql, text } from '../../sql/fragment.ts';
import { defaultStatements, type StatementSql } from './default.ts';

/** MySQL returns nothing from an insert or an update, and MariaDB is treated as MySQL. */
export const mysqlStatements: StatementSql = {
  ...defaultStatements,
  returnsInserted: false,
  returnsUpdated: false,
  readsWrittenTable: false,
  namesOuterRows: false,
  // A select with a limit, here the greatest possible, is not merged into the outer one.
  workedOnce: (select) => sql`${select} limit 18446744073709551615`,
  indexesLongText: false,
  insert: (parts) =>
    parts.columns.length === 0
      ? sql`insert into ${parts.table} () values ()`
      : defaultStatements.insert({ ...parts, returning: [] }),
  randomOrder: () => text('rand()'),
  // More than 1 where several servers write.
  keyStep: text('select @@session.auto_increment_increment'),
};
