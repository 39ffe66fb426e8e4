import { TrellisError, type PluginManager } from '@trellis/core';
import type { ServerPluginContext } from '@trellis/sdk/server';
import type { Metadata } from '../metadata/metadata.ts';
import { isInFolder } from './library/found-plugin.ts';
import type { PluginLibrary } from './library/plugin-library.ts';
import type { RestoringTurn } from './library/restoring-turn.ts';
import type { PluginRows } from './plugin-rows.ts';
import type { PluginSettingsStore } from './plugin-settings.ts';

export interface FollowDependencies {
  readonly manager: PluginManager<ServerPluginContext>;
  readonly library: PluginLibrary;
  readonly metadata: Metadata;
  readonly rows: PluginRows;
  readonly settings: Pick<PluginSettingsStore, 'load'>;
  /** Which plugin another server puts the data of back. */
  readonly turn: Pick<RestoringTurn, 'elsewhere' | 'isOver'>;
  /** Aborts when this server stops. */
  readonly ending: AbortSignal;
  /** Whether somebody agreed to all that a plugin asks for: one that waits for that stays off, whatever was decided before. */
  readonly isAgreed: (id: string) => Promise<boolean>;
  /** Takes what lies on the disk now. */
  readonly rescan: () => Promise<unknown>;
  readonly announce: () => void;
  readonly onError: (pluginId: string, where: string, error: unknown) => void;
}

type Decisions = Awaited<ReturnType<PluginRows['read']>>;

/** Follows what other servers on the same database decided, and what they installed on the same disk. */
export function createFollower(deps: FollowDependencies) {
  const { manager, library, metadata, rows } = deps;
  /** The decisions that were read: one of another server may lie between two of ours. */
  let followed = 0;
  let former: Decisions = new Map();
  /** Plugins that could not be switched on because the database did not answer; they are tried again. */
  const heldUp = new Set<string>();

  /** Whether another server brought, updated or removed something: it wrote down another version than the one that is here. */
  function isElsewhereInstalled(decided: Decisions): boolean {
    const isUnknown = [...decided.keys()].some((id) => manager.status(id) === undefined);
    const isOther = library.found
      .filter((plugin) => isInFolder(plugin))
      .some(({ id, manifest }) => {
        const version = decided.get(id)?.version;
        const isRemoved = former.has(id) && !decided.has(id);
        return isRemoved || (version !== undefined && version !== manifest?.version);
      });
    return isUnknown || isOther;
  }

  /** @throws what held one up that another try may switch on, after all the others */
  async function take(decided: Decisions): Promise<void> {
    let delay: TrellisError | undefined;
    for (const { id, system, state } of manager.list()) {
      const wanted = decided.get(id)?.state;
      if (system || wanted === undefined || wanted === 'starting') continue;
      if (deps.ending.aborted) return;
      const isOn = state === 'enabled' || state === 'degraded';
      try {
        const isOff = state === 'disabled' || state === 'discovered' || heldUp.has(id);
        heldUp.delete(id);
        if (wanted === 'enabled' && isOff && (await deps.isAgreed(id)))
          await manager.enable(id, { cascade: true, isDecided: true });
        if (wanted !== 'enabled' && isOn) await manager.disable(id, { cascade: true });
      } catch (error) {
        if (error instanceof TrellisError && error.code === 'PLUGIN_HELD_UP') {
          heldUp.add(id);
          delay = error;
        } else deps.onError(id, 'follow', error);
      }
    }
    if (delay !== undefined) throw delay;
  }

  /** Keeps a plugin off while another server puts its data back: what it read before it would write over that. */
  async function giveWay(): Promise<void> {
    const { turn, ending } = deps;
    const id = await turn.elsewhere();
    if (id === undefined || manager.status(id) === undefined) return;
    try {
      await manager.whileOff(id, () => turn.isOver(id, ending));
    } catch (error) {
      deps.onError(id, 'follow', error);
    }
  }

  return {
    /** What is decided at the start is in service; only what comes after is followed. */
    async begin(): Promise<Decisions> {
      followed = metadata.generations.current('plugins');
      former = await rows.read();
      return former;
    },
    giveWay,
    async follow(): Promise<void> {
      const newest = metadata.generations.current('plugins');
      if (newest <= followed) return;
      // What pages are told of with the new number must be there.
      await deps.settings.load();
      const decided = await rows.read();
      if (isElsewhereInstalled(decided)) await deps.rescan();
      former = decided;
      await take(decided);
      await giveWay();
      // Last of all: what could not be read is read again by the next try.
      followed = newest;
      deps.announce();
    },
  };
}
