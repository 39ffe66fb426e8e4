import type { Knex } from 'knex';
import { dialectOf } from '../../dialects/select-dialect.ts';
import type { SchemaChanger } from '../../dialects/schema/schema-changer.ts';
import { bindKnex, toObjects } from '../bound-knex.ts';
import { createBuilder } from '../builders.ts';
import { checkBindings, compileQuery } from '../compile-query.ts';
import { DatabaseError } from '../../sql/database-error.ts';
import type {
  Cells,
  Database,
  DatabaseSnapshot,
  JsonOptions,
  ReadOptions,
  ReadWork,
  SnapshotOptions,
  SqliteTarget,
  StreamOptions,
  WriteOptions,
} from '../database.ts';
import type { JsonCell } from '../../sql/json-rows.ts';
import type { LinkedPage } from '../../sql/linked-page.ts';
import type { Query, RowSet, Statement, Unit } from '../../sql/unit.ts';
import { holdSnapshot, SNAPSHOT_WAIT, SNAPSHOTS } from '../units/held-snapshot.ts';
import { withinLimits } from '../units/limited.ts';
import { SHORT_WAIT, type SemaphoreLimits } from '../units/semaphore.ts';
import {
  IdleStreams,
  streamBatches,
  STREAMS,
  STREAM_WAIT,
  type HeldCursor,
} from '../units/stream-batches.ts';
import { SessionUnit } from '../units/session-unit.ts';
import type { Session, SessionStatement } from '../../sql/session.ts';
import { asUnitOf, assertNoUnitOf } from '../units/unit-guard.ts';
import { inWritingUnit } from '../units/writing-unit.ts';
import { existingFile } from './database-file.ts';
import { LongRows, PointReader } from './point-reader.ts';
import type { Foresight } from '../../sql/foresight.ts';
import { MOST_BYTES } from '../../sql/row-bytes.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { SqliteReaders } from './sqlite-readers.ts';
import { SqliteWriter } from './sqlite-writer.ts';

/** Reading threads per kind of work. They are started on demand. */
const READERS: Readonly<Record<ReadWork, number>> = { point: 2, page: 3, long: 3 };
const JOB_STREAMS = 1;
const DEFAULT_WRITE_MS = 60_000;

const plain = (sql: string): SessionStatement => ({ sql, bindings: [] });

interface CursorOwner {
  readonly options: StreamOptions;
  readonly discard: () => void;
  readonly giveBack: () => void;
}

interface OpenedFile {
  readonly writer: SqliteWriter;
  readonly points: PointReader;
}

/** A SQLite file: one writing worker and a few reading ones. */
export class SqliteDatabase implements Database {
  readonly name: string;
  readonly dialect = dialectOf('sqlite');
  readonly builder: Knex;
  readonly #target: SqliteTarget;
  readonly #writer: SqliteWriter;
  readonly #readers: Readonly<Record<ReadWork, SqliteReaders>>;
  readonly #streams: SqliteReaders;
  readonly #jobStreams: SqliteReaders;
  readonly #snapshots: SqliteReaders;
  readonly #points: PointReader;
  readonly #idleStreams = new IdleStreams();

