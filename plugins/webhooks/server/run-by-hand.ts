import { createHash } from 'node:crypto';
import {
  AccessServiceToken,
  RateLimiterToken,
  RowStoreToken,
  SchemaStoreToken,
  type Principal,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import { formatRowKey } from '@trellis/sdk/shared';
import { byColumnName } from '../shared/by-column-name.ts';
import { byHand, mailType } from '../shared/index.ts';
import { columnNames } from './before-change.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { hookErrors } from './hook-errors.ts';
import { newId, type Hook } from './hook-store.ts';

/** Rows that somebody sends by a webhook. */
export interface ByHand {
  readonly hook: Hook;
  /** The table as the caller may see it. */
  readonly handle: TableHandle;
  readonly rowKeys: readonly string[];
  readonly principal: Principal;
  readonly requestId: string;
  /** When repeated with the same key, rows get the same events as the first time. */
  readonly idempotencyKey?: string | undefined;
}

export type RunByHand = (asked: ByHand) => Promise<readonly string[]>;

const rate = { name: 'webhooks.run', limit: 60, windowSeconds: 60 };

/** The longest valid event id, the same for one key and row. */
function eventIdOf(idempotencyKey: string, rowKey: string): string {
  return `ev_${createHash('sha256')
    .update(JSON.stringify([idempotencyKey, rowKey]))
    .digest('hex')
    .slice(0, 32)}`;
}

/** Stores events of rows that somebody picked, whatever the webhook's conditions, and returns their ids. */
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

  /** @throws TrellisError 400, 409 for a webhook that would send nothing now */
  function check({ operation, active, paused, settings }: Hook): void {
    const { title: webhook, notification } = settings;
    if (operation === 'delete') throw hookErrors.create('HOOK_BY_HAND');
    if (!active) throw hookErrors.create('HOOK_OFF', { webhook });
    if (paused !== undefined) throw hookErrors.create('HOOK_PAUSED', { webhook });
    if (!isThere(notification.type))
      throw notification.type === mailType
        ? hookErrors.create('HOOK_MAIL_OFF', { webhook })
        : hookErrors.create('HOOK_CHANNEL', { webhook, channel: notification.type });
  }

  return async ({ hook, handle, rowKeys, principal, requestId, idempotencyKey }) => {
    check(hook);
    await limiter.consume(rate, principal.id);
    // A webhook sends whole rows; the caller must be able to see which rows exist.
    const whole = await schema.open(access.systemScope(hook.projectId, requestId), hook.tableId);
    const at = Date.now();
    const told = await Promise.all(
      rowKeys.map(async (rowKey, position) => {
        const [seen, row] = await Promise.all([rows.read(handle, rowKey), rows.read(whole, rowKey)]);
        if (seen === undefined || row === undefined)
          throw hookErrors.create('HOOK_ROW', { key: rowKey, table: handle.table.title });
        // The row's own key, by which its events keep their order: databases read 1.0 as 1.
        const key = formatRowKey(whole.table.primaryKey.map(({ title }) => row[title] ?? null));
        const eventId = idempotencyKey === undefined ? newId('ev') : eventIdOf(idempotencyKey, key);
        return {
          hookId: hook.id,
          eventId,
          projectId: hook.projectId,
          rowKey: key,
          operation: hook.operation,
          // After all waiting events of the row.
          seq: at,
          position,
          payload: {
            data: hook.settings.event === 'before' ? byColumnName(row, columnNames(whole.table)) : row,
            previous: null,
            user: { id: principal.id, email: principal.email },
            table: { id: handle.table.id, title: handle.table.title },
            event: {
              id: eventId,
              type: byHand,
              operation: hook.operation,
              row: key,
              sequence: at,
              at: new Date(at).toISOString(),
            },
          },
          nextAt: 0,
          at,
          by: 'person' as const,
        };
      }),
    );
    await deliveries.add(told);
    wake(hook.id);
    return told.map(({ eventId }) => eventId);
  };
}
