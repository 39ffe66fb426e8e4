import type { LiveSaid } from '../shared/index.ts';
import type { AccessScope } from './access.ts';

/**
 * A topic of messages between open pages of a table: which cell somebody is in, who is typing. A page has one message per topic
 * at a time (`LiveClient.talk`). It is sent to the other pages that listen to the table, on all servers, and removed when the
 * page leaves the table, closes, or may no longer read the table. Nothing is stored.
 * @public
 */
export interface LiveTopic {
  /** The plugin's id, or that id with a suffix. */
  readonly id: string;
  /**
   * Parses a page's message into the form that is passed on, at most 1,000 characters of JSON; undefined for an invalid one,
   * which is dropped.
   */
  read(said: unknown): LiveSaid | undefined;
  /**
   * The part of a message that another person who may read the table gets: without columns or rows that the person may not see;
   * undefined for none. It must be quick, since it is called for each listener.
   */
  tell(said: LiveSaid, listener: AccessScope, tableId: string): LiveSaid | undefined;
}
