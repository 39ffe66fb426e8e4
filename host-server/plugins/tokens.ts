import { createToken, type ErrorBudget, type Token } from '@trellis/core';
import { PluginAdministrationToken, type PluginAdministration } from '@trellis/sdk/server';
import type { GivenPlugin } from './library/discover.ts';
import type { ModuleLocations } from './locate-modules.ts';
import type { PluginService } from './plugin-service.ts';
import type { PluginSettingsStore } from './plugin-settings.ts';

/** Where plugins come from, and how long they may take to stop. */
export interface PluginOptions {
  /** Where built-in plugins are looked for. Default: the installation's `plugins/`. */
  readonly folder?: string;
  /** Plugins that are handed in instead of being found. */
  readonly given?: readonly GivenPlugin[];
  /** Milliseconds that a plugin's requests may still take when it is switched off. */
  readonly drainMs: number;
  readonly heldMemory: PluginAdministration['heldMemory'];
}

export const PluginOptionsToken = createToken<PluginOptions>('host.plugin-options');
export const ModuleLocationsToken = createToken<ModuleLocations>('host.module-locations');
export const ErrorBudgetToken = createToken<ErrorBudget>('host.error-budget');
export const PluginSettingsToken = createToken<PluginSettingsStore>('host.plugin-settings');
/** The plugins, with what only the host calls. */
export const PluginServiceToken = PluginAdministrationToken as Token<PluginService>;
