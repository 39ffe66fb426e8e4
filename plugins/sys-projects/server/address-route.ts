import { defineRoute, type RouteDefinition } from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';
import { readDatabaseAddress } from '../shared/index.ts';

const addressErrors = defineErrors({
  DATABASE_ADDRESS: {
    status: 400,
    message: 'Invalid database parameters: the address is not one of PostgreSQL, MySQL or SQL Server.',
  },
});

/** The values for the test and the creation of a project. */
const sslByTls = { none: 'false', encrypt: 'true', authority: 'verify-ca', identity: 'verify-full' } as const;

/** Parses the address of a database, in the shapes of the v1 API. */
export function addressRoute(): RouteDefinition {
  return defineRoute<Record<string, string>, Record<string, unknown>, { readonly url: string }>({
    method: 'POST',
    path: '/api/v1/url_to_config',
    permission: 'databaseOpen',
    summary: 'Read the address of a database as the configuration of its connection; nothing is connected to',
    schemas: {
      body: { type: 'object', required: ['url'], properties: { url: { type: 'string', maxLength: 4000 } } },
    },
    handle({ body }) {
      const address = readDatabaseAddress(body.url);
      if (address === undefined) throw addressErrors.create('DATABASE_ADDRESS');
      const { type, schema, tls, port, ...connection } = address;
      return Promise.resolve({
        client: type,
        connection: {
          ...connection,
          ...(port !== undefined && { port: String(port) }),
          ...(tls !== undefined && { ssl: sslByTls[tls] }),
        },
        ...(schema !== undefined && { searchPath: [schema] }),
      });
    },
  });
}
