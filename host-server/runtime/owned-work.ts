import type { Logger } from '@trellis/sdk/server';

/** Runs a plugin's work under its name. It is tracked, so that disabling the plugin aborts it and waits for it. */
export interface WorkPlugins {
  run<T>(pluginId: string, work: () => Promise<T>): Promise<T>;
  signalOf(pluginId: string): AbortSignal | undefined;
  onError(pluginId: string, where: string, error: unknown): void;
}

export interface OwnedWorkDependencies {
  readonly plugins: WorkPlugins;
  /** The host's own logger. */
  readonly logger: Logger;
  readonly loggerFor: (pluginId: string) => Logger;
}

/** What background work gets, whoever owns it. */
export interface WorkContext {
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** The owner of the host's own work. */
export const host = 'host';

/** Runs work of the host and of plugins; a plugin's work ends when the plugin is disabled. */
export class OwnedWork {
  readonly #deps: OwnedWorkDependencies;

  constructor(deps: OwnedWorkDependencies) {
    this.#deps = deps;
  }

  run<T>(owner: string, ends: AbortSignal, work: (context: WorkContext) => Promise<T>): Promise<T> {
    const { plugins, logger, loggerFor } = this.#deps;
    if (owner === host) return work({ signal: ends, logger });
    const disabled = plugins.signalOf(owner);
    const signal = disabled === undefined ? ends : AbortSignal.any([ends, disabled]);
    return plugins.run(owner, () => work({ signal, logger: loggerFor(owner) }));
  }

  /** Reports an error of work with the plugin that owns it. */
  report(owner: string, where: string, error: unknown): void {
    if (owner === host) this.#deps.logger.error('Work in the background failed', { where, error });
    else this.#deps.plugins.onError(owner, where, error);
  }
}
