import type { KnownPlugin, PersistedPluginState, PluginManager } from '@trellis/core';
import type { RescanReport, ServerPluginContext } from '@trellis/sdk/server';
import type { PluginRows } from '../plugin-rows.ts';
import { assertAgreed } from './consent.ts';
import { type FoundPlugin, isInFolder, toKnownPlugin } from './found-plugin.ts';
import type { NamedByOperator } from './named-by-operator.ts';
import type { LibraryChange, PluginLibrary } from './plugin-library.ts';

export interface RescanDependencies {
  readonly library: PluginLibrary;
  readonly manager: PluginManager<ServerPluginContext>;
  readonly rows: PluginRows;
  /** What the configuration switches on. */
  readonly named: NamedByOperator;
  /** Keeps that somebody agreed to the product paths of a plugin. */
  readonly agree: (id: string, consent: readonly string[]) => Promise<void>;
  /** Told what nobody was asked about. */
  readonly warn: (pluginId: string, notice: string) => void;
  readonly onError: (pluginId: string, where: string, error: unknown) => void;
}

type Kind = 'added' | 'changed' | 'gone';

/**
 * Brings what runs in line with what lies on the server: new folders are listed and stay off, another version or build takes the
 * place of the one that runs, and what runs from a folder that is gone goes off. What fails leaves the one before it running.
 */
export function createRescan(deps: RescanDependencies) {
  const { library, manager, rows } = deps;

  /**
   * What holds for a plugin of the folder. One that nobody has decided about stays off, whatever it says of itself: its code must not
   * run because somebody copied it there. The operator may have decided by the configuration.
   */
  async function decisionAbout(found: FoundPlugin): Promise<PersistedPluginState | undefined> {
    const { id, manifest, consent, isRestored = false } = found;
    const decided = (await rows.read()).get(id);
    if (isRestored && manifest !== undefined && decided?.state !== 'enabled') {
      await rows.write({ id, version: manifest.version, state: 'enabled' });
      return 'enabled';
    }
    if (decided !== undefined) return decided.state === 'enabled' ? stateOfNewer(found) : decided.state;
    if (manifest === undefined) return undefined;
    // Naming a plugin is no consent to the addresses of the product that it wants to serve.
    const isNamed = deps.named.has(id);
    const isEnabled = isNamed && deps.named.unagreed(id, manifest, consent).length === 0;
    const notice = deps.named.noticeOf(found, isEnabled);
    if (notice !== undefined) deps.warn(id, notice);
    // Nothing is written: it is to start as soon as somebody agrees, be it the operator.
    if (isNamed && !isEnabled) return 'disabled';
    if (!isEnabled && manifest.enabledByDefault !== true) return undefined;
    if (isEnabled) await deps.agree(id, manifest.contributes?.routes ?? []);
    const state = isEnabled ? 'enabled' : 'disabled';
    await rows.write({ id, version: manifest.version, state });
    return state;
  }

  /** Whoever switched a plugin on agreed to what it asked for then; a version that was copied over it since may ask for more. */
  function stateOfNewer({ id, manifest, consent }: FoundPlugin): PersistedPluginState {
    const paths = manifest === undefined ? [] : deps.named.unagreed(id, manifest, consent);
    if (paths.length === 0) return 'enabled';
    deps.warn(
      id,
      `Its version ${manifest?.version ?? ''} would serve further addresses of the product (${paths.join(', ')}), and nobody has agreed to that. It stays off until somebody switches it on.`,
    );
    return 'disabled';
  }

  /** Decides about what lies in the folder when the server starts. */
  async function decide(found: readonly FoundPlugin[]): Promise<ReadonlyMap<string, PersistedPluginState>> {
    const decided = new Map<string, PersistedPluginState>();
    for (const plugin of found) {
      const state = isInFolder(plugin) ? await decisionAbout(plugin) : undefined;
      if (state !== undefined) decided.set(plugin.id, state);
    }
    return decided;
  }

  async function take({ id, next }: LibraryChange): Promise<Kind> {
    const known: KnownPlugin = next === undefined ? { id, origin: 'installed' } : toKnownPlugin(next);
    const before = manager.status(id);
    if (before === undefined) {
      const persisted = next === undefined ? undefined : await decisionAbout(next);
      await manager.discover([{ ...known, persisted }]);
      return 'added';
    }
    // What runs is not replaced by what asks for more than somebody agreed to.
    const isOn = before.state === 'enabled' || before.state === 'degraded';
    if (isOn && next?.manifest !== undefined)
      assertAgreed(next.manifest, deps.named.unagreed(id, next.manifest, next.consent));
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

  return { apply, decide, rescan };
}
