import type { Knex } from 'knex';
import type { Dialect } from '../../dialects/dialect.ts';
import type { QueryObject } from '../bound-knex.ts';
import type { ServerTarget } from '../database.ts';
import type { Traffic } from './answer-watch.ts';
import type { RowBatch } from '../units/stream-batches.ts';
import type { Binding, SessionStatement, StatementResult } from '../../sql/session.ts';

/** A cursor of one connection, which does nothing else meanwhile. */
export interface ServerCursor {
  /** The next rows: at most `count`; fewer where they are large, and then it says whether they are the last. */
  fetch(count: number): Promise<RowBatch>;
  /** Afterwards the connection can be used again, in its transaction, or has been closed. */
  close(): Promise<void>;
}

/** What the databases that are servers differ in, as far as it is about connections. */
export interface ServerDriver<Connection extends object> {
  readonly dialect: Dialect;
  /** The database that every server has, from which others are created. Empty: none is needed. */
  readonly administration: string;
  readonly begin: readonly string[];
  /**
   * Begins a transaction that writes of several callers share: it waits for a lock some milliseconds only. Absent where statements
   * travel one by one.
   */
  readonly beginShared?: readonly string[];
  /** Begins a transaction that sees one moment and cannot write. */
  readonly beginSnapshot: readonly string[];
  /** Begins a transaction for the streams of one moment, and fixes the moment. It keeps nobody from writing. */
  readonly beginMoment: readonly string[];
  /** What keeps the lock of a stream's table from lasting as long as the moment does. */
  readonly tableOfMoment: {
    readonly before: readonly string[];
    readonly after: readonly string[];
    /** Finds a row where a table that was read was written anew since the moment, and its rows were not seen. */
    readonly spoilt?: string;
  };
  /** Begins the transaction in which a cursor lives; empty where a cursor needs none. */
  readonly beginCursor: readonly string[];
  readonly beforeSchemaChange: readonly string[];
  readonly afterSchemaChange: readonly string[];
  knexConfig(target: ServerTarget): Knex.Config;
  execute(connection: Connection, sql: string, bindings: readonly Binding[]): Promise<StatementResult>;
  /** For databases that take several statements in one journey: runs them in their order up to the first that fails. */
  executeAll?(
    connection: Connection,
    statements: readonly SessionStatement[],
  ): Promise<readonly StatementResult[]>;
  /** Within a transaction that has begun, where cursors need one. */
  openCursor(
    connection: Connection,
    sql: string,
    bindings: readonly Binding[],
    batch: number,
  ): Promise<ServerCursor>;
  /** Called after a schema change, for drivers that keep prepared statements. */
  schemaChanged?(): void;
  /** Ends the statement that runs on `connection`, by way of a second one. */
  cancel(target: ServerTarget, connection: Connection): Promise<void>;
  /**
   * Whether the server works on a statement of `connection`, asked by way of a second one. True where the server cannot say;
   * rejects when it cannot be reached.
   */
  isWorking(target: ServerTarget, connection: Connection): Promise<boolean>;
  traffic(connection: Connection): Traffic;
  /** Closes the socket at once, so that whatever waits on it fails and the pool makes a new connection. */
  destroy(connection: Connection): void;
  /** Writes a result in the form that knex's client for this database reads. */
  respond(query: QueryObject, result: StatementResult): void;
}
