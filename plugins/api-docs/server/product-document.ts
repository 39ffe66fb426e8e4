import type { ServedRoute } from '@trellis/sdk/server';
import type { Method, Operation, Parameter, PathItem } from '../shared/index.ts';
import {
  errorSchema,
  json,
  jsonBody,
  Names,
  openApiVersion,
  refusal,
  refused,
  security,
  securitySchemes,
} from './open-api.ts';

/** Every call of the server as OpenAPI, from the declared routes of the plugins. */
export function productDocument(
  routes: readonly ServedRoute[],
  { site, version }: { readonly site: string; readonly version: string },
): object {
  const names = new Names();
  const paths: Record<string, PathItem> = {};
  for (const served of routes.toSorted((a, b) => a.path.localeCompare(b.path, 'en'))) {
    const path = pathOf(served.path);
    const method = served.route.method.toLowerCase() as Method;
    paths[path] = { ...paths[path], [method]: operationOf(served, path, names) };
  }
  return {
    openapi: openApiVersion,
    info: { title: 'Trellis', version },
    servers: [{ url: site }],
    security,
    tags: [...new Set(routes.map(({ plugin }) => plugin))].toSorted().map((name) => ({ name })),
    paths,
    components: { responses: { Refused: refused }, schemas: { Error: errorSchema }, securitySchemes },
  };
}

/** `/tables/:id` in OpenAPI's form: `/tables/{id}`. */
function pathOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}');
}

function operationOf({ plugin, route }: ServedRoute, path: string, names: Names): Operation {
  const { method, summary, permission, schemas = {} } = route;
  const given: readonly Parameter[] = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Parameter => ({
      name,
      in: 'path',
      required: true,
      schema: schemas.params?.properties?.[name] ?? { type: 'string' },
    })),
    ...Object.entries(schemas.query?.properties ?? {}).map(([name, schema]): Parameter => ({
      name,
      in: 'query',
      ...(schemas.query?.required?.includes(name) === true && { required: true }),
      schema,
    })),
  ];
  const requestBody = bodyOf(route);
  return {
    operationId: names.of(`${method.toLowerCase()} ${path}`),
    summary,
    tags: [plugin],
    ...(permission === 'public' && { security: [] }),
    ...(given.length > 0 && { parameters: given }),
    ...(requestBody && { requestBody }),
    responses: { 200: json(schemas.response ?? {}, 'Done'), default: refusal },
  };
}

function bodyOf({ method, bodyKind = 'json', schemas = {} }: ServedRoute['route']): Operation['requestBody'] {
  if (method === 'GET' || bodyKind === 'none') return undefined;
  const files = { schema: { type: 'object', additionalProperties: true } } as const;
  if (bodyKind === 'multipart' || bodyKind === 'form')
    return { required: true, content: { 'multipart/form-data': files } };
  if (bodyKind === 'raw') return { required: true, content: { 'application/octet-stream': { schema: {} } } };
  return schemas.body && jsonBody(schemas.body);
}
