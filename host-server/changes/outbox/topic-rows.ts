import type { Delivery, TopicState } from '@trellis/sdk/server';
import type { Knex } from 'knex';
import { inParts } from '../../sql/in-parts.ts';
import type { Unit } from '../../sql/unit.ts';
import type { Metadata } from '../../metadata/metadata.ts';
import { storedRowKey } from '../stored-row-key.ts';

/** Rows of one statement, which every database takes. */
const rowsAtOnce = 100;
/** Attempts after which an event is parked: it is tried once a day, and later ones of its row are delivered meanwhile. */
export const mostAttempts = 10;

/** Events by their attempts that failed. */
interface Tries {
  readonly from: number;
  /** Not among them. */
  readonly to: number;
}

const parkedTries: Tries = { from: mostAttempts, to: 1_000_000 };
const triesInTurn: readonly Tries[] = [{ from: 0, to: 1 }, { from: 1, to: mostAttempts }, parkedTries];

/** A topic as it is stored. */
export interface Topic {
  readonly id: string;
  /** Everything up to here was delivered or is among the retries. */
  readonly lastSeq: number;
}

/** An event that is to be tried. */
export interface Retry {
  readonly eventId: string;
  readonly seq: number;
  readonly position: number;
  readonly attempts: number;
}

/** A table with retries. */
export interface RetriedTable {
  readonly id: string;
  /** When the first of them is due; UTC, milliseconds since 1970. */
  readonly nextAt: number;
}

/** Which retries are asked for. */
export interface DueRetries {
  readonly now: number;
  /** At most so many of a table, and of all. */
  readonly mostOfTable: number;
  readonly most: number;
  /** At most so many that are parked, where no others are due. */
  readonly mostParked: number;
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

interface RetryRow {
  readonly event_id: string;
  readonly seq: number | string;
  readonly position: number | string;
  readonly row_key: string | null;
  readonly attempts: number | string;
}

/** What names a row among the retries of a topic. */
export function rowOf(tableId: string, rowKey: string | undefined): string {
  return `${tableId} ${storedKey(rowKey)}`;
}

/** A set of rows has an empty one, which equals itself. */
function storedKey(rowKey: string | undefined): string {
  return rowKey === undefined ? '' : storedRowKey(rowKey);
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

  /** The tables with retries, in no order. One look into an index for each, however many wait of it. */
  async retriedTables(topic: string): Promise<readonly RetriedTable[]> {
    return this.#database.read(async (unit) => {
      const tables: RetriedTable[] = [];
      for (let last: string | undefined; ;) {
        const of = unit.knex('trellis_delivery_retry').where({ topic }).whereNotNull('table_id');
        if (last !== undefined) of.where('table_id', '>', last);
        const next = await unit.first<{ readonly table_id: string; readonly next_at: number | string }>(
          of.orderBy('table_id').orderBy('next_at').limit(1).select('table_id', 'next_at'),
        );
        if (next === undefined) return tables;
        last = next.table_id;
        tables.push({ id: last, nextAt: Number(next.next_at) });
      }
    });
  }

  /**
   * The retries of these tables that are due and wait behind none of the same row, in their order: those that were never tried, where there
   * are none those that failed, and at last those that are parked, which let the others of their row pass. What was never tried tells whether
   * a table that is held back fails as a whole.
   */
  async due(
    topic: string,
    tables: readonly RetriedTable[],
    { now, mostOfTable, most, mostParked }: DueRetries,
  ): Promise<readonly Retry[]> {
    const due = tables
      .filter(({ nextAt }) => nextAt <= now)
      .toSorted((one, other) => one.nextAt - other.nextAt);
    if (due.length === 0) return [];
    return this.#database.read(async (unit) => {
      for (const tries of triesInTurn) {
        const mostOfAll = tries === parkedTries ? mostParked : most;
        const retries: Retry[] = [];
        for (const { id: tableId } of due) {
          const left = Math.min(mostOfTable, mostOfAll - retries.length);
          if (left <= 0) break;
          retries.push(...(await dueOf(unit, { topic, tableId, now, tries }, left)));
        }
        if (retries.length > 0) return retries.toSorted(inLog);
      }
      return [];
    });
  }

  /** The rows, among the given ones, that have events waiting, named as `rowOf` names them. */
  async waitingRows(
    topic: string,
    tableId: string,
    rowKeys: readonly (string | undefined)[],
  ): Promise<readonly string[]> {
    const keys = [...new Set(rowKeys.map(storedKey))];
    return this.#database.read(async (unit) => {
      const found: string[] = [];
      for (const part of inParts(keys, rowsAtOnce)) {
        const rows = await unit.all<Pick<RetryRow, 'row_key'>>(
          triedRetries(unit, topic).where({ table_id: tableId }).whereIn('row_key', part).distinct('row_key'),
        );
        found.push(...rows.map(({ row_key: key }) => `${tableId} ${key ?? ''}`));
      }
      return found;
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
      return {
        id,
        state: 'active',
        reason: undefined,
        waiting: await countOf(triedRetries(unit, id)),
        parked: await countOf(parked),
      };
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

function inLog(one: Retry, other: Retry): number {
  return one.seq - other.seq || one.position - other.position;
}

async function dueOf(
  unit: Unit,
  {
    topic,
    tableId,
    now,
    tries,
  }: {
    readonly topic: string;
    readonly tableId: string;
    readonly now: number;
    readonly tries: Tries;
  },
  most: number,
): Promise<readonly Retry[]> {
  const { knex } = unit;
  const ofRow = knex('trellis_delivery_retry as older')
    .where({ 'older.topic': topic, 'older.table_id': tableId })
    .where('older.attempts', '<', mostAttempts)
    .where('older.row_key', knex.ref('due.row_key'))
    .where((older) => {
      void older.where('older.seq', '<', knex.ref('due.seq')).orWhere((beside) => {
        void beside
          .where('older.seq', knex.ref('due.seq'))
          .where('older.position', '<', knex.ref('due.position'));
      });
    })
    .select('older.event_id');
  const rows = await unit.all<RetryRow>(
    knex('trellis_delivery_retry as due')
      .where({ 'due.topic': topic, 'due.table_id': tableId })
      .where('due.next_at', '<=', now)
      .where('due.attempts', '>=', tries.from)
      .where('due.attempts', '<', tries.to)
      .whereNotExists(ofRow)
      .orderBy('due.next_at')
      .orderBy('due.seq')
      .limit(most)
      .select('due.*'),
  );
  return rows.map((row) => ({
    eventId: row.event_id,
    seq: Number(row.seq),
    position: Number(row.position),
    attempts: Number(row.attempts),
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
      row_key: storedKey(retry.rowKey),
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
