import { KeyedWork, pauseAfter, type Logger } from '@trellis/sdk/server';
import type { Delivery, DeliveryStore, Outcome } from './delivery-store.ts';
import type { Hook, HookStore } from './hook-store.ts';
import type { Send } from './send.ts';

export interface DispatcherDependencies {
  readonly hooks: Pick<HookStore, 'byId' | 'change'>;
  readonly deliveries: Pick<DeliveryStore, 'waitingHooks' | 'waiting' | 'claim' | 'settle'>;
  readonly send: Send;
  /** Whether messages of this type can be sent at the moment; where they cannot, they wait and count no tries. */
  readonly isThere: (type: string) => boolean;
  readonly logger: Pick<Logger, 'error'>;
  /** Called when a webhook was paused because its receiver does not answer any more. */
  readonly didPause: (hook: Hook) => Promise<void>;
  readonly now?: () => number;
  /** Milliseconds between looks for what is due. Default 1,000. */
  readonly every?: number;
}

/** Tries of one event, and rounds of one webhook, before it is given up: about a day. */
export const mostAttempts = 12;
/** Rounds that fail before only one event is tried at a time, and not before the webhook's own time. */
const patience = 3;
/** Longer than a message takes. */
const leaseMs = 60_000;
const looked = 500;
const atOnce = 4;

/**
 * Sends what waits for webhooks: of one row one event after the other, of several rows at the same time. Several servers share the work by
 * leases. A receiver that fails is asked less and less often; after about a day its webhook is paused, and what waits for it stays.
 */
export class Dispatcher {
  readonly #deps: DispatcherDependencies;
  readonly #now: () => number;
  readonly #work: KeyedWork;

  constructor(deps: DispatcherDependencies) {
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
    this.#work = new KeyedWork({
      due: () => deps.deliveries.waitingHooks(this.#now()),
      run: (id, signal) => this.#run(id, signal),
      failed: (error) => deps.logger.error('Webhooks could not be sent', { error }),
      every: deps.every,
    });
  }

  /** Looks for webhooks that have something to do. */
  look(): void {
    this.#work.look();
  }

  wake(hookIds: Iterable<string>): void {
    this.#work.wake(hookIds);
  }

  /** Resolves when nothing is under way. */
  settle(): Promise<void> {
    return this.#work.settle();
  }

  dispose(): Promise<void> {
    return this.#work.dispose();
  }

  async #run(hookId: string, signal: AbortSignal): Promise<void> {
    for (let isMore = true; isMore && !signal.aborted;) isMore = await this.#round(hookId);
  }

  async #round(hookId: string): Promise<boolean> {
    const { hooks, deliveries } = this.#deps;
    const hook = await hooks.byId(hookId);
    const now = this.#now();
    if (hook === undefined || !hook.active || hook.paused !== undefined || hook.retryAt > now) return false;
    if (!this.#deps.isThere(hook.settings.notification.type)) return false;
    const due = firstOfEachRow(await deliveries.waiting(hookId, looked)).filter(
      ({ nextAt, leaseUntil }) => nextAt <= now && leaseUntil <= now,
    );
    const tried = due.slice(0, hook.failures >= patience ? 1 : atOnce);
    if (tried.length === 0) return false;
    const taken = await deliveries.claim(tried, now, now + leaseMs);
    if (taken.length === 0) return false;
    const sent = await Promise.all(taken.map((delivery) => this.#try(hook, delivery)));
    // Where the plugin ends meanwhile, the messages are sent again after their leases.
    if (this.#work.signal.aborted) return false;
    await deliveries.settle(hookId, sent);
    await this.#judge(hook, sent);
    return true;
  }

  async #try(hook: Hook, delivery: Delivery): Promise<Outcome> {
    const { settings } = hook;
    const attempts = delivery.attempts + 1;
    const triedAt = this.#now();
    const { error, retryAfterMs, ...sent } = await this.#deps.send(
      {
        hook: { id: hook.id, title: settings.title, secrets: hook.secrets },
        notification: settings.notification,
        values: {
          ...delivery.payload,
          row: delivery.payload.data,
          hook: { id: hook.id, title: settings.title },
        },
        eventId: delivery.eventId,
        attempt: attempts,
      },
      this.#work.signal,
    );
    const { eventId } = delivery;
    if (error === undefined) return { eventId, state: 'done', attempts, nextAt: 0, triedAt, error, ...sent };
    const nextAt = this.#now() + Math.max(pauseAfter(attempts), retryAfterMs ?? 0);
    return { eventId, state: 'waiting', attempts, nextAt, triedAt, error, ...sent };
  }

  /** Slows down where nothing arrives, and gives single events up that fail although others arrive. */
  async #judge({ id, failures }: Hook, outcomes: readonly Outcome[]): Promise<void> {
    const { hooks, deliveries, didPause } = this.#deps;
    const hasArrived = outcomes.some(({ state }) => state === 'done');
    const givenUp = outcomes.filter(({ state, attempts }) => state === 'waiting' && attempts >= mostAttempts);
    if (!hasArrived) {
      const rounds = failures + 1;
      const reason = outcomes.find(({ error }) => error !== undefined)?.error ?? '';
      const isOver = rounds >= mostAttempts;
      const after = await hooks.change(id, () => ({
        failures: rounds,
        retryAt: rounds >= patience ? this.#now() + pauseAfter(rounds) : 0,
        ...(isOver && { paused: reason }),
      }));
      // A webhook that pauses keeps everything that waits.
      if (isOver && after !== undefined) return didPause(after);
    } else if (failures > 0) await hooks.change(id, () => ({ failures: 0, retryAt: 0 }));
    if (givenUp.length > 0)
      await deliveries.settle(
        id,
        givenUp.map((outcome) => ({ ...outcome, state: 'failed' })),
      );
  }
}

/** Only the oldest event of a row may go: the others wait behind it. */
function firstOfEachRow(waiting: readonly Delivery[]): readonly Delivery[] {
  const rows = new Set<string>();
  return waiting.filter(({ rowKey }) => !rows.has(rowKey) && rows.add(rowKey));
}
