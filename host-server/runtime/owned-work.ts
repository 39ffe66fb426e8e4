import type { Logger } from '@trellis/sdk/server';

/** Runs a plugin's work in its name: tracked, so that disabling waits for it, and with the signal that ends it. */
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

/** What work in the background is given, whoever it belongs to. */
export interface WorkContext {
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** The owner of what the host itself brings. */
export const host = 'host';

/** Runs work of the host and of plugins alike; a plugin's ends when the plugin is disabled. */
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

  /** Shows an error of work with the plugin that it belongs to. */
  report(owner: string, where: string, error: unknown): void {
    if (owner === host) this.#deps.logger.error('Work in the background failed', { where, error });
    else this.#deps.plugins.onError(owner, where, error);
  }
}
