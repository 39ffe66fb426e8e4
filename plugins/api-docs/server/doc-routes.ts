import { Readable } from 'node:stream';
import {
  defineRoute,
  RouteAnswer,
  SchemaStoreToken,
  ServedRoutesToken,
  ServerInfoToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { productDocument } from './product-document.ts';
import { projectDocument } from './project-document.ts';

const projects = '/api/v1/db/meta/projects/:projectId';
const headers = { 'content-type': 'application/json; charset=utf-8' };

interface ProjectDocumentQuery {
  /** Ids or titles of tables. */
  readonly table?: string | readonly string[];
}

const text = { type: 'string', maxLength: 255 } as const;

/** Documents of the API, and redirects to the pages that show them. */
export function docRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const served = ctx.get(ServedRoutesToken);
  const info = ctx.get(ServerInfoToken);
  // A relative address means the server that returned the document.
  const about = () => ({ site: info.siteUrl ?? '/', version: info.version });

  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/openapi.json',
      permission: 'signedIn',
      summary: 'Describe every call of this server in OpenAPI',
      handle: () => Promise.resolve(productDocument(served.list(), about())),
    }),
    defineRoute<Record<string, string>, ProjectDocumentQuery>({
      method: 'GET',
      path: `${projects}/swagger.json`,
      permission: 'projectGet',
      object: { kind: 'project', param: 'projectId' },
      summary:
        'Describe the calls on the rows of a project in OpenAPI, of all tables or of those that are named',
      schemas: {
        query: {
          type: 'object',
          properties: { table: { anyOf: [text, { type: 'array', items: text, maxItems: 100 }] } },
        },
      },
      async handle({ scope, query }) {
        const snapshot = await schema.snapshot(scope);
        const only = query.table === undefined ? undefined : new Set([query.table].flat());
        const document = projectDocument({ snapshot, scope, only, ...about() });
        return new RouteAnswer({ headers, body: Readable.from(document) });
      },
    }),
    ...['swagger', 'redoc'].map((page) =>
      defineRoute({
        method: 'GET',
        path: `${projects}/${page}`,
        // This reveals nothing of the project: the page requests the document itself, with the session of its user.
        permission: 'public',
        summary: 'Go to the page that shows the calls on the rows of a project',
        handle: ({ params }) =>
          Promise.resolve(
            new RouteAnswer({
              status: 302,
              headers: { location: `/#/nc/${encodeURIComponent(params.projectId ?? '')}/${page}` },
              body: '',
            }),
          ),
      }),
    ),
  ];
}
