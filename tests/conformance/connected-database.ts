import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ProjectEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { openDatabase, type Database, type DatabaseTarget } from '../../host-server/databases/index.ts';
import { createTestDatabases } from '../../host-server/databases/testing.ts';

/** A server with a project on a database that another application created and still uses. */
export interface ConnectedDatabase {
  readonly server: TestServer;
  readonly owner: TestClient;
  readonly project: ProjectEntity;
  readonly target: DatabaseTarget;
  /** The database, as the other application has it open. */
  readonly elsewhere: Database;
  run(sql: string): Promise<unknown>;
  rows(sql: string): Promise<readonly (readonly unknown[])[]>;
  dispose(): Promise<void>;
}

type Kind = Parameters<typeof createTestDatabases>[0];

/**
 * Creates a database with a few statements, in which question marks stand for values, and connects it. After a failure, everything
 * is removed.
 */
export async function connectDatabase(
  dialect: Kind,
  { title, statements }: { readonly title: string; readonly statements: readonly string[] },
): Promise<ConnectedDatabase> {
  const databases = createTestDatabases(dialect);
  const server = await createTestServer();
  let elsewhere: Database | undefined;
  const dispose = async () => {
    await server.dispose();
    await elsewhere?.close();
    await databases.dropAll();
  };
  try {
    const owner = await server.signUp();
    const folder = join(server.dataDir, 'sqlite');
    await mkdir(folder, { recursive: true });
    const target: DatabaseTarget =
      dialect === 'sqlite'
        ? { kind: dialect, file: join(folder, 'elsewhere.db'), create: true }
        : await databases.target();
    const opened = await openDatabase(target, { name: 'the other application' });
    elsewhere = opened;
    const run = (sql: string) => opened.write((unit) => unit.run({ sql, bindings: [] }));
    for (const sql of statements) await run(sql);
    const created = await owner.post<ProjectEntity>('/api/v1/db/meta/projects', {
      title,
      external: true,
      bases: [baseOf(target)],
    });
    if (created.status !== 200) throw new Error(`Not connected: ${JSON.stringify(created.body)}`);
    return {
      server,
      owner,
      project: created.body,
      target,
      elsewhere,
      run,
      rows: async (sql) => (await opened.read((unit) => unit.rows({ sql, bindings: [] }))).rows,
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** A database in the form of the request for a project. A file is in the server's folder. */
export function baseOf(target: DatabaseTarget): { readonly type: string; readonly settings: object } {
  if ('file' in target) return { type: 'sqlite3', settings: { file: basename(target.file) } };
  const { host, port, user, password, database } = target;
  const secret = password === undefined ? {} : { password };
  return {
    type: { postgres: 'pg', mysql: 'mysql2', mssql: 'mssql' }[target.kind],
    settings: { host, port, user, ...secret, database },
  };
}
