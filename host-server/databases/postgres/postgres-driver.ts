import pg from 'pg';
import { dialectOf } from '../../dialects/select-dialect.ts';
import { toObjects } from '../bound-knex.ts';
import type { ServerTarget, TlsMaterial } from '../database.ts';
import { poolConfig, tlsConfig } from '../server/connection-settings.ts';
import type { ServerDriver } from '../server/server-driver.ts';
import { BatchBudget } from '../server/batch-budget.ts';
import type { Binding, StatementResult } from '../../sql/session.ts';
import { BoundedQuery } from './bounded-query.ts';
import { StatementTexts, type PlacedText } from './statement-texts.ts';

/** The parts of a pg client that stand behind its public face. */
export type PostgresConnection = pg.Client & {
  readonly processID: number;
  readonly connection: {
    readonly stream: { destroy(): void };
    parsedStatements: Record<string, string>;
    submittedNamedStatements: Record<string, string>;
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

/** Zone, formats and limits that every connection has, whatever the server's configuration says. */
const SETTINGS =
  "set time zone 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'iso_8601'; set bytea_output = 'hex'; " +
  "set standard_conforming_strings = on; set statement_timeout = '600s'; set idle_in_transaction_session_timeout = '120s'";

export const POSTGRES_DRIVER: ServerDriver<PostgresConnection> = {
  dialect: dialectOf('postgres'),
  begin: ['begin'],
  pipelines: true,
  beginSnapshot: ['begin isolation level repeatable read read only'],
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
    const placed = TEXTS.place(sql);
    assertCount(placed, bindings);
    if (placed.name === undefined) return ask(connection, placed.text, bindings);
    dropOldStatements(connection);
    try {
      return await ask(connection, placed.text, bindings, placed.name);
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error;
      TEXTS.forgetNames();
      // Inside a transaction the second try is refused as well, and the first error says why.
      return await ask(connection, placed.text, bindings).catch(() => {
        throw error;
      });
    }
  },

  schemaChanged: () => TEXTS.forgetNames(),

  async openCursor(connection, sql, bindings) {
    await connection.query('begin isolation level repeatable read read only');
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
      close: async () => {
        await connection.query('rollback');
      },
    };
  },

  async cancel(target, connection) {
    const second = new pg.Client({
      ...connectionSettings(target),
      connectionTimeoutMillis: 2000,
      query_timeout: 2000,
    });
    second.on('error', () => {});
    try {
      await second.connect();
      await second.query('select pg_cancel_backend($1)', [connection.processID]);
    } finally {
      await second.end();
    }
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

/** Shared by all connections, whose texts are the same. */
const TEXTS = new StatementTexts();
/** The age of the prepared statements that a connection has. */
const AGES = new WeakMap<PostgresConnection, number>();

function ask(
  connection: PostgresConnection,
  text: string,
  bindings: readonly Binding[],
  name?: string,
): Promise<StatementResult> {
  return new Promise((resolve, reject) => {
    const config = { text, values: bindings.map(toPostgres), rowMode: 'array', ...(name && { name }) };
    connection.query(
      new BoundedQuery(config, (error: Error | null, result: pg.QueryArrayResult) => {
        if (error === null) resolve(toResult(result));
        else reject(error);
      }),
    );
  });
}

function assertCount({ count }: PlacedText, bindings: readonly Binding[]): void {
  if (count > bindings.length) throw new TypeError('The statement has more placeholders than bindings');
  if (count < bindings.length) throw new TypeError('The statement has fewer placeholders than bindings');
}

function dropOldStatements(connection: PostgresConnection): void {
  const age = AGES.get(connection);
  if (age === TEXTS.age) return;
  AGES.set(connection, TEXTS.age);
  if (age === undefined) return;
  // Statements keep their order, so nobody waits. Names are never used twice; when this fails, some are kept longer.
  connection.query('deallocate all').catch(() => {});
  connection.connection.parsedStatements = {};
  connection.connection.submittedNamedStatements = {};
}

/** PostgreSQL's answer to a prepared statement whose columns have changed their types since. */
function isOutdatedPlan(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === '0A000' && message !== undefined && message.includes('cached plan');
}

export function connectionSettings(target: ServerTarget): pg.ClientConfig {
  return {
    host: target.address ?? target.host,
    port: target.port,
    user: target.user,
    password: target.password ?? '',
    database: target.database,
    ssl: withName(tlsConfig(target), target),
    application_name: 'trellis',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 5000,
    types: { getTypeParser: getTypeParser as pg.CustomTypesConfig['getTypeParser'] },
  };
}

/** With an address instead of a name to connect to, TLS is told the name. */
function withName(tls: TlsMaterial | undefined, target: ServerTarget): pg.ClientConfig['ssl'] {
  return tls === undefined || target.address === undefined ? tls : { ...tls, servername: target.host };
}

const NUMBERS = new Set([21, 23, 26, 700, 701]);

/**
 * Booleans, small numbers and bytes are parsed; all else stays the text that PostgreSQL sent: big numbers, since a double
 * loses digits, and dates, since a `Date` moves them by the zone of this machine.
 */
function getTypeParser(type: number): (text: string) => unknown {
  if (type === 16) return (text) => text === 't';
  if (NUMBERS.has(type)) return (text) => (Number.isFinite(Number(text)) ? Number(text) : text);
  if (type === 17) return (text) => Buffer.from(text.slice(2), 'hex');
  return (text) => text;
}

function toPostgres(value: Binding): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

function toResult(result: pg.QueryArrayResult): StatementResult {
  return {
    columns: result.fields.map((field) => field.name),
    rows: result.rows as unknown[][],
    changes: result.rowCount ?? 0,
  };
}
