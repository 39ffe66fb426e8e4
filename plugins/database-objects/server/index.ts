import { DatabaseObjectsToken, defineRoute, defineServerPlugin } from '@trellis/sdk/server';
import { objectKinds, type ObjectKind } from '../shared/index.ts';

interface ListQuery {
  readonly kind?: ObjectKind;
  readonly search?: string;
}

interface OneQuery {
  readonly kind: ObjectKind;
  readonly id: string;
}

const path = 'projects/:projectId/bases/:baseId/objects';
const object = { kind: 'project', param: 'projectId' } as const;
const kind = { type: 'string', enum: [...objectKinds] } as const;

export default defineServerPlugin({
  setup(ctx) {
    const objects = ctx.get(DatabaseObjectsToken);
    ctx.routes(
      defineRoute<Record<string, string>, ListQuery>({
        method: 'GET',
        path,
        permission: 'baseUpdate',
        object,
        summary: 'List views, functions, procedures, sequences and triggers of a database',
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
