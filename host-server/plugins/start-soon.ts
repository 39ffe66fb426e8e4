import type { PluginManager, SerialQueue } from '@trellis/core';
import { createPatience } from './patience.ts';

export interface StartSoonOptions {
  readonly safeMode: boolean;
  /** The queue in which the start takes its turn; later requests wait. */
  readonly queue: SerialQueue;
  /** Called after the last plugin, also when the start is aborted; later decisions wait for it too. */
  settle(): Promise<void>;
}

/** Milliseconds that one plugin may take before the server listens without the plugins that are not ready. */
const shortMoment = 1000;
/** Milliseconds that all of them may take together. */
const longestWait = 5000;

/**
 * Starts the plugins. Plugins that the server can do without are waited for only as long as each takes just a moment; the rest go
 * on in the background, and decisions of people wait for them.
 *
 * @returns whether all have started.
 * @throws TrellisError of a system plugin that could not be enabled.
 */
export async function startSoon<Context>(
  manager: PluginManager<Context>,
  options: StartSoonOptions,
): Promise<boolean> {
  let started: Promise<boolean> | undefined;
  await new Promise<void>((resolve, reject) => {
    const { safeMode, queue, settle } = options;
    const start = async (): Promise<boolean> => {
      try {
        await manager.start({ safeMode, onSystemReady: resolve });
      } finally {
        await settle();
      }
      return true;
    };
    started = queue.run(start);
    started.catch(reject);
  });
  const patience = createPatience({ step: shortMoment, whole: longestWait });
  const progress = manager.onDidChange(({ previous }) => {
    if (previous?.state === 'starting') patience.renew();
  });
  try {
    return await Promise.race([started ?? true, patience.lost.then(() => false)]);
  } finally {
    await progress.dispose();
    patience.dispose();
  }
}
