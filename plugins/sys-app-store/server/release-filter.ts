import { AccessServiceToken, ViewStoreToken, type ServerPluginContext } from '@trellis/sdk/server';
import { TrellisError, type PluginEntity, type PluginFilterUse } from '@trellis/sdk/shared';

/** Takes a filter by a comparison of a plugin that is to go out of its view; one that is gone already is no error. */
export function filterRelease(ctx: ServerPluginContext) {
  const views = ctx.get(ViewStoreToken);
  const access = ctx.get(AccessServiceToken);

  return async (plugin: Pick<PluginEntity, 'id'>, { id, projectId }: PluginFilterUse): Promise<void> => {
    const scope = access.systemScope(projectId, `removal of ${plugin.id}`);
    try {
      await views.deleteFilter(scope, id);
    } catch (error) {
      if (!(error instanceof TrellisError) || error.code !== 'FILTER_NOT_FOUND') throw error;
    }
  };
}
