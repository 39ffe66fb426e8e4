import {
  AccessServiceToken,
  Batcher,
  OutboxToken,
  payloadOf,
  RowStates,
  RowStoreToken,
  SchemaStoreToken,
  type OutboxEvent,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import { TrellisError, type TemplateValues } from '@trellis/sdk/shared';
import { beforeChange } from './before-change.ts';
import { causeOf, isLoop } from './chain.ts';
import type { DeliveryStore, NewDelivery } from './delivery-store.ts';
import { hookErrors } from './hook-errors.ts';
import type { Hook, HookStore } from './hook-store.ts';
import type { LoopGuard } from './loop-guard.ts';
import { createIsMet, type AskedChange } from './is-met.ts';
import type { Pause } from './pause.ts';
import { SeenEntries } from './seen-entries.ts';
import { isSetEvent, mayMeanSet, setPayload, untellable, type SetEvent } from './set-change.ts';

const topicId = 'webhooks.rows';
/** Rows whose events are stored together: a commit costs about as much as the statements of all of them. */
const rowsAtOnce = 100;
/** Milliseconds that rows wait for the others of their entry if the server that handles them stops meanwhile. */
const gatherMs = 10_000;

/** What becomes of one event. */
interface Told {
  readonly deliveries: readonly NewDelivery[];
  /** Webhooks whose conditions could not be evaluated: no events are stored for them. */
  readonly unjudged: readonly Hook[];
}

/** Finds the webhooks for each change of a row, and stores an event for each of them. */
export function startFanOut(
  ctx: ServerPluginContext,
  deps: {
    readonly hooks: HookStore;
    readonly deliveries: DeliveryStore;
    readonly didKeep: (hookIds: ReadonlySet<string>) => void;
    readonly pause: Pause;
    /** Informs the owner of a webhook that a set of rows was not reported. */
    readonly tellSkipped: (hook: Hook, reason: TrellisError) => Promise<void>;
    readonly guard: Pick<LoopGuard, 'happened'>;
    /** Whether messages of a type can be sent at the moment. */
    readonly isThere: (type: string) => boolean;
    /** The most events stored for a webhook that is paused, or whose channel is off. */
    readonly mostWaiting: () => number;
  },
): void {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  const isMet = createIsMet(ctx, deps.pause);
  const entries = new SeenEntries();
  const states = new RowStates();
  ctx.own(states.emptyWhenIdle());

  const batcher = new Batcher<OutboxEvent>(async (events) => {
    const failures = new Map<OutboxEvent, unknown>();
    const hooks = await deps.hooks.ofTables([...new Set(events.map(({ change }) => change.tableId))]);
    const full = new Set<string>();
    for (const hook of hooks) if (await isFull(hook)) full.add(hook.id);
    const dropped = new Map<string, number>();
    const countDropped = ({ id }: Hook) => void dropped.set(id, (dropped.get(id) ?? 0) + 1);
    const kept: NewDelivery[] = [];
    await Promise.all(
      events.map(async (event) => {
        const all = hooks.filter((hook) => isMeant(hook, event));
        const meant = all.filter(({ id }) => !full.has(id));
        all.filter(({ id }) => full.has(id)).forEach(countDropped);
        if (meant.length === 0) return;
        try {
          const { deliveries, unjudged } = await deliveriesOf(event, meant);
          kept.push(...deliveries);
          unjudged.forEach(countDropped);
        } catch (error) {
          failures.set(event, error);
        }
      }),
    );
    await deps.deliveries.add(kept);
    for (const [id, count] of dropped) await deps.hooks.countDropped(id, count);
    const told = kept.filter(({ skipped }) => skipped === undefined);
    for (const { hookId, at, by } of told) deps.guard.happened(hookId, at, by);
    const looping = kept.filter(({ refused }) => refused !== undefined).map(({ hookId }) => hookId);
    for (const id of new Set(looping)) await deps.pause(id, 'HOOK_LOOP');
    const batching = hooks.filter(({ active, settings }) => active && settings.batch).map(({ id }) => id);
    const whole = events.filter((event) => entries.isWhole(event)).map(({ seq }) => seq);
    if (batching.length > 0) for (const seq of new Set(whole)) await deps.deliveries.release(batching, seq);
    if (told.length > 0 || whole.length > 0)
      deps.didKeep(new Set([...told.map(({ hookId }) => hookId), ...batching]));
    for (const { hookId, skipped } of kept) {
      const hook = hooks.find(({ id }) => id === hookId);
      if (hook !== undefined && skipped !== undefined) await deps.tellSkipped(hook, skipped);
    }
    return failures;
  });

  async function isFull({ id, paused, settings: { notification } }: Hook): Promise<boolean> {
    const isStill = paused !== undefined || !deps.isThere(notification.type);
    return isStill && (await deps.deliveries.isWaiting(id, deps.mostWaiting()));
  }

  async function deliveriesOf(event: OutboxEvent, hooks: readonly Hook[]): Promise<Told> {
    const { change } = event;
    const handle = await open(change.projectId, change.tableId);
    // The table was deleted since, so its rows can no longer be reported.
    if (handle === undefined) return { deliveries: [], unjudged: [] };
    if (isSetEvent(event)) return { deliveries: await setDeliveriesOf(event, handle, hooks), unjudged: [] };
    const wanted: Hook[] = [];
    const unjudged: Hook[] = [];
    let made: Promise<TemplateValues> | undefined;
    const asked: AskedChange = {
      event,
      handle,
      payload: () => (made ??= withChain(event, payloadOf(event, handle, rows, states))),
    };
    for (const hook of hooks) {
      const met = await isMet(hook, asked);
      if (met === 'yes') wanted.push(hook);
      if (met === 'unknown') unjudged.push(hook);
    }
    if (wanted.length === 0) return { deliveries: [], unjudged };
    const payload = await asked.payload();
    const { chain, by } = causeOf(change);
    const deliveries = wanted.map((hook) => ({
      hookId: hook.id,
      eventId: event.id,
      projectId: change.projectId,
      rowKey: change.rowKey ?? '',
      operation: hook.operation,
      seq: event.seq,
      position: event.position,
      payload: hook.settings.event === 'before' ? beforeChange(payload, event, handle) : payload,
      at: change.at,
      by,
      refused: isLoop(hook.id, chain) ? hookErrors.create('HOOK_LOOP').message : undefined,
      nextAt: hook.settings.batch && event.size > 1 ? Date.now() + gatherMs : 0,
    }));
    return { deliveries, unjudged };
  }

  /** The rows are not known: one message stands for all of them, or a log line that says why there is none. */
  async function setDeliveriesOf(
    event: SetEvent,
    handle: TableHandle,
    hooks: readonly Hook[],
  ): Promise<readonly NewDelivery[]> {
    const { change } = event;
    const { chain, by } = causeOf(change);
    const meant = hooks.filter((hook) => mayMeanSet(hook, event));
    return Promise.all(
      meant.map(async (hook): Promise<NewDelivery> => {
        const skipped = untellable(hook, event);
        const isCircle = skipped === undefined && isLoop(hook.id, chain);
        return {
          hookId: hook.id,
          eventId: event.id,
          projectId: change.projectId,
          rowKey: '',
          operation: hook.operation,
          seq: event.seq,
          position: event.position,
          payload: await withChain(event, Promise.resolve(setPayload(event, handle, hook))),
          at: change.at,
          by,
          refused: isCircle ? hookErrors.create('HOOK_LOOP').message : undefined,
          skipped,
          nextAt: 0,
        };
      }),
    );
  }

  async function open(projectId: string, tableId: string): Promise<TableHandle | undefined> {
    try {
      return await schema.open(access.systemScope(projectId, 'webhooks'), tableId);
    } catch (error) {
      if (error instanceof TrellisError && error.status === 404) return undefined;
      throw error;
    }
  }

  ctx.own(
    ctx.get(OutboxToken).subscribe({
      id: topicId,
      tables: () => deps.hooks.tables(),
      filter: ({ kind }) => kind === 'row' || kind === 'rowSet',
      rowsAtOnce,
      deliver: (event) => batcher.add(event),
      // The outbox itself tells in the log of what it goes on trying.
      onLost(entries, reason) {
        if (reason === 'pruned')
          ctx.logger.warn('Changes were forgotten before webhooks heard of them', { entries });
      },
    }),
  );
}

function isMeant(hook: Hook, event: OutboxEvent): boolean {
  const { change } = event;
  return (
    hook.active &&
    hook.tableId === change.tableId &&
    hook.operation === change.op &&
    isSince(hook, event) &&
    !causeOf(change).isQuiet
  );
}

/** Whether a change is later than a webhook: compared by their places in the log, since servers' clocks differ. */
function isSince({ logPlace, createdAt }: Hook, { seq, change }: OutboxEvent): boolean {
  return logPlace === undefined ? createdAt <= change.at : seq > logPlace;
}

/** Beside the event stand the webhooks that led to it. */
async function withChain({ change }: OutboxEvent, made: Promise<TemplateValues>): Promise<TemplateValues> {
  const values = await made;
  return { ...values, event: { ...(values.event as object), chain: causeOf(change).chain } };
}
