import { createConnection } from 'node:net';
import { parseDatabaseUrl } from '../connections/database-url.ts';
import type { ServerTarget } from '../database.ts';

export type ServerKind = 'postgres' | 'mysql';
/** Servers with external databases; SQL Server only if one is named. */
export type ExistingServerKind = ServerKind | 'mssql';
/** The databases on which the product's own suites run. */
export type TestedDialect = 'sqlite' | ServerKind;

/** The address of each kind of server: a variable, and the default. */
export const SERVERS = {
  postgres: ['TRELLIS_TEST_POSTGRES', 'postgres://postgres@127.0.0.1:5432/postgres'],
  mysql: ['TRELLIS_TEST_MYSQL', 'mysql://root@127.0.0.1:3306/'],
  // Nothing listens at port 1.
  mssql: ['TRELLIS_TEST_MSSQL', 'mssql://sa@127.0.0.1:1/master'],
} as const;

/** Maximum seconds to open a connection while other tests create and drop databases on the same disk. */
export const OPEN_SECONDS = 30;

const ADMINISTRATION = { postgres: 'postgres', mysql: 'mysql', mssql: 'master' } as const;

export function serverTarget(kind: ExistingServerKind): ServerTarget {
  const [variable, address] = SERVERS[kind];
  const target = parseDatabaseUrl(process.env[variable] ?? address);
  if (target.kind === 'sqlite' || target.kind !== kind)
    throw new Error(`${variable} must be the address of a ${kind} server`);
  const database = target.database === '' ? ADMINISTRATION[kind] : target.database;
  return { ...target, database, openMs: OPEN_SECONDS * 1000 };
}

export function serverAnswers(kind: ServerKind): Promise<boolean> {
  const { host, port } = serverTarget(kind);
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: 1000 });
    const answer = (yes: boolean) => () => {
      socket.destroy();
      resolve(yes);
    };
    socket.on('connect', answer(true)).on('error', answer(false)).on('timeout', answer(false));
  });
}
