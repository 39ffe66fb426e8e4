import { TrellisError, type PluginManager } from '@trellis/core';
import type { ServerPluginContext } from '@trellis/sdk/server';
import type { Metadata } from '../metadata/metadata.ts';
import type { RestoringTurn } from './library/restoring-turn.ts';
import type { PluginRows } from './plugin-rows.ts';
import type { PluginSettingsStore } from './plugin-settings.ts';

export interface FollowDependencies {
  readonly manager: PluginManager<ServerPluginContext>;
  readonly metadata: Metadata;
  readonly rows: PluginRows;
  readonly settings: Pick<PluginSettingsStore, 'load'>;
  /** Tells which plugin's data another server is restoring. */
  readonly turn: Pick<RestoringTurn, 'elsewhere' | 'isOver'>;
  /** Aborts when this server stops. */
  readonly ending: AbortSignal;
  /** Whether somebody agreed to everything that a plugin asks for. Until then the plugin stays off, whatever was decided before. */
  readonly isAgreed: (id: string) => Promise<boolean>;
  /** Reads the plugin folders again. */
  readonly rescan: () => Promise<unknown>;
  readonly announce: () => void;
  readonly onError: (pluginId: string, where: string, error: unknown) => void;
}

type Decisions = Awaited<ReturnType<PluginRows['read']>>;

/** Follows decisions of other servers on the same database, and their installations on the same disk. */
export function createFollower(deps: FollowDependencies) {
  const { manager, metadata, rows } = deps;
  /** The generation of decisions that was read last: a decision of another server may come between two of this one. */
  let followed = 0;
  /** Plugins that could not be switched on because the database did not answer; they are tried again. */
  const heldUp = new Set<string>();

  /** @throws the error of a plugin that another try may switch on, after all other plugins */
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

  /** Keeps a plugin off while another server restores its data: a running plugin would overwrite it with what it read before. */
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
    /** The decisions at the start are already in service; only later ones are followed. */
    async begin(): Promise<Decisions> {
      followed = metadata.generations.current('plugins');
      return rows.read();
    },
    giveWay,
    async follow(): Promise<void> {
      const newest = metadata.generations.current('plugins');
      if (newest <= followed) return;
      // Settings are loaded first: pages read them when they see the new generation.
      await deps.settings.load();
      // Nobody may have decided yet about what was installed, updated or removed, so that only the folders tell of it.
      await deps.rescan();
      await take(await rows.read());
      await giveWay();
      // Set last, so that the next try reads again what could not be read.
      followed = newest;
      deps.announce();
    },
  };
}
