import type { TableSchema } from '@trellis/sdk/server';
import type { CellValue, LiveEvent, LiveRowChange } from '@trellis/sdk/shared';
import type { ChangeLog } from '../change-log.ts';
import { changesOf, type LogEntry } from '../log-entry.ts';
import type { EntryHead, SettledLog } from '../settled-log.ts';

export interface LiveFeedDependencies {
  readonly log: Pick<ChangeLog, 'onDidCommit'>;
  readonly settled: SettledLog;
  /** Resolves when the event has gone out; until then nothing more is read, so that what waits stays in the log. */
  readonly publish: (event: LiveEvent) => Promise<void>;
  /** Whether anybody listens: to this table, or to anything at all. */
  readonly isHeard: (tableId?: string) => boolean;
  /** The table as it is now; undefined when it is gone. */
  readonly tableOf: (projectId: string, tableId: string) => Promise<TableSchema | undefined>;
  readonly onError: (error: unknown) => void;
}

/** An event of a table's rows. */
type RowEvent = Extract<LiveEvent, { readonly kind: 'rows' | 'rowsReset' }>;

/** More rows than this in one call are cheaper to read again. */
const mostNamed = 500;
/** More entries than this are cheaper to read again as a table. */
const mostReplayed = 200;
/** Characters of replayed events. */
const largestReplay = 1024 * 1024;
/** Milliseconds until a number that was still open is looked at again. */
const pause = 50;
/** Milliseconds between looks for what other servers wrote, where no bus tells of it. */
const every = 500;
/** Milliseconds for which `recently` goes back: longer than reading a table and joining its room take together. */
const lookBack = 5000;

/**
 * Sends what the change log holds to browsers, in the order of the log and whichever server wrote it. The live sequence is the
 * log's number.
 *
 * Nothing is kept in memory but a place in the log, and nothing is read while nobody listens.
 */
export class LiveFeed {
  readonly #deps: LiveFeedDependencies;
  /** Everything up to here was sent; undefined while nobody listens. */
  #place: number | undefined;
  /** The places before what was sent in the last seconds, oldest first; times are those of `performance.now`. */
  #trail: { readonly at: number; readonly place: number }[] = [];
  #run: Promise<void> | undefined;
  #isAsked = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #poll: NodeJS.Timeout;
  /** Callers that wait until all events up to a number have been sent. */
  readonly #waiting = new Set<{ readonly until: number; readonly tell: () => void }>();
  readonly #listening: { dispose(): void };

  constructor(deps: LiveFeedDependencies) {
    this.#deps = deps;
    this.#listening = deps.log.onDidCommit(() => this.wake());
    this.#poll = setInterval(() => this.wake(), every);
    this.#poll.unref();
  }

