import type { Knex } from 'knex';
import type { Dialect, DialectName } from '../../dialects/dialect.ts';
import type { SchemaChanger } from '../../dialects/schema/schema-changer.ts';
import { dialectOf } from '../../dialects/select-dialect.ts';
import { createBuilder } from '../builders.ts';
import type { Cells, Database, JsonOptions, ReadOptions, StreamOptions, WriteOptions } from '../database.ts';
import type { JsonCell } from '../../sql/json-rows.ts';
import type { Query, RowSet, Statement, Unit } from '../../sql/unit.ts';
import { DatabaseError } from '../../sql/database-error.ts';

export interface ManagedDatabaseOptions {
  readonly name: string;
  readonly kind: DialectName;
  readonly idleMs: number;
  readonly inFlight: number;
  readonly open: () => Promise<Database>;
}

/** A database that is open only while it is used, and that does not let one base take all of the server's attention. */
export class ManagedDatabase implements Database {
  readonly name: string;
  readonly dialect: Dialect;
  readonly builder: Knex;
  readonly #options: ManagedDatabaseOptions;
  #opening: Promise<Database> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #inFlight = 0;

  constructor(options: ManagedDatabaseOptions) {
    this.name = options.name;
    this.dialect = dialectOf(options.kind);
    this.builder = createBuilder(options.kind);
    this.#options = options;
  }

  get(statement: Statement): Promise<Cells | undefined> {
    return this.#use(async (database) => database.get(statement));
  }

  readJson(statement: Statement, cells: readonly JsonCell[], options?: JsonOptions): Promise<Uint8Array> {
    return this.#use((database) => database.readJson(statement, cells, options));
  }

  read<T>(work: (unit: Unit) => Promise<T>, options?: ReadOptions): Promise<T> {
    return this.#use((database) => database.read(work, options));
  }

  write<T>(work: (unit: Unit) => Promise<T>, options?: WriteOptions): Promise<T> {
    return this.#use((database) => database.write(work, options));
  }

  async *stream(query: Query, options?: StreamOptions): AsyncGenerator<RowSet, void, undefined> {
    this.#enter();
    try {
      yield* (await this.#database()).stream(query, options);
    } finally {
      this.#leave();
    }
  }

  schema<T>(work: (changer: SchemaChanger) => Promise<T>): Promise<T> {
    return this.#use((database) => database.schema(work));
  }

  ping(): Promise<void> {
    return this.#use((database) => database.ping());
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const opening = this.#opening;
    this.#opening = undefined;
    if (opening === undefined) return;
    // What could not be opened has nothing to close, and whoever asked for it was told.
    const database = await opening.catch(() => undefined);
    await database?.close();
  }

  async #use<T>(work: (database: Database) => Promise<T>): Promise<T> {
    this.#enter();
    try {
      return await work(await this.#database());
    } finally {
      this.#leave();
    }
  }

  #database(): Promise<Database> {
    if (this.#opening === undefined) {
      const opening = this.#options.open();
      this.#opening = opening;
      // A failure is not kept: the next call tries again.
      opening.catch(() => {
        if (this.#opening === opening) this.#opening = undefined;
      });
    }
    return this.#opening;
  }

  #enter(): void {
    if (this.#inFlight >= this.#options.inFlight) throw new DatabaseError('busy', { code: 'BASE_BUSY' });
    this.#inFlight += 1;
    clearTimeout(this.#idle);
  }

  #leave(): void {
    this.#inFlight -= 1;
    if (this.#inFlight > 0) return;
    this.#idle = setTimeout(() => void this.close(), this.#options.idleMs);
    this.#idle.unref();
  }
}
