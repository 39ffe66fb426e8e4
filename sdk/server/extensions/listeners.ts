import type { Logger } from '../logger.ts';

/** A running listener. @public */
export interface StartedListener {
  /** The port that it listens on. */
  readonly port: number;
  /** Accepts no new calls and ends the running ones. Has ten seconds. */
  stop(): Promise<void>;
}

/**
 * Another protocol of the server, for the registry `listeners`: gRPC, a database protocol. The host starts it once the server
 * itself listens, and stops it when its plugin is disabled or the server ends.
 * @public
 */
export interface Listener {
  readonly id: string;
  readonly label: string;
  /** An error is charged to the plugin; other listeners and the server continue. Has ten seconds. */
  start(call: { readonly signal: AbortSignal; readonly logger: Logger }): Promise<StartedListener>;
}
