import { bound, sql } from '../../sql/fragment.ts';
import { postgresIdentifiers } from '../identifiers/postgres.ts';
import { defaultStatements, type StatementSql } from './default.ts';

export const postgresStatements: StatementSql = {
  ...defaultStatements,
  demand: (condition) => sql`1 / (case when ${condition} then 1 else 0 end)`,
  passKeyCounter({ table, column }, number) {
    const counter = sql`pg_get_serial_sequence(${bound(postgresIdentifiers.quote(table))}, ${bound(column)})::regclass`;
    return sql`select setval(counter, ${bound(number)}::bigint) from (select ${counter} as counter) as of_key where counter is not null and coalesce(pg_sequence_last_value(counter), 0) < ${bound(number)}::bigint`;
  },
};
