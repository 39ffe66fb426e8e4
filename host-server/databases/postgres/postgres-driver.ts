import { isIP } from 'node:net';
import pg from 'pg';
import { dialectOf } from '../../dialects/select-dialect.ts';
import { toObjects } from '../bound-knex.ts';
import type { ServerTarget, TlsMaterial } from '../database.ts';
import { applicationNameOf, openMsOf, poolConfig, tlsConfig } from '../server/connection-settings.ts';
import type { ServerDriver } from '../server/server-driver.ts';
import { BatchBudget } from '../server/batch-budget.ts';
import type { SessionStatement, StatementResult } from '../../sql/session.ts';
import { StatementBatch, type KnownStatements, type PlacedStatement } from './statement-batch.ts';
import { StatementTexts } from './statement-texts.ts';

/** The parts of a pg client that stand behind its public face. */
export type PostgresConnection = pg.Client & {
  readonly processID: number;
  readonly connection: {
    readonly stream: { readonly bytesRead: number; readonly writableLength: number; destroy(): void };
  };
  __knex__disposed?: unknown;
};

const COMMANDS: Readonly<Record<string, string>> = {
  select: 'SELECT',
  first: 'SELECT',
  pluck: 'SELECT',
  update: 'UPDATE',
  del: 'DELETE',
};

/** How long a second connection may take to open, and to answer. Milliseconds. */
const ASIDE_MS = 2000;
/** How long a server may take to part with a connection. Milliseconds. */
const LEAVE_MS = 5000;

/** Zone, formats and limits that every connection has, whatever the server's configuration says. */
const SETTINGS =
  "set time zone 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'iso_8601'; set bytea_output = 'hex'; " +
  "set standard_conforming_strings = on; set statement_timeout = '600s'; set idle_in_transaction_session_timeout = '120s'; " +
  // Long texts such as entries of the change log are compressed in a third of the time, by servers that were built with it. Long
  // expressions, as formulas are, take the server seconds to compile to machine code, for rows that it reads in milliseconds without.
  "select set_config(name, case name when 'jit' then 'off' else 'lz4' end, false) from pg_settings " +
  "where name = 'jit' or (name = 'default_toast_compression' and enumvals @> array['lz4'])";

const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only';

/**
 * `pg_class` is read as it was at the moment, and the function tells where rows lie now: a table that was rewritten or emptied since looks
 * empty to a transaction of before (https://www.postgresql.org/docs/current/mvcc-caveats.html).
 */
const WRITTEN_ANEW =
  'select 1 from pg_locks l join pg_class c on c.oid = l.relation ' +
  "where l.pid = pg_backend_pid() and l.locktype = 'relation' and c.relkind in ('r', 'm') and c.relfilenode <> 0 " +
  'and pg_relation_filenode(c.oid) is distinct from c.relfilenode limit 1';

export const POSTGRES_DRIVER: ServerDriver<PostgresConnection> = {
  dialect: dialectOf('postgres'),
  administration: 'postgres',
  begin: ['begin'],
  beginShared: ['begin', "set local lock_timeout = '50ms'"],
  beginSnapshot: [BEGIN_SNAPSHOT],
  // The first query fixes the moment.
  beginMoment: [BEGIN_SNAPSHOT, 'select 1'],
  tableOfMoment: {
    before: ['savepoint trellis_table'],
    after: ['rollback to savepoint trellis_table'],
    spoilt: WRITTEN_ANEW,
  },
  beginCursor: [BEGIN_SNAPSHOT],
  beforeSchemaChange: ["set lock_timeout = '1s'"],
  afterSchemaChange: ['set lock_timeout = 0'],

  knexConfig: (target) => ({
    client: 'pg',
    // Statements are sent without waiting for the answers to those before. knex hands the settings to the driver as they are;
    // its own types lag behind the driver's.
    connection: () => ({ ...connectionSettings(target), pipeline: true }) as never,
    ...poolConfig(target, async (connection: PostgresConnection) => {
      await connection.query(SETTINGS);
      if (target.schema !== undefined) {
        await connection.query(
          `set search_path to ${dialectOf('postgres').identifiers.quote(target.schema)}`,
        );
      }
    }),
  }),

  async execute(connection, sql, bindings) {
    return first(await runAll(connection, [{ sql, bindings }]));
  },

  executeAll: runAll,

  schemaChanged: () => TEXTS.forgetNames(),

  async openCursor(connection, sql, bindings) {
    await this.execute(connection, `declare trellis_stream no scroll cursor for ${sql}`, bindings);
    const budget = new BatchBudget();
    return {
      fetch: async (most) => {
        const count = budget.rows(most);
        const { columns, rows } = await this.execute(
          connection,
          `fetch forward ${count} from trellis_stream`,
          [],
        );
        budget.learn(rows);
        return { columns, rows, isLast: rows.length < count };
      },
      // A cursor ends with its transaction, or with the savepoint after which it was declared.
      close: async () => {},
    };
  },

  async cancel(target, connection) {
    await askAside(target, 'select pg_cancel_backend($1)', connection);
  },

  async isWorking(target, connection) {
    try {
      const states = await askAside(target, 'select state from pg_stat_activity where pid = $1', connection);
      // Behind a pooler the process may be unknown.
      return !String(states[0]?.['state']).startsWith('idle');
    } catch (error) {
      // A server that refuses a second connection is there.
      if (error instanceof pg.DatabaseError) return true;
      throw error;
    }
  },

  traffic({ connection: { stream } }) {
    return { received: stream.bytesRead, unsent: stream.writableLength };
  },

  destroy(connection) {
    connection.__knex__disposed = new Error('Closed after a statement that did not end');
    connection.connection.stream.destroy();
  },

  respond(query, result) {
    query.response = {
      command: COMMANDS[query.method ?? ''],
      rows: toObjects(result),
      rowCount: result.changes,
      fields: result.columns.map((name) => ({ name })),
    };
  },
};

