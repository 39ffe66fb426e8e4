import { Readable } from 'node:stream';
import {
  DatabaseFilesToken,
  defineRoute,
  SchemaStoreToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';

const path = '/api/v1/db/meta/sqlite-files';

interface SentQuery {
  readonly name: string;
}

/** The SQLite files that may be opened: those of the server's folder, and uploads of a super admin. */
export function fileRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const files = ctx.get(DatabaseFilesToken);
  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'databaseOpen',
      summary: 'List the SQLite files that may be opened as a project, and how large one may be that is sent',
      handle: async ({ scope }) => ({
        list: await schema.listSqliteFiles(scope),
        upload: { limit: files.limit },
      }),
    }),
    defineRoute<Record<string, string>, SentQuery>({
      method: 'POST',
      path,
      permission: 'databaseOpen',
      summary: 'Send a SQLite file; it is checked, and can be opened as a base by the name that is answered',
      bodyKind: 'raw',
      get bodyLimit() {
        return files.limit;
      },
      schemas: {
        query: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', minLength: 1, maxLength: 1000 } },
        },
      },
      willReadBody: ({ scope, headers }) => files.assertRoom(scope, Number(headers['content-length'] ?? 0)),
      handle: ({ scope, query, stream = Readable.from([]), signal }) =>
        files.receive(scope, { name: query.name, content: stream, signal }),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:file`,
      permission: 'databaseOpen',
      summary: 'Remove a SQLite file that was sent and that no base has',
      handle: async ({ scope, params }) => {
        await files.discard(scope, params.file ?? '');
        return true;
      },
    }),
  ];
}
