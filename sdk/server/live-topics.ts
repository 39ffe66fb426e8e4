import type { LiveSaid } from '../shared/index.ts';
import type { AccessScope } from './access.ts';

/**
 * What open pages of a table tell each other while they are open: which cell somebody is in, who is typing. A page says one thing of a
 * topic at a time (`LiveClient.talk`); it is told to the other pages that listen to the table, on all servers, and forgotten when the
 * page leaves the table, goes, or may not read the table any more. Nothing is stored.
 * @public
 */
export interface LiveTopic {
  /** The plugin's id, or that id with a suffix. */
  readonly id: string;
  /** What a page said, as it is passed on, 1,000 characters of JSON at most; undefined where it is not understood and is dropped. */
  read(said: unknown): LiveSaid | undefined;
  /**
   * What of it another person hears, who may read the table: less, where it names a column or a row that the person may not see;
   * undefined for nothing. It must be quick, since it is asked for each listener.
   */
  tell(said: LiveSaid, listener: AccessScope, tableId: string): LiveSaid | undefined;
}