/** A connection beside those of the pool, which is yet to be opened. */
export function loneClient(target: ServerTarget, config: pg.ClientConfig): pg.Client {
  return new pg.Client({ ...connectionSettings(target), ...config });
}

/** Asks about the server process of a connection by way of a second one. */
async function askAside(
  target: ServerTarget,
  sql: string,
  { processID }: PostgresConnection,
): Promise<readonly Record<string, unknown>[]> {
  const second = loneClient(target, {
    connectionTimeoutMillis: ASIDE_MS,
    query_timeout: ASIDE_MS,
  }) as PostgresConnection;
  second.on('error', () => {});
  try {
    await second.connect();
    return (await second.query<Record<string, unknown>>(sql, [processID])).rows;
  } finally {
    // A polite end would wait for a server that may be gone.
    second.connection.stream.destroy();
  }
}

/** Shared by all connections, whose texts are the same. */
const TEXTS = new StatementTexts();
const KNOWN = new WeakMap<
  PostgresConnection,
  { readonly age: number; readonly statements: KnownStatements }
>();

async function runAll(
  connection: PostgresConnection,
  statements: readonly SessionStatement[],
): Promise<readonly StatementResult[]> {
  const placed = statements.map(place);
  const known = knownStatements(connection);
  try {
    return await StatementBatch.run(connection, known, placed);
  } catch (error) {
    if (!isOutdatedPlan(error)) throw error;
    TEXTS.forgetNames();
    // Inside a transaction the second try is refused as well, and the first error says why.
    const unnamed = placed.map((statement) => ({ ...statement, name: undefined }));
    return await StatementBatch.run(connection, new Map(), unnamed).catch(() => {
      throw error;
    });
  }
}

function place({ sql, bindings }: SessionStatement): PlacedStatement {
  const { text, count, name } = TEXTS.place(sql);
  if (count > bindings.length) throw new TypeError('The statement has more placeholders than bindings');
  if (count < bindings.length) throw new TypeError('The statement has fewer placeholders than bindings');
  return { text, name, bindings };
}

/** The prepared statements of a connection. Those of another age are dropped, since nobody names them any more. */
function knownStatements(connection: PostgresConnection): KnownStatements {
  const kept = KNOWN.get(connection);
  if (kept?.age === TEXTS.age) return kept.statements;
  const statements: KnownStatements = new Map();
  KNOWN.set(connection, { age: TEXTS.age, statements });
  // Statements keep their order, so nobody waits. Names are never used twice; when this fails, some are kept longer.
  if (kept !== undefined) connection.query('deallocate all').catch(() => {});
  return statements;
}

/** PostgreSQL's answer to a prepared statement whose columns have changed their types since. */
function isOutdatedPlan(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === '0A000' && message !== undefined && message.includes('cached plan');
}

function connectionSettings(target: ServerTarget): pg.ClientConfig {
  return {
    host: target.address ?? target.host,
    port: target.port,
    user: target.user,
    password: target.password ?? '',
    database: target.database,
    ssl: withName(tlsConfig(target), target),
    application_name: applicationNameOf(target),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: openMsOf(target),
  };
}

/** With an address instead of a name to connect to, TLS is told the name; of one in digits, what the certificate has to be for. */
function withName(tls: TlsMaterial | undefined, target: ServerTarget): pg.ClientConfig['ssl'] {
  if (tls === undefined) return undefined;
  const { verifyIdentity = true, ...material } = tls;
  return {
    ...material,
    ...(!verifyIdentity && { checkServerIdentity: () => undefined }),
    ...(isIP(target.host) !== 0 && { host: target.host }),
    ...(isIP(target.host) === 0 && target.address !== undefined && { servername: target.host }),
  };
}

function first(results: readonly StatementResult[]): StatementResult {
  return results[0] ?? { columns: [], rows: [], changes: 0 };
}

/** Takes leave of the server; one that does not answer is not waited for. */
export async function takeLeave(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => POSTGRES_DRIVER.destroy(client as PostgresConnection), LEAVE_MS);
  await client.end().catch(() => POSTGRES_DRIVER.destroy(client as PostgresConnection));
  clearTimeout(timer);
}
