import type { Event } from '@trellis/core';

/**
 * A plugin's own settings, validated by the manifest's schema, with its defaults. On the server they are whole, with secrets
 * readable; in the page they are those that the schema marks with `"x-page": true`.
 * @public
 */
export interface PluginSettings<Settings = Record<string, unknown>> {
  /** The same object until the next change. */
  readonly current: Settings;
  /** An administrator saved other settings: on every server and in every open page, within a second. */
  readonly onDidChange: Event<Settings>;
}
