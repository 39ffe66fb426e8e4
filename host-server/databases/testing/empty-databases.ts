import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../connections/open-database.ts';
import type { Database, DatabaseTarget, ServerTarget, SqliteTarget } from '../database.ts';
import { serverTarget, type ExistingServerKind, type TestedDialect } from './test-servers.ts';

/** Creates databases with random names on one kind of server, and drops them together. */
export class EmptyDatabases {
  readonly #kind: TestedDialect | ExistingServerKind;
  /** How to drop each one, by name. */
  readonly #drops = new Map<string, () => Promise<unknown>>();
  #administration: Promise<Database> | undefined;

  constructor(kind: TestedDialect | ExistingServerKind) {
    this.#kind = kind;
  }

  create(): Promise<DatabaseTarget> {
    return this.#kind === 'sqlite' ? this.createFile() : this.createOnServer(this.#kind);
  }

  /** The path of a file that does not exist yet. */
  async createFile(): Promise<SqliteTarget> {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
    this.#drops.set(folder, () => rm(folder, { recursive: true, force: true }));
    return { kind: 'sqlite', file: join(folder, 'test.db'), create: true };
  }

  /** @param template the name of a database to copy; PostgreSQL only, and nobody may be connected to it */
  async createOnServer(kind: ExistingServerKind, template?: string): Promise<ServerTarget> {
    const server = serverTarget(kind);
    const name = `trellis_test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
    await this.#administer(
      server,
      `create database ${name}${template === undefined ? '' : ` template ${template}`}`,
    );
    // No test stops the database server, so commits of tests need not wait for the disk.
    if (kind === 'postgres') {
      await this.#administer(server, `alter database ${name} set synchronous_commit = off`);
    }
    return this.adopt(kind, name);
  }

  /** Registers an existing database to be dropped with the others. */
  adopt(kind: ExistingServerKind, name: string): ServerTarget {
    const server = serverTarget(kind);
    const drops = {
      postgres: [`drop database ${name} with (force)`],
      mysql: [`drop database ${name}`],
      mssql: [`alter database ${name} set single_user with rollback immediate`, `drop database ${name}`],
    }[kind];
    this.#drops.set(name, async () => {
      for (const drop of drops) await this.#administer(server, drop);
    });
    return { ...server, database: name };
  }

  /** Excludes this database from dropping. */
  keep({ database }: ServerTarget): void {
    this.#drops.delete(database);
  }

  async dropAll(): Promise<void> {
    try {
      for (const [name, drop] of this.#drops) {
        this.#drops.delete(name);
        await drop();
      }
    } finally {
      await (await this.#administration)?.close();
      this.#administration = undefined;
    }
  }

  async #administer(server: ServerTarget, sql: string): Promise<void> {
    this.#administration ??= openDatabase(server, { name: 'test administration' });
    const database = await this.#administration;
    // Not a write unit, because PostgreSQL cannot create databases within a transaction.
    await database.read((unit) => unit.run(unit.knex.raw(sql)));
  }
}
