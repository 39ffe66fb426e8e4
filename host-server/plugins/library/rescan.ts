import {
  isExpected,
  messageOf,
  type KnownPlugin,
  type PersistedPluginState,
  type PluginManager,
} from '@trellis/core';
import type { RescanReport, ServerPluginContext } from '@trellis/sdk/server';
import type { PluginRows } from '../plugin-rows.ts';
import { forgetBuilds } from '../web-entries.ts';
import { asksForNothing, asksOf, assertAgreed, describeAsks } from './consent.ts';
import type { ConsentNotes } from './consent-notes.ts';
import { type FoundPlugin, isInFolder, toKnownPlugin } from './found-plugin.ts';
import type { NamedByOperator } from './named-by-operator.ts';
import type { LibraryChange, PluginLibrary } from './plugin-library.ts';

export interface RescanDependencies {
  readonly library: PluginLibrary;
  readonly manager: PluginManager<ServerPluginContext>;
  readonly rows: PluginRows;
  readonly consents: ConsentNotes;
  /** The plugins that the configuration switches on. */
  readonly named: NamedByOperator;
  /** Called with a notice about what nobody was asked to agree to. */
  readonly warn: (pluginId: string, notice: string) => void;
  readonly onError: (pluginId: string, where: string, error: unknown) => void;
}

type Kind = 'added' | 'changed' | 'gone';

/**
 * Brings running plugins in line with the folders: a new plugin is listed and stays off, a new version or build replaces the
 * running one, and a plugin without folder is switched off. If a replacement fails, the old one keeps running.
 */
export function createRescan(deps: RescanDependencies) {
  const { library, manager, rows, consents } = deps;

  /**
   * The decision about a plugin in the folder. Without one it stays off, whatever its manifest says: copying code there must not
   * make it run. The operator may decide by the configuration.
   */
  async function decisionAbout(copied: FoundPlugin): Promise<PersistedPluginState | undefined> {
    const { id, manifest, isRestored = false } = copied;
    const decided = (await rows.read()).get(id);
    const found = { ...copied, consent: await consents.settle(copied, decided) };
    if (isRestored && manifest !== undefined && decided?.state !== 'enabled') {
      await rows.write({ id, version: manifest.version, state: 'enabled' });
      return 'enabled';
    }
    if (decided !== undefined) return decided.state === 'enabled' ? stateOfNewer(found) : decided.state;
    if (manifest === undefined) return undefined;
    // Naming a plugin is no consent to what it asks for.
    const isNamed = deps.named.has(id);
    const isEnabled = isNamed && asksForNothing(deps.named.unagreed(found));
    const notice = deps.named.noticeOf(found, isEnabled);
    if (notice !== undefined) deps.warn(id, notice);
    // Not stored, so that the plugin starts as soon as somebody agrees, which may be the operator.
    if (isNamed && !isEnabled) return 'disabled';
    if (!isEnabled && manifest.enabledByDefault !== true) return undefined;
    if (isEnabled) await noteAgreed(found);
    const state = isEnabled ? 'enabled' : 'disabled';
    await rows.write({ id, version: manifest.version, state });
    return state;
  }

  /** A version copied over a plugin stays switched on only if it asks for no more than people agreed to before. */
  function stateOfNewer(found: FoundPlugin): PersistedPluginState {
    const { id, manifest } = found;
    const unagreed = deps.named.unagreed(found);
    if (asksForNothing(unagreed)) return 'enabled';
    deps.warn(
      id,
      `Its version ${manifest?.version ?? ''} would also ${describeAsks(unagreed)}, and nobody has agreed to that. It stays off until somebody switches it on.`,
    );
    return 'disabled';
  }

  /** The operator's consent in the configuration counts as long as it is there, even if no note can be written. */
  async function noteAgreed(found: FoundPlugin): Promise<void> {
    const { id } = found;
    await consents.add(id, asksOf(found)).catch((error: unknown) => deps.onError(id, 'consent', error));
  }

  /** Decides about the plugins in the folder when the server starts. */
  async function decide(found: readonly FoundPlugin[]): Promise<ReadonlyMap<string, PersistedPluginState>> {
    const decided = new Map<string, PersistedPluginState>();
    await consents.begin();
    for (const plugin of found) {
      if (!isInFolder(plugin)) continue;
      const state = await decisionAbout(plugin);
      await library.refresh(plugin.id);
      if (state !== undefined) decided.set(plugin.id, state);
    }
    await consents.end();
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
    const isOn = before.state === 'enabled' || before.state === 'degraded';
    // A running plugin is not replaced by one that asks for more than somebody agreed to.
    if (isOn && next !== undefined) assertAgreed(next.manifest, deps.named.unagreed(next));
    // A plugin that would run again, for example because its folder is back, stays off instead.
    const isWanted = !isOn && (await rows.read()).get(id)?.state === 'enabled';
    if (isWanted && next !== undefined && (await decisionAbout(next)) === 'disabled') {
      await manager.discover([{ ...known, persisted: 'disabled' }]);
      return before.state === 'missing' ? 'added' : 'changed';
    }
    await manager.replace(known);
    if (next === undefined) return 'gone';
    return before.state === 'missing' ? 'added' : 'changed';
  }

  /** Whether somebody agreed to everything that a plugin asks for, perhaps on another server with the same disk. */
  async function isAgreed(id: string): Promise<boolean> {
    const known = library.find(id);
    if (known === undefined || !isInFolder(known)) return true;
    await library.refresh(id);
    return asksForNothing(deps.named.unagreed(library.find(id) ?? known));
  }

  /** Applies one change; if it is refused, the state before stays in service. */
  async function apply(change: LibraryChange): Promise<Kind> {
    const kind = await take(change);
    library.accept(change);
    if (change.next !== undefined) await library.refresh(change.id);
    return kind;
  }

  /** Removes missing plugins that somebody removed by another server, perhaps after the loss of their folders was seen here. */
  async function removeReleased(): Promise<void> {
    const missing = manager.list().filter(({ state }) => state === 'missing');
    if (missing.length === 0) return;
    const decided = await rows.read();
    for (const { id } of missing)
      if (library.remembered(id)?.isInstalled !== true && !decided.has(id)) await manager.remove(id);
  }

  async function rescan(): Promise<RescanReport> {
    const done: Record<Kind, string[]> = { added: [], changed: [], gone: [] };
    const failed: RescanReport['failed'][number][] = [];
    forgetBuilds();
    for (const change of await library.look()) {
      try {
        done[await apply(change)].push(change.id);
      } catch (error) {
        deps.onError(change.id, 'rescan', error);
        const reason = messageOf(error);
        failed.push({ id: change.id, reason, ...(isExpected(error) && { code: error.code }) });
      }
    }
    await library.remember([...done.added, ...done.changed]);
    await removeReleased();
    return { ...done, failed };
  }

  return { apply, decide, isAgreed, rescan };
}
