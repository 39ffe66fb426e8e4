import {
  AccessServiceToken,
  Batcher,
  changesCell,
  createMeetsChange,
  OutboxToken,
  payloadOf,
  RowStoreToken,
  SchemaStoreToken,
  type OutboxEvent,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import { TrellisError, type Predicate } from '@trellis/sdk/shared';
import type { DeliveryStore, NewDelivery } from './delivery-store.ts';
import type { Hook, HookStore } from './hook-store.ts';

export const topicId = 'webhooks.rows';

/** Finds the webhooks that a change of a row is for, and keeps an event for each of them. */
export function startFanOut(
  ctx: ServerPluginContext,
  deps: {
    readonly hooks: HookStore;
    readonly deliveries: DeliveryStore;
    readonly didKeep: (hookIds: ReadonlySet<string>) => void;
  },
): void {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  const meetsChange = createMeetsChange({ access, schema, rows });

  const batcher = new Batcher<OutboxEvent>(async (events) => {
    const failures = new Map<OutboxEvent, unknown>();
    const hooks = await deps.hooks.ofTables([...new Set(events.map(({ change }) => change.tableId))]);
    const kept: NewDelivery[] = [];
    await Promise.all(
      events.map(async (event) => {
        const meant = hooks.filter((hook) => isMeant(hook, event));
        if (meant.length === 0) return;
        try {
          kept.push(...(await deliveriesOf(event, meant)));
        } catch (error) {
          failures.set(event, error);
        }
      }),
    );
    await deps.deliveries.add(kept);
    if (kept.length > 0) deps.didKeep(new Set(kept.map(({ hookId }) => hookId)));
    return failures;
  });

  async function deliveriesOf(event: OutboxEvent, hooks: readonly Hook[]): Promise<readonly NewDelivery[]> {
    const { change } = event;
    const handle = await open(change.projectId, change.tableId);
    // The table was deleted since: nobody can be told of its rows any more.
    if (handle === undefined) return [];
    const wanted: Hook[] = [];
    for (const hook of hooks) if (await isMet(hook, event, handle)) wanted.push(hook);
    if (wanted.length === 0) return [];
    const payload = await payloadOf(event, handle, rows);
    return wanted.map((hook) => ({
      hookId: hook.id,
      eventId: event.id,
      projectId: change.projectId,
      rowKey: change.rowKey ?? '',
      operation: hook.operation,
      seq: event.seq,
      position: event.position,
      payload,
    }));
  }

  async function open(projectId: string, tableId: string): Promise<TableHandle | undefined> {
    try {
      return await schema.open(access.systemScope(projectId, 'webhooks'), tableId);
    } catch (error) {
      if (error instanceof TrellisError && error.status === 404) return undefined;
      throw error;
    }
  }

  async function isMet(hook: Hook, event: OutboxEvent, handle: TableHandle): Promise<boolean> {
    const { columns } = hook.settings;
    if (hook.operation === 'update' && columns.length > 0 && !columns.some((id) => changesCell(id, event)))
      return false;
    if (hook.settings.condition !== true || hook.filters.length === 0) return true;
    const condition = await conditionOf(hook, handle);
    if (condition === undefined) return true;
    return meetsChange(condition, event, handle);
  }

  async function conditionOf(hook: Hook, handle: TableHandle): Promise<Predicate | undefined> {
    try {
      return await rows.conditionOf(handle, { filters: hook.filters, reader: handle.scope.principal });
    } catch (error) {
      if (!(error instanceof TrellisError) || error.status >= 500) throw error;
      // Its column or its comparison is gone: nothing is sent that somebody wanted to leave out.
      await deps.hooks.change(hook.id, (now) => ({ paused: now.paused ?? error.message }));
      return { kind: 'always', value: false };
    }
  }

  ctx.own(
    ctx.get(OutboxToken).subscribe({
      id: topicId,
      tables: () => deps.hooks.tables(),
      filter: ({ kind }) => kind === 'row',
      deliver: (event) => batcher.add(event),
      onLost: (entries) =>
        ctx.logger.warn('Changes were forgotten before webhooks heard of them', { entries }),
    }),
  );
}

function isMeant(hook: Hook, { change }: OutboxEvent): boolean {
  return (
    hook.active &&
    hook.tableId === change.tableId &&
    hook.operation === change.op &&
    hook.createdAt <= change.at
  );
}
