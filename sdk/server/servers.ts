import { createToken } from '../shared/index.ts';

/**
 * The servers on one metadata database. Mark taken work with the id of the server: when that server ends, the others know at once
 * that the work is free, instead of waiting for a lease to expire.
 * @public
 */
export interface Servers {
  /** The id of this server until it ends; each start has another one. At most 60 characters. */
  readonly id: string;
  /**
   * Those of the ids whose servers have ended in any way; never this server's own. An id is not returned if this server cannot
   * tell: work taken under it waits for the end of its lease.
   */
  endedOf(ids: readonly string[]): Promise<readonly string[]>;
}
/** Which servers run. @public */
export const ServersToken = createToken<Servers>('servers');
