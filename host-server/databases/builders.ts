import knex, { type Knex } from 'knex';
import BetterSqliteClient from 'knex/lib/dialects/better-sqlite3/index.js';
import type { Dialect, DialectName } from '../dialects/dialect.ts';

const CLIENTS: Readonly<Record<DialectName, NonNullable<Knex.Config['client']>>> = {
  sqlite: BetterSqliteClient,
  postgres: 'pg',
  mysql: 'mysql2',
  mssql: 'mssql',
};

/** A knex that builds queries for a dialect, without a connection. */
export function createBuilder({ name, identifiers }: Dialect): Knex {
  return knex({
    client: CLIENTS[name],
    useNullAsDefault: true,
    wrapIdentifier: (identifier) => identifiers.wrap(identifier),
  });
}
