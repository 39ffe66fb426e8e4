import type { Knex } from 'knex';
import type { Dialect } from '../../dialects/dialect.ts';
import type { QueryObject } from '../bound-knex.ts';
import type { ServerTarget } from '../database.ts';
import type { Traffic } from './answer-watch.ts';
import type { RowBatch } from '../units/stream-batches.ts';
import type { Binding, SessionStatement, StatementResult } from '../../sql/session.ts';

/** A cursor on one connection, which can do nothing else meanwhile. */
export interface ServerCursor {
  /** The next rows: at most `count`; fewer if they are large, and then it says whether they are the last. */
  fetch(count: number): Promise<RowBatch>;
  /** Afterwards the connection can be used again, in its transaction, or has been closed. */
  close(): Promise<void>;
}

/** How the databases that are servers differ in their connections. */
export interface ServerDriver<Connection extends object> {
  readonly dialect: Dialect;
  /** The database that every server has, from which others are created. Empty if none is needed. */
  readonly administration: string;
  readonly begin: readonly string[];
  /**
   * Begins a transaction that the writes of several callers share: it waits only some milliseconds for a lock. Absent where each
   * statement is sent separately.
   */
  readonly beginShared?: readonly string[];
  /** Begins a read-only transaction on a snapshot. */
  readonly beginSnapshot: readonly string[];
  /** Begins a transaction for the streams of one snapshot, and fixes the snapshot. It blocks no writers. */
  readonly beginMoment: readonly string[];
  /** Statements that release the lock of a stream's table before the snapshot ends. */
  readonly tableOfMoment: {
    readonly before: readonly string[];
    readonly after: readonly string[];
    /** Returns a row if a table that was read has been rewritten since the snapshot, so that its rows were not visible. */
    readonly spoilt?: string;
  };
  /** Begins the transaction of a cursor; empty if a cursor needs none. */
  readonly beginCursor: readonly string[];
  readonly beforeSchemaChange: readonly string[];
  readonly afterSchemaChange: readonly string[];
  knexConfig(target: ServerTarget): Knex.Config;
  execute(connection: Connection, sql: string, bindings: readonly Binding[]): Promise<StatementResult>;
  /** For databases that take several statements in one round trip: runs them in their order up to the first that fails. */
  executeAll?(
    connection: Connection,
    statements: readonly SessionStatement[],
  ): Promise<readonly StatementResult[]>;
  /** Called within a transaction that has begun, if cursors need one. */
  openCursor(
    connection: Connection,
    sql: string,
    bindings: readonly Binding[],
    batch: number,
  ): Promise<ServerCursor>;
  /** Called after a schema change, for drivers that keep prepared statements. */
  schemaChanged?(): void;
  /** Ends the statement that runs on `connection`, over a second connection. */
  cancel(target: ServerTarget, connection: Connection): Promise<void>;
  /**
   * Whether the server is working on a statement of `connection`, asked over a second connection. True if the server cannot say;
   * rejects if it cannot be reached.
   */
  isWorking(target: ServerTarget, connection: Connection): Promise<boolean>;
  traffic(connection: Connection): Traffic;
  /** Closes the socket at once, so that everything waiting on it fails and the pool opens a new connection. */
  destroy(connection: Connection): void;
  /** Converts a result to the form that knex's client for this database reads. */
  respond(query: QueryObject, result: StatementResult): void;
}
