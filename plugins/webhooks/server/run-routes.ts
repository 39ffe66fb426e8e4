import { defineRoute, type RouteDefinition, type ServerPluginContext } from '@trellis/sdk/server';
import { hookErrors } from './hook-errors.ts';
import { createFindHook } from './hook-places.ts';
import type { HookStore } from './hook-store.ts';
import type { RunByHand } from './run-by-hand.ts';

type NoQuery = Record<string, unknown>;

const mostRows = 100;

/** Telling of rows that somebody picked. */
export function runRoutes(
  ctx: ServerPluginContext,
  { hooks, run }: { readonly hooks: HookStore; readonly run: RunByHand },
): readonly RouteDefinition[] {
  const find = createFindHook(ctx, hooks);
  return [
    defineRoute<Record<string, string>, NoQuery, { readonly rows: readonly string[] }>({
      method: 'POST',
      path: '/api/v1/db/meta/hooks/:hookId/run',
      permission: 'signedIn',
      summary: 'Tell of rows by hand, as they are now; the log of the webhook says what becomes of it',
      schemas: {
        body: {
          type: 'object',
          required: ['rows'],
          properties: {
            rows: {
              type: 'array',
              minItems: 1,
              maxItems: mostRows,
              uniqueItems: true,
              items: { type: 'string', maxLength: 1000 },
            },
          },
        },
      },
      async handle(request) {
        const { principal, body, id: requestId } = request;
        const found = await find(request as never, 'hookTest');
        if (found === undefined) throw hookErrors.create('HOOK_NOT_FOUND');
        const { hook, handle } = found;
        return { count: (await run({ hook, handle, rowKeys: body.rows, principal, requestId })).length };
      },
    }),
  ];
}
