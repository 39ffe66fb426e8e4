import { defineRoute, type RouteDefinition } from '@trellis/sdk/server';
import { ofHook, requireHook } from './hook-places.ts';
import type { RunByHand } from './run-by-hand.ts';

type NoQuery = Record<string, unknown>;

const mostRows = 100;

/** Telling of rows that somebody picked. */
export function runRoutes(run: RunByHand): readonly RouteDefinition[] {
  return [
    defineRoute<Record<string, string>, NoQuery, { readonly rows: readonly string[] }>({
      method: 'POST',
      path: '/api/v1/db/meta/hooks/:hookId/run',
      permission: 'hookTest',
      object: ofHook,
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
        const { hook, handle } = requireHook(request);
        return { count: (await run({ hook, handle, rowKeys: body.rows, principal, requestId })).length };
      },
    }),
  ];
}
