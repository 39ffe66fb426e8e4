import { getHeapStatistics } from 'node:v8';
import {
  defineRoute,
  PluginAdministrationToken,
  ServerInfoToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { defineErrors, type PluginAsks } from '@trellis/sdk/shared';
import type { ServerMemory } from '../shared/index.ts';
import { indexAddress } from './index-address.ts';
import { consentSchema, localeQuery } from './install-routes.ts';
import { pluginAccess } from './plugin-access.ts';
import { changedSettings, clearedSettings, switchedOff, switchedOn } from './plugin-deeds.ts';
import type { StoreSettings } from './publishers.ts';

const storeErrors = defineErrors({
  PLUGIN_HAS_NO_SETTINGS: { status: 404, message: "'{plugin}' has no settings." },
});

interface SettingsBody {
  readonly input: Readonly<Record<string, unknown>>;
}

const settingsBody = {
  type: 'object',
  required: ['input'],
  properties: { input: { type: 'object' } },
} as const;
export const largestSettings = 128 * 1024;

interface EnableBody {
  /** What the caller was shown and agreed to. */
  readonly consent?: Partial<PluginAsks>;
}

interface DisableBody {
  /** The dependents that the caller was shown and agreed to switch off as well. */
  readonly cascade?: readonly string[];
}

/** The app store page's calls. */
export function appStoreRoutes(ctx: ServerPluginContext<StoreSettings>): readonly RouteDefinition[] {
  const administration = ctx.get(PluginAdministrationToken);
  const info = ctx.get(ServerInfoToken);
  const plugins = pluginAccess(ctx);
  const index = indexAddress(ctx);

  // What switches a plugin off takes no place: the plugin may have taken them all.
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/app-store/plugins',
      places: 'none',
      permission: 'pluginList',
      summary: 'List every plugin with its state, reason and errors',
      handle: () =>
        Promise.resolve({
          list: administration.list(),
          locked: info.pluginsLocked,
          safeMode: info.safeMode,
          memory: memoryOfServer(),
        }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/app-store/memory',
      places: 'none',
      permission: 'pluginList',
      summary: 'Read how much memory each plugin holds, measured at most once a minute',
      handle: async () => {
        const held = await administration.heldMemory();
        return held === undefined ? {} : { held };
      },
    }),
    defineRoute<Record<string, string>, { readonly locale: string }>({
      method: 'GET',
      path: '/api/v1/app-store/words',
      places: 'none',
      // Whoever is asked for settings of a channel reads them in the words of its plugin.
      permission: 'signedIn',
      summary: 'Read what plugins say of themselves in a language',
      schemas: { query: localeQuery },
      handle: async ({ query }) => ({ words: await administration.words(query.locale) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v1/app-store/rescan',
      places: 'none',
      bodyKind: 'none',
      permission: 'pluginUpdate',
      summary: 'Look at the folders of installed plugins again',
      async handle(request) {
        const report = await administration.rescan();
        await plugins.recordRescan(request, report);
        return report;
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/app-store/plugins/:id/usage',
      places: 'none',
      permission: 'pluginRead',
      summary: 'What would be affected by switching a plugin off',
      handle: async (request) => ({ usage: await administration.usage(plugins.find(request.params.id).id) }),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, EnableBody | undefined>({
      method: 'POST',
      path: '/api/v1/app-store/plugins/:id/enable',
      places: 'none',
      permission: 'pluginUpdate',
      summary: 'Switch a plugin on',
      schemas: { body: { type: ['object', 'null'], properties: { consent: consentSchema } } },
      unknownKeys: 'refuse',
      handle: async (request) => {
        const plugin = plugins.find(request.params.id);
        await administration.enable(plugin.id, { consent: request.body?.consent ?? {} });
        await plugins.record(request, switchedOn, plugin);
        return plugins.find(plugin.id);
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, DisableBody | undefined>({
      method: 'POST',
      path: '/api/v1/app-store/plugins/:id/disable',
      places: 'none',
      permission: 'pluginUpdate',
      summary: 'Switch a plugin off, with the dependents named',
      schemas: {
        body: {
          type: ['object', 'null'],
          properties: {
            cascade: { type: 'array', maxItems: 1000, items: { type: 'string', maxLength: 100 } },
          },
        },
      },
      unknownKeys: 'refuse',
      handle: async (request) => {
        const plugin = plugins.find(request.params.id);
        await administration.disable(plugin.id, { cascade: request.body?.cascade ?? [] });
        await plugins.record(request, switchedOff, plugin);
        return plugins.find(plugin.id);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/app-store/plugins/:id/settings',
      permission: 'pluginRead',
      summary: 'The settings of a plugin with their schema; secrets are masked',
      handle: (request) => {
        const plugin = plugins.find(request.params.id);
        const form = administration.settings(plugin.id);
        if (form === undefined) throw storeErrors.create('PLUGIN_HAS_NO_SETTINGS', { plugin: plugin.name });
        return Promise.resolve(index.shown(plugin.id, form));
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, SettingsBody>({
      method: 'PUT',
      path: '/api/v1/app-store/plugins/:id/settings',
      permission: 'pluginUpdate',
      summary: 'Store the settings of a plugin; masked secrets stay as they are',
      schemas: { body: settingsBody },
      unknownKeys: 'refuse',
      bodyLimit: largestSettings,
      handle: async (request) => {
        const plugin = plugins.find(request.params.id);
        await administration.saveSettings(plugin.id, index.kept(plugin.id, request.body.input));
        await plugins.record(request, changedSettings, plugin);
        const form = administration.settings(plugin.id);
        return form && index.shown(plugin.id, form);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/v1/app-store/plugins/:id/settings',
      permission: 'pluginUpdate',
      summary: 'Forget the settings of a plugin, secrets too, so that its defaults hold',
      handle: async (request) => {
        const plugin = plugins.find(request.params.id);
        await administration.clearSettings(plugin.id);
        await plugins.record(request, clearedSettings, plugin);
        const form = administration.settings(plugin.id);
        return form && index.shown(plugin.id, form);
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, SettingsBody>({
      method: 'POST',
      path: '/api/v1/app-store/plugins/:id/settings/test',
      permission: 'pluginTest',
      summary: 'Try settings out without storing them',
      schemas: { body: settingsBody },
      unknownKeys: 'refuse',
      bodyLimit: largestSettings,
      handle: (request) =>
        administration.testSettings(plugins.find(request.params.id).id, request.body.input),
    }),
  ];
}

/** What all plugins and the server itself share: V8 tells of one heap for all that runs in it. */
function memoryOfServer(): ServerMemory {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return { used, limit, process: process.memoryUsage.rss() };
}
