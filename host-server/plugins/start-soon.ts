import type { PluginManager, SerialQueue } from '@trellis/core';
import { createPatience } from './patience.ts';

export interface StartSoonOptions {
  readonly safeMode: boolean;
  /** Where the start takes its turn; what is asked for meanwhile waits. */
  readonly queue: SerialQueue;
  /** Called behind the last plugin, also when the start is given up; what is decided then waits for it, too. */
  settle(): Promise<void>;
}

/** Milliseconds that one plugin may take before the server listens without those that are not there yet. */
const shortMoment = 1000;
/** Milliseconds that they may take together. */
const longestWait = 5000;

/**
 * Starts the plugins and waits for those that the server can do without as long as none takes longer than a moment. The rest go
 * on meanwhile; what somebody decides then waits for them.
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
