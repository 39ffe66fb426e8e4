import { ClaimedRows, type PluginDatabase } from '@trellis/sdk/server';
import type { SentRequest, TemplateValues, TrellisError } from '@trellis/sdk/shared';
import type { DeliveryState, HookOperation } from '../shared/index.ts';
import { toDelivery, toProgress, toWaiting, waitingColumns, type Stored } from './delivery-rows.ts';
import type { ChangedBy } from './loop-guard.ts';
import { rowsOfSet } from './set-change.ts';
import { keptTries, type Try } from './tries.ts';
import type { Unit } from './units.ts';

/** An event for one webhook, before it is sent. */
export interface NewDelivery {
  readonly hookId: string;
  readonly eventId: string;
  readonly projectId: string;
  readonly rowKey: string;
  readonly operation: HookOperation;
  readonly seq: number;
  readonly position: number;
  readonly payload: TemplateValues;
  /** The earliest time for sending, to wait for other events of the same message; 0 for at once. */
  readonly nextAt: number;
  /** When the row changed. */
  readonly at: number;
  /** The author of the change. */
  readonly by: ChangedBy;
  /** Why it is not sent, unless somebody requests it. */
  readonly refused?: string | undefined;
  /** Why it is never sent, even on request: there is nothing to send. */
  readonly skipped?: TrellisError | undefined;
}

/** Times are in milliseconds since 1970. */
export interface Delivery extends Omit<NewDelivery, 'at' | 'by' | 'refused' | 'skipped'> {
  readonly state: DeliveryState;
  /** The number of completed tries. */
  readonly attempts: number;
  /** How often a server took it and ended before the try did. */
  readonly interrupted: number;
  /** The id of the first event in the same message. */
  readonly batchId: string | undefined;
  readonly leaseUntil: number;
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly durationMs: number | undefined;
  readonly request: SentRequest | undefined;
  readonly triedAt: number | undefined;
  /** The tries before the last one, the oldest first. */
  readonly earlier: readonly Try[];
  readonly createdAt: number;
}

/** The state of an event. */
export type DeliveryProgress = Pick<Delivery, 'state' | 'status' | 'error'>;

/** A waiting event without its payload, which is read once it is taken. */
export interface WaitingDelivery extends Pick<
  Delivery,
  | 'hookId'
  | 'eventId'
  | 'rowKey'
  | 'seq'
  | 'position'
  | 'attempts'
  | 'interrupted'
  | 'batchId'
  | 'nextAt'
  | 'leaseUntil'
> {
  /** The number of characters of the payload. */
  readonly size: number;
}

/** The result of a try, for all events of its message. */
export interface Outcome extends Pick<
  Delivery,
  'state' | 'attempts' | 'nextAt' | 'status' | 'error' | 'durationMs' | 'request' | 'triedAt'
> {
  readonly eventIds: readonly string[];
  /** The tries before this one, where it was one. */
  readonly earlier?: readonly Try[];
}

/** The events to send again: named ones, or those stored within a time range, end excluded. */
export type Again = { readonly ids: readonly string[] } | { readonly from: number; readonly to: number };

/** A delivery in the log, with the number of rows in its message. */
export interface LoggedDelivery extends Delivery {
  readonly rows: number;
}

/**
 * From this number on, `seq` is the time at which somebody sent a row by hand, in milliseconds since 1970; below it, the place of
 * a change in the log.
 */
const sentByHand = 1e12;
/** As long as a key may be in the table of deliveries. */
const longestKey = 255;
const rowsAtOnce = 100;

/** Events on their way to receivers, and their results. */
export class DeliveryStore {
  readonly #db: PluginDatabase;
  readonly #claims: ClaimedRows;

  constructor(db: PluginDatabase, claims: ClaimedRows) {
    this.#db = db;
    this.#claims = claims;
  }

