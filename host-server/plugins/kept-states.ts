import type { PersistedPluginState, PluginStatus } from '@trellis/core';
import type { Logger } from '@trellis/sdk/server';
import { keepTrying } from '../runtime/keep-trying.ts';
import type { PluginRows } from './plugin-rows.ts';

interface KeptStatesOf {
  readonly rows: PluginRows;
  readonly logger: Logger;
  status(id: string): PluginStatus | undefined;
  /** Whether the start of the server is over. */
  isRunning(): boolean;
  /** Aborts when the server stops. */
  readonly ending: AbortSignal;
}

type DecidedBefore = Awaited<ReturnType<PluginRows['read']>>;

/** Keeps the states of plugins for the next start, in as few writes as a start can do with. */
export function createKeptStates({ rows, logger, status, isRunning, ending }: KeptStatesOf) {
  let former: DecidedBefore = new Map();

  return {
    /** Takes over what was decided before this start. */
    begin(decided: DecidedBefore): void {
      former = decided;
    },

    async persist(this: void, id: string, state: PersistedPluginState, reason?: string): Promise<void> {
      const { system, manifest } = status(id) ?? {};
      const known = former.get(id);
      // No crash marks a system plugin, and of one that ran before there is nothing new to say.
      const isKnown = known?.state === 'enabled' && known.version === manifest?.version;
      if (system === true && (state === 'starting' || (state === 'enabled' && isKnown))) return;
      const step = { id, version: manifest?.version, state, reason };
      if (state === 'enabled' && !isRunning()) rows.writeLater(step);
      else await rows.write(step);
    },

    /**
     * Writes what was kept; later, where that fails, as on a full disk: the next start would take a plugin of which it is not written
     * that its start is over for one that took the server down.
     */
    async settle(this: void): Promise<void> {
      try {
        await rows.settle();
      } catch (error) {
        logger.error('It could not be written that a plugin has started', { error });
        void keepTrying(() => rows.settle(), { signal: ending, onError: () => undefined });
      }
    },
  };
}
