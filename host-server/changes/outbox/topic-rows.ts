import type { Delivery, TopicState } from '@trellis/sdk/server';
import { inParts } from '../../sql/in-parts.ts';
import type { Unit } from '../../sql/unit.ts';
import type { Metadata } from '../../metadata/metadata.ts';
import { storedRowKey } from '../stored-row-key.ts';

/** Rows of one statement, which every database takes. */
const rowsAtOnce = 100;

/** A topic as it is stored. */
export interface Topic {
  readonly id: string;
  /** Everything up to here was delivered or is among the retries. */
  readonly lastSeq: number;
  readonly isPaused: boolean;
}

/** An event that failed, or waits behind one of the same row that failed. */
export interface Retry {
  readonly eventId: string;
  readonly seq: number;
  readonly position: number;
  /** The table and the row, in one text. */
  readonly row: string;
  readonly attempts: number;
  /** UTC, milliseconds since 1970. */
  readonly nextAt: number;
}

/** An event that is to be tried again. */
export interface NewRetry {
  readonly eventId: string;
  readonly seq: number;
  readonly position: number;
  readonly tableId: string;
  readonly rowKey: string | undefined;
  readonly attempts: number;
  readonly nextAt: number;
  readonly error: string | undefined;
}

/** What a step of a topic did; it is stored in one transaction. */
export interface TopicStep {
  /** The new place, where it moved. */
  readonly to?: number;
  readonly failed?: readonly NewRetry[];
  /** Retries that were delivered or can never be. */
  readonly ended?: readonly string[];
  readonly deliveries: readonly Delivery[];
  /** Why the topic is paused. */
  readonly pause?: string;
}

interface RetryRow {
  readonly event_id: string;
  readonly seq: number | string;
  readonly position: number | string;
  readonly table_id: string | null;
  readonly row_key: string | null;
  readonly attempts: number | string;
  readonly next_at: number | string;
}

/** What names a row among the retries of a topic. */
export function rowOf(tableId: string, rowKey: string | undefined): string {
  return `${tableId} ${rowKey === undefined ? '' : storedRowKey(rowKey)}`;
}

/** The rows of topics, their retries and their deliveries. */
export class TopicRows {
  readonly #database: Metadata['database'];

  constructor({ database }: Metadata) {
    this.#database = database;
  }

