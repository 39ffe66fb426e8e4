import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';

type Query = ReturnType<PluginUnit['table']>;
interface Key {
  readonly hook_id: string;
  readonly event_id: string;
}

/** Deliveries in one transaction, few enough not to delay other writes for long. */
const atOnce = 500;

/** Removes deliveries that are no longer needed, however many there are. */
export class DeliverySweep {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  /** Forgets what was delivered, given up or skipped before a moment. */
  async forgetEnded(before: number): Promise<void> {
    await this.#inParts(
      (unit) =>
        unit
          .table('delivery')
          .where('created_at', '<', before)
          .whereIn('state', ['done', 'failed', 'skipped']),
      (query) => query.delete(),
    );
  }

  /** The ids of deleted webhooks that still have deliveries. */
  async orphaned(): Promise<readonly string[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<Pick<Key, 'hook_id'>>(
        unit.table('delivery').whereNotIn('hook_id', unit.table('hook').select('id')).distinct('hook_id'),
      ),
    );
    return rows.map(({ hook_id: id }) => id);
  }

  /** Forgets the deliveries of a webhook that is gone. */
  async forget(hookId: string, signal: AbortSignal): Promise<void> {
    await this.#inParts(
      (unit) => unit.table('delivery').where({ hook_id: hookId }),
      (query) => query.delete(),
      signal,
    );
  }

  /** Forgets what waits for a webhook since before now and is not on its way. */
  async dropWaiting(hookId: string, signal: AbortSignal): Promise<void> {
    const now = Date.now();
    await this.#inParts(
      (unit) => notOnItsWay(unit, hookId, now).andWhere('created_at', '<=', now),
      (query) => query.delete(),
      signal,
    );
  }

  /** How many events wait for a webhook and are not on their way. */
  async countWaiting(hookId: string): Promise<number> {
    const row = await this.#db.read((unit) =>
      unit.first<{ readonly total: number | string }>(
        notOnItsWay(unit, hookId, Date.now()).count({ total: '*' }),
      ),
    );
    return Number(row?.total ?? 0);
  }

  /**
   * Gives up events that have waited since before a given time for a webhook that is paused or off.
   *
   * @param silent the ids of other webhooks that cannot send at the moment
   */
  async giveUpWaiting(before: number, error: string, silent: readonly string[]): Promise<void> {
    const meant = (unit: PluginUnit) =>
      unit
        .table('delivery')
        .where({ state: 'waiting' })
        .andWhere('created_at', '<', before)
        .andWhere('next_at', '<', before)
        .whereIn(
          'hook_id',
          unit
            .table('hook')
            .where(
              (one) =>
                void one
                  .where({ active: false })
                  .orWhereNotNull('paused')
                  .orWhereIn('id', [...silent]),
            )
            .select('id'),
        );
    await this.#inParts(meant, (query) =>
      query.update({ state: 'failed', error, next_at: 0, lease_until: 0 }),
    );
  }

  /** Repeats a change until no delivery matches any more, a part in each transaction. */
  async #inParts(
    meant: (unit: PluginUnit) => Query,
    does: (query: Query) => Query,
    signal?: AbortSignal,
  ): Promise<void> {
    for (let isMore = true; isMore && signal?.aborted !== true;) {
      const found = await this.#db.read((unit) =>
        unit.all<Key>(meant(unit).limit(atOnce).select('hook_id', 'event_id')),
      );
      isMore = found.length === atOnce;
      for (const [hookId, eventIds] of byHook(found))
        await this.#db.write((unit) =>
          // Some may have been taken meanwhile.
          unit.run(does(meant(unit).andWhere({ hook_id: hookId }).whereIn('event_id', eventIds))),
        );
    }
  }
}

function notOnItsWay(unit: PluginUnit, hookId: string, now: number): Query {
  return unit
    .table('delivery')
    .where({ hook_id: hookId, state: 'waiting' })
    .andWhere('lease_until', '<=', now);
}

function byHook(keys: readonly Key[]): ReadonlyMap<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { hook_id: hookId, event_id: eventId } of keys)
    ids.set(hookId, [...(ids.get(hookId) ?? []), eventId]);
  return ids;
}
