import {
  AuditLogToken,
  auditSentence,
  auditText,
  PluginAdministrationToken,
  type AuditText,
  type RescanReport,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { defineErrors, type PluginEntity } from '@trellis/sdk/shared';
import type { PluginDeed } from './plugin-deeds.ts';

const accessErrors = defineErrors({
  PLUGIN_UNKNOWN: { status: 404, message: "There is no plugin '{id}'." },
});

type Asked = Pick<RouteRequest, 'principal' | 'ip'>;

/** What all calls about a plugin need: the plugin, and the note of who did what to it. */
export function pluginAccess(ctx: ServerPluginContext) {
  const administration = ctx.get(PluginAdministrationToken);
  const audit = ctx.get(AuditLogToken);

  function note({ principal, ip }: Asked, description: AuditText): Promise<void> {
    return audit.record({ type: 'META', subType: 'UPDATED', principal, ip, description });
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
    async record(request: Asked, deed: PluginDeed, plugin: Pick<PluginEntity, 'id' | 'name'>): Promise<void> {
      const done = deed({ person: request.principal.email, plugin: plugin.name });
      ctx.logger.info(auditSentence(done), { plugin: plugin.id });
      await note(request, done);
    },
    async recordRescan(request: Asked, { added, changed, gone }: RescanReport): Promise<void> {
      const found = [
        ...added.map((id) => `new: ${id}`),
        ...changed.map((id) => `changed: ${id}`),
        ...gone.map((id) => `gone: ${id}`),
      ];
      if (found.length === 0) return;
      ctx.logger.info('Somebody looked at the folders of plugins again', { found });
      const of = { person: request.principal.email, found: found.join(', ') };
      await note(request, auditText('{{person}} looked at the folders of plugins again ({{found}})', of));
    },
  };
}
