import type { Logger } from '../logger.ts';

/** A listener that runs. @public */
export interface StartedListener {
  /** The port that it listens on. */
  readonly port: number;
  /** Takes no new calls and ends those that go on. Has ten seconds. */
  stop(): Promise<void>;
}

/**
 * Another way in, for the registry `listeners`: gRPC, a database protocol. The host starts it once the server itself listens, and
 * stops it when its plugin is disabled or the server ends.
 * @public
 */
export interface Listener {
  readonly id: string;
  readonly label: string;
  /** What it throws is an error of the plugin; the others and the server go on. Has ten seconds. */
  start(call: { readonly signal: AbortSignal; readonly logger: Logger }): Promise<StartedListener>;
}
