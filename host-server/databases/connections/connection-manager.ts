import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Database, DatabaseTarget, ServerTarget, SqliteTarget } from '../database.ts';
import { DatabaseError } from '../../sql/database-error.ts';
import { ManagedDatabase } from './managed-database.ts';
import { hasRollbackJournal } from '../sqlite/journal-mode.ts';
import { createDatabase } from '../server/open-server-database.ts';
import { openDatabase } from './open-database.ts';

export interface ConnectionManagerOptions {
  /** The only folder whose SQLite files may be opened as bases; undefined forbids all. */
  readonly sqliteFolder?: string;
  /** Files that can never be a base: the product's own metadata. */
  readonly forbiddenFiles?: readonly string[];
  /**
   * The outbound gate: looks up a server's host and returns the address to connect to, or throws. The connection goes to exactly
   * that address.
   */
  readonly resolveHost: (target: ServerTarget) => Promise<string>;
  /** Default five minutes. */
  readonly idleMs?: number;
  /** The most concurrent calls on one base, half of them of one person; further calls are answered as busy. Default 50. */
  readonly inFlight?: number;
}

/** The databases of bases: opened when first used, closed when unused for a while. */
export class ConnectionManager {
  readonly #options: ConnectionManagerOptions;
  readonly #databases = new Map<string, ManagedDatabase>();
  /** Of those databases that are files: what is in use here. */
  readonly #files = new Map<string, SqliteTarget>();

  constructor(options: ConnectionManagerOptions) {
    this.#options = options;
  }

  /** The database of `key`. Opens nothing yet; the same key returns the same database until it is forgotten. */
  get(key: string, target: DatabaseTarget): Database {
    const known = this.#databases.get(key);
    if (known !== undefined) return known;
    const database = new ManagedDatabase({
      name: key,
      kind: target.kind,
      schema: 'schema' in target ? target.schema : undefined,
      idleMs: this.#options.idleMs ?? 5 * 60_000,
      inFlight: this.#options.inFlight ?? 50,
      open: async () => openDatabase(await this.#reachable(target), { name: key }),
    });
    this.#databases.set(key, database);
    if (target.kind === 'sqlite') this.#files.set(key, target);
    return database;
  }

  /** Opens a database, makes one query and closes it. Also rejects with the gate's errors. */
  async test(target: DatabaseTarget): Promise<void> {
    const database = await openDatabase(await this.#allowed(target), { name: 'connection test' });
    await database.close();
  }

  /** Creates the database of a server if it has none of this name. Also rejects with the gate's errors. */
  async create(target: ServerTarget): Promise<void> {
    await createDatabase(await this.#allowedServer(target));
  }

  /** Identifies the file of a base: two paths to one file, by a link or in other letters, give the same. */
  async fileOf(target: SqliteTarget): Promise<string> {
    const { file } = await this.#allowedFile(target);
    const { dev, ino } = await stat(file, { bigint: true });
    return `${dev}:${ino}`;
  }

  /** Whether the file of a base uses a rollback journal. A file that is in use here does not, whatever it used before. */
  async hasRollbackJournal(target: SqliteTarget): Promise<boolean> {
    const { file } = await this.#allowedFile(target);
    const id = await this.fileOf(target);
    for (const used of this.#files.values()) {
      if ((await this.fileOf(used).catch(() => undefined)) === id) return false;
    }
    return hasRollbackJournal(file);
  }

  /** Closes the database of `key`, so that the next use has the changed settings. */
  async forget(key: string): Promise<void> {
    const database = this.#databases.get(key);
    this.#databases.delete(key);
    await database?.close();
    this.#files.delete(key);
  }

  async close(): Promise<void> {
    const databases = [...this.#databases.values()];
    this.#databases.clear();
    await Promise.all(databases.map((database) => database.close()));
  }

  #allowed(target: DatabaseTarget): Promise<DatabaseTarget> {
    return target.kind === 'sqlite' ? this.#allowedFile(target) : this.#allowedServer(target);
  }

  async #allowedServer(target: ServerTarget): Promise<ServerTarget> {
    return { ...target, address: await this.#options.resolveHost(target) };
  }

  /** As `#allowed`, with errors that do not reveal where a base is. */
  async #reachable(target: DatabaseTarget): Promise<DatabaseTarget> {
    try {
      return await this.#allowed(target);
    } catch (error) {
      throw error instanceof DatabaseError ? error : new DatabaseError('unreachable', { cause: error });
    }
  }

  /** Resolves links before it compares, and throws the same error whether the file exists or not. */
  async #allowedFile(target: SqliteTarget): Promise<SqliteTarget> {
    const { sqliteFolder, forbiddenFiles = [] } = this.#options;
    if (sqliteFolder === undefined) throw new DatabaseError('unreachable');
    const folder = await realpath(sqliteFolder);
    const file = await realFile(resolve(folder, target.file), target.create === true);
    const forbidden = await Promise.all(forbiddenFiles.map((path) => realFile(resolve(path), true)));
    const isForbidden = forbidden.some(
      (path) => file === path || file === `${path}-wal` || file === `${path}-shm`,
    );
    if (isForbidden || !file.startsWith(folder + sep)) throw new DatabaseError('unreachable');
    return { ...target, file };
  }
}

/** The real path of a file that may not exist yet. */
async function realFile(path: string, mayBeMissing: boolean): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!mayBeMissing || (error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new DatabaseError('unreachable', { cause: error });
    }
  }
  try {
    return join(await realpath(dirname(path)), basename(path));
  } catch (error) {
    throw new DatabaseError('unreachable', { cause: error });
  }
}
