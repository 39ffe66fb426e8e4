import { mkdir, open, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Knex } from 'knex';
import { dialectOf } from '../../dialects/select-dialect.ts';
import type { SchemaChanger } from '../../dialects/schema/schema-changer.ts';
import { runAfterCommit } from '../units/after-commit.ts';
import { bindKnex, toObjects } from '../bound-knex.ts';
import { createBuilder } from '../builders.ts';
import { compileQuery } from '../compile-query.ts';
import { DatabaseError } from '../../sql/database-error.ts';
import type {
  Database,
  ReadOptions,
  SqliteTarget,
  StreamOptions,
  UnitOptions,
  WriteOptions,
} from '../database.ts';
import type { Query, RowSet, Unit } from '../../sql/unit.ts';
import { withinLimits } from '../units/limited.ts';
import { Semaphore } from '../units/semaphore.ts';
import { SessionUnit } from '../units/session-unit.ts';
import type { Session } from '../../sql/session.ts';
import { asUnitOf, assertNoUnitOf } from '../units/unit-guard.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { SqliteReaders } from './sqlite-readers.ts';
import { SqliteWriter } from './sqlite-writer.ts';

const READERS = 4;
const STREAMS = 2;
const DEFAULT_BATCH = 500;
const DEFAULT_WRITE_MS = 60_000;

/** A SQLite file: one writing worker and a few reading ones. */
export class SqliteDatabase implements Database {
  readonly name: string;
  readonly dialect = dialectOf('sqlite');
  readonly builder: Knex;
  readonly #target: SqliteTarget;
  readonly #writer: SqliteWriter;
  readonly #readers: SqliteReaders;
  readonly #streams = new Semaphore(STREAMS);

  private constructor(name: string, target: SqliteTarget, writer: SqliteWriter) {
    this.name = name;
    this.#target = target;
    this.#writer = writer;
    this.#readers = new SqliteReaders(READERS, () =>
      SqliteConnection.open({
        file: target.file,
        role: 'reader',
        create: false,
        readOnly: target.readOnly === true,
      }),
    );
    this.builder = createBuilder('sqlite');
  }

  static async open(name: string, target: SqliteTarget): Promise<SqliteDatabase> {
    const file = await existingFile(target);
    const errors = dialectOf('sqlite').errors;
    const openWriter = () =>
      SqliteConnection.open({ file, role: 'writer', create: false, readOnly: target.readOnly === true });
    try {
      return new SqliteDatabase(name, { ...target, file }, await SqliteWriter.create(file, openWriter));
    } catch (error) {
      throw errors.toDatabaseError(error);
    }
  }

  async read<T>(work: (unit: Unit) => Promise<T>, options: ReadOptions = {}): Promise<T> {
    return asUnitOf(this, async () => {
      const connection = await this.#acquireReader();
      const inSnapshot = options.isolation === 'snapshot';
      let given = false;
      const giveBack = () => {
        if (given) return;
        given = true;
        if (connection.busy || connection.ended) this.#readers.discard(connection);
        else if (inSnapshot) this.#endSnapshot(connection);
        else this.#readers.release(connection);
      };
      try {
        if (inSnapshot) await connection.execute('begin');
        return await this.#run('reader', connection, work, options, giveBack);
      } finally {
        giveBack();
      }
    });
  }

  #endSnapshot(connection: SqliteConnection): void {
    connection.execute('rollback').then(
      () => this.#readers.release(connection),
      () => this.#readers.discard(connection),
    );
  }

  async write<T>(work: (unit: Unit) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    if (this.#target.readOnly === true) throw new DatabaseError('readOnly');
    assertNoUnitOf(this);
    let afterCommit: readonly (() => void)[] = [];
    const result = await this.#mapErrors(() =>
      this.#writer.write((session) =>
        asUnitOf(this, async () => {
          const unit = this.#unit('writer', session);
          try {
            // A statement that runs cannot be taken back from the writer's thread; the ones after it are refused.
            const value = await withinLimits(
              { ...options, timeoutMs: options.timeoutMs ?? DEFAULT_WRITE_MS },
              () => unit.close(),
              () => work(unit),
            );
            unit.assertWhole();
            return value;
          } finally {
            afterCommit = unit.close();
          }
        }),
      ),
    );
    runAfterCommit(afterCommit);
    return result;
  }

  async *stream(query: Query, options: StreamOptions = {}): AsyncGenerator<RowSet, void, undefined> {
    const { sql, bindings } = compileQuery(query);
    const size = options.batchSize ?? DEFAULT_BATCH;
    assertNoUnitOf(this);
    const giveTurnBack = await this.#streams.acquire(options);
    let connection: SqliteConnection | undefined;
    try {
      const reader = await this.#acquireReader();
      connection = reader;
      const within = <T>(work: () => Promise<T>) =>
        this.#mapErrors(() => withinLimits(options, () => this.#readers.discard(reader), work));
      await within(() => reader.openCursor(sql, bindings));
      for (;;) {
        const { columns, rows } = await within(() => reader.fetch(size));
        if (rows.length > 0) yield { columns, rows };
        if (rows.length < size) return;
      }
    } finally {
      if (connection !== undefined && !connection.ended) {
        await connection.closeCursor();
        this.#readers.release(connection);
      }
      giveTurnBack();
    }
  }

  async schema<T>(work: (changer: SchemaChanger) => Promise<T>): Promise<T> {
    if (this.#target.readOnly === true) throw new DatabaseError('readOnly');
    assertNoUnitOf(this);
    return this.#mapErrors(() =>
      this.#writer.exclusively((session) =>
        asUnitOf(this, () => work(this.dialect.schema.createChanger(session))),
      ),
    );
  }

  async ping(): Promise<void> {
    await this.read((unit) => unit.rows(unit.knex.raw('select 1')));
  }

  async close(): Promise<void> {
    await this.#writer.close();
    await this.#readers.close();
  }

  async #run<T>(
    kind: Unit['kind'],
    session: Session,
    work: (unit: Unit) => Promise<T>,
    options: UnitOptions,
    end: () => void,
  ): Promise<T> {
    const unit = this.#unit(kind, session);
    try {
      return await withinLimits(options, end, () => work(unit));
    } finally {
      unit.close();
    }
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

  #acquireReader(): Promise<SqliteConnection> {
    return this.#mapErrors(() => this.#readers.acquire());
  }

  async #mapErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.dialect.errors.toDatabaseError(error);
    }
  }
}

/** The file's real path; URIs and in-memory names would reach SQLite's own parser and are refused. */
async function existingFile({ file, create }: SqliteTarget): Promise<string> {
  if (file === '' || file.startsWith(':') || /^file:/i.test(file) || file.includes('\0')) {
    throw new TypeError('A SQLite database is a file path; URIs and in-memory databases are not supported');
  }
  const path = resolve(file);
  try {
    if (create === true) await createFile(path);
    return await realpath(path);
  } catch (error) {
    throw new DatabaseError('unreachable', { cause: error });
  }
}

/** Makes the file, and its folder, when they are missing; nobody else on the machine may read it. */
async function createFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await (await open(path, 'a', 0o600)).close();
}
