import { createConnection } from 'node:net';
import { parseDatabaseUrl } from '../connections/database-url.ts';
import type { ServerTarget } from '../database.ts';

export type ServerKind = 'postgres' | 'mysql';
/** Servers on which existing databases are; SQL Server only where one is named. */
export type ExistingServerKind = ServerKind | 'mssql';
/** The databases on which the suites of the product itself run. */
export type TestedDialect = 'sqlite' | ServerKind;

/** Where each kind of server is looked for: a variable, and the address without it. */
export const SERVERS = {
  postgres: ['TRELLIS_TEST_POSTGRES', 'postgres://postgres@127.0.0.1:5432/postgres'],
  mysql: ['TRELLIS_TEST_MYSQL', 'mysql://root@127.0.0.1:3306/'],
  // Nothing listens at port 1.
  mssql: ['TRELLIS_TEST_MSSQL', 'mssql://sa@127.0.0.1:1/master'],
} as const;

/** What a connection may take to open while other tests make and drop databases on the same disk. */
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
