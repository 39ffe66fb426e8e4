import type { Knex } from 'knex';
import { checkBindings } from './compile-query.ts';
import type { Session, StatementResult } from '../sql/session.ts';

/** What knex hands to a client's `_query`, and what it reads back in `processResponse`. */
export interface QueryObject {
  readonly sql: string;
  readonly method?: string;
  readonly bindings?: readonly unknown[];
  response?: unknown;
  context?: unknown;
}

/** knex's types leave out most of a client, and give its `transaction` an unsuitable type. */
type BoundClient = Omit<Knex.Client, 'transaction'> & Record<string, unknown>;

type Respond = (query: QueryObject, result: StatementResult) => void;

/**
 * Makes a knex that runs every builder on `session`.
 *
 * knex does the same for its own transactions: a client object with the prototype and settings of the builder's, whose
 * connection is fixed. `respond` writes the result in the form that the dialect's `processResponse` reads.
 */
export function bindKnex(builder: Knex, session: Session, respond: Respond): Knex {
  const source = builder.client as BoundClient;
  const client = Object.create(Object.getPrototypeOf(source) as object) as BoundClient;
  for (const key of ['version', 'config', 'driver', 'connectionSettings', 'valueForUndefined', 'logger']) {
    client[key] = source[key];
  }
  client.acquireConnection = async () => session;
  client.releaseConnection = async () => {};
  client.positionBindings = (sql: string) => sql;
  client.transaction = async (): Promise<never> => {
    throw new Error('A unit is one transaction already; do the work in the unit that you were given');
  };
  // knex prefixes the SQL to the message of the error that `_query` rejects with, so it gets a copy.
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
  return withClient(builder, client);
}

/**
 * A knex with another client. Its methods read the client from `this`, so inheriting them is enough; creating them anew, as knex
 * does for its transactions, takes longer than a small query.
 */
function withClient(builder: Knex, client: BoundClient): Knex {
  const context = Object.create((builder as unknown as { context: object }).context) as Knex;
  Object.defineProperty(context, 'client', { value: client });
  const bound = (table?: string) => {
    const query = context.queryBuilder();
    return table === undefined ? query : query.table(table);
  };
  Object.setPrototypeOf(bound, builder);
  return Object.defineProperty(bound, 'context', { value: context }) as unknown as Knex;
}

/** The rows of a result as objects, for knex's own post-processing. */
export function toObjects(result: StatementResult): Record<string, unknown>[] {
  return result.rows.map((row) =>
    Object.fromEntries(result.columns.map((column, index) => [column, row[index]])),
  );
}
