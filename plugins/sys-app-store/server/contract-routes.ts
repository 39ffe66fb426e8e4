import { isDeepStrictEqual } from 'node:util';
import {
  defineRoute,
  PluginAdministrationToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import {
  defineErrors,
  type JsonSchema,
  type PluginEntity,
  type PluginSettingsForm,
} from '@trellis/sdk/shared';
import { largestSettings } from './app-store-routes.ts';
import { isActive, isCalled, readInput, toContractPlugin } from './contract-plugin.ts';
import { indexAddress } from './index-address.ts';
import { pluginAccess } from './plugin-access.ts';
import { changedSettings, clearedSettings, switchedOff, switchedOn } from './plugin-deeds.ts';
import type { StoreSettings } from './publishers.ts';

const contractErrors = defineErrors({
  PLUGIN_TEST_FAILED: { status: 400, message: '{reason}' },
});

interface UpdateBody {
  readonly input?: unknown;
  readonly active?: unknown;
}

interface TestBody {
  readonly title: string;
  readonly input?: unknown;
}

const anything: JsonSchema = {};

/** The plugin calls of the v1 API that published clients make. */
export function contractRoutes(ctx: ServerPluginContext<StoreSettings>): readonly RouteDefinition[] {
  const administration = ctx.get(PluginAdministrationToken);
  const plugins = pluginAccess(ctx);
  const index = indexAddress(ctx);
  function formOf(id: string): PluginSettingsForm | undefined {
    const form = administration.settings(id);
    return form && index.shown(id, form);
  }
  const told = (plugin: PluginEntity) => toContractPlugin(plugin, formOf(plugin.id));

  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/db/meta/plugins',
      permission: 'pluginList',
      summary: 'List plugins in the shape of the v1 API',
      handle: () => Promise.resolve({ list: administration.list().map(told) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/db/meta/plugins/:id',
      permission: 'pluginRead',
      summary: 'A plugin with its settings in the shape of the v1 API; nothing for an unknown one',
      handle: (request) => {
        const plugin = administration.list().find(({ id }) => id === request.params.id);
        return Promise.resolve(plugin && told(plugin));
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, UpdateBody>({
      method: 'PATCH',
      path: '/api/v1/db/meta/plugins/:id',
      permission: 'pluginUpdate',
      summary:
        'Store the settings of a plugin, given as JSON text, or forget them for null unless that switches it on, and switch it on or off',
      schemas: { body: { type: 'object', properties: { input: anything, active: anything } } },
      bodyLimit: largestSettings,
      handle: async (request) => {
        const plugin = plugins.find(request.params.id);
        const { input, active } = request.body;
        const wanted = active === undefined ? undefined : Boolean(active);
        const turn = async () => {
          if (wanted === undefined || wanted === isActive(plugins.find(plugin.id))) return;
          if (wanted) await administration.enable(plugin.id);
          else await administration.disable(plugin.id, { cascade: [] });
          await plugins.record(request, wanted ? switchedOn : switchedOff, plugin);
        };
        if (input === null) {
          // Once it is off, even what it needs can be forgotten.
          if (wanted === false) await turn();
          // Whoever puts a plugin into use knows of no settings of it, and asks for none to be forgotten.
          if (wanted !== true && formOf(plugin.id)?.isSet === true) {
            await administration.clearSettings(plugin.id);
            await plugins.record(request, clearedSettings, plugin);
          }
        } else if (input !== undefined) {
          const form = formOf(plugin.id);
          const values = readInput(input, form?.schema);
          // Clients send back whole plugins, so what they send is a change only where it differs.
          if (!isDeepStrictEqual(values, form?.values)) {
            await administration.saveSettings(plugin.id, index.kept(plugin.id, values));
            await plugins.record(request, changedSettings, plugin);
          }
        }
        await turn();
        return told(plugins.find(plugin.id));
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, TestBody>({
      method: 'POST',
      path: '/api/v1/db/meta/plugins/test',
      permission: 'pluginTest',
      summary: 'Try the settings of a plugin, named by its title',
      schemas: {
        body: {
          type: 'object',
          required: ['title'],
          properties: { title: { type: 'string', maxLength: 255 }, category: anything, input: anything },
        },
      },
      bodyLimit: largestSettings,
      handle: async ({ body }) => {
        const plugin = administration.list().find((of) => isCalled(of, body.title));
        const { id } = plugins.find(plugin?.id ?? body.title);
        const { ok, message } = await administration.testSettings(
          id,
          readInput(body.input ?? {}, formOf(id)?.schema),
        );
        if (!ok) throw contractErrors.create('PLUGIN_TEST_FAILED', { reason: message });
        return true;
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/db/meta/plugins/:title/status',
      permission: 'isPluginActive',
      summary: 'Whether a plugin is on, by title; an unknown one is off',
      handle: (request) =>
        Promise.resolve(
          administration.list().some((of) => isCalled(of, request.params.title ?? '') && isActive(of)),
        ),
    }),
  ];
}
