import {
  AccessServiceToken,
  OutboxToken,
  RowStoreToken,
  SchemaStoreToken,
  type OutboxEvent,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import { TrellisError, type CellValue, type Predicate } from '@trellis/sdk/shared';
import { Batcher } from './batcher.ts';
import { causeOf, isLoop } from './chain.ts';
import type { DeliveryStore, NewDelivery } from './delivery-store.ts';
import { payloadOf } from './event-payload.ts';
import { hookErrors } from './hook-errors.ts';
import type { Hook, HookStore } from './hook-store.ts';
import type { LoopGuard } from './loop-guard.ts';
import { meets, NotDecided } from './meets.ts';
import type { Pause } from './pause.ts';
import { SeenEntries } from './seen-entries.ts';

export const topicId = 'webhooks.rows';
/** How long rows wait for the others of their entry, where the server that handles them stops meanwhile. */
const gatherMs = 10_000;

/** Finds the webhooks that a change of a row is for, and keeps an event for each of them. */
export function startFanOut(
  ctx: ServerPluginContext,
  deps: {
    readonly hooks: HookStore;
    readonly deliveries: DeliveryStore;
    readonly didKeep: (hookIds: ReadonlySet<string>) => void;
    readonly pause: Pause;
    readonly guard: Pick<LoopGuard, 'happened'>;
  },
): void {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);

  const entries = new SeenEntries();

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
    for (const { hookId, at } of kept) deps.guard.happened(hookId, at);
    const looping = kept.filter(({ refused }) => refused !== undefined).map(({ hookId }) => hookId);
    for (const id of new Set(looping)) await deps.pause(id, 'HOOK_LOOP');
    const batching = hooks.filter(({ active, settings }) => active && settings.batch).map(({ id }) => id);
    const whole = events.filter((event) => entries.isWhole(event)).map(({ seq }) => seq);
    if (batching.length > 0) for (const seq of new Set(whole)) await deps.deliveries.release(batching, seq);
    const told = kept.map(({ hookId }) => hookId);
    if (told.length > 0 || whole.length > 0) deps.didKeep(new Set([...told, ...batching]));
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
    const { chain } = causeOf(change);
    return wanted.map((hook) => ({
      hookId: hook.id,
      eventId: event.id,
      projectId: change.projectId,
      rowKey: change.rowKey ?? '',
      operation: hook.operation,
      seq: event.seq,
      position: event.position,
      payload,
      at: change.at,
      refused: isLoop(hook.id, chain) ? hookErrors.create('HOOK_LOOP').message : undefined,
      nextAt: hook.settings.batch && event.size > 1 ? Date.now() + gatherMs : 0,
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
    const { before, after } = event.change;
    const { columns } = hook.settings;
    if (hook.operation === 'update' && columns.length > 0 && !columns.some((id) => isChanged(id, event)))
      return false;
    if (hook.settings.condition !== true || hook.filters.length === 0) return true;
    const condition = await conditionOf(hook, handle);
    if (condition === undefined) return true;
    const kindOf = (id: string) => handle.table.columnById.get(id)?.storage;
    const told = new Map<string, CellValue>(
      Object.entries(hook.operation === 'delete' ? (before ?? {}) : (after ?? {})),
    );
    try {
      return meets(condition, { kindOf, cells: told });
    } catch (error) {
      if (!(error instanceof NotDecided)) throw error;
    }
    // What only the database knows of a deleted row, such as the rows that it was linked to, nobody knows any more.
    if (hook.operation === 'delete') return false;
    return isMetInDatabase(condition, event, handle, told);
  }

  /** The cells that the change does not name are asked for in the database, and beside them what is made of others. */
  async function isMetInDatabase(
    condition: Predicate,
    { change }: OutboxEvent,
    handle: TableHandle,
    told: ReadonlyMap<string, CellValue>,
  ): Promise<boolean> {
    if (change.rowKey === undefined) return false;
    const row = await rows.read(handle, change.rowKey);
    if (row !== undefined) {
      const cells = new Map<string, CellValue>();
      for (const column of handle.table.columns) {
        const value = told.get(column.id) ?? (column.storage === 'virtual' ? undefined : row[column.title]);
        if (value !== undefined) cells.set(column.id, value);
      }
      for (const [id, value] of told) cells.set(id, value);
      try {
        return meets(condition, { kindOf: (id) => handle.table.columnById.get(id)?.storage, cells });
      } catch (error) {
        if (!(error instanceof NotDecided)) throw error;
      }
    }
    const { id } = handle.table;
    const narrowed = access.narrow(handle.scope, { rows: new Map([[id, condition]]) });
    return rows.exists(await schema.open(narrowed, id), change.rowKey);
  }

  async function conditionOf(hook: Hook, handle: TableHandle): Promise<Predicate | undefined> {
    try {
      return await rows.conditionOf(handle, { filters: hook.filters, reader: handle.scope.principal });
    } catch (error) {
      if (!(error instanceof TrellisError) || error.status >= 500) throw error;
      // Its column or its comparison is gone: nothing is sent that somebody wanted to leave out.
      await deps.pause(hook.id, error);
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
    hook.createdAt <= change.at &&
    !causeOf(change).isQuiet
  );
}

/** Whether the cell was changed from one value to another. */
function isChanged(columnId: string, { change: { before, after } }: OutboxEvent): boolean {
  return (
    after !== undefined &&
    Object.hasOwn(after, columnId) &&
    JSON.stringify(before?.[columnId] ?? null) !== JSON.stringify(after[columnId] ?? null)
  );
}
