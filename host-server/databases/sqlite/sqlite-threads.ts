import { Worker } from 'node:worker_threads';
import { sqliteWorkerEntry } from './worker-entry.ts';

/** Megabytes of V8's young generation; its default is 48. With 6, a page of 1,000 rows took a fifth more computing. */
const YOUNG_MB = 12;
/** Starting a thread takes about forty milliseconds of computing, so a few wait a moment for the next file to be opened. */
const MOST_RESTING = 8;
const REST_MS = 2000;
/**
 * Loading the server's code meanwhile takes seconds on a busy machine: threads that ended before it needed them would be started
 * twice.
 */
const PREPARED_MS = 60_000;

const resting = new Map<Worker, NodeJS.Timeout>();

/** A thread without a file: one that was returned a moment ago, or a new one. */
export async function takeThread(): Promise<Worker> {
  const [last] = [...resting.keys()].slice(-1);
  return last === undefined ? startThread() : wake(last);
}

/** Starts threads for files that will be opened in a moment. */
export async function prepareThreads(count: number): Promise<void> {
  const threads = await Promise.all(Array.from({ length: count }, startThread));
  await Promise.all(threads.map((thread) => restThread(thread, PREPARED_MS)));
}

async function startThread(): Promise<Worker> {
  return new Worker(await sqliteWorkerEntry(), {
    name: 'sqlite',
    // Rows pass through and only statements stay, so a larger young generation would only take memory.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
}

/**
 * Returns a thread that has closed its file. The caller has removed its listeners.
 *
 * @param restMs milliseconds after which the thread ends if nobody takes it
 */
export async function restThread(thread: Worker, restMs = REST_MS): Promise<void> {
  if (resting.size >= MOST_RESTING) {
    await thread.terminate();
    return;
  }
  const end = setTimeout(() => {
    wake(thread);
    void thread.terminate();
  }, restMs);
  // Neither keeps the process alive.
  end.unref();
  thread.unref();
  resting.set(thread, end);
  thread.on('error', forget).on('exit', forget);
}

function forget(this: Worker): void {
  wake(this);
}

function wake(thread: Worker): Worker {
  clearTimeout(resting.get(thread));
  resting.delete(thread);
  return thread.off('error', forget).off('exit', forget);
}
