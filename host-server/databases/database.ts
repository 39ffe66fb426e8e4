import type { Knex } from 'knex';
import type { Dialect } from '../dialects/dialect.ts';
import type { Query, RowSet, Unit } from '../sql/unit.ts';
import type { SchemaChanger } from '../dialects/schema/schema-changer.ts';

export interface UnitOptions {
  /** Aborting ends the running statement on the database and rejects with kind `cancelled`. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds until the running statement is ended and the unit rejects with kind `timeout`.
   * Writes on SQLite have a minute when none is given, since nobody else writes meanwhile; a stream has it per batch.
   */
  readonly timeoutMs?: number;
}

export interface ReadOptions extends UnitOptions {
  /**
   * `statement` (the default): each query sees what is committed when it starts.
   * `snapshot`: all queries see one moment, and the database itself refuses to write.
   */
  readonly isolation?: 'statement' | 'snapshot';
}

export interface WriteOptions extends UnitOptions {
  /** Runs the work again, at most three times, after a deadlock or a serialisation failure. */
  readonly retry?: boolean;
}

export interface StreamOptions extends UnitOptions {
  /** Rows per batch; the next batch is fetched when the consumer asks for it. Default 500. */
  readonly batchSize?: number;
}

/** One database: the only way by which SQL reaches it. */
export interface Database {
  readonly name: string;
  readonly dialect: Dialect;
  /** Builds queries and runs none of them. */
  readonly builder: Knex;
  /** Runs `work` on one connection; what it writes on a server is not its own transaction, and SQLite refuses it. */
  read<T>(work: (unit: Unit) => Promise<T>, options?: ReadOptions): Promise<T>;
  /** Runs `work` in one transaction; resolves after the commit, rolls back when `work` rejects. */
  write<T>(work: (unit: Unit) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Reads a query batch by batch from one snapshot; the connection is released when the consumer stops early.
   * At most two streams are open at once, so that they cannot starve the readers.
   */
  stream(query: Query, options?: StreamOptions): AsyncIterable<RowSet>;
  /** Changes the schema, one step after another; each step is idempotent. */
  schema<T>(work: (changer: SchemaChanger) => Promise<T>): Promise<T>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface SqliteTarget {
  readonly kind: 'sqlite';
  /** A file path; never a URI. */
  readonly file: string;
  /** Makes the file when it does not exist; without it a missing file is an error. */
  readonly create?: boolean;
  readonly readOnly?: boolean;
}

export interface ServerTarget {
  readonly kind: 'postgres' | 'mysql';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
  /** The PostgreSQL schema to work in; the server's choice when absent. */
  readonly schema?: string;
  /** The address to connect to instead of looking `host` up, which stays the name that TLS verifies. */
  readonly address?: string;
  /** TLS with PEM text, never with paths; `true` verifies against the system's authorities. */
  readonly tls?: boolean | TlsMaterial;
  readonly pool?: PoolLimits;
}

export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: boolean;
}

export interface PoolLimits {
  readonly min?: number;
  readonly max?: number;
}

export type DatabaseTarget = SqliteTarget | ServerTarget;
