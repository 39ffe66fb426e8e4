import {
  AuditLogToken,
  PluginAdministrationToken,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { defineErrors, type PluginEntity } from '@trellis/sdk/shared';

const accessErrors = defineErrors({
  PLUGIN_UNKNOWN: { status: 404, message: "There is no plugin '{id}'." },
});

/** What all calls about a plugin need: the plugin, and the note of who did what to it. */
export function pluginAccess(ctx: ServerPluginContext) {
  const administration = ctx.get(PluginAdministrationToken);
  const audit = ctx.get(AuditLogToken);
  return {
    /** @throws TrellisError `PLUGIN_UNKNOWN`. */
    find(id: string | undefined): PluginEntity {
      const plugin = administration.list().find((of) => of.id === id);
      if (plugin === undefined) throw accessErrors.create('PLUGIN_UNKNOWN', { id });
      return plugin;
    },
    async record(
      request: Pick<RouteRequest, 'principal' | 'ip'>,
      what: string,
      plugin: PluginEntity,
    ): Promise<void> {
      ctx.logger.info(`Somebody ${what} a plugin`, { plugin: plugin.id, by: request.principal.email });
      await audit.record({
        type: 'META',
        subType: 'UPDATED',
        principal: request.principal,
        ip: request.ip,
        description: `${request.principal.email} ${what} the plugin ${plugin.name}`,
      });
    },
  };
}
