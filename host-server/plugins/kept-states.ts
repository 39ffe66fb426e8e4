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

/** Stores the states of plugins for the next start, with as few writes as possible during a start. */
export function createKeptStates({ rows, logger, status, isRunning, ending }: KeptStatesOf) {
  let former: DecidedBefore = new Map();

  return {
    /** Takes the decisions from before this start. */
    begin(decided: DecidedBefore): void {
      former = decided;
    },

    async persist(this: void, id: string, state: PersistedPluginState, reason?: string): Promise<void> {
      const { system, manifest } = status(id) ?? {};
      const known = former.get(id);
      // System plugins have no crash marker, and a plugin that ran before needs no new entry.
      const isKnown = known?.state === 'enabled' && known.version === manifest?.version;
      if (system === true && (state === 'starting' || (state === 'enabled' && isKnown))) return;
      const step = { id, version: manifest?.version, state, reason };
      if (state === 'enabled' && !isRunning()) rows.writeLater(step);
      else await rows.write(step);
    },

    /**
     * Writes the collected states, and tries again later if that fails, as on a full disk. Otherwise the next start would
     * conclude that a plugin without a finished start had taken the server down.
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
