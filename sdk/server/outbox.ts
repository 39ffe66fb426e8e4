import { createToken, type Disposable } from '../shared/index.ts';
import type { Change } from './changes.ts';

/** One change on its way to a subscriber. @public */
export interface OutboxEvent {
  /** The id of the change, which is the same in every attempt, so that a receiver can recognise a repetition. */
  readonly id: string;
  readonly change: Change;
  /** The number of the log entry: the later of two events of a row has the larger number, or the larger `position`. */
  readonly seq: number;
  /** The position of the change in its entry, from 0: a bulk write is one entry. */
  readonly position: number;
  /** The number of changes in the log entry: up to 500 for a bulk write. */
  readonly size: number;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/**
 * Why events are not delivered. `pruned`: their entries were deleted by the log's retention before the topic reached them, or
 * before a failed event could be delivered; they are lost. `parked`: they failed ten times, over about two days; they are tried
 * once a day until the retention deletes them, and reported each time.
 * @public
 */
export type LossReason = 'pruned' | 'parked';

/** A subscription to changes. @public */
export interface OutboxSubscription {
  /**
   * The permanent name of the topic, under which its position in the log is stored, even while it has no subscription. Begins
   * with the plugin's id.
   */
  readonly id: string;
  /**
   * The ids of the tables whose changes are wanted; without it all tables. Called whenever the log has new entries: entries of
   * other tables are skipped unread, so that a topic for few tables costs little beside busy ones. Changes from shortly before a
   * table is wanted may also be delivered.
   */
  tables?(): Promise<ReadonlySet<string>>;
  /** Whether to deliver a change; without it every change is delivered. */
  filter?(change: Change): boolean;
  /**
   * Delivers one event; a rejection means "again later". The changes of one row are delivered one after another, those of
   * different rows in parallel. The signal aborts after 30 seconds, and when the subscription ends. An error with code
   * `DATABASE_UNREACHABLE`, which reads of rows throw while their database is away, is no failed attempt: all events of that base
   * wait until its database answers, and other bases continue. If eight events of one table fail in a row for another reason, its
   * events wait as well, and one of them is tried from time to time.
   */
  deliver(event: OutboxEvent, signal: AbortSignal): Promise<void>;
  /**
   * The number of rows for which `deliver` is called in parallel. Default 8; a higher number suits a subscriber that handles many
   * events with few statements.
   */
  readonly rowsAtOnce?: number;
  /** Called with the number of events that are not delivered, and the reason. */
  onLost?(entries: number, reason: LossReason): void;
}

/** The state of a topic. @public */
export interface TopicState {
  readonly id: string;
  /** @deprecated Topics are not paused any more: see `parked`. */
  readonly state: 'active' | 'paused';
  /** @deprecated Topics are not paused any more: see `parked`. */
  readonly reason: string | undefined;
  /** Events that failed, or that wait behind a failed one of the same row or table. */
  readonly waiting: number;
  /** Events that failed ten times: they are tried once a day, and later events of their rows are delivered meanwhile. */
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
 * Delivers the changes of the change log, each at least once: a committed change is delivered even if the server is killed right
 * afterwards, and one that was rolled back never is. A bulk write gives one event per row. Projects take turns within the next
 * 500 entries of the log, so a bulk write does not delay other projects, but more single writes than that do. A failed delivery
 * is repeated after 10 seconds, 30 seconds and so on, up to a day, until it succeeds or the log's retention deletes the entry.
 * @public
 */
export interface Outbox {
  /** A new topic begins with the next change; a known one continues where it was. */
  subscribe(subscription: OutboxSubscription): Disposable;
  /**
   * The end of the log: everything committed from now on has a larger `seq`, whatever the servers' clocks say. For subscribers
   * that only want changes after a certain moment.
   */
  end(): Promise<number>;
  /** Undefined for a topic that never had a subscription. */
  state(topicId: string): Promise<TopicState | undefined>;
  /** Tries all waiting and parked events at once. */
  resume(topicId: string): Promise<void>;
  /** The newest attempts first. */
  deliveries(topicId: string, page: { readonly limit: number }): Promise<readonly Delivery[]>;
}
/** Deliveries of changes. @public */
export const OutboxToken = createToken<Outbox>('outbox');
