import { DatabaseError } from '../../sql/database-error.ts';
import type { SessionStatement } from '../../sql/session.ts';
import type { DatabaseSnapshot, SnapshotOptions, StreamOptions } from '../database.ts';
import { holdSnapshot, SNAPSHOT_WAIT, SNAPSHOTS } from '../units/held-snapshot.ts';
import { withinLimits } from '../units/limited.ts';
import { Semaphore, type GiveBack } from '../units/semaphore.ts';
import {
  DEFAULT_BATCH,
  IdleStreams,
  STREAMS,
  STREAM_WAIT,
  type HeldCursor,
} from '../units/stream-batches.ts';
import { AnswerWatch, type AnswerWatchParts } from './answer-watch.ts';
import type { ServerCursor, ServerDriver } from './server-driver.ts';

const JOB_STREAMS = 1;

export interface ServerStreamsParts<Connection extends object> {
  readonly driver: ServerDriver<Connection>;
  /** The pool's most connections. */
  readonly connections: number;
  readonly acquire: () => Promise<Connection>;
  readonly release: (connection: Connection) => Promise<void>;
  readonly watching: (connection: Connection) => AnswerWatchParts;
  readonly mapErrors: <T>(work: () => Promise<T>) => Promise<T>;
}

/** A connection lent by the pool, with the functions to return it. */
interface Lent<Connection> {
  readonly connection: Connection;
  readonly watch: AnswerWatch;
  readonly run: (statements: readonly string[]) => Promise<void>;
  readonly destroy: () => void;
  /** Undoes the transaction, if one has begun, and returns the connection. Does not reject. */
  readonly giveBack: () => Promise<void>;
}

/** The cursors of a database server: those of streams, each on its own connection, and those of snapshots, which share one. */
export class ServerStreams<Connection extends object> {
  readonly idle = new IdleStreams();
  readonly #parts: ServerStreamsParts<Connection>;
  readonly #streams: Semaphore;
  readonly #jobStreams = new Semaphore(JOB_STREAMS, STREAM_WAIT);
  readonly #snapshots: Semaphore;

  constructor(parts: ServerStreamsParts<Connection>) {
    this.#parts = parts;
    // A small pool has one stream less, which leaves a connection for everything else.
    const streams = Math.min(STREAMS, Math.max(2, Math.floor(parts.connections / 3)));
    this.#streams = new Semaphore(streams, { ...STREAM_WAIT, held: streams - 1 });
    const few = Math.max(1, Math.floor(parts.connections / 5));
    this.#snapshots = new Semaphore(Math.min(SNAPSHOTS, few), SNAPSHOT_WAIT);
  }

  async openCursor(statement: SessionStatement, options: StreamOptions): Promise<HeldCursor> {
    const turns = options.job === true ? this.#jobStreams : this.#streams;
    const lent = await this.#lend(await turns.acquire(options), this.#parts.driver.beginCursor);
    try {
      const cursor = await this.#open(lent, statement, options);
      return {
        fetch: (count) => this.#fetch(lent, cursor, count),
        interrupt: lent.destroy,
        close: async () => {
          await this.#close(lent, cursor);
          await lent.giveBack();
        },
      };
    } catch (error) {
      await lent.giveBack();
      throw error;
    }
  }

  async snapshot(options: SnapshotOptions): Promise<DatabaseSnapshot> {
    const { beginMoment, tableOfMoment } = this.#parts.driver;
    const lent = await this.#lend(await this.#snapshots.acquire(options), beginMoment);
    let reading: ServerCursor | undefined;
    /** Whether a call is running; the connection can take no other meanwhile. */
    let isBusy = false;
    const openCursor = async (statement: SessionStatement, asked: StreamOptions): Promise<HeldCursor> => {
      isBusy = true;
      const cursor = await lent
        .run(tableOfMoment.before)
        .then(() => this.#open(lent, statement, asked))
        .finally(() => (isBusy = false));
      reading = cursor;
      return {
        fetch: async (count) => {
          isBusy = true;
          const batch = await this.#fetch(lent, cursor, count);
          if (batch.isLast) await this.#assertSeen(lent);
          isBusy = false;
          return batch;
        },
        interrupt: lent.destroy,
        close: async () => {
          isBusy = false;
          reading = undefined;
          await this.#close(lent, cursor);
          await lent.run(tableOfMoment.after).catch(lent.destroy);
        },
      };
    };
    const end = async () => {
      if (isBusy) lent.destroy();
      else if (reading !== undefined) await this.#close(lent, reading);
      await lent.giveBack();
    };
    return holdSnapshot({ openCursor, end }, options, this.idle);
  }

  /** Lends a connection in the transaction that the statements begin. */
  async #lend(giveTurnBack: GiveBack, begin: readonly string[]): Promise<Lent<Connection>> {
    const { driver, acquire, release, watching, mapErrors } = this.#parts;
    let connection: Connection;
    try {
      connection = await acquire();
    } catch (error) {
      giveTurnBack();
      throw error;
    }
    const watch = new AnswerWatch(watching(connection));
    const run = async (statements: readonly string[]) => {
      for (const sql of statements) await mapErrors(() => watch.during(driver.execute(connection, sql, [])));
    };
    let isDestroyed = false;
    const destroy = () => {
      isDestroyed = true;
      driver.destroy(connection);
    };
    const giveBack = async () => {
      // A connection that cannot end its transaction is useless.
      if (begin.length > 0 && !isDestroyed) await run(['rollback']).catch(destroy);
      await release(connection);
      giveTurnBack();
    };
    try {
      await run(begin);
    } catch (error) {
      await giveBack();
      throw error;
    }
    return { connection, watch, run, destroy, giveBack };
  }

  #open(
    { connection, watch, destroy }: Lent<Connection>,
    { sql, bindings }: SessionStatement,
    options: StreamOptions,
  ): Promise<ServerCursor> {
    const { driver, mapErrors } = this.#parts;
    const size = options.batchSize ?? DEFAULT_BATCH;
    return mapErrors(() =>
      withinLimits(options, destroy, () => watch.during(driver.openCursor(connection, sql, bindings, size))),
    );
  }

  #fetch({ watch }: Lent<Connection>, cursor: ServerCursor, count: number) {
    return this.#parts.mapErrors(() => watch.during(cursor.fetch(count)));
  }

  /** A connection that cannot close its cursor is closed. */
  async #close({ watch, destroy }: Lent<Connection>, cursor: ServerCursor): Promise<void> {
    await watch.during(cursor.close()).catch(destroy);
  }

  async #assertSeen({ connection, watch }: Lent<Connection>): Promise<void> {
    const { driver, mapErrors } = this.#parts;
    const { spoilt } = driver.tableOfMoment;
    if (spoilt === undefined) return;
    const { rows } = await mapErrors(() => watch.during(driver.execute(connection, spoilt, [])));
    if (rows.length > 0) throw new DatabaseError('deadlock');
  }
}
