import type { BaseKind } from '@trellis/sdk/server';

interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
}

/** A database that speaks PostgreSQL's protocol, at its own usual port. */
export const cockroach: BaseKind = {
  id: 'cockroach',
  label: 'CockroachDB',
  settings: {
    type: 'object',
    required: ['host', 'user', 'database'],
    properties: {
      host: { type: 'string', title: 'Host', 'x-ui': { order: 1 } },
      port: { type: 'integer', title: 'Port', default: 26257, 'x-ui': { order: 2 } },
      user: { type: 'string', title: 'User', 'x-ui': { order: 3 } },
      password: { type: 'string', title: 'Password', format: 'secret', 'x-ui': { order: 4 } },
      database: { type: 'string', title: 'Database', 'x-ui': { order: 5 } },
    },
  },
  // Clients of the v1 API send `{ connection: { ... } }`.
  fromConfig: ({ connection = {} }) => connection as Readonly<Record<string, unknown>>,
  target(settings) {
    const { host, port, user, password, database } = settings as unknown as Connection;
    return { dialect: 'postgres', host, port, user, database, ...(password !== undefined && { password }) };
  },
};
