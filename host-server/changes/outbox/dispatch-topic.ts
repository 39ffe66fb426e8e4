import { messageOf } from '@trellis/core';
import type { Background, Change, Delivery, Logger, OutboxSubscription } from '@trellis/sdk/server';
import { changesOf } from '../log-entry.ts';
import { readTogether, type EntryPlace } from '../read-entries.ts';
import type { EntryHead, SettledLog } from '../settled-log.ts';
import { HeldBack, isOutage } from './held-back.ts';
import { DeliveredAhead, inTurn } from './in-turn.ts';
import {
  mostAttempts,
  rowOf,
  type NewRetry,
  type RetriedTable,
  type Retry,
  type Topic,
  type TopicRows,
} from './topic-rows.ts';

export interface DispatchDependencies {
  readonly settled: SettledLog;
  readonly rows: TopicRows;
  readonly background: Pick<Background, 'run'>;
  readonly logger: Logger;
  readonly now: () => number;
}

/** An event with its place. */
interface Event {
  readonly change: Change;
  readonly seq: number;
  readonly position: number;
  /** The changes of its entry. */
  readonly size: number;
  /** Attempts that failed already. */
  readonly attempts: number;
}

/** What became of an event. */
interface Outcome extends Event {
  readonly delivery: Delivery;
}

const longestDelivery = 30_000;
/** Rows whose events are delivered at the same time, where the subscriber says nothing else. */
const usualRowsAtOnce = 8;
/** Entries, and about as many rows, whose events are delivered before the place is stored: a killed server delivers them again. */
const entriesAtOnce = 20;
const eventsAtOnce = 1000;
/** Retries that are looked at in one go: of all tables, and of one of them. */
const retriesAtOnce = 1000;
const retriesOfTable = 200;
/** Parked events that are tried in one look: as many as run at the same time, so that new events wait for one attempt at the most. */
const parkedAtOnce = 8;
const firstPause = 10_000;
const longestPause = 24 * 60 * 60 * 1000;
const longestError = 500;
/** Entries that were passed over without storing it: a server that starts again passes over them once more. */
const mostPassed = 1000;
/** Milliseconds after which it is stored whatever their number, so that no place falls behind the retention. */
const longestPassed = 10 * 60_000;

/** Milliseconds to wait after a number of failed attempts; none for an event that only waited behind another. */
function pauseAfter(attempts: number): number {
  return attempts === 0 ? 0 : Math.min(longestPause, firstPause * 3 ** (attempts - 1));
}

/** Delivers one topic's events: the retries that are due, then what is new in the log. */
export class TopicDispatch {
  readonly #deps: DispatchDependencies;
  readonly #subscription: OutboxSubscription;
  readonly #held: HeldBack;
  readonly #ahead = new DeliveredAhead();
  /** Up to here nothing is wanted. The stored place may be smaller. */
  #passed = 0;
  #storedAt: number;

  constructor(deps: DispatchDependencies, subscription: OutboxSubscription) {
    this.#deps = deps;
    this.#subscription = subscription;
    this.#held = new HeldBack(deps.now);
    this.#storedAt = deps.now();
  }

