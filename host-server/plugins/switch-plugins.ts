import { errorOrigin, pluginErrors, type PluginManager, type PluginUsage } from '@trellis/core';
import type { ServerPluginContext } from '@trellis/sdk/server';

/** Switches plugins for people. Other plugins are switched along only if the person has seen them. */
export function createPluginSwitches({
  manager,
  onError,
}: {
  readonly manager: PluginManager<ServerPluginContext>;
  readonly onError: (pluginId: string, where: string, error: unknown) => void;
}) {
  const nameOf = (id: string) => manager.status(id)?.manifest?.name ?? id;

  async function enable(id: string): Promise<void> {
    try {
      await manager.enable(id, { cascade: false });
    } catch (error) {
      const failing = errorOrigin(error)?.owner;
      if (failing !== undefined) onError(failing, 'enable', error);
      throw error;
    }
  }

  async function usage(id: string): Promise<readonly PluginUsage[]> {
    const plan = await manager.planDisable(id);
    return plan.usage[id] ?? [];
  }

  async function disable(id: string, cascade: readonly string[]): Promise<void> {
    // Checked before people are asked to agree to the plugins that would be switched along.
    if (manager.status(id)?.system === true) throw pluginErrors.create('PLUGIN_IS_SYSTEM', { plugin: id });
    const { dependents } = await manager.planDisable(id);
    const unseen = dependents.filter((of) => !cascade.includes(of));
    if (unseen.length > 0) {
      throw pluginErrors.create('PLUGIN_HAS_DEPENDENTS', {
        plugin: nameOf(id),
        dependents: unseen.map(nameOf).join(', '),
      });
    }
    await manager.disable(id, { cascade: true });
  }

  return { enable, disable, usage };
}
