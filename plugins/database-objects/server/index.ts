import {
  DatabaseObjectsToken,
  defineRoute,
  defineServerPlugin,
  SchemaStoreToken,
  type AccessScope,
} from '@trellis/sdk/server';
import { keyOf, objectKinds, titleOf, type ObjectKind } from '../shared/index.ts';
import { wordsOf } from '../shared/kinds.ts';

interface ListQuery {
  readonly kind?: ObjectKind;
  readonly search?: string;
}

interface OneQuery {
  readonly kind: ObjectKind;
  readonly id: string;
}

/** The most objects of a database in the list of a project. */
const mostInProject = 500;
const ofProject = 'projects/:projectId/objects';
const path = 'projects/:projectId/bases/:baseId/objects';
const object = { kind: 'project', param: 'projectId' } as const;
const kind = { type: 'string', enum: [...objectKinds] } as const;

export default defineServerPlugin({
  setup(ctx) {
    const objects = ctx.get(DatabaseObjectsToken);
    const schema = ctx.get(SchemaStoreToken);

    /** The objects of all connected databases of a project, one database after the other, with their counts. */
    async function listOfProject(scope: AccessScope) {
      const { bases } = await schema.snapshot(scope);
      const connected = [...bases.values()].filter(({ own }) => !own);
      const lists = await Promise.all(
        connected.map(async ({ id: baseId }) => {
          const { list, counts } = await objects.list(scope, baseId, { limit: mostInProject });
          const ofOneKind = objectKinds.flatMap((kind) => list.filter((object) => object.kind === kind));
          const items = ofOneKind.map((object) => ({
            id: keyOf(baseId, object.id),
            title: titleOf(object),
            kind: wordsOf[object.kind].tab,
            icon: wordsOf[object.kind].icon,
          }));
          return { items, total: Object.values(counts).reduce((sum, count) => sum + count, 0) };
        }),
      );
      return {
        list: lists.flatMap(({ items }) => items),
        total: lists.reduce((sum, { total }) => sum + total, 0),
      };
    }

    ctx.routes(
      defineRoute({
        method: 'GET',
        path: ofProject,
        permission: 'baseUpdate',
        object,
        summary: 'List what the connected databases of a project hold beside tables',
        handle: ({ scope }) => listOfProject(scope),
      }),
      defineRoute<Record<string, string>, ListQuery>({
        method: 'GET',
        path,
        permission: 'baseUpdate',
        object,
        summary: 'List views, functions, procedures, sequences, triggers and indexes of a database',
        schemas: {
          query: { type: 'object', properties: { kind, search: { type: 'string', maxLength: 200 } } },
        },
        handle: ({ scope, params, query }) => objects.list(scope, params.baseId ?? '', query),
      }),
      defineRoute<Record<string, string>, OneQuery>({
        method: 'GET',
        path: `${path}/one`,
        permission: 'baseUpdate',
        object,
        summary: 'Read the definition of an object of a database',
        schemas: {
          query: {
            type: 'object',
            required: ['kind', 'id'],
            properties: { kind, id: { type: 'string', minLength: 1, maxLength: 4000 } },
          },
        },
        handle: ({ scope, params, query }) => objects.read(scope, params.baseId ?? '', query.kind, query.id),
      }),
    );
  },
});
