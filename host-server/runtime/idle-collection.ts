import { Session } from 'node:inspector/promises';
import { performance } from 'node:perf_hooks';
import type { Disposable } from '@trellis/core';

/** The most load of a thread that counts as idle: heartbeats and checks of the clock take less. */
const MOST_BUSY = 0.05;
/** The growth that is worth a collection, which takes about a tenth of a second: so many bytes, or a quarter of a larger heap. */
const LEAST_GROWTH = 6 * 2 ** 20;
const LEAST_GROWTH_PART = 0.25;
/** Collecting a larger heap would delay requests; V8 collects such a heap in steps by itself. */
const LARGEST_HEAP = 256 * 2 ** 20;

/**
 * Frees memory while this thread is idle. V8 collects only when something is allocated, so without requests the garbage of a
 * start or of a busy hour, and a nursery of full size, would stay.
 *
 * @param lookEveryMs milliseconds between two checks; a collection happens after the thread was idle for two of them
 */
export function collectWhileIdle(lookEveryMs = 2000): Disposable {
  let seen = performance.eventLoopUtilization();
  let wasIdle = false;
  /** The size of the heap after the last collection. */
  let held = 0;

  async function look(): Promise<void> {
    const { utilization } = performance.eventLoopUtilization(seen);
    seen = performance.eventLoopUtilization();
    const isIdle = utilization <= MOST_BUSY;
    const { heapTotal } = process.memoryUsage();
    const isWorthIt = heapTotal - held >= Math.max(LEAST_GROWTH, held * LEAST_GROWTH_PART);
    const isDue = isIdle && wasIdle && isWorthIt && heapTotal <= LARGEST_HEAP;
    wasIdle = isIdle;
    if (!isDue) return;
    await collect();
    held = process.memoryUsage().heapTotal;
    // The collection itself does not count as work.
    seen = performance.eventLoopUtilization();
  }

  const timer = setInterval(() => void look(), lookEveryMs);
  timer.unref();
  return { dispose: () => clearInterval(timer) };
}

/** Starts a collection by the inspector, the only way that needs no command-line flag. */
async function collect(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
