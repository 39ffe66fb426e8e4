import { createToken, type Disposable, type TaskEntity } from '../shared/index.ts';

/**
 * Topics of the messages between servers on one metadata database, and the shapes of the messages. A plugin adds its own topics
 * by declaration merging, with its id as prefix. Messages are small JSON: they tell what to read again, not the new state.
 * @public
 */
export interface BusTopics {
  /** Rows of a table were written; `seq` is the table's newest live sequence number on the writing server. */
  'rows.changed': {
    readonly projectId: string;
    readonly tableId: string;
    readonly seq: number;
    readonly requestId: string;
  };
  /** A generation was raised: a project's id, or `access`, `accounts`, `plugins`, `projects`. */
  'generation.raised': { readonly scope: string; readonly value: number };
  /** All sessions of a user, or the named one, are no longer valid. */
  'credential.ended': { readonly userId: string; readonly credentialId?: string };
  /** Objects of a kind in a project were added, changed or removed: pages that show them read them again (the live event `objects`). */
  'objects.changed': {
    /** Empty for objects of the server. */
    readonly projectId: string;
    readonly objectKind: string;
    /** The id of the call that caused it; empty if no call did. */
    readonly requestId: string;
  };
  /** A task began, went on or ended, or is to be cancelled. */
  'task.changed': {
    readonly projectId: string;
    readonly taskId: string;
    readonly task: TaskEntity;
    /** The account that started it (an address may change or go to somebody else); empty if no account did. */
    readonly accountId: string;
  };
}

/** Whether a message comes from this process or from another server. @public */
export type BusOrigin = 'here' | 'elsewhere';

/** A listener to one topic. Its errors are logged, and do not affect others. @public */
export interface BusListener<Message> {
  message(message: Message, origin: BusOrigin): void;
  /** Messages of other servers may have been lost: read again everything that they might have announced. */
  gap(): void;
}

/**
 * Publish and subscribe between the servers on one metadata database.
 *
 * Delivery is at most once: `gap` reports that messages were lost. Listeners in the publishing process are called within
 * `publish`, those on other servers a moment later; each message arrives once, in its publisher's order.
 * @public
 */
export interface Bus {
  /** Never throws and does not wait. Call it after the commit of the announced change. */
  publish<Topic extends keyof BusTopics>(topic: Topic, message: BusTopics[Topic]): void;
  subscribe<Topic extends keyof BusTopics>(topic: Topic, listener: BusListener<BusTopics[Topic]>): Disposable;
}
/** Messages between servers. @public */
export const BusToken = createToken<Bus>('bus');

/** The calls of a transport to the bus. @public */
export interface BusTransportEvents {
  /** A text from another server; the server's own texts may be returned too. */
  receive(text: string): void;
  /** The connection was made or restored: messages sent in between were not received here. */
  connected(): void;
  onError(error: unknown): void;
}

/** An open connection to the other servers. @public */
export interface BusConnection {
  /** Resolves when the text was handed over for delivery; rejects while there is no connection. */
  send(text: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Carries texts between servers. The first registered one replaces the metadata database's own transport.
 * @public
 */
export interface BusTransport {
  readonly id: string;
  /** The most bytes of UTF-8 that `send` accepts. */
  readonly largest: number;
  /** Connects in the background, and reconnects until it is closed. */
  open(events: BusTransportEvents): BusConnection;
}
