import { createToken } from '../shared/index.ts';

/**
 * The servers that work on one metadata database. Whoever marks work as taken marks it with the id of the server, so that the others know
 * at once that nobody goes on with it, instead of waiting until a lease runs out.
 * @public
 */
export interface Servers {
  /** Names this server until it ends; the next start has another one. At most 60 characters. */
  readonly id: string;
  /**
   * Those of the ids whose servers have ended, in whichever way; never this one's. An id of which this server cannot tell is not among them: what was taken
   * under it waits for the end of its lease.
   */
  endedOf(ids: readonly string[]): Promise<readonly string[]>;
}
/** Which servers run. @public */
export const ServersToken = createToken<Servers>('servers');
