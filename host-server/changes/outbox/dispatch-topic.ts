import type { Change, Delivery, OutboxSubscription } from '@trellis/sdk/server';
import { changesOf } from '../log-entry.ts';
import { readTogether, type EntryPlace } from '../read-entries.ts';
import type { SettledLog } from '../settled-log.ts';
import { rowOf, type NewRetry, type Retry, type Topic, type TopicRows } from './topic-rows.ts';

export interface DispatchDependencies {
  readonly settled: SettledLog;
  readonly rows: TopicRows;
  readonly now: () => number;
}

/** An event with its place. */
interface Event {
  readonly change: Change;
  readonly seq: number;
  readonly position: number;
  /** Attempts that failed already. */
  readonly attempts: number;
}

/** What became of an event. */
interface Outcome extends Event {
  readonly delivery: Delivery;
}

const longestDelivery = 30_000;
/** Rows to which events are delivered at the same time. */
const rowsAtOnce = 8;
/** Entries whose events are delivered before the place is stored: a killed server delivers them again. */
const entriesAtOnce = 20;
/** With so many events waiting, a topic takes no new ones until some of them went through. */
const mostWaiting = 1000;
const mostAttempts = 10;
const firstPause = 10_000;
const longestPause = 24 * 60 * 60 * 1000;
const longestError = 500;

/** Milliseconds to wait after a number of failed attempts; none for an event that only waited behind another. */
function pauseAfter(attempts: number): number {
  return attempts === 0 ? 0 : Math.min(longestPause, firstPause * 3 ** (attempts - 1));
}

/** Delivers one topic's events: the retries that are due, then what is new in the log. */
export class TopicDispatch {
  readonly #deps: DispatchDependencies;
  readonly #subscription: OutboxSubscription;
  readonly #signal: AbortSignal;

  /** @param signal ends the deliveries under way. */
  constructor(deps: DispatchDependencies, subscription: OutboxSubscription, signal: AbortSignal) {
    this.#deps = deps;
    this.#subscription = subscription;
    this.#signal = signal;
  }

