import { createToken, type Disposable, type TaskEntity } from '../shared/index.ts';

/**
 * What servers on one metadata database tell each other: topics and the shape of their messages. A plugin adds topics of its own
 * by declaration merging, with its id as prefix. Messages are JSON and small; they say what to read again, not what is there now.
 * @public
 */
export interface BusTopics {
  /** Rows of a table were written; `seq` is the table's newest live sequence number on the server that wrote. */
  'rows.changed': {
    readonly projectId: string;
    readonly tableId: string;
    readonly seq: number;
    readonly requestId: string;
  };
  /** A generation was raised: a project's id, or `access`, `accounts`, `plugins`, `projects`. */
  'generation.raised': { readonly scope: string; readonly value: number };
  /** Sessions of a user, or the one named, are no longer good. */
  'credential.ended': { readonly userId: string; readonly credentialId?: string };
  /** Objects of a kind of a project came, changed or went: pages that show them read them again (the live event `objects`). */
  'objects.changed': {
    /** Empty for what belongs to the server. */
    readonly projectId: string;
    readonly objectKind: string;
    /** The id of the call that did it; empty where no call did. */
    readonly requestId: string;
  };
  /** A task began, went on or ended, or is to be cancelled. */
  'task.changed': {
    readonly projectId: string;
    readonly taskId: string;
    readonly task: TaskEntity;
    /** Of whoever started it, whose address may change or go to somebody else; empty where no account did. */
    readonly accountId: string;
  };
}

/** Whether a message comes from this process or from another server. @public */
export type BusOrigin = 'here' | 'elsewhere';

/** Hears one topic. What it throws is logged and reaches nobody else. @public */
export interface BusListener<Message> {
  message(message: Message, origin: BusOrigin): void;
  /** Messages of other servers may have been lost: read again what they would have told. */
  gap(): void;
}

/**
 * Publish and subscribe between the servers on one metadata database.
 *
 * Delivery is at most once: a message that is lost on the way is told by `gap`. Listeners in the process that publishes hear
 * within the call to `publish`, those of other servers a moment later, each message once and in the order of its publisher.
 * @public
 */
export interface Bus {
  /** Never throws and waits for nobody. Call it after the commit of what the message tells. */
  publish<Topic extends keyof BusTopics>(topic: Topic, message: BusTopics[Topic]): void;
  subscribe<Topic extends keyof BusTopics>(topic: Topic, listener: BusListener<BusTopics[Topic]>): Disposable;
}
/** Messages between servers. @public */
export const BusToken = createToken<Bus>('bus');

/** What a transport tells the bus. @public */
export interface BusTransportEvents {
  /** A text as another server sent it; texts of one's own may come back too. */
  receive(text: string): void;
  /** The connection was made, or made again: what was sent in between was not heard here. */
  connected(): void;
  onError(error: unknown): void;
}

/** An open way to the other servers. @public */
export interface BusConnection {
  /** Resolves when the text is on its way to the others; rejects while there is no connection. */
  send(text: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Carries texts between servers. The one registered first takes the place of the metadata database's own.
 * @public
 */
export interface BusTransport {
  readonly id: string;
  /** The largest text that `send` takes, in bytes of UTF-8. */
  readonly largest: number;
  /** Connects in the background and keeps connecting until it is closed. */
  open(events: BusTransportEvents): BusConnection;
}
