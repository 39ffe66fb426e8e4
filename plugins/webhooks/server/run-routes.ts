import {
  AccessServiceToken,
  defineRoute,
  RateLimiterToken,
  RowStoreToken,
  SchemaStoreToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { byHand } from '../shared/index.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { hookErrors } from './hook-errors.ts';
import { createFindHook } from './hook-places.ts';
import { newId, type HookStore } from './hook-store.ts';

type NoQuery = Record<string, unknown>;

const mostRows = 100;
const rate = { name: 'webhooks.run', limit: 60, windowSeconds: 60 };

/** Telling of rows that somebody picked, whatever the conditions of the webhook are. */
export function runRoutes(
  ctx: ServerPluginContext,
  deps: {
    readonly hooks: HookStore;
    readonly deliveries: Pick<DeliveryStore, 'add'>;
    readonly wake: (hookId: string) => void;
  },
): readonly RouteDefinition[] {
  const { hooks, deliveries, wake } = deps;
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  const limiter = ctx.get(RateLimiterToken);
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
        const { principal, body } = request;
        const found = await find(request as never, 'hookTest');
        if (found === undefined) throw hookErrors.create('HOOK_NOT_FOUND');
        const { hook, handle } = found;
        if (!hook.active) throw hookErrors.create('HOOK_OFF');
        if (hook.operation === 'delete') throw hookErrors.create('HOOK_BY_HAND');
        await limiter.consume(rate, principal.id);
        // A webhook tells of whole rows; which rows there are, the caller must be able to see.
        const whole = await schema.open(access.systemScope(hook.projectId, request.id), hook.tableId);
        const at = Date.now();
        const told = await Promise.all(
          body.rows.map(async (rowKey, position) => {
            const [seen, row] = await Promise.all([rows.read(handle, rowKey), rows.read(whole, rowKey)]);
            if (seen === undefined || row === undefined)
              throw hookErrors.create('HOOK_ROW', { key: rowKey, table: handle.table.title });
            const eventId = newId('ev');
            return {
              hookId: hook.id,
              eventId,
              projectId: hook.projectId,
              rowKey,
              operation: hook.operation,
              // Behind whatever waits of the row already.
              seq: at,
              position,
              payload: {
                data: row,
                row,
                previous: null,
                user: { id: principal.id, email: principal.email },
                table: { id: handle.table.id, title: handle.table.title },
                event: {
                  id: eventId,
                  type: byHand,
                  operation: hook.operation,
                  row: rowKey,
                  sequence: at,
                  at: new Date(at).toISOString(),
                },
              },
              nextAt: 0,
              at,
            };
          }),
        );
        await deliveries.add(told);
        wake(hook.id);
        return { count: told.length };
      },
    }),
  ];
}
