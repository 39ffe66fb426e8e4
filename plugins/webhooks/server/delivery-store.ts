import type { PluginDatabase } from '@trellis/sdk/server';
import type { SentRequest, TemplateValues } from '@trellis/sdk/shared';
import type { DeliveryState, HookOperation } from '../shared/index.ts';

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
}

/** Times are in milliseconds since 1970. */
export interface Delivery extends NewDelivery {
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAt: number;
  readonly leaseUntil: number;
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly durationMs: number | undefined;
  readonly request: SentRequest | undefined;
  readonly triedAt: number | undefined;
  readonly createdAt: number;
}

/** What a try came to. */
export interface Outcome extends Pick<
  Delivery,
  'state' | 'attempts' | 'nextAt' | 'status' | 'error' | 'durationMs' | 'request' | 'triedAt'
> {
  readonly eventId: string;
}

type Stored = Readonly<Record<string, string | number | null>>;

/** As long as a key may be in the table of deliveries. */
const longestKey = 255;
const rowsAtOnce = 100;

/** Events on their way to receivers, and what became of them. */
export class DeliveryStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  /** Keeps events; those that are kept already stay as they are. */
  async add(deliveries: readonly NewDelivery[]): Promise<void> {
    const at = Date.now();
    const rows = deliveries.map((delivery) => ({
      hook_id: delivery.hookId,
      event_id: delivery.eventId,
      project_id: delivery.projectId,
      row_key: delivery.rowKey.slice(0, longestKey),
      operation: delivery.operation,
      seq: delivery.seq,
      position: delivery.position,
      payload: JSON.stringify(delivery.payload),
      state: 'waiting',
      attempts: 0,
      next_at: 0,
      lease_until: 0,
      created_at: at,
    }));
    if (rows.length === 0) return;
    await this.#db.write(async (unit) => {
      for (let first = 0; first < rows.length; first += rowsAtOnce) {
        const part = rows.slice(first, first + rowsAtOnce);
        await unit.run(unit.table('delivery').insert(part).onConflict(['hook_id', 'event_id']).ignore());
      }
    });
  }

  /** The ids of webhooks for which something waits. */
  async waitingHooks(now: number): Promise<readonly string[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<{ hook_id: string }>(
        unit
          .table('delivery')
          .where({ state: 'waiting' })
          .andWhere('next_at', '<=', now)
          .distinct('hook_id')
          .limit(1000),
      ),
    );
    return rows.map(({ hook_id: id }) => id);
  }

  /** What waits for a webhook, the oldest events first. */
  async waiting(hookId: string, limit: number): Promise<readonly Delivery[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<Stored>(
        unit
          .table('delivery')
          .where({ hook_id: hookId, state: 'waiting' })
          .orderBy(['seq', 'position'])
          .limit(limit)
          .select('*'),
      ),
    );
    return rows.map(toDelivery);
  }

  /** Takes deliveries for this server until `until`; gives those that no other one has. */
  async claim(deliveries: readonly Delivery[], now: number, until: number): Promise<readonly Delivery[]> {
    return this.#db.write(async (unit) => {
      const taken: Delivery[] = [];
      for (const delivery of deliveries) {
        const changed = await unit.run(
          unit
            .table('delivery')
            .where({ hook_id: delivery.hookId, event_id: delivery.eventId, state: 'waiting' })
            .andWhere('lease_until', '<=', now)
            .update({ lease_until: until }),
        );
        if (changed > 0) taken.push(delivery);
      }
      return taken;
    });
  }

  async settle(hookId: string, outcomes: readonly Outcome[]): Promise<void> {
    await this.#db.write(async (unit) => {
      for (const { eventId, ...outcome } of outcomes)
        await unit.run(
          unit
            .table('delivery')
            .where({ hook_id: hookId, event_id: eventId })
            .update({
              state: outcome.state,
              attempts: outcome.attempts,
              next_at: outcome.nextAt,
              lease_until: 0,
              status: outcome.status ?? null,
              error: outcome.error ?? null,
              duration_ms: outcome.durationMs ?? null,
              request: outcome.request === undefined ? null : JSON.stringify(outcome.request),
              tried_at: outcome.triedAt ?? null,
            }),
        );
    });
  }

  /** Has deliveries tried again at once: the named ones whatever became of them, otherwise all that failed or wait. */
  async again(hookId: string, eventIds?: readonly string[]): Promise<number> {
    return this.#db.write((unit) => {
      const meant = unit.table('delivery').where({ hook_id: hookId });
      const query =
        eventIds === undefined
          ? meant.whereIn('state', ['failed', 'waiting'])
          : meant.whereIn('event_id', [...eventIds]);
      return unit.run(query.update({ state: 'waiting', attempts: 0, next_at: 0, lease_until: 0 }));
    });
  }

  /** The newest first. */
  async log(hookId: string, page: { readonly limit: number; readonly offset: number }) {
    return this.#db.read(async (unit) => {
      const own = () => unit.table('delivery').where({ hook_id: hookId });
      const rows = await unit.all<Stored>(
        own()
          .orderBy([
            { column: 'seq', order: 'desc' },
            { column: 'position', order: 'desc' },
          ])
          .limit(page.limit)
          .offset(page.offset)
          .select('*'),
      );
      const total = await unit.first<{ total: number | string }>(own().count({ total: '*' }));
      return { list: rows.map(toDelivery), total: Number(total?.total ?? 0) };
    });
  }

  /** Forgets what was delivered, or given up, before a moment. */
  async sweep(before: number): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(
        unit.table('delivery').where('created_at', '<', before).whereIn('state', ['done', 'failed']).delete(),
      ),
    );
  }
}

function toDelivery(row: Stored): Delivery {
  const number = (value: string | number | null | undefined) =>
    value === null || value === undefined ? undefined : Number(value);
  return {
    hookId: String(row.hook_id),
    eventId: String(row.event_id),
    projectId: String(row.project_id),
    rowKey: String(row.row_key),
    operation: row.operation as HookOperation,
    seq: Number(row.seq),
    position: Number(row.position),
    payload: JSON.parse(String(row.payload)) as TemplateValues,
    state: row.state as DeliveryState,
    attempts: Number(row.attempts),
    nextAt: Number(row.next_at),
    leaseUntil: Number(row.lease_until),
    status: number(row.status),
    error: row.error === null || row.error === undefined ? undefined : String(row.error),
    durationMs: number(row.duration_ms),
    request: typeof row.request === 'string' ? (JSON.parse(row.request) as SentRequest) : undefined,
    triedAt: number(row.tried_at),
    createdAt: Number(row.created_at),
  };
}
