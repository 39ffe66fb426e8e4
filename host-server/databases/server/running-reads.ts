import { performance } from 'node:perf_hooks';
import { DatabaseError } from '../../sql/database-error.ts';

interface RunningRead {
  readonly since: number;
  readonly end: () => void;
}

/**
 * The running reads of people. A schema change that waits for their locks can end them: otherwise it would wait for search after
 * search.
 */
export class RunningReads {
  readonly #running = new Set<RunningRead>();

  /**
   * Runs a read until it ends or is ended.
   *
   * @param cancel ends its statement.
   * @throws DatabaseError of kind `busy` for a read that was ended.
   */
  async run<T>(cancel: () => void, work: () => Promise<T>): Promise<T> {
    let isEnded = false;
    const end = () => {
      isEnded = true;
      cancel();
    };
    const read = { since: performance.now(), end };
    this.#running.add(read);
    try {
      return await work();
    } catch (error) {
      throw isEnded ? new DatabaseError('busy', { cause: error }) : error;
    } finally {
      this.#running.delete(read);
    }
  }

  /** Ends the reads that have run for longer than `ms`, each once. */
  endOlder(ms: number): void {
    const now = performance.now();
    for (const read of this.#running) {
      if (now - read.since <= ms) continue;
      this.#running.delete(read);
      read.end();
    }
  }
}
