import type { Knex } from 'knex';
import type { Dialect } from '../dialects/dialect.ts';
import type { JsonCell } from '../sql/json-rows.ts';
import type { LinkedPage } from '../sql/linked-page.ts';
import type { Query, RowSet, Statement, Unit } from '../sql/unit.ts';
import type { SchemaChanger } from '../dialects/schema/schema-changer.ts';

/** How long a database server may take. Milliseconds. */
export interface ServerLimits {
  /** Without an answer for so long, the connection is checked, and replaced when it is dead. Default 4,000. */
  readonly silenceMs?: number;
  /** What a unit has that names no `timeoutMs`. Default 60,000. */
  readonly unitMs?: number;
}

export interface OpenOptions {
  /** How messages and logs call it. */
  readonly name: string;
  readonly limits?: ServerLimits;
}

export interface UnitOptions {
  /** Aborting ends the running statement on the database and rejects with kind `cancelled`. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds until the running statement is ended and the unit rejects with kind `timeout`.
   * A stream has it per batch. Writes on SQLite, during which nobody else writes, and all units on servers have a minute when
   * none is given.
   */
  readonly timeoutMs?: number;
}

export interface SharedOptions extends UnitOptions {
  /**
   * Whose turn it is: the id of a project or of a person. Where calls wait, shares are served in turns, and a call whose turn
   * does not come within some seconds rejects with kind `busy`. Without it the call is the host's own and more patient.
   */
  readonly share?: string;
}

/**
 * How much a read may ask of the database, so that short reads never wait behind long ones.
 *
 * `point`: a few rows by key or index, like all of the metadata. `page`: a page of rows in the order of its key, or anything
 * about a small table. `long`: what may look at each row of a large table: a search, a sort, a count, an aggregate.
 */
export type ReadWork = 'point' | 'page' | 'long';

export interface ReadOptions extends SharedOptions {
  /** Default `point`. At most two `long` reads run at once on SQLite, and they fill at most half of a server's pool. */
  readonly work?: ReadWork;
  /**
   * `statement` (the default): each query sees what is committed when it starts.
   * `snapshot`: all queries see one moment, and the database itself refuses to write.
   */
  readonly isolation?: 'statement' | 'snapshot';
}

/** `short`: a row or a few. `bulk`: as many as a caller likes. */
export type WriteWork = 'short' | 'bulk';

export interface WriteOptions extends SharedOptions {
  /** Default `short`. On SQLite the bulk writes of a share take turns with its short ones, which wait for one of them at most. */
  readonly work?: WriteWork;
  /** Runs the work again, at most three times, after a deadlock or a serialisation failure. */
  readonly retry?: boolean;
  /**
   * The work asks everything in the turn of the event loop in which it is called, and then ends with `unit.last`. On SQLite, such
   * works that wait at the same moment travel to the writer together, and run again, one after the other, when one of them fails or
   * asks more.
   */
  readonly isOneStep?: boolean;
}

export interface StreamOptions extends SharedOptions {
  /** Rows per batch, fewer where rows are large; the next batch is fetched when the consumer asks for it. Default 500. */
  readonly batchSize?: number;
  /** Milliseconds that the consumer may take for a batch before the stream is ended. Default 30,000. */
  readonly stallMs?: number;
  /** A stream of the host's own jobs: it has a place of its own, which no download takes, and no stall limit. */
  readonly job?: boolean;
}

export interface JsonOptions extends ReadOptions {
  /** The statement reads a few neighbouring rows by an index, with the condition of `StatementSql.shortRow`: see `Database.get`. */
  readonly isShort?: boolean;
  /** The most bytes that the answer may have; more rejects with kind `tooLarge`. Default 64 MB. */
  readonly maxBytes?: number;
}

export interface SnapshotOptions extends Omit<SharedOptions, 'timeoutMs'> {
  /** Milliseconds after which the snapshot ends, whatever is read from it then. Default an hour. */
  readonly lastsMs?: number;
}

