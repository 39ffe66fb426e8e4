import type { AccessScope, ProjectSnapshot } from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';
import { errorSchema, Names, openApiVersion, refused, security, securitySchemes } from './open-api.ts';
import { parameters } from './references.ts';
import { describeTable } from './table-paths.ts';

export interface ProjectDocumentOptions {
  /** As the caller may see it. */
  readonly snapshot: ProjectSnapshot;
  readonly scope: Pick<AccessScope, 'may'>;
  /** The server's address for clients, without a slash at the end. */
  readonly site: string;
  /** The product's version. */
  readonly version: string;
  /** Ids or titles of the tables to describe; all by default. */
  readonly only?: ReadonlySet<string>;
}

const schemas: Readonly<Record<string, JsonSchema>> = {
  Error: errorSchema,
  Done: { type: 'object', properties: { msg: { type: 'string' } } },
  Group: {
    type: 'object',
    required: ['count'],
    properties: { count: { type: ['integer', 'string'] } },
    additionalProperties: true,
  },
  Paginated: {
    type: 'object',
    properties: {
      totalRows: { type: 'integer' },
      page: { type: 'number' },
      pageSize: { type: 'integer' },
      isFirstPage: { type: 'boolean' },
      isLastPage: { type: 'boolean' },
    },
  },
};

/**
 * The calls on the rows of a project, as OpenAPI in JSON, chunk by chunk: the document of a project of a thousand tables has many
 * megabytes, and is never whole in memory. It contains what the caller may do with what the caller may see.
 */
export async function* projectDocument(options: ProjectDocumentOptions): AsyncGenerator<string> {
  const { snapshot, scope, site, version, only } = options;
  const { project } = snapshot;
  const tables = [...snapshot.tables.values()]
    .filter(({ id, title }) => only === undefined || only.has(id) || only.has(title))
    .toSorted((a, b) => a.order - b.order);
  const named = { tableNames: new Names(), operationNames: new Names() };
  const head = {
    openapi: openApiVersion,
    info: { title: project.title, version, ...(project.description && { description: project.description }) },
    servers: [{ url: site }],
    security,
    tags: tables.filter(({ junction }) => !junction).map(({ title }) => ({ name: title })),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"paths":{`;
  const shapes: string[] = [];
  let isFirst = true;
  for (const table of tables) {
    const described = describeTable({ project: project.title, table, scope, ...named });
    shapes.push(inner(described.schemas));
    const paths = inner(described.paths);
    if (paths === '') continue;
    yield isFirst ? paths : `,${paths}`;
    isFirst = false;
    // Other requests continue between two tables.
    await new Promise(setImmediate);
  }
  const rest = { parameters, responses: { Refused: refused }, securitySchemes };
  yield `},"components":{${inner(rest)},"schemas":{${[inner(schemas), ...shapes].join(',')}}}}`;
}

/** The members of an object as JSON, without the braces. */
function inner(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}