  /** Stores events; existing ones stay unchanged. */
  async add(deliveries: readonly NewDelivery[]): Promise<void> {
    const at = Date.now();
    const rows = deliveries.map((delivery) => {
      const payload = JSON.stringify(delivery.payload);
      return {
        hook_id: delivery.hookId,
        event_id: delivery.eventId,
        project_id: delivery.projectId,
        row_key: delivery.rowKey.slice(0, longestKey),
        operation: delivery.operation,
        seq: delivery.seq,
        position: delivery.position,
        payload,
        size: payload.length,
        ...beginOf(delivery),
        attempts: 0,
        next_at: delivery.nextAt,
        lease_until: 0,
        created_at: at,
      };
    });
    if (rows.length === 0) return;
    await this.#db.write((unit) => {
      const parts = Array.from({ length: Math.ceil(rows.length / rowsAtOnce) }, (_, part) =>
        rows.slice(part * rowsAtOnce, (part + 1) * rowsAtOnce),
      );
      return unit.runLast(
        parts.map((part) => unit.table('delivery').insert(part).onConflict(['hook_id', 'event_id']).ignore()),
      );
    });
  }

  /** The state of an event without its payload, for repeated polling. */
  async stateOf(hookId: string, eventId: string): Promise<DeliveryProgress | undefined> {
    const row = await this.#db.read((unit) =>
      unit.first<Stored>(
        unit
          .table('delivery')
          .where({ hook_id: hookId, event_id: eventId })
          .select(['state', 'status', 'error']),
      ),
    );
    return row && toProgress(row);
  }

  /**
   * The time of the first try of the messages that were given up since the last success and since a given time; undefined if
   * there are fewer than `least`. Messages sent by hand do not count.
   */
  async refusedSince(
    hookId: string,
    { least, after }: { readonly least: number; readonly after: number },
  ): Promise<number | undefined> {
    return this.#db.read(async (unit) => {
      const own = (state: DeliveryState) =>
        unit.table('delivery').where({ hook_id: hookId, state }).andWhere('seq', '<', sentByHand);
      const arrived = await unit.first<Stored>(own('done').orderBy('seq', 'desc').limit(1).select('seq'));
      const refused = own('failed')
        .where('seq', '>', Number(arrived?.seq ?? -1))
        .andWhere('tried_at', '>', after);
      const rows = await unit.all<Stored>(refused.orderBy('seq').limit(least).select('tried_at'));
      return rows.length < least ? undefined : Math.min(...rows.map((row) => Number(row.tried_at)));
    });
  }

  /**
   * The times of the last success and of the last failure, with its reason, among the messages of some webhooks; milliseconds
   * since 1970.
   */
  async lastOf(hookIds: readonly string[]): Promise<{
    readonly arrived: number | undefined;
    readonly failed: { readonly at: number; readonly error: string } | undefined;
  }> {
    let arrived: number | undefined;
    let failed: { readonly at: number; readonly error: string } | undefined;
    await this.#db.read(async (unit) => {
      for (const hookId of hookIds) {
        // The newest event of a state, as the index has them.
        const newest = (state: DeliveryState) =>
          unit.first<Stored>(
            unit
              .table('delivery')
              .where({ hook_id: hookId, state })
              .whereNotNull('tried_at')
              .orderBy('seq', 'desc')
              .limit(1)
              .select('tried_at', 'error'),
          );
        const done = await newest('done');
        if (done !== undefined) arrived = Math.max(arrived ?? 0, Number(done.tried_at));
        // What waits for another try has failed as well.
        for (const state of ['failed', 'waiting'] as const) {
          const tried = await newest(state);
          if (tried === undefined || tried.error === null || Number(tried.tried_at) <= (failed?.at ?? 0))
            continue;
          failed = { at: Number(tried.tried_at), error: String(tried.error) };
        }
      }
    });
    return { arrived, failed };
  }

  /** Releases events of one log entry that waited for the others of it. */
  async release(hookIds: readonly string[], seq: number): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(
        unit
          .table('delivery')
          .whereIn('hook_id', [...hookIds])
          .andWhere({ seq, state: 'waiting', attempts: 0 })
          .update({ next_at: 0 }),
      ),
    );
  }

  /** The ids of webhooks with waiting events. Events held by servers that have ended wait again. */
  async waitingHooks(now: number): Promise<readonly string[]> {
    await this.#claims.free();
    const rows = await this.#db.read((unit) =>
      unit.all<{ hook_id: string }>(
        unit
          .table('delivery')
          .where({ state: 'waiting' })
          .andWhere('next_at', '<=', now)
          // A paused webhook may have many waiting events, which are not read.
          .whereIn(
            'hook_id',
            unit
              .table('hook')
              .where({ active: true })
              .whereNull('paused')
              .andWhere('retry_at', '<=', now)
              .select('id'),
          )
          .distinct('hook_id')
          .limit(1000),
      ),
    );
    return rows.map(({ hook_id: id }) => id);
  }

  /** Whether at least `least` events wait for a webhook. */
  isWaiting(hookId: string, least: number): Promise<boolean> {
    return this.#claims.isWaiting({ hook_id: hookId }, least);
  }

  /** What waits for a webhook, the oldest events first. */
  async waiting(hookId: string, limit: number): Promise<readonly WaitingDelivery[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<Stored>(
        unit
          .table('delivery')
          .where({ hook_id: hookId, state: 'waiting' })
          .orderBy(['seq', 'position'])
          .limit(limit)
          .select(waitingColumns),
      ),
    );
    return rows.map(toWaiting);
  }

  /**
   * Takes units of one webhook for this server until `until`, each as a whole. Returns the units of which no other server holds a
   * part, with their payloads.
   */
  async claim(units: readonly Unit[], now: number, until: number): Promise<readonly Unit<Delivery>[]> {
    const [first] = units;
    if (first === undefined) return [];
    const [{ hookId }] = first.deliveries;
    return this.#db.write(async (unit) => {
      const of = (ids: readonly string[]) =>
        unit
          .table('delivery')
          .where({ hook_id: hookId })
          .whereIn('event_id', [...ids]);
      const reads = chunksOf(units.flatMap(({ deliveries }) => deliveries.map(({ eventId }) => eventId))).map(
        (ids) =>
          unit.all<Stored>(
            of(ids)
              .andWhere({ state: 'waiting' })
              .andWhere('lease_until', '<=', now)
              .andWhere('next_at', '<=', now)
              .select('*')
              // If two servers want the same events, the second one waits and then finds them taken.
              .forUpdate(),
          ),
      );
      const free = new Map((await Promise.all(reads)).flat().map((row) => [String(row.event_id), row]));
      const taken = units.flatMap((one) => unitAsTaken(one, free));
      const batches = taken.filter(({ isBatch }) => isBatch);
      const alone = taken.filter(({ isBatch }) => !isBatch).map(({ deliveries: [delivery] }) => delivery);
      const claim = this.#claims.takenUntil(until);
      await unit.runLast([
        ...chunksOf(alone.map(({ eventId }) => eventId)).map((ids) => of(ids).update(claim)),
        ...batches.flatMap(({ id, deliveries: [{ eventId }, ...rest] }) => {
          const together = { ...claim, batch_id: id };
          const others = rest.map((one) => one.eventId);
          const first = of([eventId]).update(together);
          return others.length === 0 ? [first] : [first, of(others).update({ ...together, follows: true })];
        }),
      ]);
      return taken;
    });
  }

  async settle(hookId: string, outcomes: readonly Outcome[]): Promise<void> {
    await this.#db.write((unit) => {
      const of = (ids: readonly string[]) =>
        unit
          .table('delivery')
          .where({ hook_id: hookId })
          .whereIn('event_id', [...ids]);
      return unit.runLast(
        outcomes.flatMap(({ eventIds, request, earlier, ...outcome }) => {
          const settled = {
            state: outcome.state,
            attempts: outcome.attempts,
            next_at: outcome.nextAt,
            ...ClaimedRows.done,
            error: outcome.error ?? null,
            // Events given up without another try keep the result of the last one.
            ...(outcome.triedAt !== undefined && {
              status: outcome.status ?? null,
              duration_ms: outcome.durationMs ?? null,
              tried_at: outcome.triedAt,
            }),
          };
          // The sent message is stored once for all of them.
          const [, ...others] = eventIds;
          const sent = {
            request: request === undefined ? null : JSON.stringify(request),
            ...(earlier && { earlier: keptTries(earlier, request) ?? null }),
          };
          const first = of(eventIds.slice(0, 1)).update({
            ...settled,
            ...(outcome.triedAt !== undefined && sent),
          });
          return others.length === 0 ? [first] : [first, of(others).update(settled)];
        }),
      );
    });
  }

  /**
   * Tries deliveries again at once: the chosen ones with all others of the same message, whatever their state, or all waiting
   * ones. Events that were given up stay so by default, since they are older than later successes. Events that are being sent are
   * not sent a second time.
   */
  async again(hookId: string, chosen?: Again): Promise<number> {
    return this.#db.write((unit) => {
      const meant = unit
        .table('delivery')
        .where({ hook_id: hookId })
        .whereNot({ state: 'skipped' })
        .andWhere('lease_until', '<=', Date.now());
      const query =
        chosen === undefined
          ? meant.where({ state: 'waiting' })
          : meant.where((one) => {
              // The events of one message were stored at the same time.
              if ('from' in chosen)
                void one.where('created_at', '>=', chosen.from).andWhere('created_at', '<', chosen.to);
              else void one.whereIn('event_id', [...chosen.ids]).orWhereIn('batch_id', [...chosen.ids]);
            });
      return unit.run(query.update({ state: 'waiting', attempts: 0, next_at: 0, ...ClaimedRows.done }));
    });
  }

  /** The newest first; a message with several events is listed once, by its first event. */
  async log(
    hookId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly list: readonly LoggedDelivery[]; readonly total: number }> {
    return this.#db.read(async (unit) => {
      const own = () => unit.table('delivery').where({ hook_id: hookId });
      const shown = () => own().whereNull('follows');
      const rows = await unit.all<Stored>(
        shown()
          .orderBy([
            { column: 'created_at', order: 'desc' },
            { column: 'seq', order: 'desc' },
            { column: 'position', order: 'desc' },
          ])
          .limit(page.limit)
          .offset(page.offset)
          .select('*'),
      );
      const total = await unit.first<{ total: number | string }>(shown().count({ total: '*' }));
      const batches = rows.flatMap(({ batch_id: id }) => (typeof id === 'string' ? [id] : []));
      const counts = await unit.all<{ batch_id: string; total: number | string }>(
        own().whereIn('batch_id', batches).groupBy('batch_id').select('batch_id').count({ total: '*' }),
      );
      const countOf = new Map(counts.map(({ batch_id: id, total: count }) => [id, Number(count)]));
      const list = rows.map(toDelivery).map((delivery) => ({
        ...delivery,
        rows: rowsOfSet(delivery.payload) ?? countOf.get(delivery.batchId ?? '') ?? 1,
      }));
      return { list, total: Number(total?.total ?? 0) };
    });
  }
}

