import type { Knex } from 'knex';
import makeKnex from 'knex/lib/knex-builder/make-knex.js';
import { checkBindings } from './compile-query.ts';
import type { Session, StatementResult } from './session.ts';

/** What knex hands to a client's `_query`, and what it reads back in `processResponse`. */
export interface QueryObject {
  readonly sql: string;
  readonly method?: string;
  readonly bindings?: readonly unknown[];
  response?: unknown;
  context?: unknown;
}

type Respond = (query: QueryObject, result: StatementResult) => void;

/**
 * Makes a knex that runs every builder on `session`.
 *
 * knex does the same for its own transactions: a client object with the prototype and settings of the pooled one, whose
 * connection is fixed. `respond` writes the result in the form that the dialect's `processResponse` reads.
 */
export function bindKnex(builder: Knex, session: Session, respond: Respond): Knex {
  const source = builder.client as Knex.Client & Record<string, unknown>;
  const client = Object.create(Object.getPrototypeOf(source) as object) as Knex.Client &
    Record<string, unknown>;
  for (const key of ['version', 'config', 'driver', 'connectionSettings', 'valueForUndefined', 'logger']) {
    client[key] = source[key];
  }
  client.acquireConnection = async () => session;
  client.releaseConnection = async () => {};
  client.positionBindings = (sql: string) => sql;
  client.transaction = () => {
    throw new Error('A unit is one transaction already; do the work in the unit that you were given');
  };
  // knex prefixes the SQL to the message of what `_query` rejects with, so it gets a copy to spoil.
  client._query = async (connection: Session, query: QueryObject) => {
    respond(query, await connection.execute(query.sql, checkBindings(query.bindings)));
    return query;
  };
  const run = source.query as (connection: unknown, query: unknown) => Promise<unknown>;
  client.query = async (connection: Session, query: unknown) => {
    let failure: unknown;
    const recording: Session = {
      execute: async (...call) => {
        try {
          return await connection.execute(...call);
        } catch (error) {
          failure = error;
          throw new Error('The statement failed');
        }
      },
    };
    try {
      return await run.call(client, recording, query);
    } catch (error) {
      throw failure ?? error;
    }
  };
  return makeKnex(client);
}

/** The rows of a result as objects, for knex's own post-processing. */
export function toObjects(result: StatementResult): Record<string, unknown>[] {
  return result.rows.map((row) =>
    Object.fromEntries(result.columns.map((column, index) => [column, row[index]])),
  );
}
