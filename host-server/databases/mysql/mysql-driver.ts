import { connect, isIP } from 'node:net';
import mysql, {
  type Connection,
  type ConnectionOptions,
  type FieldPacket,
  type ResultSetHeader,
} from 'mysql2';
import { dialectOf } from '../../dialects/select-dialect.ts';
import { toObjects } from '../bound-knex.ts';
import { placeBindings } from '../compile-query.ts';
import type { ServerTarget, TlsMaterial } from '../database.ts';
import { DatabaseError } from '../../sql/database-error.ts';
import { MOST_BYTES, rowBytes } from '../../sql/row-bytes.ts';
import { BATCH_BYTES } from '../server/batch-budget.ts';
import type { RowBatch } from '../units/stream-batches.ts';
import { applicationNameOf, openMsOf, poolConfig, tlsConfig } from '../server/connection-settings.ts';
import { inTime } from '../server/in-time.ts';
import type { ServerDriver } from '../server/server-driver.ts';
import type { Binding, StatementResult } from '../../sql/session.ts';

type MysqlConnection = Connection & {
  readonly stream: {
    readonly bytesRead: number;
    readonly writableLength: number;
    destroy(reason: Error): void;
  };
  __knex__disposed?: unknown;
};

/** How long a second connection may take to open, and again to answer, in milliseconds. */
const ASIDE_MS = 2000;

const SETTINGS = [
  "set session time_zone = '+00:00'",
  // A row inserted with the key 0 keeps it, as on the other databases, instead of getting a generated one.
  "set session sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO'",
  'set session transaction isolation level read committed',
  'set session innodb_lock_wait_timeout = 10',
  // Bytes: a million characters of up to four bytes each.
  'set session group_concat_max_len = 4000000',
];

const BEGIN_SNAPSHOT = [
  'set transaction isolation level repeatable read',
  'start transaction with consistent snapshot, read only',
];

export const MYSQL_DRIVER: ServerDriver<MysqlConnection> = {
  dialect: dialectOf('mysql'),
  administration: '',
  begin: ['start transaction'],
  beginSnapshot: BEGIN_SNAPSHOT,
  beginMoment: BEGIN_SNAPSHOT,
  tableOfMoment: { before: ['savepoint trellis_table'], after: ['rollback to savepoint trellis_table'] },
  beginCursor: [],
  beforeSchemaChange: ['set session lock_wait_timeout = 1'],
  afterSchemaChange: ['set session lock_wait_timeout = default'],

  knexConfig: (target) => ({
    client: 'mysql2',
    // knex passes the settings to the driver unchanged; its own types are older than the driver's.
    connection: () => connectionSettings(target) as never,
    ...poolConfig(target, applySettings),
  }),

  execute: (connection, sql, bindings) => query(connection, fill(sql, bindings)),

  async openCursor(connection, sql, bindings, batch) {
    return new MysqlCursor(connection, fill(sql, bindings), batch);
  },

  async cancel(target, connection) {
    await askAside(target, `kill query ${Number(connection.threadId)}`);
  },

  async isWorking(target, connection) {
    const sql = `select command from information_schema.processlist where id = ${Number(connection.threadId)}`;
    try {
      const { rows } = await askAside(target, sql);
      // Behind a proxy the connection may be unknown.
      return rows[0]?.[0] !== 'Sleep';
    } catch (error) {
      // A server that refuses a second connection is running.
      if ((error as { sqlState?: unknown }).sqlState !== undefined) return true;
      throw error;
    }
  },

  traffic({ stream }) {
    return { received: stream.bytesRead, unsent: stream.writableLength };
  },

  destroy(connection) {
    const message = 'Closed after a statement that did not end';
    const reason = Object.assign(new Error(message), { code: 'PROTOCOL_CONNECTION_LOST' });
    connection.__knex__disposed = reason;
    connection.destroy();
    // The driver itself only stops sending: a server that is writing rows would keep waiting, with its locks, for a reader. The
    // reason reaches the callers that wait for an answer.
    connection.stream.destroy(reason);
  },

  respond(queryObject, result) {
    queryObject.response =
      result.columns.length > 0
        ? [toObjects(result), result.columns.map((name) => ({ name }))]
        : [{ insertId: result.lastId ?? 0, affectedRows: result.changes }, undefined];
  },
};

/** Asks the server over a second connection. */
async function askAside(target: ServerTarget, sql: string): Promise<StatementResult> {
  const second = mysql.createConnection({ ...connectionSettings(target), connectTimeout: ASIDE_MS });
  second.on('error', () => {});
  try {
    return await queryInTime(second, sql, 2 * ASIDE_MS);
  } finally {
    second.destroy();
  }
}

