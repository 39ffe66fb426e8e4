import type { RegistryView } from '@trellis/core';
import type { JobDefinition, Logger } from '@trellis/sdk/server';
import type { Leases } from '../metadata/leases.ts';

export interface JobRunnerDependencies {
  readonly jobs: RegistryView<JobDefinition>;
  /** Jobs of the host itself. */
  readonly own: readonly JobDefinition[];
  readonly leases: Leases;
  readonly logger: Logger;
}

/** How often it looks which jobs are due. */
const tick = 15_000;

/** Runs jobs at their intervals, each on one server at a time. */
export class JobRunner {
  readonly #deps: JobRunnerDependencies;
  readonly #abort = new AbortController();
  readonly #lastRuns = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: JobRunnerDependencies) {
    this.#deps = deps;
  }

  start(): void {
    const begun = Date.now();
    this.#timer = setInterval(() => this.#look(begun), tick);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#abort.abort(new Error('The server stops.'));
    await Promise.all(this.#running);
  }

  #look(begun: number): void {
    const now = Date.now();
    for (const job of [...this.#deps.own, ...this.#deps.jobs.list()]) {
      const last = this.#lastRuns.get(job.id) ?? begun;
      if (now - last < job.every * 1000) continue;
      this.#lastRuns.set(job.id, now);
      const run = this.#run(job);
      this.#running.add(run);
      void run.finally(() => this.#running.delete(run));
    }
  }

  async #run(job: JobDefinition): Promise<void> {
    const { leases, logger } = this.#deps;
    try {
      await leases.hold(
        `job:${job.id}`,
        ({ signal }) => job.run({ signal: AbortSignal.any([signal, this.#abort.signal]), logger }),
        {
          wait: 0,
        },
      );
    } catch (error) {
      if (!this.#abort.signal.aborted) logger.error('A job failed', { job: job.id, error });
    }
  }
}
