import {
  BaseStoreToken,
  defineRoute,
  RateLimiterToken,
  type BaseConnection,
  type BaseStore,
  type ConnectionOutcome,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';
import { baseSchema, readBase, type BaseBody } from './project-input.ts';

const path = '/api/v1/db/meta/projects/:projectId/bases';
const object = { kind: 'project', param: 'projectId' } as const;

type Params = Record<string, string>;
type Query = Record<string, unknown>;

/** What clients of the v1 API send to test a connection: the driver's configuration. */
interface TestBody {
  readonly client?: string;
  readonly type?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

interface PatchBody {
  readonly alias?: string | null;
  readonly settings?: Readonly<Record<string, unknown>>;
}

const patchSchema: JsonSchema = {
  type: 'object',
  properties: { alias: { type: ['string', 'null'], maxLength: 100 }, settings: { type: 'object' } },
};

/** Tests per person in a minute, so that they cannot be used to scan a network. */
const tries = { name: 'connection-test', limit: 20, windowSeconds: 60 };

/** Existing databases: their kinds, tests of a connection, and the databases of a project. */
export function baseRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const bases: BaseStore = ctx.get(BaseStoreToken);
  const rates = ctx.get(RateLimiterToken);

  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/db/meta/base-kinds',
      permission: 'databaseOpen',
      summary: 'List the kinds of databases that a project can be opened on, with their settings',
      handle: ({ scope }) =>
        Promise.resolve({
          list: bases.kinds(scope).map(({ id, label, settings }) => ({ id, label, settings })),
        }),
    }),
    defineRoute<Params, Query, TestBody>({
      method: 'POST',
      path: '/api/v1/db/meta/connection/test',
      permission: 'databaseOpen',
      summary: 'Test the connection to a database; nothing is kept',
      // The driver's configuration: the kind refuses unknown properties.
      schemas: { body: { type: 'object', additionalProperties: true } },
      handle: async ({ scope, principal, body, signal }) => {
        await rates.consume(tries, principal.id);
        const { type, settings, ...config } = body;
        const input = { type: type ?? config.client ?? '', settings, config };
        return toAnswer(await bases.test(scope, input, signal));
      },
    }),
    defineRoute<Params, Query, BaseBody>({
      method: 'POST',
      path,
      permission: 'baseCreate',
      object,
      summary: 'Open a further database in a project',
      schemas: { body: baseSchema },
      handle: async ({ scope, body }) => ({ id: await bases.add(scope, readBase(body)) }),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:baseId/connection`,
      permission: 'baseUpdate',
      object,
      summary: 'Read the connection of a database, without its secrets',
      handle: async ({ scope, params }) => toConnection(await bases.connection(scope, params.baseId ?? '')),
    }),
    defineRoute<Params, Query, PatchBody>({
      method: 'POST',
      path: `${path}/:baseId/connection/test`,
      permission: 'baseUpdate',
      object,
      summary: 'Test changed settings of a connection; nothing is kept',
      schemas: { body: { ...patchSchema, required: ['settings'] } },
      handle: async ({ scope, params, principal, body, signal }) => {
        await rates.consume(tries, principal.id);
        const { settings = {} } = body;
        return toAnswer(await bases.testBase(scope, params.baseId ?? '', settings, signal));
      },
    }),
    defineRoute<Params, Query, PatchBody>({
      method: 'PATCH',
      path: `${path}/:baseId`,
      permission: 'baseUpdate',
      object,
      summary: 'Rename a database of a project, or connect it differently',
      schemas: { body: patchSchema },
      handle: async ({ scope, params, body: { alias, settings } }) => {
        const patch = { ...(alias !== undefined && { alias: alias ?? '' }), settings };
        await bases.update(scope, params.baseId ?? '', patch);
        return 1;
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:baseId`,
      permission: 'baseDelete',
      object,
      summary: 'Take a database out of a project; the database itself stays as it is',
      handle: async ({ scope, params }) => {
        await bases.remove(scope, params.baseId ?? '');
        return 1;
      },
    }),
  ];
}

/** As in the v1 API: 200 in both cases. The page translates the message by its code. */
function toAnswer(outcome: ConnectionOutcome) {
  if (outcome.ok) return { code: 0, message: '', data: {} };
  const { message, code, params } = outcome;
  return { code: -1, message, data: {}, error: { code, params } };
}

function toConnection({ baseId, alias, type, settings }: BaseConnection) {
  return { id: baseId, alias: alias ?? null, type, settings };
}
