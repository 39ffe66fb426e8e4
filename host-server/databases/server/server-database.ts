import { setTimeout as delay } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import type { Dialect } from '../../dialects/dialect.ts';
import type { SchemaChanger } from '../../dialects/schema/schema-changer.ts';
import { runAfterCommit } from '../units/after-commit.ts';
import { bindKnex } from '../bound-knex.ts';
import { createBuilder } from '../builders.ts';
import { compileQuery } from '../compile-query.ts';
import { DatabaseError } from '../../sql/database-error.ts';
import type {
  Cells,
  Database,
  DatabaseSnapshot,
  OpenOptions,
  ReadOptions,
  ServerLimits,
  ServerTarget,
  SnapshotOptions,
  StreamOptions,
  UnitOptions,
  WriteOptions,
} from '../database.ts';
import type { Query, RowSet, Statement, Unit } from '../../sql/unit.ts';
import { withinLimits } from '../units/limited.ts';
import { streamBatches } from '../units/stream-batches.ts';
import { SessionUnit } from '../units/session-unit.ts';
import type { Session } from '../../sql/session.ts';
import { assertNoUnitOf, asUnitOf } from '../units/unit-guard.ts';
import { inWritingUnit } from '../units/writing-unit.ts';
import type { AnswerWatchParts } from './answer-watch.ts';
import { DEFAULT_CONNECTIONS } from './connection-settings.ts';
import { GroupedWrites, RunApart } from './grouped-writes.ts';
import { patientSession } from './patient-session.ts';
import { PoolPlaces } from './pool-places.ts';
import { RunningReads } from './running-reads.ts';
import type { ServerDriver } from './server-driver.ts';
import { ServerStreams } from './server-streams.ts';
import { ServerTransaction } from './server-transaction.ts';
import { TrackedSession } from './tracked-session.ts';

const RETRIES = 3;
/** A person's read that has run this long is ended if a schema change waits for its locks. Milliseconds. */
const SLOW_MS = 500;
/** A stream whose consumer has paused this long is ended if a schema change waits for its locks. Milliseconds. */
const PAUSED_MS = 1000;
/** How long a cancelled statement may take to end before its connection is closed. Milliseconds. */
const CANCEL_MS = 3000;
const DEFAULT_LIMITS: Required<ServerLimits> = { silenceMs: 4000, unitMs: 60_000 };

/** A database server, reached through a pool of connections. */
export class ServerDatabase<Connection extends object> implements Database {
  readonly name: string;
  readonly dialect: Dialect;
  readonly builder: Knex;
  readonly #pooled: Knex;
  readonly #driver: ServerDriver<Connection>;
  readonly #target: ServerTarget;
  readonly #limits: Required<ServerLimits>;
  readonly #streams: ServerStreams<Connection>;
  readonly #places: PoolPlaces;
  readonly #reads = new RunningReads();
  readonly #grouped: GroupedWrites;