  /** Looks for what is new in the log; called after commits of this process and at the word of others. */
  wake(): void {
    if (!this.#deps.isHeard()) {
      this.#place = undefined;
      return;
    }
    this.#isAsked = true;
    this.#run ??= this.#send()
      .catch((error: unknown) => {
        this.#deps.onError(error);
        this.#tellWaiting(Number.POSITIVE_INFINITY);
      })
      .finally(() => {
        this.#run = undefined;
        // What was asked for after the last look.
        if (this.#isAsked && this.#deps.isHeard()) this.wake();
        else this.#tellWaiting(Number.POSITIVE_INFINITY);
      });
  }

  /** Resolves when everything that was committed before the call, and was not held back by an open number, is sent. */
  async catchUp(): Promise<void> {
    if (this.#place === undefined) await this.#begin();
    const until = await this.#deps.settled.newest();
    this.wake();
    // Not until the run ends: where many write, it goes on and on.
    if (this.#run === undefined) return;
    await new Promise<void>((tell) => {
      this.#waiting.add({ until, tell });
    });
  }

  /** The number up to which everything was sent. */
  current(): number {
    return this.#place ?? 0;
  }

  /** The number up to which everything had been sent a few seconds ago. */
  recently(): number {
    const oldest = performance.now() - lookBack;
    return this.#trail.find(({ at }) => at >= oldest)?.place ?? this.current();
  }

  /** The events of a table after a number and up to `current`; undefined when they are too many or no longer there. */
  async since(tableId: string, seq: number): Promise<readonly LiveEvent[] | undefined> {
    const { settled } = this.#deps;
    const until = this.current();
    if (seq > until) return seq > (await settled.newest()) ? undefined : [];
    const places = await settled.placesOf(tableId, { after: seq, until, limit: mostReplayed + 1 });
    if (places === undefined || places.length > mostReplayed) return undefined;
    const events: RowEvent[] = [];
    let characters = 0;
    for await (const entry of settled.load(places, 'head')) {
      const event = await this.#eventOf(entry);
      if (event === undefined) continue;
      characters += JSON.stringify(event).length;
      if (characters > largestReplay) return undefined;
      events.push(event);
    }
    return events;
  }

  dispose(): void {
    clearInterval(this.#poll);
    clearTimeout(this.#timer);
    this.#listening.dispose();
  }

  async #begin(): Promise<void> {
    const end = await this.#deps.settled.end();
    this.#place ??= end;
  }

  async #send(): Promise<void> {
    const { settled, isHeard, publish } = this.#deps;
    while (this.#isAsked) {
      // Cleared first: a failure below is tried again at the next look, and not at once.
      this.#isAsked = false;
      if (this.#place === undefined) await this.#begin();
      const { heads, to, isHeldBack } = await settled.after(this.#place ?? 0);
      if (heads.length > 0) this.#leaveTrail();
      const heard = heads.filter(
        ({ kind, tableId }) => (kind === 'row' || kind === 'rowSet') && isHeard(tableId),
      );
      const crowded = crowdedTables(heard);
      const told = heard.filter(({ tableId, seq }) => (crowded.get(tableId) ?? seq) === seq);
      for await (const entry of settled.load(told, 'head')) {
        const event = crowded.has(entry.tableId) ? resetOf(entry) : await this.#eventOf(entry);
        if (event !== undefined) await publish(event);
        this.#place = entry.seq;
      }
      this.#place = to;
      this.#tellWaiting(isHeldBack ? Number.POSITIVE_INFINITY : to);
      if (isHeldBack) this.#lookAgain();
      else if (heads.length > 0) this.#isAsked = true;
    }
  }

  /** Tells those who wait that everything up to a number is sent, or that nothing more can be. */
  #tellWaiting(to: number): void {
    for (const waiting of this.#waiting) {
      if (waiting.until > to) continue;
      this.#waiting.delete(waiting);
      waiting.tell();
    }
  }

  #leaveTrail(): void {
    const at = performance.now();
    this.#trail = this.#trail.filter((step) => step.at >= at - lookBack);
    this.#trail.push({ at, place: this.current() });
  }

  #lookAgain(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), pause);
    this.#timer.unref();
  }

  async #eventOf(entry: LogEntry): Promise<RowEvent | undefined> {
    const { projectId, tableId, seq, requestId, actorId, actorEmail } = entry;
    const shared = { projectId, tableId, seq, requestId };
    // So large a change is not read into memory: browsers are told to read the table again.
    if (entry.kind === 'row' && entry.rows.length === 0) return { kind: 'rowsReset', ...shared };
    const table = entry.kind === 'row' ? await this.#deps.tableOf(projectId, tableId) : undefined;
    if (table === undefined || entry.total > mostNamed) {
      // The entries of one call were committed together, so the first of them is enough.
      return entry.part === 0 ? { kind: 'rowsReset', ...shared } : undefined;
    }
    return {
      kind: 'rows',
      ...shared,
      ...(actorId !== '' && { actor: { id: actorId, email: actorEmail } }),
      changes: changesOf(entry).map((change) => toLiveChange(table, change)),
    };
  }
}

/** The tables of which more entries wait than are replayed, with the number of the last: browsers read them again. */
function crowdedTables(heads: readonly EntryHead[]): ReadonlyMap<string, number> {
  const seqs = new Map<string, number[]>();
  for (const { tableId, seq } of heads) {
    const of = seqs.get(tableId);
    if (of === undefined) seqs.set(tableId, [seq]);
    else of.push(seq);
  }
  return new Map(
    [...seqs].flatMap(([tableId, of]) =>
      of.length > mostReplayed ? [[tableId, of.at(-1) ?? 0] as const] : [],
    ),
  );
}

/** One event in place of many entries of several requests. */
function resetOf({ projectId, tableId, seq }: LogEntry): RowEvent {
  return { kind: 'rowsReset', projectId, tableId, seq, requestId: '' };
}

function toLiveChange(table: TableSchema, change: ReturnType<typeof changesOf>[number]): LiveRowChange {
  const { op, rowKey, after } = change;
  const row: Record<string, CellValue> = {};
  for (const [columnId, value] of Object.entries(after ?? {})) {
    const column = table.columnById.get(columnId);
    if (column) row[column.title] = value;
  }
  const isMoved = op === 'update' && table.rowOrder !== undefined && after?.[table.rowOrder.id] !== undefined;
  return {
    op,
    key: rowKey ?? '',
    ...(op !== 'delete' && { row }),
    ...(isMoved && { moved: true }),
  };
}
