import type { Knex } from 'knex';
import type { Dialect } from '../dialects/dialect.ts';
import type { JsonCell } from '../sql/json-rows.ts';
import type { LinkedPage } from '../sql/linked-page.ts';
import type { Query, RowSet, Statement, Unit } from '../sql/unit.ts';
import type { SchemaChanger } from '../dialects/schema/schema-changer.ts';

/** Time limits of a database server, in milliseconds. */
export interface ServerLimits {
  /** Without an answer for so long, the connection is checked, and replaced if it is dead. Default 4,000. */
  readonly silenceMs?: number;
  /** The limit of a unit without `timeoutMs`. Default 60,000. */
  readonly unitMs?: number;
}

export interface OpenOptions {
  /** The name in messages and logs. */
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
   * The share that the call belongs to: the id of a project or of a person. Waiting shares are served in turn, and a call whose
   * turn does not come within some seconds rejects with kind `busy`. Without it the call is the host's own and waits longer.
   */
  readonly share?: string;
}

/**
 * How much a read may ask of the database, so that short reads never wait behind long ones.
 *
 * `point`: a few rows by key or index, like all reads of metadata. `page`: a page of rows in key order, or any query on a small
 * table. `long`: a query that may read each row of a large table: a search, a sort, a count, an aggregate.
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

/** `short`: one or a few rows. `bulk`: any number of rows. */
export type WriteWork = 'short' | 'bulk';

export interface WriteOptions extends SharedOptions {
  /** Default `short`. On SQLite the bulk and short writes of a share take turns, so a short write waits for at most one bulk write. */
  readonly work?: WriteWork;
  /** Runs the work again, at most three times, after a deadlock or a serialisation failure. */
  readonly retry?: boolean;
  /**
   * The work issues all its queries in the turn of the event loop in which it is called, and then ends with `unit.last`. On
   * SQLite, such works that wait at the same moment are sent to the writer together; they run again, one after another, if one of
   * them fails or issues further queries.
   */
  readonly isOneStep?: boolean;
}

export interface StreamOptions extends SharedOptions {
  /** Rows per batch, fewer where rows are large; the next batch is fetched when the consumer asks for it. Default 500. */
  readonly batchSize?: number;
  /** Milliseconds that the consumer may take for a batch before the stream is ended. Default 30,000. */
  readonly stallMs?: number;
  /** A stream of the host's own jobs: it has a separate place that downloads cannot take, and no stall limit. */
  readonly job?: boolean;
}

export interface JsonOptions extends ReadOptions {
  /** The statement reads a few neighbouring rows by an index, with the condition of `StatementSql.shortRow`: see `Database.get`. */
  readonly isShort?: boolean;
  /** The most bytes that the answer may have; more rejects with kind `tooLarge`. Default 64 MB. */
  readonly maxBytes?: number;
}

export interface SnapshotOptions extends Omit<SharedOptions, 'timeoutMs'> {
  /** Milliseconds after which the snapshot ends, even during a read. Default one hour. */
  readonly lastsMs?: number;
}

/** A database at one moment. It holds a connection and resources of the database, so it must be closed. */
export interface DatabaseSnapshot {
  /**
   * As `Database.stream`, of the moment at which the snapshot was opened; one query after the other. Rejects with kind `timeout`, code
   * `SNAPSHOT_ENDED` once the snapshot has ended, and with kind `deadlock` where a change of the schema made the moment unreadable.
   */
  stream(query: Query, options?: Omit<StreamOptions, 'share' | 'job'>): AsyncIterable<RowSet>;
  /** Frees everything. Does not reject; a second call does nothing. */
  close(): Promise<void>;
}

/** The cells of a row in the order of the select list. */
export type Cells = readonly unknown[];

/** One database; all SQL for it goes through here. */
export interface Database {
  readonly name: string;
  readonly dialect: Dialect;
  /** Builds queries without running them. */
  readonly builder: Knex;
  /**
   * At most one row, found by its key. SQLite answers synchronously in the calling thread; it returns a promise only while
   * another process locks the file, or for a long row. So the statement must read one row by an index, and its condition must
   * contain `StatementSql.shortRow`. Its text is kept; bind all values.
   */
  get(statement: Statement): Cells | undefined | Promise<Cells | undefined>;
  /**
   * The rows of a query as the bytes of a JSON array of objects. `form` gives the keys and forms of the select list, or how cells
   * are made from it and from linked rows, which are read in the same round trip; a short read has no linked rows. No bytes if
   * linked rows may refer to others in different letters: then use `read`. Only SQLite has it, whose rows need not pass through
   * this thread; rows of a server do, and their cells still need conversion.
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
   * Reads a query batch by batch from one snapshot. The connection is released when the consumer stops early, or exceeds the
   * stall limit. Three streams are open at once, at most two of one share, plus one of a job; others wait in turn.
   */
  stream(query: Query, options?: StreamOptions): AsyncIterable<RowSet>;
  /**
   * Opens the database at this moment, to stream several related tables. Each share has one snapshot at a time, and a few are
   * open at once; others wait in turn for as long as a snapshot may last. On SQLite the write-ahead log grows meanwhile. A SQL
   * Server without row versions has no snapshots: there each query sees what is committed when it reads.
   */
  snapshot(options?: SnapshotOptions): Promise<DatabaseSnapshot>;
  /** Changes the schema, one step after another; each step is idempotent. The unit reads and writes rows in between. */
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
   * The file had a rollback journal, which is restored when the file is closed. While it is open it uses the write-ahead log,
   * because otherwise a long read would refuse all writes.
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
  /** The schema to work in, for PostgreSQL or SQL Server; default is the server's choice. */
  readonly schema?: string;
  /** The address to connect to instead of looking up `host`, which TLS still verifies. */
  readonly address?: string;
  /** TLS with PEM text, never with paths; `true` verifies against the system's authorities. */
  readonly tls?: boolean | TlsMaterial;
  readonly pool?: PoolLimits;
  /** Milliseconds that a connection may take to open, if somebody set it: a caller then waits that long too. */
  readonly openMs?: number;
  /** The name of the connections in the server's own tools. Default `trellis`. */
  readonly applicationName?: string;
  /** True if a super admin chose the host, which may therefore have a private address. */
  readonly mayBePrivate?: boolean;
}

export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: boolean;
  /** Whether the certificate must name the host. Default: whenever it is verified. */
  readonly verifyIdentity?: boolean;
}

export interface PoolLimits {
  readonly min?: number;
  readonly max?: number;
}

export type DatabaseTarget = SqliteTarget | ServerTarget;
