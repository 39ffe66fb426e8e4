import {
  AccessServiceToken,
  SchemaStoreToken,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { PluginColumnUse, PluginEntity } from '@trellis/sdk/shared';
import { pluginAccess } from './plugin-access.ts';
import { releasedColumn } from './plugin-deeds.ts';

/** Changes a column of a plugin that is to go into the type that it falls back to. */
export function columnRelease(ctx: ServerPluginContext) {
  const schema = ctx.get(SchemaStoreToken);
  const access = ctx.get(AccessServiceToken);
  const plugins = pluginAccess(ctx);

  return async (
    asked: Pick<RouteRequest, 'principal' | 'ip'>,
    plugin: Pick<PluginEntity, 'id' | 'name'>,
    column: PluginColumnUse,
  ): Promise<void> => {
    const { id, title, table, project, projectId, type, fallback } = column;
    const scope = access.systemScope(projectId, `removal of ${plugin.id}`);
    // Whoever asks was shown that the values which do not fit stay in a column beside.
    await schema.updateColumn(scope, id, { type: fallback, meta: { acceptLoss: true } });
    const change = { column: `${project}.${table}.${title}`, from: type, to: fallback };
    await plugins.record(asked, releasedColumn(change), plugin);
  };
}