  /** Up to here nothing is left to deliver but retries. */
  placeOf(topic: Topic): number {
    return Math.max(topic.lastSeq, this.#passed);
  }

  /** Gives a new topic its place in the log: after the entries that are there. */
  async begin(): Promise<void> {
    const { rows, settled } = this.#deps;
    const { id } = this.#subscription;
    if ((await rows.read(id)) === undefined) await rows.create(id, await settled.end());
  }

  /** Whether there is something to deliver or to store. It only reads, even when the log holds many entries that no topic wants. */
  async isDue(): Promise<boolean> {
    const { rows, settled, now } = this.#deps;
    const { id } = this.#subscription;
    const topic = await rows.read(id);
    if (topic === undefined) return false;
    if ((await this.#due(id, await rows.retriedTables(id), 1)).length > 0) return true;
    for (;;) {
      const { heads, to, lost, isMore } = await settled.after(this.placeOf(topic));
      if (lost > 0 || (await this.#ofWantedTables(heads)).length > 0) return true;
      this.#passed = to;
      const since = now() - this.#storedAt;
      if (to - topic.lastSeq >= (since > longestPassed ? 1 : mostPassed)) return true;
      if (!isMore) return false;
    }
  }

  /**
   * Goes on until nothing is due of what was there when it looked: what came since then is found by the next look.
   *
   * @param signal ends the deliveries under way
   */
  async drain(signal: AbortSignal): Promise<void> {
    const step = () => this.#step(signal);
    for (let isMore = true; isMore && !signal.aborted;)
      isMore = await this.#deps.background.run(step, signal);
  }

  async #step(signal: AbortSignal): Promise<boolean> {
    const { rows } = this.#deps;
    const topic = await rows.read(this.#subscription.id);
    if (topic === undefined) return false;
    const tables = await rows.retriedTables(topic.id);
    const due = await this.#due(topic.id, tables);
    if (due.length > 0 && !(await this.#retry(topic, due, signal))) return false;
    // Beside the retries, however many they are: what fails in one table stops no other one.
    const isMore = await this.#advance(topic, new Set(tables.map(({ id }) => id)), signal);
    return isMore || due.length > 0;
  }

  /** The retries that may be tried now. */
  #due(topic: string, tables: readonly RetriedTable[], most = retriesAtOnce): Promise<readonly Retry[]> {
    const held = new Set(this.#held.tables());
    const free = tables.filter(({ id }) => !held.has(id));
    return this.#deps.rows.due(topic, free, {
      now: this.#deps.now(),
      mostOfTable: retriesOfTable,
      most,
      mostParked: Math.min(most, parkedAtOnce),
    });
  }

  async #retry(topic: Topic, due: readonly Retry[], signal: AbortSignal): Promise<boolean> {
    const { settled, rows } = this.#deps;
    const seqs = [...new Set(due.map(({ seq }) => seq))];
    const there = await settled.placesAt(seqs);
    const loaded = readTogether(there, entriesAtOnce);
    const changes = new Map<number, readonly Change[]>();
    for await (const entry of settled.load(loaded)) changes.set(entry.seq, changesOf(entry));
    const later = new Set(there.slice(loaded.length).map(({ seq }) => seq));
    const tried = due.filter(({ seq }) => !later.has(seq));
    const events = tried.flatMap(({ seq, position, attempts }): Event[] => {
      const entry = changes.get(seq);
      const change = entry?.[position];
      if (change === undefined) return [];
      this.#held.learn(change);
      return [{ change, seq, position, size: entry?.length ?? 0, attempts }];
    });
    const known = new Set(events.map(({ change }) => change.id));
    // The retention deleted the entry: the event cannot be told any more.
    const gone = tried.filter(({ eventId }) => !known.has(eventId)).map(({ eventId }) => eventId);
    if (gone.length > 0) this.#subscription.onLost?.(gone.length, 'pruned');
    const outcomes = await this.#deliverAll(events, signal);
    if (signal.aborted) return false;
    const done = outcomes.filter(({ delivery }) => delivery.outcome === 'done');
    // What was not tried stays as it is stored.
    const tries = outcomes.filter(({ delivery, attempts }) => delivery.attempt > attempts);
    const failures = this.#failures(tries);
    const isStored = await rows.store(topic, {
      ended: [...gone, ...done.map(({ change }) => change.id)],
      ...failures,
    });
    if (isStored) this.#tellParked(failures.failed);
    return isStored;
  }

  /**
   * Delivers what is new in the log, of one project after the other: what was written in bulk in one holds up no other one.
   *
   * @param retried the tables with retries: new events of a row wait behind them
   */
  async #advance(topic: Topic, retried: ReadonlySet<string>, signal: AbortSignal): Promise<boolean> {
    const { settled, rows } = this.#deps;
    const { heads, to, lost, isMore } = await settled.after(this.placeOf(topic));
    if (lost > 0) this.#subscription.onLost?.(lost, 'pruned');
    this.#storedAt = this.#deps.now();
    this.#ahead.forget(this.placeOf(topic));
    const wanted = await this.#ofWantedTables(heads);
    const left = wanted.filter((head) => !this.#ahead.has(head));
    const loaded = readTogether(inTurn(left, eventsAtOnce), entriesAtOnce);
    if (loaded.length === 0)
      return to > topic.lastSeq && (await rows.store(topic, { to, deliveries: [] })) && isMore;
    const events = await this.#wanted(loaded);
    const blocked = await this.#rowsThatWait(topic.id, events, retried);
    const isBlocked = ({ change }: Event) =>
      this.#held.isHeld(change) || blocked.has(rowOf(change.tableId, change.rowKey));
    const behind = new Set(events.filter(isBlocked));
    const outcomes = await this.#deliverAll(
      events.filter((event) => !behind.has(event)),
      signal,
    );
    if (signal.aborted) return false;
    const { failed, ...rest } = this.#failures(outcomes);
    const next = left.find((head) => !loaded.includes(head));
    const isStored = await rows.store(topic, {
      to: next === undefined ? to : next.seq - 1,
      failed: [...failed, ...[...behind].map((event) => toRetry(event, this.#deps.now(), undefined))],
      ...rest,
    });
    // Where it is not stored, what failed is not either: whoever moved the topic delivers all of it again.
    if (isStored) this.#ahead.add(loaded);
    return isStored && (isMore || next !== undefined);
  }

  /** Which rows of these events have older ones that wait. */
  async #rowsThatWait(
    topic: string,
    events: readonly Event[],
    retried: ReadonlySet<string>,
  ): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    const tables = new Set(events.map(({ change }) => change.tableId).filter((id) => retried.has(id)));
    for (const tableId of tables) {
      const keys = events.flatMap(({ change }) => (change.tableId === tableId ? [change.rowKey] : []));
      for (const row of await this.#deps.rows.waitingRows(topic, tableId, keys)) found.add(row);
    }
    return found;
  }

  /** Which tables the topic wants. Read after the heads of entries: a table that became wanted since is wanted only for later entries. */
  async #ofWantedTables(heads: readonly EntryHead[]): Promise<readonly EntryHead[]> {
    const told = heads.filter(({ kind }) => kind !== 'event');
    if (told.length === 0) return told;
    const tables = await this.#subscription.tables?.();
    return tables === undefined ? told : told.filter(({ tableId }) => tables.has(tableId));
  }

  async #wanted(places: readonly EntryPlace[]): Promise<readonly Event[]> {
    const events: Event[] = [];
    for await (const entry of this.#deps.settled.load(places)) {
      const changes = changesOf(entry);
      for (const [position, change] of changes.entries()) {
        if (this.#subscription.filter?.(change) === false) continue;
        this.#held.learn(change);
        events.push({ change, seq: entry.seq, position, size: changes.length, attempts: 0 });
      }
    }
    return events;
  }

  #failures(outcomes: readonly Outcome[]) {
    const now = this.#deps.now();
    const failed = outcomes.flatMap(({ delivery, ...event }): NewRetry[] =>
      delivery.outcome === 'done'
        ? []
        : [
            toRetry(
              { ...event, attempts: delivery.attempt },
              now + pauseAfter(delivery.attempt),
              delivery.error,
            ),
          ],
    );
    return {
      failed,
      deliveries: outcomes.map(({ delivery }) => delivery).filter(({ attempt }) => attempt > 0),
    };
  }

  /** Tells of the events that failed too often, with each day on which they are tried once more. */
  #tellParked(failed: readonly NewRetry[]): void {
    const parked = failed.filter(({ attempts }) => attempts >= mostAttempts);
    const [first] = parked;
    if (first === undefined) return;
    const { eventId: event, tableId: table, error } = first;
    const of = { topic: this.#subscription.id, count: parked.length, event, table, error };
    this.#deps.logger.error(
      'Events could not be delivered for days, and are tried once a day from now on',
      of,
    );
    this.#subscription.onLost?.(parked.length, 'parked');
  }

  /** Delivers events, those of one row one after the other; after a failure the row's later events wait for their turn. */
  async #deliverAll(events: readonly Event[], signal: AbortSignal): Promise<readonly Outcome[]> {
    const byRow = new Map<string, Event[]>();
    for (const event of events) {
      const row = rowOf(event.change.tableId, event.change.rowKey);
      const before = byRow.get(row);
      if (before === undefined) byRow.set(row, [event]);
      else before.push(event);
    }
    const outcomes: Outcome[] = [];
    const rows = [...byRow.values()];
    const lane = async () => {
      for (let row = rows.shift(); row !== undefined && !signal.aborted; row = rows.shift()) {
        let isHeldUp = false;
        for (const event of row) {
          isHeldUp ||= !this.#held.mayTry(event.change);
          const outcome: Outcome = isHeldUp ? heldUp(event) : await this.#deliver(event, signal);
          isHeldUp ||= outcome.delivery.outcome === 'failed';
          outcomes.push(outcome);
        }
      }
    };
    const { rowsAtOnce = usualRowsAtOnce } = this.#subscription;
    await Promise.all(Array.from({ length: Math.min(rowsAtOnce, rows.length) }, lane));
    return outcomes;
  }

  async #deliver(event: Event, signal: AbortSignal): Promise<Outcome> {
    const at = this.#deps.now();
    const begun = performance.now();
    let attempt = event.attempts + 1;
    const { change, seq, position, size } = event;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(longestDelivery)]);
    let error: string | undefined;
    try {
      await withinSignal(
        this.#subscription.deliver({ id: change.id, change, seq, position, size, attempt }, limit),
        limit,
      );
      this.#held.didAnswer(change);
    } catch (reason) {
      error = messageOf(reason).slice(0, longestError);
      if (isOutage(reason)) {
        this.#held.isAway(change);
        attempt = event.attempts;
      } else this.#held.didFail(change);
    }
    const outcome = error === undefined ? 'done' : 'failed';
    const durationMs = Math.round(performance.now() - begun);
    return { ...event, delivery: { eventId: change.id, attempt, outcome, durationMs, error, at } };
  }
}

/** An event that was not tried: an earlier event of its row failed, or its table or database is held back. */
function heldUp(event: Event): Outcome {
  const { change, attempts } = event;
  const delivery = { eventId: change.id, attempt: attempts, durationMs: 0, error: undefined, at: 0 };
  return { ...event, delivery: { ...delivery, outcome: 'failed' } };
}

function toRetry(event: Event, nextAt: number, error: string | undefined): NewRetry {
  const { change, seq, position, attempts } = event;
  const { id: eventId, tableId, rowKey } = change;
  return { eventId, seq, position, tableId, rowKey, attempts, nextAt, error };
}

/** Rejects when the signal aborts, even if the work does not heed it. */
async function withinSignal(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
