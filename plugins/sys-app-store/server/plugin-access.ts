import {
  AuditLogToken,
  PluginAdministrationToken,
  type RescanReport,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { defineErrors, type PluginEntity } from '@trellis/sdk/shared';

const accessErrors = defineErrors({
  PLUGIN_UNKNOWN: { status: 404, message: "There is no plugin '{id}'." },
});

type Asked = Pick<RouteRequest, 'principal' | 'ip'>;

/** What all calls about a plugin need: the plugin, and the note of who did what to it. */
export function pluginAccess(ctx: ServerPluginContext) {
  const administration = ctx.get(PluginAdministrationToken);
  const audit = ctx.get(AuditLogToken);

  function note(request: Asked, what: string): Promise<void> {
    const { principal, ip } = request;
    return audit.record({
      type: 'META',
      subType: 'UPDATED',
      principal,
      ip,
      description: `${principal.email} ${what}`,
    });
  }

  const known = (id: string | undefined) => administration.list().find((of) => of.id === id);

  return {
    /** Undefined for one that is not there. */
    known,
    /** @throws TrellisError `PLUGIN_UNKNOWN`. */
    find(id: string | undefined): PluginEntity {
      const plugin = known(id);
      if (plugin === undefined) throw accessErrors.create('PLUGIN_UNKNOWN', { id });
      return plugin;
    },
    async record(request: Asked, what: string, plugin: Pick<PluginEntity, 'id' | 'name'>): Promise<void> {
      ctx.logger.info(`Somebody ${what} a plugin`, { plugin: plugin.id, by: request.principal.email });
      await note(request, `${what} the plugin ${plugin.name}`);
    },
    async recordRescan(request: Asked, { added, changed, gone }: RescanReport): Promise<void> {
      const found = [
        ...added.map((id) => `new: ${id}`),
        ...changed.map((id) => `changed: ${id}`),
        ...gone.map((id) => `gone: ${id}`),
      ];
      if (found.length === 0) return;
      ctx.logger.info('Somebody looked at the folders of plugins again', { found });
      await note(request, `looked at the folders of plugins again (${found.join(', ')})`);
    },
  };
}
