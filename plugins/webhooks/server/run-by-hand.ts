import {
  AccessServiceToken,
  RateLimiterToken,
  RowStoreToken,
  SchemaStoreToken,
  type Principal,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import { byHand } from '../shared/index.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { hookErrors } from './hook-errors.ts';
import { newId, type Hook } from './hook-store.ts';

/** Rows that somebody sends by a webhook. */
export interface ByHand {
  readonly hook: Hook;
  /** The table as whoever asks may see it. */
  readonly handle: TableHandle;
  readonly rowKeys: readonly string[];
  readonly principal: Principal;
  readonly requestId: string;
}

export type RunByHand = (asked: ByHand) => Promise<readonly string[]>;

const rate = { name: 'webhooks.run', limit: 60, windowSeconds: 60 };

/** Keeps events of rows that somebody picked, whatever the conditions of the webhook are, and gives their ids. */
export function createRunByHand(
  ctx: ServerPluginContext,
  deps: {
    readonly deliveries: Pick<DeliveryStore, 'add'>;
    readonly isThere: (type: string) => boolean;
    readonly wake: (hookId: string) => void;
  },
): RunByHand {
  const { deliveries, isThere, wake } = deps;
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  const limiter = ctx.get(RateLimiterToken);

  /** @throws TrellisError 400, 409 for a webhook that would tell nobody now */
  function check({ operation, active, paused, settings }: Hook): void {
    const { title: webhook, notification } = settings;
    if (operation === 'delete') throw hookErrors.create('HOOK_BY_HAND');
    if (!active) throw hookErrors.create('HOOK_OFF', { webhook });
    if (paused !== undefined) throw hookErrors.create('HOOK_PAUSED', { webhook });
    if (!isThere(notification.type))
      throw hookErrors.create('HOOK_CHANNEL', { webhook, channel: notification.type });
  }

  return async ({ hook, handle, rowKeys, principal, requestId }) => {
    check(hook);
    await limiter.consume(rate, principal.id);
    // A webhook tells of whole rows; which rows there are, the caller must be able to see.
    const whole = await schema.open(access.systemScope(hook.projectId, requestId), hook.tableId);
    const at = Date.now();
    const told = await Promise.all(
      rowKeys.map(async (rowKey, position) => {
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
    return told.map(({ eventId }) => eventId);
  };
}
