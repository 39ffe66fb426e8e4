import { defineRoute, type RouteDefinition, type ServerPluginContext } from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';
import type { Moment } from '../shared/index.ts';
import { toFilterEntities } from './hook-entities.ts';
import { hookErrors } from './hook-errors.ts';
import { readConditions, withCondition } from './hook-input.ts';
import { ofHook, requireHook } from './hook-places.ts';
import type { HookStore } from './hook-store.ts';
import { createSetConditions } from './set-conditions.ts';

interface WhenQuery {
  readonly when?: Moment;
}

const path = '/api/v1/db/meta/hooks/:hookId/filters';
const idOrNull: JsonSchema = { type: ['string', 'null'], maxLength: 40 };

const conditionSchema: JsonSchema = {
  type: 'object',
  properties: {
    fk_column_id: idOrNull,
    fk_parent_id: idOrNull,
    logical_op: { type: ['string', 'null'], maxLength: 3 },
    comparison_op: { type: ['string', 'null'], maxLength: 40 },
    value: {},
    is_group: { enum: [true, false, 0, 1, null] },
    children: { type: ['array', 'null'], maxItems: 100, items: { type: 'object' } },
  },
};

const querySchema: JsonSchema = {
  type: 'object',
  properties: { when: { type: 'string', enum: ['after', 'before'] } },
};

/** The conditions under which a webhook reports a row. */
export function conditionRoutes(ctx: ServerPluginContext, hooks: HookStore): readonly RouteDefinition[] {
  const set = createSetConditions(ctx, hooks);

  return [
    defineRoute<Record<string, string>, WhenQuery>({
      method: 'GET',
      path,
      permission: 'hookList',
      object: ofHook,
      summary: 'List the conditions of a webhook after a change, or before it, groups with theirs',
      schemas: { query: querySchema },
      handle: async (request) => {
        const found = requireHook(request);
        return toFilterEntities(found.hook, found.table, { when: request.query.when ?? 'after' });
      },
    }),
    defineRoute<Record<string, string>, WhenQuery, Readonly<Record<string, unknown>>>({
      method: 'POST',
      path,
      permission: 'hookUpdate',
      object: ofHook,
      summary: 'Add a condition, or a group with its conditions, to a webhook',
      schemas: { query: querySchema, body: conditionSchema },
      handle: async (request) => {
        const found = requireHook(request);
        const { body, query } = request;
        const { when = 'after' } = query;
        const isGroup = body.is_group === true || body.is_group === 1;
        const [added] = readConditions([{ ...body, is_group: isGroup }]);
        if (added === undefined) throw hookErrors.create('HOOK_FILTER');
        const parentId = typeof body.fk_parent_id === 'string' ? body.fk_parent_id : undefined;
        const changed = await set(found, { when, by: request }, (now) => withCondition(now, added, parentId));
        const [entity] = toFilterEntities(changed, found.table, {
          when,
          nodes: [added],
          parentId: parentId ?? null,
        });
        return entity;
      },
    }),
    defineRoute<Record<string, string>, WhenQuery, { readonly list: readonly unknown[] }>({
      method: 'PUT',
      path,
      permission: 'hookUpdate',
      object: ofHook,
      summary: 'Replace all conditions of a webhook by a tree of conditions',
      schemas: {
        query: querySchema,
        body: {
          type: 'object',
          required: ['list'],
          properties: { list: { type: 'array', maxItems: 100, items: { type: 'object' } } },
        },
      },
      handle: async (request) => {
        const found = requireHook(request);
        const filters = readConditions(request.body.list, found.hook);
        const { when = 'after' } = request.query;
        return toFilterEntities(await set(found, { when, by: request }, () => filters), found.table, {
          when,
        });
      },
    }),
  ];
}
