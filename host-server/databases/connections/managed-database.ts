import type { Knex } from 'knex';
import type { Dialect, DialectName } from '../../dialects/dialect.ts';
import type { SchemaChanger } from '../../dialects/schema/schema-changer.ts';
import { dialectOf } from '../../dialects/select-dialect.ts';
import { createBuilder } from '../builders.ts';
import type {
  Cells,
  Database,
  DatabaseSnapshot,
  ReadOptions,
  SharedOptions,
  SnapshotOptions,
  StreamOptions,
  WriteOptions,
} from '../database.ts';
import { HOST_SHARE } from '../units/fair-line.ts';
import type { Query, RowSet, Statement, Unit } from '../../sql/unit.ts';
import { DatabaseError } from '../../sql/database-error.ts';

export interface ManagedDatabaseOptions {
  readonly name: string;
  readonly kind: DialectName;
  /** The schema that the target names. */
  readonly schema?: string;
  readonly idleMs: number;
  /** Calls that may be running at once; one share may have half of them. */
  readonly inFlight: number;
  readonly open: () => Promise<Database>;
}

/** A database that is open only while it is used, with a limit on concurrent calls, so that one base cannot occupy the whole server. */
export class ManagedDatabase implements Database {
  readonly name: string;
  readonly dialect: Dialect;
  readonly builder: Knex;
  readonly readJson?: NonNullable<Database['readJson']>;
  readonly #options: ManagedDatabaseOptions;
  #opening: Promise<Database> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #inFlight = 0;
  readonly #inFlightOf = new Map<string, number>();

  constructor(options: ManagedDatabaseOptions) {
    this.name = options.name;
    this.dialect = dialectOf(options.kind, options.schema);
    this.builder = createBuilder(this.dialect);
    this.#options = options;
    if (options.kind === 'sqlite')
      this.readJson = (statement, form, asked) =>
        this.#use(async (database) => {
          if (database.readJson === undefined) throw new TypeError('This database writes no JSON');
          return database.readJson(statement, form, asked);
        }, asked);
  }

  get(statement: Statement): Promise<Cells | undefined> {
    return this.#use(async (database) => database.get(statement));
  }

  read<T>(work: (unit: Unit) => Promise<T>, options?: ReadOptions): Promise<T> {
    return this.#use((database) => database.read(work, options), options);
  }

  write<T>(work: (unit: Unit) => Promise<T>, options?: WriteOptions): Promise<T> {
    return this.#use((database) => database.write(work, options), options);
  }

  async *stream(query: Query, options?: StreamOptions): AsyncGenerator<RowSet, void, undefined> {
    const leave = this.#enter(options);
    try {
      yield* (await this.#database()).stream(query, options);
    } finally {
      leave();
    }
  }

  async snapshot(options?: SnapshotOptions): Promise<DatabaseSnapshot> {
    const leave = this.#enter(options);
    try {
      const snapshot = await (await this.#database()).snapshot(options);
      return {
        stream: (query, asked) => snapshot.stream(query, asked),
        close: () => snapshot.close().finally(leave),
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  schema<T>(work: (changer: SchemaChanger, unit: Unit) => Promise<T>): Promise<T> {
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
    // A database that could not be opened has nothing to close, and its callers got the error.
    const database = await opening.catch(() => undefined);
    await database?.close();
  }

  async #use<T>(work: (database: Database) => Promise<T>, options?: SharedOptions): Promise<T> {
    const leave = this.#enter(options);
    const opening = this.#database();
    try {
      return await work(await opening);
    } catch (error) {
      if (error instanceof DatabaseError && error.kind === 'unreachable') this.#giveUp(opening);
      throw error;
    } finally {
      leave();
    }
  }

  /** Makes the next call look up the server again: it may be back at another address. */
  #giveUp(opening: Promise<Database>): void {
    if (this.#opening !== opening) return;
    this.#opening = undefined;
    opening.then((database) => database.close()).catch(() => undefined);
  }

  #database(): Promise<Database> {
    if (this.#opening === undefined) {
      const opening = this.#options.open();
      this.#opening = opening;
      // A failed opening is not kept, so the next call tries again.
      opening.catch(() => {
        if (this.#opening === opening) this.#opening = undefined;
      });
    }
    return this.#opening;
  }

  /** Takes a place for a call and returns the function that frees it; a second call does nothing. */
  #enter({ share = HOST_SHARE }: SharedOptions = {}): () => void {
    const { inFlight } = this.#options;
    const own = this.#inFlightOf.get(share) ?? 0;
    const mostOwn = share === HOST_SHARE ? inFlight : Math.ceil(inFlight / 2);
    if (this.#inFlight >= inFlight || own >= mostOwn) throw new DatabaseError('busy', { code: 'BASE_BUSY' });
    this.#inFlight += 1;
    this.#inFlightOf.set(share, own + 1);
    clearTimeout(this.#idle);
    let isIn = true;
    return () => {
      if (isIn) this.#leave(share);
      isIn = false;
    };
  }

  #leave(share: string): void {
    this.#inFlight -= 1;
    const own = (this.#inFlightOf.get(share) ?? 1) - 1;
    if (own > 0) this.#inFlightOf.set(share, own);
    else this.#inFlightOf.delete(share);
    if (this.#inFlight > 0) return;
    this.#idle = setTimeout(() => void this.close(), this.#options.idleMs);
    this.#idle.unref();
  }
}