  private constructor(name: string, target: SqliteTarget, { writer, points }: OpenedFile) {
    this.name = name;
    this.#target = target;
    this.#writer = writer;
    this.#points = points;
    const readers = (most: number, limits: SemaphoreLimits) =>
      new SqliteReaders(most, limits, () =>
        SqliteConnection.open({
          file: target.file,
          role: 'reader',
          create: false,
          readOnly: target.readOnly === true,
        }),
      );
    this.#readers = {
      point: readers(READERS.point, SHORT_WAIT),
      // A table of few rows may hold long texts, so one person's pages can be slow: they leave a thread to others.
      page: readers(READERS.page, { ...SHORT_WAIT, held: READERS.page - 1 }),
      long: readers(READERS.long, { ...SHORT_WAIT, held: READERS.long - 1 }),
    };
    this.#streams = readers(STREAMS, { ...STREAM_WAIT, held: STREAMS - 1 });
    this.#jobStreams = readers(JOB_STREAMS, STREAM_WAIT);
    this.#snapshots = readers(SNAPSHOTS, SNAPSHOT_WAIT);
    this.builder = createBuilder(this.dialect);
  }

  static async open(name: string, target: SqliteTarget): Promise<SqliteDatabase> {
    const file = await existingFile(target);
    const errors = dialectOf('sqlite').errors;
    const openWriter = () =>
      SqliteConnection.open({ file, role: 'writer', create: false, readOnly: target.readOnly === true });
    const points = new PointReader({ ...target, file });
    try {
      const writer = await SqliteWriter.create({ file, open: openWriter, read: committedRows(points) });
      return new SqliteDatabase(name, { ...target, file }, { writer, points });
    } catch (error) {
      throw errors.toDatabaseError(error);
    }
  }

  get(statement: Statement): Cells | undefined | Promise<Cells | undefined> {
    checkBindings(statement.bindings);
    assertNoUnitOf(this);
    return this.#atOnce(
      () => this.#points.get(statement),
      () => this.read(async (unit) => (await unit.rows(statement)).rows[0]),
    );
  }

  /** Reads in the calling thread, or in a worker if the file is locked or the rows are long. */
  #atOnce<T>(here: () => T, inWorker: () => Promise<T>): T | Promise<T> {
    try {
      return here();
    } catch (error) {
      if (error instanceof LongRows) return inWorker();
      const known = this.dialect.errors.toDatabaseError(error);
      if (known instanceof DatabaseError && known.kind === 'busy') return inWorker();
      throw known;
    }
  }

  readJson(
    statement: Statement,
    form: readonly JsonCell[] | LinkedPage,
    options: JsonOptions = {},
  ): Uint8Array | Promise<Uint8Array> {
    checkBindings(statement.bindings);
    const inWorker = () =>
      this.#withReader(options, (connection) =>
        this.#mapErrors(() => connection.readJson(statement, form, options.maxBytes ?? MOST_BYTES)),
      );
    if (options.isShort !== true || 'links' in form) return inWorker();
    assertNoUnitOf(this);
    return this.#atOnce(() => this.#points.json(statement, form), inWorker);
  }

  read<T>(work: (unit: Unit) => Promise<T>, options: ReadOptions = {}): Promise<T> {
    return this.#withReader(options, async (connection) => {
      const unit = this.#unit('reader', connection);
      try {
        return await work(unit);
      } finally {
        unit.close();
      }
    });
  }

  /** Lends a reader, which is abandoned when a limit of the options is reached during a statement. */
  #withReader<T>(options: ReadOptions, work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    return asUnitOf(this, async () => {
      const readers = this.#readers[options.work ?? 'point'];
      const connection = await this.#mapErrors(() =>
        readers.acquire({ share: options.share, signal: options.signal }),
      );
      const inSnapshot = options.isolation === 'snapshot';
      let isGiven = false;
      const giveBack = () => {
        if (isGiven) return;
        isGiven = true;
        if (connection.busy || connection.ended) readers.discard(connection);
        else if (inSnapshot) void endSnapshot(connection, readers);
        else readers.release(connection);
      };
      try {
        if (inSnapshot) await connection.execute('begin');
        return await withinLimits(options, giveBack, () => work(connection));
      } finally {
        giveBack();
      }
    });
  }

  async write<T>(work: (unit: Unit) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    if (this.#target.readOnly === true) throw new DatabaseError('readOnly');
    assertNoUnitOf(this);
    const limited = { ...options, timeoutMs: options.timeoutMs ?? DEFAULT_WRITE_MS };
    return inWritingUnit(work, limited, {
      unitOn: (session) => this.#unit('writer', session),
      write: (run) =>
        this.#mapErrors(() => this.#writer.write((session) => asUnitOf(this, () => run(session)), options)),
    });
  }

  stream(query: Query, options: StreamOptions = {}): AsyncIterable<RowSet> {
    assertNoUnitOf(this);
    const statement = compileQuery(query);
    return streamBatches(() => this.#openCursor(statement, options), options, this.#idleStreams);
  }

  async #openCursor(statement: SessionStatement, options: StreamOptions): Promise<HeldCursor> {
    const readers = options.job === true ? this.#jobStreams : this.#streams;
    const reader = await this.#mapErrors(() => readers.acquire(options));
    const giveBack = () => readers.release(reader);
    const discard = () => readers.discard(reader);
    try {
      return await this.#cursorOn(reader, statement, { options, discard, giveBack });
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** @param of what happens to the reader when its cursor is closed, and when it is abandoned during a statement */
  async #cursorOn(
    reader: SqliteConnection,
    { sql, bindings }: SessionStatement,
    { options, discard, giveBack }: CursorOwner,
  ): Promise<HeldCursor> {
    await this.#mapErrors(() => withinLimits(options, discard, () => reader.openCursor(sql, bindings)));
    return {
      fetch: (count) => this.#mapErrors(() => reader.fetch(count)),
      interrupt: discard,
      close: async () => {
        if (reader.busy || reader.ended) return discard();
        return reader.closeCursor().then(giveBack, discard);
      },
    };
  }

  async snapshot(options: SnapshotOptions = {}): Promise<DatabaseSnapshot> {
    assertNoUnitOf(this);
    const readers = this.#snapshots;
    const reader = await this.#mapErrors(() => readers.acquire(options));
    const discard = () => readers.discard(reader);
    try {
      // The first read fixes the snapshot.
      await this.#mapErrors(() => reader.executeAll(['begin', 'select 1 from sqlite_master'].map(plain)));
    } catch (error) {
      discard();
      throw error;
    }
    const openCursor = (statement: SessionStatement, asked: StreamOptions) =>
      this.#cursorOn(reader, statement, { options: asked, discard, giveBack: () => {} });
    const end = async () => {
      if (reader.busy || reader.ended) return discard();
      await reader.closeCursor().then(() => endSnapshot(reader, readers), discard);
    };
    return holdSnapshot({ openCursor, end }, options, this.#idleStreams);
  }

  async schema<T>(work: (changer: SchemaChanger, unit: Unit) => Promise<T>): Promise<T> {
    if (this.#target.readOnly === true) throw new DatabaseError('readOnly');
    assertNoUnitOf(this);
    return this.#mapErrors(() =>
      this.#writer.exclusively((session) =>
        asUnitOf(this, () => work(this.dialect.schema.createChanger(session), this.#unit('writer', session))),
      ),
    );
  }

  async ping(): Promise<void> {
    await this.read((unit) => unit.rows(unit.knex.raw('select 1')));
  }

  async close(): Promise<void> {
    await this.#writer.rest();
    this.#points.close();
    const readers = [...Object.values(this.#readers), this.#streams, this.#jobStreams, this.#snapshots];
    await Promise.all(readers.map((group) => group.close()));
    await this.#writer.close(this.#target.givesJournalBack === true);
  }

  #unit(kind: Unit['kind'], session: Session): SessionUnit {
    return new SessionUnit({
      kind,
      session,
      dialect: this.dialect,
      bindKnex: (bound) => this.#bindKnex(bound),
    });
  }

  #bindKnex(session: Session): Knex {
    return bindKnex(this.builder, session, (query, result) => {
      const { changes, lastId } = result;
      query.response = result.columns.length > 0 ? toObjects(result) : { changes, lastInsertRowid: lastId };
      query.context = { lastID: lastId, changes };
    });
  }

  async #mapErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.dialect.errors.toDatabaseError(error);
    }
  }
}

/** The result of a read by key, at once; undefined if the file is locked, the rows are long, or the read fails. */
function committedRows(points: PointReader): Foresight['read'] {
  return (statement) => {
    try {
      const row = points.get(statement);
      return row === undefined ? [] : [row];
    } catch {
      return undefined;
    }
  };
}

async function endSnapshot(connection: SqliteConnection, readers: SqliteReaders): Promise<void> {
  await connection.execute('rollback').then(
    () => readers.release(connection),
    () => readers.discard(connection),
  );
}
