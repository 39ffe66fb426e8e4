import type { Knex } from 'knex';
import type { Dialect } from '../../dialects/dialect.ts';
import type { QueryObject } from '../bound-knex.ts';
import type { ServerTarget } from '../database.ts';
import type { RowBatch } from '../units/stream-batches.ts';
import type { Binding, StatementResult } from '../../sql/session.ts';

/** A cursor of one connection, which does nothing else meanwhile. */
export interface ServerCursor {
  /** The next rows: at most `count`; fewer where they are large, and then it says whether they are the last. */
  fetch(count: number): Promise<RowBatch>;
  /** Afterwards the connection can be used again, or has been closed. */
  close(): Promise<void>;
}

/** What the databases that are servers differ in, as far as it is about connections. */
export interface ServerDriver<Connection extends object> {
  readonly dialect: Dialect;
  readonly begin: readonly string[];
  /** Whether a statement is sent before the one ahead of it is answered, and skipped when that one failed in its transaction. */
  readonly pipelines: boolean;
  /** Begins a transaction that sees one moment and cannot write. */
  readonly beginSnapshot: readonly string[];
  readonly beforeSchemaChange: readonly string[];
  readonly afterSchemaChange: readonly string[];
  knexConfig(target: ServerTarget): Knex.Config;
  execute(connection: Connection, sql: string, bindings: readonly Binding[]): Promise<StatementResult>;
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
  /** Closes the socket at once, so that whatever waits on it fails and the pool makes a new connection. */
  destroy(connection: Connection): void;
  /** Writes a result in the form that knex's client for this database reads. */
  respond(query: QueryObject, result: StatementResult): void;
}
