import type { Delivery, TopicState } from '@trellis/sdk/server';
import type { Knex } from 'knex';
import { inParts } from '../../sql/in-parts.ts';
import type { Unit } from '../../sql/unit.ts';
import type { Metadata } from '../../metadata/metadata.ts';
import { storedRowKey } from '../stored-row-key.ts';

/** Rows of one statement, which every database takes. */
const rowsAtOnce = 100;
/** Attempts after which an event is parked: it stays, and is not tried any more until the topic is resumed. */
export const mostAttempts = 10;
/** Tables with many retries that are looked at in one go. */
const tablesAtOnce = 20;

/** A topic as it is stored. */
export interface Topic {
  readonly id: string;
  /** Everything up to here was delivered or is among the retries. */
  readonly lastSeq: number;
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

/** The retries of a topic that may be tried as soon as they are due, the oldest first. */
export interface Waiting {
  readonly retries: readonly Retry[];
  /** The tables of which more wait than were read. */
  readonly crowded: readonly string[];
  /** Whether as many wait of the other tables as were asked for. */
  readonly isFull: boolean;
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
}

/** A table with retries. */
interface CountedTable {
  readonly table_id: string;
  readonly waiting: number | string;
  /** The place in the log of its oldest one. */
  readonly oldest: number | string;
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
      unit.first<{ last_seq: number | string }>(unit.knex('trellis_topic').where({ id }).select('last_seq')),
    );
    return row && { id, lastSeq: Number(row.last_seq) };
  }

  async create(id: string, lastSeq: number): Promise<void> {
    const row = { id, last_seq: lastSeq, state: 'active', updated_at: Date.now() };
    await this.#database.write((unit) =>
      unit.run(unit.knex('trellis_topic').insert(row).onConflict('id').ignore()),
    );
  }

  /**
   * The oldest retries of a topic, at most `most`, without those of the tables in `except`. Where there are more, `mostOfTable` are read of a
   * table with many, so that they hide no other table's.
   */
  async retries(
    topic: string,
    {
      most,
      mostOfTable,
      except,
    }: { readonly most: number; readonly mostOfTable: number; readonly except: readonly string[] },
  ): Promise<Waiting> {
    return this.#database.read(async (unit) => {
      const tried = () => triedRetries(unit, topic).whereNotIn('table_id', [...except]);
      const oldest = await oldestOf(unit, tried(), most);
      if (oldest.length < most) return { retries: oldest, crowded: [], isFull: false };
      const counted = await unit.all<CountedTable>(
        tried().groupBy('table_id').select('table_id').count({ waiting: '*' }).min({ oldest: 'seq' }),
      );
      const crowded = counted
        .filter(({ waiting }) => Number(waiting) >= mostOfTable)
        .toSorted((one, other) => Number(one.oldest) - Number(other.oldest))
        .slice(0, tablesAtOnce)
        .map(({ table_id: id }) => id);
      const others = await oldestOf(unit, tried().whereNotIn('table_id', crowded), most);
      const retries = [...others];
      for (const id of crowded)
        retries.push(...(await oldestOf(unit, tried().where({ table_id: id }), mostOfTable)));
      return { retries, crowded, isFull: others.length >= most };
    });
  }

  /** Stores what a step did; false when another server moved the topic meanwhile, so that nothing is stored. */
  async store({ id, lastSeq }: Topic, step: TopicStep): Promise<boolean> {
    return this.#database.write(
      async (unit) => {
        const change = {
          last_seq: step.to ?? lastSeq,
          updated_at: Date.now(),
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
      const row = await unit.first(unit.knex('trellis_topic').where({ id }).select('id'));
      if (row === undefined) return undefined;
      const countOf = async (of: ReturnType<Unit['knex']>): Promise<number> =>
        Number((await unit.first<{ count: number | string }>(of.count({ count: '*' })))?.count ?? 0);
      const parked = unit
        .knex('trellis_delivery_retry')
        .where({ topic: id })
        .where('attempts', '>=', mostAttempts);
      return { id, waiting: await countOf(triedRetries(unit, id)), parked: await countOf(parked) };
    });
  }

  async resume(id: string): Promise<void> {
    await this.#database.write((unit) =>
      unit.run(unit.knex('trellis_delivery_retry').where({ topic: id }).update({ attempts: 0, next_at: 0 })),
    );
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

function triedRetries(unit: Unit, topic: string): Knex.QueryBuilder {
  return unit.knex('trellis_delivery_retry').where({ topic }).where('attempts', '<', mostAttempts);
}

async function oldestOf(unit: Unit, of: Knex.QueryBuilder, most: number): Promise<readonly Retry[]> {
  const rows = await unit.all<RetryRow>(of.orderBy('seq').orderBy('position').limit(most).select('*'));
  return rows.map((row) => ({
    eventId: row.event_id,
    seq: Number(row.seq),
    position: Number(row.position),
    row: `${row.table_id ?? ''} ${row.row_key ?? ''}`,
    attempts: Number(row.attempts),
    nextAt: Number(row.next_at),
  }));
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
