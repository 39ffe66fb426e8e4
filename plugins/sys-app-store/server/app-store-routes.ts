import {
  AuditLogToken,
  defineRoute,
  PluginAdministrationToken,
  ServerInfoToken,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { defineErrors, type PluginEntity } from '@trellis/sdk/shared';

const storeErrors = defineErrors({
  PLUGIN_UNKNOWN: { status: 404, message: "There is no plugin '{id}'." },
});

interface DisableBody {
  /** The dependents that the caller was shown and agreed to switch off as well. */
  readonly cascade?: readonly string[];
}

/** The app store page's calls, and the plugin calls of the v1 API that published clients make (CONTRACT 16). */
export function appStoreRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const administration = ctx.get(PluginAdministrationToken);
  const audit = ctx.get(AuditLogToken);
  const info = ctx.get(ServerInfoToken);

  function find(id: string | undefined): PluginEntity {
    const plugin = administration.list().find((of) => of.id === id);
    if (plugin === undefined) throw storeErrors.create('PLUGIN_UNKNOWN', { id });
    return plugin;
  }

  async function record(request: RouteRequest, what: string, plugin: PluginEntity): Promise<void> {
    await audit.record({
      type: 'META',
      subType: 'UPDATED',
      principal: request.principal,
      ip: request.ip,
      description: `${request.principal.email} ${what} the plugin ${plugin.name}`,
    });
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/app-store/plugins',
      permission: 'pluginList',
      summary: 'List every plugin with its state, reason and errors',
      handle: () =>
        Promise.resolve({ list: administration.list(), locked: info.pluginsLocked, safeMode: info.safeMode }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/app-store/plugins/:id/usage',
      permission: 'pluginRead',
      summary: 'What would be affected by switching a plugin off',
      handle: async (request) => ({ usage: await administration.usage(find(request.params.id).id) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v1/app-store/plugins/:id/enable',
      permission: 'pluginUpdate',
      summary: 'Switch a plugin on',
      handle: async (request) => {
        const plugin = find(request.params.id);
        await administration.enable(plugin.id);
        await record(request, 'switched on', plugin);
        return find(plugin.id);
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, DisableBody | undefined>({
      method: 'POST',
      path: '/api/v1/app-store/plugins/:id/disable',
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
        const plugin = find(request.params.id);
        await administration.disable(plugin.id, { cascade: request.body?.cascade ?? [] });
        await record(request, 'switched off', plugin);
        return find(plugin.id);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/db/meta/plugins',
      permission: 'pluginList',
      summary: 'List plugins in the shape of the v1 API',
      handle: () => Promise.resolve({ list: administration.list().map(toContractPlugin) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/db/meta/plugins/:title/status',
      permission: 'isPluginActive',
      summary: 'Whether a plugin is on, by title; an unknown one is off',
      handle: (request) =>
        Promise.resolve(
          administration.list().some((of) => of.name === request.params.title && of.state === 'enabled'),
        ),
    }),
  ];
}

function toContractPlugin(plugin: PluginEntity) {
  return {
    id: plugin.id,
    title: plugin.name,
    description: plugin.description,
    active: plugin.state === 'enabled' || plugin.state === 'degraded',
    version: plugin.version,
    status: 'install',
    category: plugin.category,
    tags: plugin.category,
    input_schema: null,
    input: null,
  };
}
