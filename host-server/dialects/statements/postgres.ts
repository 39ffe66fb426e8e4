import { bound, joined, sql } from '../../sql/fragment.ts';
import { postgresIdentifiers } from '../identifiers/postgres.ts';
import { clause, defaultStatements, type StatementSql } from './default.ts';
import { arraysOf } from './postgres-arrays.ts';

export const postgresStatements: StatementSql = {
  ...defaultStatements,
  nestsWrites: true,
  // Without `offset`, the select is merged into the outer one, and an expression that is used twice is computed twice.
  workedOnce: (select) => sql`${select} offset 0`,
  // Other types change the value: numbers and times get the form of their type, and texts of fixed length are padded.
  keepsBound: ({ kind, native = '' }) =>
    kind === 'boolean' || kind === 'date' || /^(?:text|character varying)\b/.test(native),
  // After waiting for the lock the statement reads the row as it is then, and the update changes the locked row.
  exchange({ table, assignments, where, columns }) {
    const former = columns.map((column) => sql`trellis_former.${column}`);
    const present = columns.map((column) => sql`${table}.${column}`);
    return sql`update ${table} set ${assignments} from (select ${joined(columns, ', ')} from ${table} where ${where} for update) as trellis_former where ${where} returning ${joined([...former, ...present], ', ')}`;
  },
  insertMany({ table, columns, types, rows, returning }) {
    const lists = arraysOf(types, rows);
    return (
      lists &&
      sql`insert into ${table} (${joined(columns, ', ')}) select * from unnest(${joined(lists, ', ')})${clause(' returning ', returning)}`
    );
  },
  demand: (condition) => sql`1 / (case when ${condition} then 1 else 0 end)`,
  passKeyCounter({ table, column }, number) {
    const counter = sql`pg_get_serial_sequence(${bound(postgresIdentifiers.quote(table))}, ${bound(column)})::regclass`;
    return sql`select setval(counter, ${bound(number)}::bigint) from (select ${counter} as counter) as of_key where counter is not null and coalesce(pg_sequence_last_value(counter), 0) < ${bound(number)}::bigint`;
  },
};