/** Like `query`, but closes a connection that fails or has not answered after `ms` milliseconds. */
export async function queryInTime(connection: Connection, sql: string, ms: number): Promise<StatementResult> {
  try {
    // A query on a destroyed connection would never settle.
    return await inTime(query(connection, sql), ms);
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

export function connectionSettings(target: ServerTarget): ConnectionOptions {
  const tls = tlsConfig(target);
  return {
    // The driver does not compare a numeric address with the certificate; with a dot at its end it treats the address as a name.
    host: tls !== undefined && isIP(target.host) !== 0 ? `${target.host}.` : target.host,
    port: target.port,
    ...(target.address === undefined
      ? {}
      : { stream: () => connect({ host: target.address, port: target.port, keepAlive: true }) }),
    user: target.user,
    password: target.password ?? '',
    database: target.database,
    // The driver always checks the certificate's chain, but its name only on request.
    ssl: withIdentity(tls),
    charset: 'utf8mb4',
    // A server may ask for a local file as the answer to any query; without this flag the driver never offers one.
    flags: ['-LOCAL_FILES'],
    multipleStatements: false,
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: false,
    connectTimeout: openMsOf(target),
    connectAttributes: { program_name: applicationNameOf(target) },
    enableKeepAlive: true,
    keepAliveInitialDelay: 10_000,
  };
}

function withIdentity(tls: TlsMaterial | undefined): ConnectionOptions['ssl'] {
  if (tls === undefined) return undefined;
  return { ...tls, verifyIdentity: tls.verifyIdentity ?? tls.rejectUnauthorized !== false };
}

async function applySettings(connection: MysqlConnection): Promise<void> {
  for (const sql of SETTINGS) await query(connection, sql);
}

function query(connection: Connection, sql: string): Promise<StatementResult> {
  return new Promise((resolve, reject) => {
    let columns: readonly string[] = [];
    let header: ResultSetHeader | undefined;
    let bytes = 0;
    const rows: unknown[][] = [];
    const fail = (error: Error) => {
      connection.off('error', fail);
      reject(error);
    };
    // Without a callback, the loss of the connection is reported only to the connection.
    connection.on('error', fail);
    connection
      .query({ sql, rowsAsArray: true })
      .on('fields', (fields: FieldPacket[] | undefined) => {
        columns = takeNames(fields ?? []);
      })
      .on('result', (result: unknown[] | ResultSetHeader) => {
        if (!Array.isArray(result)) {
          header = result;
          return;
        }
        bytes += rowBytes(result);
        // Further rows are dropped as they arrive, so that the connection can be used again.
        if (bytes > MOST_BYTES) rows.length = 0;
        else rows.push(result);
      })
      .on('error', fail)
      .on('end', () => {
        connection.off('error', fail);
        if (bytes > MOST_BYTES) reject(new DatabaseError('tooLarge'));
        else resolve(header === undefined ? { columns, rows, changes: rows.length } : writeResult(header));
      });
  });
}

/**
 * The names of the columns. The driver, which could build objects, discards the connection when a column is called `__proto__` or
 * the like. Rows are arrays here, so such a field is renamed before the driver checks it.
 */
function takeNames(fields: readonly FieldPacket[]): readonly string[] {
  const names = fields.map((field) => field.name);
  fields.forEach((field, index) => {
    if (field.name.startsWith('__')) Object.defineProperty(field, 'name', { value: `column_${index}` });
  });
  return names;
}

function writeResult(header: ResultSetHeader): StatementResult {
  return {
    columns: [],
    rows: [],
    changes: header.affectedRows,
    ...(header.insertId === 0 ? {} : { lastId: header.insertId }),
  };
}

/**
 * Writes the bindings into the statement with the driver's own escaping. The driver could do the same, but treats every question
 * mark as a placeholder, also within a quoted name.
 */
function fill(sql: string, bindings: readonly Binding[]): string {
  return placeBindings(sql, bindings, (_index, value) => literal(value));
}

function literal(value: Binding): string {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array)
    return mysql.escape(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
  return mysql.escape(value);
}

/** Reads rows from the socket on demand; the socket is paused in between, so the server waits. */
class MysqlCursor {
  readonly #connection: MysqlConnection;
  readonly #rows: AsyncIterator<unknown[]>;
  #columns: readonly string[] = [];
  #ended = false;

  constructor(connection: MysqlConnection, sql: string, batch: number) {
    this.#connection = connection;
    const running = connection.query({ sql, rowsAsArray: true });
    running.on('fields', (fields: FieldPacket[]) => {
      this.#columns = takeNames(fields);
    });
    this.#rows = running.stream({ highWaterMark: batch })[Symbol.asyncIterator]() as AsyncIterator<unknown[]>;
  }

  async fetch(count: number): Promise<RowBatch> {
    const rows: unknown[][] = [];
    let bytes = 0;
    while (!this.#ended && rows.length < count && bytes < BATCH_BYTES) {
      const next = await this.#rows.next();
      if (next.done === true) {
        this.#ended = true;
      } else {
        bytes += rowBytes(next.value);
        rows.push(next.value);
      }
    }
    return { columns: this.#columns, rows, isLast: this.#ended };
  }

  async close(): Promise<void> {
    // More rows are on their way; closing the connection is cheaper than reading them all.
    if (!this.#ended) MYSQL_DRIVER.destroy(this.#connection);
  }
}
