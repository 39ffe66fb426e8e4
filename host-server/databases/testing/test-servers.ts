import { createConnection } from 'node:net';
import type { DialectName } from '../../dialects/dialect.ts';
import { parseDatabaseUrl } from '../connections/database-url.ts';
import type { ServerTarget } from '../database.ts';

export type ServerKind = Exclude<DialectName, 'sqlite'>;

/** Where each kind of server is looked for: a variable, and the address without it. */
export const SERVERS = {
  postgres: ['TRELLIS_TEST_POSTGRES', 'postgres://postgres@127.0.0.1:5432/postgres'],
  mysql: ['TRELLIS_TEST_MYSQL', 'mysql://root@127.0.0.1:3306/'],
} as const;

export function serverTarget(kind: ServerKind): ServerTarget {
  const [variable, address] = SERVERS[kind];
  const target = parseDatabaseUrl(process.env[variable] ?? address);
  if (target.kind === 'sqlite') throw new Error(`${variable} must be the address of a ${kind} server`);
  return { ...target, database: target.database === '' ? 'mysql' : target.database };
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
