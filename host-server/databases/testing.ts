import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, test } from '@jest/globals';
import type { DialectName } from '../dialects/dialect.ts';
import type { Database, DatabaseTarget, ServerTarget } from './database.ts';
import { parseDatabaseUrl } from './connections/database-url.ts';
import { openDatabase } from './connections/open-database.ts';

/** Opens a fresh, empty database; it is dropped after the suite. */
export type OpenTestDatabase = () => Promise<Database>;

const SERVERS = {
  postgres: ['TRELLIS_TEST_POSTGRES', 'postgres://postgres@127.0.0.1:5432/postgres'],
  mysql: ['TRELLIS_TEST_MYSQL', 'mysql://root@127.0.0.1:3306/'],
} as const;

const reachable = new Map<DialectName, boolean>();
for (const kind of ['postgres', 'mysql'] as const) reachable.set(kind, await answers(serverTarget(kind)));

/**
 * Runs one suite on every database. A server that does not answer is skipped, in the report too, unless
 * `TRELLIS_TEST_REQUIRE_ALL=1`.
 */
export function describeEachDatabase(
  name: string,
  suite: (open: OpenTestDatabase, dialect: DialectName) => void,
): void {
  for (const dialect of ['sqlite', 'postgres', 'mysql'] as const) {
    describeIfReachable(name, dialect, () => {
      const databases = createTestDatabases(dialect);
      // PostgreSQL makes a checkpoint for each database that it drops, which takes its time on a busy machine.
      afterAll(() => databases.dropAll(), 180_000);
      suite(() => databases.open(), dialect);
    });
  }
}

/** Runs one suite on every database that is a server; otherwise as `describeEachDatabase`. */
export function describeEachServer(name: string, suite: (dialect: 'postgres' | 'mysql') => void): void {
  for (const dialect of ['postgres', 'mysql'] as const)
    describeIfReachable(name, dialect, () => suite(dialect));
}

function describeIfReachable(name: string, dialect: DialectName, suite: () => void): void {
  describe(`${name} (${dialect})`, () => {
    if (
      dialect === 'sqlite' ||
      reachable.get(dialect) === true ||
      process.env['TRELLIS_TEST_REQUIRE_ALL'] === '1'
    ) {
      suite();
    } else {
      // oxlint-disable-next-line jest/no-disabled-tests, jest/expect-expect -- says in the report what did not run
      test.skip(`skipped: no ${dialect} server answers; set ${SERVERS[dialect][0]}`, () => {});
    }
  });
}

export interface TestDatabases {
  open(): Promise<Database>;
  /** Where a fresh database is, for tests that open it themselves. */
  target(): Promise<DatabaseTarget>;
  /** The address of a fresh database on a server, as `TRELLIS_DB` takes it. */
  url(): Promise<string>;
  dropAll(): Promise<void>;
}

/** Databases with random names on one kind of server, dropped together. */
export function createTestDatabases(kind: DialectName): TestDatabases {
  const opened: Database[] = [];
  const drops: (() => Promise<void>)[] = [];

  async function target(): Promise<DatabaseTarget> {
    if (kind === 'sqlite') {
      const folder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
      drops.push(() => rm(folder, { recursive: true, force: true }));
      return { kind, file: join(folder, 'test.db'), create: true };
    }
    const server = serverTarget(kind);
    const name = `trellis_test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
    await administer(server, `create database ${name}`);
    drops.push(() =>
      administer(server, `drop database ${name}${kind === 'postgres' ? ' with (force)' : ''}`),
    );
    return { ...server, database: name };
  }

  return {
    target,
    async url() {
      const { user, password, host, port, database } = (await target()) as ServerTarget;
      const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
      return `${kind}://${user}${secret}@${host}:${port}/${database}`;
    },
    async open() {
      const database = await openDatabase(await target(), { name: `test ${kind}` });
      opened.push(database);
      return database;
    },
    async dropAll() {
      await Promise.all(opened.splice(0).map((database) => database.close()));
      for (const drop of drops.splice(0)) await drop();
    },
  };
}

function serverTarget(kind: 'postgres' | 'mysql'): ServerTarget {
  const [variable, address] = SERVERS[kind];
  const target = parseDatabaseUrl(process.env[variable] ?? address);
  if (target.kind === 'sqlite') throw new Error(`${variable} must be the address of a ${kind} server`);
  return { ...target, database: target.database === '' ? 'mysql' : target.database };
}

async function administer(server: ServerTarget, sql: string): Promise<void> {
  const database = await openDatabase(server, { name: 'test administration' });
  try {
    // Not a write unit: PostgreSQL creates no databases within a transaction.
    await database.read((unit) => unit.run(unit.knex.raw(sql)));
  } finally {
    await database.close();
  }
}

function answers({ host, port }: ServerTarget): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: 1000 });
    const answer = (yes: boolean) => () => {
      socket.destroy();
      resolve(yes);
    };
    socket.on('connect', answer(true)).on('error', answer(false)).on('timeout', answer(false));
  });
}
