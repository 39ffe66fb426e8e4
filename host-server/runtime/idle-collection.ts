import { Session } from 'node:inspector/promises';
import { performance } from 'node:perf_hooks';
import type { Disposable } from '@trellis/core';

/** Share of its time that a thread computes at the most while it counts as idle: heartbeats and looks at the clock take less. */
const MOST_BUSY = 0.05;
/** A collection takes about a tenth of a second, which is worth it for so many bytes, or for a quarter of a larger heap. */
const LEAST_GROWTH = 6 * 2 ** 20;
const LEAST_GROWTH_PART = 0.25;
/** A collection of a larger heap would keep requests waiting; V8 collects such a heap in steps by itself. */
const LARGEST_HEAP = 256 * 2 ** 20;

/**
 * Gives memory back while this thread has nothing to do. V8 by itself collects when something is allocated: what a start or a busy hour
 * left, and a nursery of its largest size, would stay for as long as nobody asks for anything.
 *
 * @param lookEveryMs Milliseconds between two looks; the thread has been idle for two of them before something is collected.
 */
export function collectWhileIdle(lookEveryMs = 2000): Disposable {
  let seen = performance.eventLoopUtilization();
  let wasIdle = false;
  /** What the heap took after the last collection. */
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
    // The collection itself was no work of the server's.
    seen = performance.eventLoopUtilization();
  }

  const timer = setInterval(() => void look(), lookEveryMs);
  timer.unref();
  return { dispose: () => clearInterval(timer) };
}

/** Asks V8 for a collection by the inspector, the only way that needs no command-line flag. */
async function collect(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