  /** Goes on until nothing is due. */
  async drain(): Promise<void> {
    for (let isMore = true; isMore && !this.#signal.aborted;) isMore = await this.#step();
  }

  async #step(): Promise<boolean> {
    const { rows, now } = this.#deps;
    const topic = await rows.read(this.#subscription.id);
    if (topic === undefined || topic.isPaused) return false;
    const waiting = await rows.retries(topic.id, mostWaiting);
    const due = firstOfEachRow(waiting).filter(({ nextAt }) => nextAt <= now());
    if (due.length > 0) return this.#retry(topic, due);
    return waiting.length < mostWaiting && this.#advance(topic, waiting);
  }

  async #retry(topic: Topic, due: readonly Retry[]): Promise<boolean> {
    const { settled, rows } = this.#deps;
    const seqs = [...new Set(due.map(({ seq }) => seq))];
    const there = await settled.placesAt(seqs);
    const loaded = readTogether(there, entriesAtOnce);
    const changes = new Map<number, readonly Change[]>();
    for await (const entry of settled.load(loaded)) changes.set(entry.seq, changesOf(entry));
    const later = new Set(there.slice(loaded.length).map(({ seq }) => seq));
    const tried = due.filter(({ seq }) => !later.has(seq));
    const events = tried.flatMap(({ seq, position, attempts }): Event[] => {
      const change = changes.get(seq)?.[position];
      return change === undefined ? [] : [{ change, seq, position, attempts }];
    });
    const known = new Set(events.map(({ change }) => change.id));
    // The retention deleted the entry: the event cannot be told any more.
    const gone = tried.filter(({ eventId }) => !known.has(eventId)).map(({ eventId }) => eventId);
    if (gone.length > 0) this.#subscription.onLost?.(gone.length);
    const outcomes = await this.#deliverAll(events);
    if (this.#signal.aborted) return false;
    const done = outcomes.filter(({ delivery }) => delivery.outcome === 'done');
    return rows.store(topic, {
      ended: [...gone, ...done.map(({ change }) => change.id)],
      ...this.#failures(outcomes),
    });
  }

  async #advance(topic: Topic, waiting: readonly Retry[]): Promise<boolean> {
    const { settled, rows } = this.#deps;
    const { heads, to, lost } = await settled.after(topic.lastSeq);
    if (lost > 0) this.#subscription.onLost?.(lost);
    const loaded = readTogether(
      heads.filter(({ kind }) => kind !== 'event'),
      entriesAtOnce,
    );
    const last = loaded.at(-1)?.seq;
    if (last === undefined)
      return to > topic.lastSeq && (await rows.store(topic, { to, deliveries: [] })) && heads.length > 0;
    const events = await this.#wanted(loaded);
    const blocked = new Set(waiting.map(({ row }) => row));
    const isBlocked = ({ change }: Event) => blocked.has(rowOf(change.tableId, change.rowKey));
    const outcomes = await this.#deliverAll(events.filter((event) => !isBlocked(event)));
    if (this.#signal.aborted) return false;
    const { failed, ...rest } = this.#failures(outcomes);
    const behind = events.filter(isBlocked).map((event) => toRetry(event, this.#deps.now(), undefined));
    return rows.store(topic, { to: last, failed: [...failed, ...behind], ...rest });
  }

  async #wanted(places: readonly EntryPlace[]): Promise<readonly Event[]> {
    const events: Event[] = [];
    for await (const entry of this.#deps.settled.load(places)) {
      for (const [position, change] of changesOf(entry).entries()) {
        if (this.#subscription.filter?.(change) === false) continue;
        events.push({ change, seq: entry.seq, position, attempts: 0 });
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
    const worst = failed.find(({ attempts }) => attempts >= mostAttempts);
    return {
      failed,
      deliveries: outcomes.map(({ delivery }) => delivery).filter(({ attempt }) => attempt > 0),
      ...(worst !== undefined && {
        pause: `${worst.eventId} failed ${worst.attempts} times: ${worst.error ?? ''}`,
      }),
    };
  }

  /** Delivers events, those of one row one after the other; after a failure the row's later events wait for their turn. */
  async #deliverAll(events: readonly Event[]): Promise<readonly Outcome[]> {
    const byRow = new Map<string, Event[]>();
    for (const event of events) {
      const row = rowOf(event.change.tableId, event.change.rowKey);
      byRow.set(row, [...(byRow.get(row) ?? []), event]);
    }
    const outcomes: Outcome[] = [];
    const rows = [...byRow.values()];
    const lane = async () => {
      for (let row = rows.shift(); row !== undefined && !this.#signal.aborted; row = rows.shift()) {
        let isHeldUp = false;
        for (const event of row) {
          const outcome: Outcome = isHeldUp ? heldUp(event) : await this.#deliver(event);
          isHeldUp ||= outcome.delivery.outcome === 'failed';
          outcomes.push(outcome);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(rowsAtOnce, rows.length) }, lane));
    return outcomes;
  }

  async #deliver(event: Event): Promise<Outcome> {
    const at = this.#deps.now();
    const begun = performance.now();
    const attempt = event.attempts + 1;
    const limit = AbortSignal.any([this.#signal, AbortSignal.timeout(longestDelivery)]);
    let error: string | undefined;
    try {
      await withinSignal(
        this.#subscription.deliver({ id: event.change.id, change: event.change, attempt }, limit),
        limit,
      );
    } catch (reason) {
      error = (reason instanceof Error ? reason.message : String(reason)).slice(0, longestError);
    }
    const outcome = error === undefined ? 'done' : 'failed';
    const durationMs = Math.round(performance.now() - begun);
    return { ...event, delivery: { eventId: event.change.id, attempt, outcome, durationMs, error, at } };
  }
}

/** An event behind one of its row that failed; it was not tried. */
function heldUp(event: Event): Outcome {
  const delivery = { eventId: event.change.id, attempt: 0, durationMs: 0, error: undefined, at: 0 };
  return { ...event, delivery: { ...delivery, outcome: 'failed' } };
}

function toRetry(event: Event, nextAt: number, error: string | undefined): NewRetry {
  const { change, seq, position, attempts } = event;
  const { id: eventId, tableId, rowKey } = change;
  return { eventId, seq, position, tableId, rowKey, attempts, nextAt, error };
}

/** Only the oldest event of a row may go: the others wait behind it. */
function firstOfEachRow(waiting: readonly Retry[]): readonly Retry[] {
  const rows = new Set<string>();
  return waiting.filter(({ row }) => !rows.has(row) && rows.add(row));
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
