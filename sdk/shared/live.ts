import type { Row, RowKey } from './storage-kind.ts';
import type { TaskEntity } from './tasks.ts';

/**
 * What travels on the live channel (socket.io namespace `/live`).
 *
 * A client joins rooms with `subscribe`, resumes with the last `seq` it saw, and gets `resync` when too much came in between
 * or the server no longer holds it. Sequence numbers are those of the change log: they grow over all tables, so that those of one
 * table have gaps, and the events of a table come in their order, whichever server wrote them.
 *
 * | message | from | payload | answer |
 * |---|---|---|---|
 * | `subscribe` | browser | `LiveSubscribe` | `LiveSubscribeAnswer` |
 * | `unsubscribe` | browser | `{ tableId }` | none |
 * | `event` | server | `LiveEvent` | none |
 * | `say` | browser | `LiveSay` | none |
 * | `said` | server | `LiveSaying` | none |
 *
 * The access token stands in the handshake, with the headers that plugins add to calls: `auth: { token, headers }`; of a visitor what the link is called by, and what it opens:
 * `auth: { visit: { headers, projectId } }` (`LiveVisit`).
 */

/** One row of a `rows` event. @public */
export interface LiveRowChange {
  readonly op: 'insert' | 'update' | 'delete';
  readonly key: RowKey;
  /** Titles to values: the whole row of an insert, the changed cells of an update, only columns that the listener may see. */
  readonly row?: Row;
  /** The row stands elsewhere in the order of its table now. */
  readonly moved?: true;
}

/** What the server tells: rows and views go to a table's room, the rest to everybody whom it concerns. @public */
export type LiveEvent =
  | {
      readonly kind: 'rows';
      readonly projectId: string;
      readonly tableId: string;
      readonly seq: number;
      /** The request that caused it, so that a client can tell its own echo. */
      readonly requestId: string;
      readonly actor?: { readonly id: string; readonly email: string };
      readonly changes: readonly LiveRowChange[];
    }
  /** Too many rows changed to name them: read the table again. */
  | {
      readonly kind: 'rowsReset';
      readonly projectId: string;
      readonly tableId: string;
      readonly seq: number;
      readonly requestId: string;
    }
  | {
      readonly kind: 'schema';
      readonly projectId: string;
      readonly tableId?: string;
      readonly generation: number;
      readonly requestId: string;
    }
  | {
      readonly kind: 'view';
      readonly projectId: string;
      readonly tableId: string;
      readonly viewId: string;
      readonly requestId: string;
    }
  /**
   * Objects of a kind (the registry `objectKinds` of the page) changed; published by the plugin that keeps them. `projectId` is empty
   * for what belongs to the server, of which only super admins hear, unless it is `hostObjectKinds.pluginSettings`.
   */
  | {
      readonly kind: 'objects';
      readonly projectId: string;
      readonly objectKind: string;
      readonly requestId: string;
    }
  /** Projects came or went, changed their names or members: what somebody sees of them, and as what, is read again. */
  | { readonly kind: 'projects' }
  /** `projectId` is empty for a task outside of projects, which only super admins hear of. */
  | { readonly kind: 'task'; readonly projectId: string; readonly task: TaskEntity }
  | { readonly kind: 'plugins'; readonly generation: number }
  /** The session behind the socket ended. */
  | { readonly kind: 'signedOut' };

/** Kinds of objects that no plugin keeps, as the live event `objects` names them. @public */
export const hostObjectKinds = {
  /** Of the server. */
  accounts: 'accounts',
  /** Of the server, and told to everybody: lists that people choose from may be made of settings. */
  pluginSettings: 'plugin-settings',
  /** Of a project: what somebody did is in its audit. Rows have events of their own. */
  audit: 'audit',
} as const;

/** By what a visitor listens: the headers that calls of the visitor carry, and the project that they open. @public */
export interface LiveVisit {
  readonly headers: Readonly<Record<string, string>>;
  readonly projectId: string;
}

/** Asks for the events of one table. @public */
export interface LiveSubscribe {
  readonly tableId: string;
  /**
   * The last `seq` that was seen. Without it the events of the last five seconds are sent again, so that nothing is lost
   * between reading a table and joining its room.
   */
  readonly since?: number;
}

/** `resync` is true when events since `since` are lost: read the table again. @public */
export type LiveSubscribeAnswer =
  | { readonly ok: true; readonly seq: number; readonly resync: boolean }
  | { readonly ok: false; readonly code: string; readonly msg: string };

/** What a page says to others that show the same table; its shape is the topic's. @public */
export type LiveSaid = Readonly<Record<string, string | number | boolean>>;

/** Says something of a topic (registry `liveTopics` of the server) in the place of what was said before; null takes it back. @public */
export interface LiveSay {
  readonly tableId: string;
  readonly topic: string;
  readonly said: LiveSaid | null;
}

/** What another page of a table says now. @public */
export interface LiveSaying {
  readonly projectId: string;
  readonly tableId: string;
  readonly topic: string;
  /** The page: somebody may have several. Of visitors there is no name, and visitors are told none of members. */
  readonly from: {
    readonly id: string;
    readonly userId: string;
    readonly email: string;
    readonly isVisitor?: boolean;
  };
  /** Null once the page is gone, or says nothing that this person may hear. */
  readonly said: LiveSaid | null;
}
