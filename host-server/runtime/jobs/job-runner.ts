import { systemClock, type Clock, type RegistryView } from '@trellis/core';
import type { JobDefinition, Logger } from '@trellis/sdk/server';
import type { Leases } from '../leases.ts';

/** Runs a plugin's work in its name: tracked, so that disabling waits for it, and with the signal that ends it. */
export interface JobPlugins {
  run<T>(pluginId: string, work: () => Promise<T>): Promise<T>;
  signalOf(pluginId: string): AbortSignal | undefined;
  onError(pluginId: string, where: string, error: unknown): void;
}

export interface JobRunnerDependencies {
  readonly jobs: RegistryView<JobDefinition>;
  /** Jobs of the host itself. */
  readonly own: readonly JobDefinition[];
  readonly leases: Leases;
  readonly plugins: JobPlugins;
  readonly logger: Logger;
  readonly loggerFor: (pluginId: string) => Logger;
  readonly clock?: Clock;
}

/** Milliseconds between looks at which jobs are due. */
const tick = 15_000;

interface OwnedJob {
  /** Undefined for the host. */
  readonly owner: string | undefined;
  readonly job: JobDefinition;
}

/** Runs jobs at their intervals, each on one server at a time and no longer than its plugin is enabled. */
export class JobRunner {
  readonly #deps: JobRunnerDependencies;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  readonly #lastRuns = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  #cancelLook: (() => void) | undefined;

  constructor(deps: JobRunnerDependencies) {
    this.#deps = deps;
    this.#clock = deps.clock ?? systemClock;
  }

  start(): void {
    const begun = this.#clock.now();
    const look = () => {
      this.#startDue(begun);
      this.#cancelLook = this.#clock.after(tick, look);
    };
    this.#cancelLook = this.#clock.after(tick, look);
  }

  async stop(): Promise<void> {
    this.#cancelLook?.();
    this.#abort.abort(new Error('The server stops.'));
    await Promise.all(this.#running);
  }

  #startDue(begun: number): void {
    const now = this.#clock.now();
    const own = this.#deps.own.map((job): OwnedJob => ({ owner: undefined, job }));
    const others = this.#deps.jobs.entries().map(({ owner, item }): OwnedJob => ({ owner, job: item }));
    for (const due of [...own, ...others]) {
      const last = this.#lastRuns.get(due.job.id) ?? begun;
      if (now - last < due.job.every * 1000) continue;
      this.#lastRuns.set(due.job.id, now);
      const run = this.#run(due);
      this.#running.add(run);
      void run.finally(() => this.#running.delete(run));
    }
  }

  async #run(due: OwnedJob): Promise<void> {
    const { leases, plugins, logger } = this.#deps;
    const { owner, job } = due;
    try {
      await leases.hold(`job:${job.id}`, ({ signal }) => this.#work(due, signal), { wait: 0 });
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      if (owner === undefined) logger.error('A job failed', { job: job.id, error });
      else plugins.onError(owner, `job ${job.id}`, error);
    }
  }

  #work({ owner, job }: OwnedJob, lease: AbortSignal): Promise<void> {
    const { plugins, logger, loggerFor } = this.#deps;
    const ends = [lease, this.#abort.signal];
    if (owner === undefined) return job.run({ signal: AbortSignal.any(ends), logger });
    const disabled = plugins.signalOf(owner);
    const signal = AbortSignal.any(disabled === undefined ? ends : [...ends, disabled]);
    return plugins.run(owner, () => job.run({ signal, logger: loggerFor(owner) }));
  }
}
