import knex, { type Knex } from 'knex';
import BetterSqliteClient from 'knex/lib/dialects/better-sqlite3/index.js';
import type { DialectName } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/select-dialect.ts';

const CLIENTS: Readonly<Record<DialectName, NonNullable<Knex.Config['client']>>> = {
  sqlite: BetterSqliteClient,
  postgres: 'pg',
  mysql: 'mysql2',
};

/** A knex that builds queries for a dialect and has no connection to run them on. */
export function createBuilder(name: DialectName): Knex {
  return knex({
    client: CLIENTS[name],
    useNullAsDefault: true,
    wrapIdentifier: (identifier) => dialectOf(name).identifiers.wrap(identifier),
  });
}