/** A database at one moment. It holds a connection and what the database keeps for it, so it has to be closed. */
export interface DatabaseSnapshot {
  /**
   * As `Database.stream`, of the moment at which the snapshot was opened; one query after the other. Rejects with kind `timeout`, code
   * `SNAPSHOT_ENDED` once the snapshot has ended, and with kind `deadlock` where a change of the schema made the moment unreadable.
   */
  stream(query: Query, options?: Omit<StreamOptions, 'share' | 'job'>): AsyncIterable<RowSet>;
  /** Gives everything back. Does not reject; a second call does nothing. */
  close(): Promise<void>;
}

/** The cells of a row in the order of the select list. */
export type Cells = readonly unknown[];

/** One database: the only way by which SQL reaches it. */
export interface Database {
  readonly name: string;
  readonly dialect: Dialect;
  /** Builds queries and runs none of them. */
  readonly builder: Knex;
  /**
   * At most one row, found by its key. SQLite answers at once, in the calling thread, and gives a promise only while another
   * process locks the file, or where a row is long: so the statement must be one that reads one row by an index, and its
   * condition must hold `StatementSql.shortRow`. Its text is kept; bind all values.
   */
  get(statement: Statement): Cells | undefined | Promise<Cells | undefined>;
  /**
   * The rows of a query as the bytes of a JSON array of objects. `form` says the keys and forms of the select list, or how cells are made
   * of it and of linked rows, which are read in the same journey; a short read has none of these. No bytes at all where linked rows may name
   * others in other letters: then `read` has to be asked. SQLite alone has it, whose rows need
   * not come to this thread: those of a server do, and their cells are not yet as they are written.
   */
  readJson?(
    statement: Statement,
    form: readonly JsonCell[] | LinkedPage,
    options?: JsonOptions,
  ): Uint8Array | Promise<Uint8Array>;
  /** Runs `work` on one connection; what it writes on a server is not its own transaction, and SQLite refuses it. */
  read<T>(work: (unit: Unit) => Promise<T>, options?: ReadOptions): Promise<T>;
  /** Runs `work` in one transaction; resolves after the commit, rolls back when `work` rejects. */
  write<T>(work: (unit: Unit) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Reads a query batch by batch from one snapshot; the connection is released when the consumer stops early, or takes
   * longer than the stall limit. Three streams are open at once, two of one share at the most, and one of a job; others wait in turns.
   */
  stream(query: Query, options?: StreamOptions): AsyncIterable<RowSet>;
  /**
   * Opens the database at this moment, to stream several tables that belong together. Each share has one at a time, and a few are open at
   * once; the others wait in turns for as long as a snapshot may last. On SQLite the write-ahead log grows meanwhile by what is written. A
   * SQL Server that keeps no former rows has no such moment: there each query sees what is committed when it reads.
   */
  snapshot(options?: SnapshotOptions): Promise<DatabaseSnapshot>;
  /** Changes the schema, one step after another; each step is idempotent. The unit reads and writes rows on the way. */
  schema<T>(work: (changer: SchemaChanger, unit: Unit) => Promise<T>): Promise<T>;
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
  /**
   * The file had a rollback journal and gets it back when it is closed. While it is open the write-ahead log stands in for it, or
   * a long read would refuse all writes.
   */
  readonly givesJournalBack?: boolean;
}

export interface ServerTarget {
  readonly kind: 'postgres' | 'mysql' | 'mssql';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
  /** The schema to work in, of PostgreSQL or SQL Server; the server's choice when absent. */
  readonly schema?: string;
  /** The address to connect to instead of looking `host` up, which stays the name that TLS verifies. */
  readonly address?: string;
  /** TLS with PEM text, never with paths; `true` verifies against the system's authorities. */
  readonly tls?: boolean | TlsMaterial;
  readonly pool?: PoolLimits;
  /** Milliseconds that a connection may take to open, where somebody chose it: a caller then waits for so long, too. */
  readonly openMs?: number;
  /** What the server's own tools call our connections. Default `trellis`. */
  readonly applicationName?: string;
  /** A super admin named the host, which may therefore be on a private address. */
  readonly mayBePrivate?: boolean;
}

export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: boolean;
  /** Whether the certificate must name the host. Default: where it is verified at all. */
  readonly verifyIdentity?: boolean;
}

export interface PoolLimits {
  readonly min?: number;
  readonly max?: number;
}

export type DatabaseTarget = SqliteTarget | ServerTarget;
