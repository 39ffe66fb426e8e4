import { Worker } from 'node:worker_threads';
import { sqliteWorkerEntry } from './worker-entry.ts';

/** Memory for what has just been made, in megabytes; V8 would take 48. With 6 a page of 1,000 rows took a fifth more computing. */
const YOUNG_MB = 12;
/** To start a thread takes some forty milliseconds of computing, so a few wait a moment for the next file to be opened. */
const MOST_RESTING = 8;
const REST_MS = 2000;
/** What reads the server's code meanwhile takes seconds on a busy machine: threads that ended before it asked would be started twice. */
const PREPARED_MS = 60_000;

const resting = new Map<Worker, NodeJS.Timeout>();

/** A thread without a file: one that was given back a moment ago, else a new one. */
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
    // Rows pass through: nothing but statements stays, so that a larger nursery would only take memory.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
}

/**
 * Gives back a thread that has closed its file. The caller has no more listeners on it.
 *
 * @param restMs milliseconds after which it ends, when nobody has taken it
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
