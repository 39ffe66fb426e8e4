import type { Event } from '@trellis/core';

/**
 * A plugin's own settings, validated by the manifest's schema, with its defaults. On the server they are complete, with readable
 * secrets; in the page they are only those that the schema marks with `"x-page": true`.
 * @public
 */
export interface PluginSettings<Settings = Record<string, unknown>> {
  /** The same object until the next change. */
  readonly current: Settings;
  /** Fires on every server and in every open page within a second after an administrator saved other settings. */
  readonly onDidChange: Event<Settings>;
}