  constructor({ name, limits }: OpenOptions, target: ServerTarget, driver: ServerDriver<Connection>) {
    this.name = name;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.dialect = driver.dialect;
    this.#target = target;
    this.#driver = driver;
    this.#pooled = knex(driver.knexConfig(target));
    this.builder = createBuilder(this.dialect);
    const connections = target.pool?.max ?? DEFAULT_CONNECTIONS;
    this.#places = new PoolPlaces(connections);
    this.#streams = new ServerStreams({
      driver,
      connections,
      acquire: () => this.#acquire(),
      release: (connection) => this.#release(connection),
      watching: (connection) => this.#watching(connection),
      mapErrors: (work) => this.#mapErrors(work),
    });
    this.#grouped = new GroupedWrites({
      transact: (work) => this.#transact(work),
      errors: this.dialect.errors,
    });
  }

  async get(statement: Statement): Promise<Cells | undefined> {
    const { rows } = await this.read((unit) => unit.rows(statement));
    return rows[0];
  }

  async read<T>(work: (unit: Unit) => Promise<T>, options: ReadOptions = {}): Promise<T> {
    const leave = await this.#places.enter(options);
    try {
      return await this.#readNow(work, this.#limited(options));
    } finally {
      leave();
    }
  }

  #readNow<T>(work: (unit: Unit) => Promise<T>, options: ReadOptions): Promise<T> {
    return this.#withSession(options, async (session) => {
      const inSnapshot = options.isolation === 'snapshot';
      if (inSnapshot) for (const sql of this.#driver.beginSnapshot) await session.execute(sql);
      const unit = this.#unit('reader', session);
      const cancel = () => session.cancel();
      const read = () => withinLimits(options, cancel, () => work(unit));
      try {
        return await (options.share === undefined ? read() : this.#reads.run(cancel, read));
      } finally {
        unit.close();
        if (inSnapshot) await session.rollBack();
      }
    });
  }

  async write<T>(work: (unit: Unit) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    const limited = this.#limited(options);
    if (options.isOneStep !== true || this.#driver.beginShared === undefined)
      return this.#writeAlone(work, limited);
    assertNoUnitOf(this);
    try {
      return await this.#writeGrouped(work, limited);
    } catch (error) {
      if (error instanceof RunApart) return this.#writeAlone(work, limited);
      throw error;
    }
  }

  #writeGrouped<T>(work: (unit: Unit) => Promise<T>, options: WriteOptions): Promise<T> {
    return inWritingUnit(work, options, {
      unitOn: (session) => this.#unit('writer', session),
      write: (run) =>
        this.#mapErrors(() =>
          this.#grouped.write((session) => asUnitOf(this, () => run(session)), options.share),
        ),
    });
  }

  /**
   * Lends a transaction that several writes share. A statement that exceeds the time limit of one unit is ended, and all writers
   * get that error.
   */
  async #transact(work: (transaction: ServerTransaction) => Promise<void>): Promise<void> {
    const leave = await this.#places.enter({ work: 'page' });
    try {
      await this.#withSession({}, async (session) => {
        let isLate = false;
        const end = () => {
          isLate = true;
          session.cancel();
        };
        const limit = setTimeout(end, this.#limits.unitMs);
        try {
          await work(new ServerTransaction(session, this.#driver.beginShared ?? []));
        } catch (error) {
          throw isLate ? new DatabaseError('timeout', { cause: error }) : error;
        } finally {
          clearTimeout(limit);
        }
      });
    } finally {
      leave();
    }
  }

  async #writeAlone<T>(work: (unit: Unit) => Promise<T>, options: WriteOptions): Promise<T> {
    // The host's own writes are short, and signing in is one of them.
    const leave = await this.#places.enter({
      ...options,
      work: options.share === undefined ? 'point' : 'page',
    });
    try {
      return await this.#writeRetrying(work, options);
    } finally {
      leave();
    }
  }

  async #writeRetrying<T>(work: (unit: Unit) => Promise<T>, options: WriteOptions): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#writeOnce(work, options);
      } catch (error) {
        const again = error instanceof DatabaseError && error.kind === 'deadlock' && options.retry === true;
        if (!again || attempt >= RETRIES) throw error;
        await delay(20 * 2 ** attempt + Math.random() * 50);
      }
    }
  }

  #limited<Options extends UnitOptions>(options: Options): Options {
    return { ...options, timeoutMs: options.timeoutMs ?? this.#limits.unitMs };
  }

  stream(query: Query, options: StreamOptions = {}): AsyncIterable<RowSet> {
    assertNoUnitOf(this);
    const statement = compileQuery(query);
    const { idle } = this.#streams;
    return streamBatches(() => this.#streams.openCursor(statement, options), options, idle);
  }

  snapshot(options: SnapshotOptions = {}): Promise<DatabaseSnapshot> {
    assertNoUnitOf(this);
    return this.#streams.snapshot(options);
  }

  schema<T>(work: (changer: SchemaChanger, unit: Unit) => Promise<T>): Promise<T> {
    return this.#withSession({}, async (session) => {
      for (const sql of this.#driver.beforeSchemaChange) await session.execute(sql);
      const patient = patientSession(session, this.dialect.errors, {
        onLocked: () => this.#streams.idle.endIdle(PAUSED_MS),
        // Earlier with each attempt: on a busy machine, ending a read takes time as well.
        onWaiting: (attempt) => this.#reads.endOlder(SLOW_MS / (attempt - 1)),
      });
      try {
        return await work(this.dialect.schema.createChanger(patient), this.#unit('writer', session));
      } finally {
        this.#driver.schemaChanged?.();
        if (!session.lost) for (const sql of this.#driver.afterSchemaChange) await session.execute(sql);
      }
    });
  }

  async ping(): Promise<void> {
    await this.read((unit) => unit.rows(unit.knex.raw('select 1')), { timeoutMs: 5000 });
  }

  async close(): Promise<void> {
    await this.#pooled.destroy();
  }

  async #writeOnce<T>(work: (unit: Unit) => Promise<T>, options: UnitOptions): Promise<T> {
    let unit: SessionUnit | undefined;
    try {
      const result = await this.#withSession(options, async (session) => {
        const transaction = new ServerTransaction(session, this.#driver.begin);
        const own = this.#unit('writer', transaction.session);
        unit = own;
        try {
          const value = await withinLimits(
            options,
            () => session.cancel(),
            () => work(own),
          );
          own.assertWhole();
          own.close();
          await transaction.commit();
          return value;
        } catch (error) {
          own.close();
          await transaction.rollBack();
          throw error;
        }
      });
      runAfterCommit(unit?.close() ?? []);
      return result;
    } catch (error) {
      // A limit may have stopped the work while its commit was on the way.
      if (unit !== undefined && (await unit.hasCommitted())) runAfterCommit(unit.close());
      throw error;
    }
  }

  #withSession<T>(options: UnitOptions, work: (session: TrackedSession) => Promise<T>): Promise<T> {
    if (options.signal?.aborted === true) return Promise.reject(new DatabaseError('cancelled'));
    return asUnitOf(this, () =>
      this.#mapErrors(async () => {
        const connection = await this.#acquire();
        const { executeAll } = this.#driver;
        const session = new TrackedSession({
          execute: (sql, bindings) => this.#driver.execute(connection, sql, bindings ?? []),
          cancel: () => this.#driver.cancel(this.#target, connection),
          ...this.#watching(connection),
          ...(executeAll && { executeAll: (statements) => executeAll(connection, statements) }),
          graceMs: CANCEL_MS,
        });
        try {
          return await work(session);
        } finally {
          await session.settle();
          await this.#release(connection);
        }
      }),
    );
  }

  #watching(connection: Connection): AnswerWatchParts {
    return {
      traffic: () => this.#driver.traffic(connection),
      isWorking: () => this.#driver.isWorking(this.#target, connection),
      destroy: () => this.#driver.destroy(connection),
      silenceMs: this.#limits.silenceMs,
    };
  }

  #unit(kind: Unit['kind'], session: Session): SessionUnit {
    return new SessionUnit({
      kind,
      session,
      dialect: this.dialect,
      bindKnex: (bound) =>
        bindKnex(this.builder, bound, (query, result) => this.#driver.respond(query, result)),
    });
  }

  async #acquire(): Promise<Connection> {
    return this.#mapErrors(async () => (await this.#pooled.client.acquireConnection()) as Connection);
  }

  async #release(connection: Connection): Promise<void> {
    await this.#pooled.client.releaseConnection(connection);
  }

  async #mapErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.dialect.errors.toDatabaseError(error);
    }
  }
}
