import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../connections/open-database.ts';
import type { Database, DatabaseTarget, ServerTarget, SqliteTarget } from '../database.ts';
import { serverTarget, type ExistingServerKind, type TestedDialect } from './test-servers.ts';

/** Makes databases with random names on one kind of server, and drops them together. */
export class EmptyDatabases {
  readonly #kind: TestedDialect | ExistingServerKind;
  /** How each one goes, by its name. */
  readonly #drops = new Map<string, () => Promise<unknown>>();
  #administration: Promise<Database> | undefined;

  constructor(kind: TestedDialect | ExistingServerKind) {
    this.#kind = kind;
  }

  create(): Promise<DatabaseTarget> {
    return this.#kind === 'sqlite' ? this.createFile() : this.createOnServer(this.#kind);
  }

  /** The place of a file that is not there yet. */
  async createFile(): Promise<SqliteTarget> {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
    this.#drops.set(folder, () => rm(folder, { recursive: true, force: true }));
    return { kind: 'sqlite', file: join(folder, 'test.db'), create: true };
  }

  /** @param template the name of a database that it copies; PostgreSQL only, and nobody may be connected to that one */
  async createOnServer(kind: ExistingServerKind, template?: string): Promise<ServerTarget> {
    const server = serverTarget(kind);
    const name = `trellis_test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
    await this.#administer(
      server,
      `create database ${name}${template === undefined ? '' : ` template ${template}`}`,
    );
    // No test ends the database server, so that no commit of a test needs to wait for the disk.
    if (kind === 'postgres') {
      await this.#administer(server, `alter database ${name} set synchronous_commit = off`);
    }
    return this.adopt(kind, name);
  }

  /** Drops a database that is there, too, when it drops all. */
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

  /** Does not drop this one. */
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
    // Not a write unit: PostgreSQL creates no databases within a transaction.
    await database.read((unit) => unit.run(unit.knex.raw(sql)));
  }
}
