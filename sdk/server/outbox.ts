import { createToken, type Disposable } from '../shared/index.ts';
import type { Change } from './changes.ts';

/** One change on its way to a subscriber. @public */
export interface OutboxEvent {
  /** The same on every attempt, so that a receiver can tell a repetition. It is the change's id. */
  readonly id: string;
  readonly change: Change;
  /** The number of the log's entry: of two events of a row, the later one has the larger number, or the larger `position`. */
  readonly seq: number;
  /** Which of the entry's changes it is, counted from 0: a bulk write is one entry. */
  readonly position: number;
  /** How many changes the log's entry has: of a bulk write, up to 500 together. */
  readonly size: number;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/**
 * Why something is not delivered. `pruned`: entries that the retention of the log deleted before the topic came to them, or before an event
 * that failed could be delivered; they are lost. `parked`: events that failed ten times, over about two days; they are tried once a day,
 * until the retention deletes them, and told of each time.
 * @public
 */
export type LossReason = 'pruned' | 'parked';

/** Somebody who wants changes delivered. @public */
export interface OutboxSubscription {
  /** Names the topic for ever: its place in the log is kept under it, also while nobody subscribes. Begins with the plugin's id. */
  readonly id: string;
  /**
   * The ids of the tables whose changes are wanted at all; without it those of every table. Asked whenever the log has something
   * new: entries of other tables are passed over unread, which keeps a topic that waits for few tables cheap beside busy ones. What was
   * written shortly before a table is wanted may be delivered, too.
   */
  tables?(): Promise<ReadonlySet<string>>;
  /** Whether a change is to be delivered; without it every change is. */
  filter?(change: Change): boolean;
  /**
   * Delivers one event; rejecting means "again later". Called for one row after another in the order of the row's changes, for
   * different rows at the same time. The signal aborts after 30 seconds and when the subscription ends. An error of code
   * `DATABASE_UNREACHABLE`, with which a read of rows fails while their database is away, is no failed attempt: all events of the
   * change's base wait until that database answers again, and those of other bases go on. Where eight events of one table fail in a row for
   * another reason, its events wait as well, and one of them asks from time to time.
   */
  deliver(event: OutboxEvent, signal: AbortSignal): Promise<void>;
  /**
   * For how many rows `deliver` is called at the same time, in one go. Default 8; more of them suit a subscriber that handles what comes
   * together with a few statements.
   */
  readonly rowsAtOnce?: number;
  /** Told how much is not delivered, and why. */
  onLost?(entries: number, reason: LossReason): void;
}

/** How a topic does. @public */
export interface TopicState {
  readonly id: string;
  /** @deprecated Topics are not paused any more: see `parked`. */
  readonly state: 'active' | 'paused';
  /** @deprecated Topics are not paused any more: see `parked`. */
  readonly reason: string | undefined;
  /** Events that failed, or wait behind one of the same row or table that failed. */
  readonly waiting: number;
  /** Events that failed ten times: they are tried once a day, and later ones of their rows are delivered meanwhile. */
  readonly parked: number;
}

/** An attempt to deliver. @public */
export interface Delivery {
  readonly eventId: string;
  readonly attempt: number;
  readonly outcome: 'done' | 'failed';
  readonly durationMs: number;
  readonly error: string | undefined;
  /** UTC, milliseconds since 1970. */
  readonly at: number;
}

/**
 * Delivers what the change log holds, at least once each: a change that was committed is delivered even if the server is killed
 * right after, and one that was rolled back never is. A bulk write gives one event per row; projects take turns among
 * the next 500 entries of the log, so that it holds up no other one; who writes more entries than that one by one does. What fails is tried again after 10 seconds, 30 seconds and so on, up to a day, until it
 * is delivered or the retention of the log deletes it.
 * @public
 */
export interface Outbox {
  /** A new topic begins with the next change; a known one goes on where it was. */
  subscribe(subscription: OutboxSubscription): Disposable;
  /**
   * Where the log ends: all that is committed from now on has a larger `seq`, whatever the clocks of servers say. For whoever wants to hear of
   * what comes after a moment alone.
   */
  end(): Promise<number>;
  /** Undefined for a topic that nobody ever subscribed to. */
  state(topicId: string): Promise<TopicState | undefined>;
  /** Tries all at once that waits or is parked. */
  resume(topicId: string): Promise<void>;
  /** The newest attempts first. */
  deliveries(topicId: string, page: { readonly limit: number }): Promise<readonly Delivery[]>;
}
/** Deliveries of changes. @public */
export const OutboxToken = createToken<Outbox>('outbox');
