import {
  defineRoute,
  RateLimiterToken,
  SchemaStoreToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { Row } from '@trellis/sdk/shared';
import { byColumnName } from '../shared/by-column-name.ts';
import { hookOperations, type HookOperation, type HookTestAnswer } from '../shared/index.ts';
import { columnNames } from './before-change.ts';
import { createChannelSettings } from './channels.ts';
import { hookErrors } from './hook-errors.ts';
import { hookBodySchema, readHook, type HookBody } from './hook-input.ts';
import { newId, newSigningSecret, type HookStore } from './hook-store.ts';
import { sampleRow } from './sample-row.ts';
import type { Send } from './send.ts';

interface TestBody {
  readonly hook: HookBody;
  readonly payload?: {
    readonly data?: Row;
    readonly user?: Readonly<Record<string, unknown>>;
  };
}

const path = '/api/v1/db/meta/tables/:tableId/hooks';
const object = { kind: 'table', param: 'tableId' } as const;
const rate = { name: 'webhooks.test', limit: 30, windowSeconds: 60 };

/** A sample of a webhook's message, and a try of one that need not be stored. */
export function testRoutes(
  ctx: ServerPluginContext,
  { hooks, send }: { readonly hooks: HookStore; readonly send: Send },
): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const limiter = ctx.get(RateLimiterToken);
  const channels = createChannelSettings(ctx);

  return [
    defineRoute({
      method: 'GET',
      path: `${path}/samplePayload/:operation`,
      permission: 'tableGet',
      object,
      summary: 'Read a row of made-up values such as the webhooks of a table tell of',
      schemas: {
        params: {
          type: 'object',
          properties: {
            tableId: { type: 'string', maxLength: 40 },
            operation: { type: 'string', enum: [...hookOperations] },
          },
        },
      },
      handle: async ({ scope, params }) => {
        const table = await schema.table(scope, params.tableId ?? '');
        return sampleRow(ctx, table, params.operation as HookOperation);
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, TestBody>({
      method: 'POST',
      path: `${path}/test`,
      permission: 'hookTest',
      object,
      summary: 'Send one message of a webhook, which need not be stored',
      schemas: {
        body: {
          type: 'object',
          required: ['hook'],
          properties: {
            hook: hookBodySchema,
            payload: {
              type: ['object', 'null'],
              properties: { data: { type: ['object', 'null'] }, user: { type: ['object', 'null'] } },
            },
          },
        },
      },
      async handle({ scope, principal, params, body, signal }): Promise<HookTestAnswer> {
        await limiter.consume(rate, principal.id);
        const table = await schema.table(scope, params.tableId ?? '');
        const stored = await hooks.byId(body.hook.id ?? '');
        const own = stored?.tableId === table.id ? stored : undefined;
        const { operation, settings } = readHook({ title: 'Test', ...body.hook }, table, {
          check: channels.check,
          unmasked: (sent) => channels.unmasked(sent, own?.settings.notification),
        });
        const hook = {
          id: own?.id ?? newId('hk'),
          projectId: table.projectId,
          title: settings.title,
          secrets: own?.secrets ?? { current: newSigningSecret() },
        };
        const row = body.payload?.data ?? sampleRow(ctx, table, operation);
        const isByName = settings.event === 'before' && operation !== 'delete';
        const told = (of: Row) => (settings.batch ? [of] : of);
        const data = told(isByName ? byColumnName(row, columnNames(table)) : row);
        const eventId = newId('test');
        const values = {
          data,
          row: data,
          previous: operation === 'update' ? told(row) : null,
          user: body.payload?.user ?? { id: principal.id, email: principal.email },
          table: { id: table.id, title: table.title },
          event: {
            id: eventId,
            type: `${settings.event}.${operation}`,
            operation,
            ...(settings.batch ? { rows: [''], count: 1 } : { row: '' }),
            sequence: 0,
            at: new Date().toISOString(),
          },
          hook: { id: hook.id, title: hook.title },
        };
        const { notification } = settings;
        const sent = await send(
          { hook, notification, values, scope, eventId, attempt: 1, isTry: true },
          signal,
        );
        const request = sent.request ?? { method: '', url: '', headers: {}, body: '' };
        if (sent.error !== undefined)
          throw hookErrors.create('HOOK_CALL', {
            reason: sent.error,
            status: sent.status ?? 0,
            duration_ms: sent.durationMs,
            request,
          });
        return { msg: 'Success', status: sent.status ?? 0, duration_ms: sent.durationMs, request };
      },
    }),
  ];
}
