import type { PluginState } from '@trellis/core';

/** Runs a handler in the name of its plugin: tracked, so that disabling waits for it, and with the signal that ends it. */
export interface PluginRunner {
  /** Rises whenever the plugins in service change. */
  readonly generation: number;
  run<T>(pluginId: string, work: () => Promise<T>): Promise<T>;
  signalOf(pluginId: string): AbortSignal | undefined;
  nameOf(pluginId: string): string;
  /** Whether it can never be switched off. */
  isSystem(pluginId: string): boolean;
  /** The state of a plugin whose paths are not served; undefined for a plugin that is not there. */
  stateOf(pluginId: string): PluginState | undefined;
  /** @param facts what the log says beside it */
  onError(pluginId: string, where: string, error: unknown, facts?: Readonly<Record<string, unknown>>): void;
}
