import type { Row, RowKey } from './storage-kind.ts';
import type { TaskEntity } from './tasks.ts';

/**
 * The messages of the live channel (socket.io namespace `/live`).
 *
 * A client joins rooms with `subscribe`, resumes with the last `seq` it saw, and gets `resync` when too many events came in
 * between or the server no longer has them. Sequence numbers are those of the change log. They grow over all tables, so the
 * numbers of one table have gaps; the events of a table arrive in their order, whichever server wrote them.
 *
 * | message | from | payload | answer |
 * |---|---|---|---|
 * | `subscribe` | browser | `LiveSubscribe` | `LiveSubscribeAnswer` |
 * | `unsubscribe` | browser | `{ tableId }` | none |
 * | `event` | server | `LiveEvent` | none |
 * | `say` | browser | `LiveSay` | none |
 * | `said` | server | `LiveSaying` | none |
 *
 * The handshake contains the access token, and the headers that plugins add to calls: `auth: { token, headers }`. For a visitor
 * it contains the headers of the link, and the project that it opens: `auth: { visit: { headers, projectId } }` (`LiveVisit`).
 */

/** One row of a `rows` event. @public */
export interface LiveRowChange {
  readonly op: 'insert' | 'update' | 'delete';
  readonly key: RowKey;
  /** Titles to values: the whole row for an insert, the changed cells for an update; only columns that the listener may see. */
  readonly row?: Row;
  /** The row's place in the order of its table has changed. */
  readonly moved?: true;
}

/** Events from the server: those about rows and views go to a table's room, the others to all clients concerned. @public */
export type LiveEvent =
  | {
      readonly kind: 'rows';
      readonly projectId: string;
      readonly tableId: string;
      readonly seq: number;
      /** The id of the request that caused it, by which a client recognises its own changes. */
      readonly requestId: string;
      readonly actor?: { readonly id: string; readonly email: string };
      readonly changes: readonly LiveRowChange[];
    }
  /** Too many rows changed to list them: read the table again. */
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
   * Objects of a kind (the page's registry `objectKinds`) changed; published by the plugin that stores them. `projectId` is empty
   * for objects of the server, which only super admins are told of, except `hostObjectKinds.pluginSettings`.
   */
  | {
      readonly kind: 'objects';
      readonly projectId: string;
      readonly objectKind: string;
      readonly requestId: string;
    }
  /** The list of projects, their names or their members changed: read the own projects and roles again. */
  | { readonly kind: 'projects' }
  /** `projectId` is empty for a task outside of projects, which only super admins are told of. */
  | { readonly kind: 'task'; readonly projectId: string; readonly task: TaskEntity }
  | { readonly kind: 'plugins'; readonly generation: number }
  /** The session behind the socket ended. */
  | { readonly kind: 'signedOut' };

/** Kinds of objects that belong to no plugin, as named in the live event `objects`. @public */
export const hostObjectKinds = {
  /** Objects of the server. */
  accounts: 'accounts',
  /** Objects of the server. Sent to everybody, since lists that people choose from may depend on settings. */
  pluginSettings: 'plugin-settings',
  /** Objects of a project: new entries in its audit. Rows have their own events. */
  audit: 'audit',
} as const;

/** How a visitor listens: the headers of the visitor's calls, and the project that they open. @public */
export interface LiveVisit {
  readonly headers: Readonly<Record<string, string>>;
  readonly projectId: string;
}

/** Subscribes to the events of one table. @public */
export interface LiveSubscribe {
  readonly tableId: string;
  /**
   * The last `seq` that the client saw. Without it, the events of the last five seconds are sent again, so that none is lost
   * between reading a table and joining its room.
   */
  readonly since?: number;
}

/** `resync` is true when events since `since` are lost: read the table again. @public */
export type LiveSubscribeAnswer =
  | { readonly ok: true; readonly seq: number; readonly resync: boolean }
  | { readonly ok: false; readonly code: string; readonly msg: string };

/** A message of a page to others that show the same table; its form depends on the topic. @public */
export type LiveSaid = Readonly<Record<string, string | number | boolean>>;

/** Sets the page's message on a topic (registry `liveTopics` of the server), replacing the one before; null removes it. @public */
export interface LiveSay {
  readonly tableId: string;
  readonly topic: string;
  readonly said: LiveSaid | null;
}

/** The present message of another page of a table. @public */
export interface LiveSaying {
  readonly projectId: string;
  readonly tableId: string;
  readonly topic: string;
  /** The page; one person may have several. Visitors have no name, and are not told the names of members. */
  readonly from: {
    readonly id: string;
    readonly userId: string;
    readonly email: string;
    readonly isVisitor?: boolean;
  };
  /** Null when the page is gone, or has no message that this person may see. */
  readonly said: LiveSaid | null;
}
