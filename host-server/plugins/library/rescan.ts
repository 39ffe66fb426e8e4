import type { KnownPlugin, PluginManager } from '@trellis/core';
import type { RescanReport, ServerPluginContext } from '@trellis/sdk/server';
import type { PluginRows } from '../plugin-rows.ts';
import { toKnownPlugin } from './found-plugin.ts';
import type { LibraryChange, PluginLibrary } from './plugin-library.ts';

export interface RescanDependencies {
  readonly library: PluginLibrary;
  readonly manager: PluginManager<ServerPluginContext>;
  readonly rows: PluginRows;
  readonly onError: (pluginId: string, where: string, error: unknown) => void;
}

type Kind = 'added' | 'changed' | 'gone';

/**
 * Brings what runs in line with what lies on the server: new folders are listed and stay off, another version or build takes the
 * place of the one that runs, and what runs from a folder that is gone goes off. What fails leaves the one before it running.
 */
export function createRescan(deps: RescanDependencies) {
  const { library, manager, rows } = deps;

  /** A plugin that nobody has decided about stays off: it must not start with the server either. */
  async function leaveOff({ id, manifest }: KnownPlugin): Promise<KnownPlugin['persisted']> {
    const decided = (await rows.read()).get(id);
    if (decided !== undefined) return decided.state;
    if (manifest?.enabledByDefault !== true) return undefined;
    await rows.write(id, manifest.version, 'disabled');
    return 'disabled';
  }

  async function take({ id, next }: LibraryChange): Promise<Kind> {
    const known: KnownPlugin = next === undefined ? { id, origin: 'installed' } : toKnownPlugin(next);
    const before = manager.status(id);
    if (before === undefined) {
      await manager.discover([{ ...known, persisted: await leaveOff(known) }]);
      return 'added';
    }
    await manager.replace(known);
    // Nobody ever decided about it, or another server removed it: nobody misses it.
    if (next === undefined && (await rows.read()).get(id) === undefined) await manager.remove(id);
    if (next === undefined) return 'gone';
    return before.state === 'missing' ? 'added' : 'changed';
  }

  /** Takes one change; what is refused leaves the one before it in service. */
  async function apply(change: LibraryChange): Promise<Kind> {
    const kind = await take(change);
    library.accept(change);
    return kind;
  }

  async function rescan(): Promise<RescanReport> {
    const done: Record<Kind, string[]> = { added: [], changed: [], gone: [] };
    const failed: { id: string; reason: string }[] = [];
    for (const change of await library.look()) {
      try {
        done[await apply(change)].push(change.id);
      } catch (error) {
        deps.onError(change.id, 'rescan', error);
        failed.push({ id: change.id, reason: error instanceof Error ? error.message : String(error) });
      }
    }
    await library.remember();
    return { ...done, failed };
  }

  return { apply, rescan };
}