/** How an event begins: most wait to be sent. */
function beginOf({ refused, skipped }: Pick<NewDelivery, 'refused' | 'skipped'>): {
  readonly state: DeliveryState;
  readonly error: string | null;
} {
  if (skipped !== undefined) return { state: 'skipped', error: skipped.message };
  if (refused !== undefined) return { state: 'failed', error: refused };
  return { state: 'waiting', error: null };
}

/** Ids of one question: what every database takes in a statement. */
const idsAtOnce = 500;

function chunksOf(ids: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / idsAtOnce) }, (_, part) =>
    ids.slice(part * idsAtOnce, (part + 1) * idsAtOnce),
  );
}

/** A unit with what it tells, and the number of the try that begins; nothing where not all of it is free. */
function unitAsTaken(one: Unit, free: ReadonlyMap<string, Stored>): readonly Unit<Delivery>[] {
  const rows = one.deliveries.map(({ eventId }) => free.get(eventId)).filter((row) => row !== undefined);
  if (rows.length < one.deliveries.length) return [];
  const attempts = one.deliveries[0].attempts + 1;
  const [first, ...rest] = rows.map((row) => ({
    ...toDelivery(row),
    attempts,
    ...(one.isBatch && { batchId: one.id }),
  }));
  return first === undefined ? [] : [{ ...one, deliveries: [first, ...rest] }];
}