  async read(id: string): Promise<Topic | undefined> {
    const row = await this.#database.read((unit) =>
      unit.first<{ last_seq: number | string; state: string }>(
        unit.knex('trellis_topic').where({ id }).select('last_seq', 'state'),
      ),
    );
    return row && { id, lastSeq: Number(row.last_seq), isPaused: row.state === 'paused' };
  }

  async create(id: string, lastSeq: number): Promise<void> {
    const row = { id, last_seq: lastSeq, state: 'active', updated_at: Date.now() };
    await this.#database.write((unit) =>
      unit.run(unit.knex('trellis_topic').insert(row).onConflict('id').ignore()),
    );
  }

  /** The oldest retries of a topic, at most `most`, without those of the tables in `except`. */
  async retries(
    topic: string,
    { most, except }: { readonly most: number; readonly except: readonly string[] },
  ): Promise<readonly Retry[]> {
    const rows = await this.#database.read((unit) =>
      unit.all<RetryRow>(
        unit
          .knex('trellis_delivery_retry')
          .where({ topic })
          .whereNotIn('table_id', [...except])
          .orderBy('seq')
          .orderBy('position')
          .limit(most)
          .select('*'),
      ),
    );
    return rows.map((row) => ({
      eventId: row.event_id,
      seq: Number(row.seq),
      position: Number(row.position),
      row: `${row.table_id ?? ''} ${row.row_key ?? ''}`,
      attempts: Number(row.attempts),
      nextAt: Number(row.next_at),
    }));
  }

  /** Stores what a step did; false when another server moved the topic meanwhile, so that nothing is stored. */
  async store({ id, lastSeq }: Topic, step: TopicStep): Promise<boolean> {
    return this.#database.write(
      async (unit) => {
        const change = {
          last_seq: step.to ?? lastSeq,
          updated_at: Date.now(),
          ...(step.pause !== undefined && { state: 'paused', reason: step.pause }),
        };
        // The row is read again instead of counting changes: MySQL does not count a row that is updated to the same values.
        const place = await unit.first<{ last_seq: number | string }>(
          unit.knex('trellis_topic').where({ id }).forUpdate().select('last_seq'),
        );
        if (Number(place?.last_seq) !== lastSeq) return false;
        await unit.run(unit.knex('trellis_topic').where({ id }).update(change));
        await storeRetries(unit, id, step);
        await storeDeliveries(unit, id, step.deliveries);
        return true;
      },
      { retry: true },
    );
  }

  async state(id: string): Promise<TopicState | undefined> {
    return this.#database.read(async (unit) => {
      const row = await unit.first<{ state: TopicState['state']; reason: string | null }>(
        unit.knex('trellis_topic').where({ id }).select('state', 'reason'),
      );
      if (row === undefined) return undefined;
      const waiting = await unit.first<{ count: number | string }>(
        unit.knex('trellis_delivery_retry').where({ topic: id }).count({ count: '*' }),
      );
      return { id, state: row.state, reason: row.reason ?? undefined, waiting: Number(waiting?.count ?? 0) };
    });
  }

  async resume(id: string): Promise<void> {
    await this.#database.write(async (unit) => {
      const active = { state: 'active', reason: null, updated_at: Date.now() };
      await unit.run(unit.knex('trellis_topic').where({ id }).update(active));
      await unit.run(
        unit.knex('trellis_delivery_retry').where({ topic: id }).update({ attempts: 0, next_at: 0 }),
      );
    });
  }

  async deliveries(topic: string, limit: number): Promise<readonly Delivery[]> {
    const rows = await this.#database.read((unit) =>
      unit.all<{
        event_id: string;
        attempt: number | string;
        outcome: Delivery['outcome'];
        duration_ms: number | string;
        error: string | null;
        at: number | string;
      }>(unit.knex('trellis_delivery').where({ topic }).orderBy('id', 'desc').limit(limit).select('*')),
    );
    return rows.map((row) => ({
      eventId: row.event_id,
      attempt: Number(row.attempt),
      outcome: row.outcome,
      durationMs: Number(row.duration_ms),
      error: row.error ?? undefined,
      at: Number(row.at),
    }));
  }
}

async function storeRetries(
  unit: Unit,
  topic: string,
  { failed = [], ended = [] }: TopicStep,
): Promise<void> {
  const gone = [...ended, ...failed.map(({ eventId }) => eventId)];
  for (const ids of inParts(gone, rowsAtOnce))
    await unit.run(unit.knex('trellis_delivery_retry').where({ topic }).whereIn('event_id', ids).delete());
  for (const retries of inParts(failed, rowsAtOnce)) {
    const rows = retries.map((retry) => ({
      topic,
      event_id: retry.eventId,
      seq: retry.seq,
      position: retry.position,
      table_id: retry.tableId,
      row_key: retry.rowKey === undefined ? null : storedRowKey(retry.rowKey),
      attempts: retry.attempts,
      next_at: retry.nextAt,
      error: retry.error ?? null,
    }));
    await unit.run(unit.knex('trellis_delivery_retry').insert(rows));
  }
}

async function storeDeliveries(unit: Unit, topic: string, deliveries: readonly Delivery[]): Promise<void> {
  for (const part of inParts(deliveries, rowsAtOnce)) {
    const rows = part.map(({ eventId, attempt, outcome, durationMs, error, at }) => ({
      topic,
      event_id: eventId,
      attempt,
      outcome,
      duration_ms: durationMs,
      error: error ?? null,
      at,
    }));
    await unit.run(unit.knex('trellis_delivery').insert(rows));
  }
}
