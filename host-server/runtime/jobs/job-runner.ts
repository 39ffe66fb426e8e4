import { systemClock, type Clock, type RegistryView } from '@trellis/core';
import type { JobDefinition } from '@trellis/sdk/server';
import type { Leases } from '../leases.ts';
import { host, type OwnedWork } from '../owned-work.ts';
import type { JobRuns } from './job-runs.ts';

export interface JobRunnerDependencies {
  readonly jobs: RegistryView<JobDefinition>;
  /** Jobs of the host itself. */
  readonly own: readonly JobDefinition[];
  readonly runs: JobRuns;
  readonly leases: Leases;
  readonly work: OwnedWork;
  readonly clock?: Clock;
}

/** Milliseconds between checks for due jobs. */
const tick = 15_000;
/** Seconds that a run may take if its job does not set a limit. */
const usualSeconds = 3600;
/** Milliseconds by which a server's checks may be early by the shared clock: a run begins some time after its check. */
const early = 1000;
/** Milliseconds in which a run that took too long may end by itself. */
const patience = 30_000;

interface OwnedJob {
  readonly owner: string;
  readonly job: JobDefinition;
}

/** Runs jobs at their intervals. Each runs on one server at a time, and only while its plugin is enabled. */
export class JobRunner {
  readonly #deps: JobRunnerDependencies;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  /** When each job last began, by the clock of this process, as far as it knows; another server may have started it since. */
  readonly #lastRuns = new Map<string, number>();
  readonly #running = new Map<string, Promise<void>>();
  /** Jobs with an abandoned run that still goes on. A second run beside it would do the same work twice. */
  readonly #givenUp = new Set<string>();
  #cancelLook: (() => void) | undefined;

  constructor(deps: JobRunnerDependencies) {
    this.#deps = deps;
    this.#clock = deps.clock ?? systemClock;
  }

  start(): void {
    const look = () => {
      this.#startDue();
      this.#cancelLook = this.#clock.after(tick, look);
    };
    look();
  }

  async stop(): Promise<void> {
    this.#cancelLook?.();
    this.#abort.abort(new Error('The server stops.'));
    await Promise.all(this.#running.values());
  }

  #startDue(): void {
    const now = this.#clock.now();
    const own = this.#deps.own.map((job): OwnedJob => ({ owner: host, job }));
    const others = this.#deps.jobs.entries().map(({ owner, item }): OwnedJob => ({ owner, job: item }));
    for (const owned of [...own, ...others]) {
      const { id, every } = owned.job;
      if (this.#running.has(id) || this.#givenUp.has(id)) continue;
      const last = this.#lastRuns.get(id);
      if (last !== undefined && !hasPassed(every, now - last)) continue;
      const run = this.#run(owned).finally(() => this.#running.delete(id));
      this.#running.set(id, run);
    }
  }

  async #run(owned: OwnedJob): Promise<void> {
    const { leases, work } = this.#deps;
    const { owner, job } = owned;
    try {
      if (!(await this.#isDue(job))) return;
      await leases.hold(`job:${job.id}`, ({ signal }) => this.#begin(owned, signal), { wait: 0 });
    } catch (error) {
      if (!this.#abort.signal.aborted) work.report(owner, `job ${job.id}`, error);
    }
  }

  async #begin({ owner, job }: OwnedJob, lease: AbortSignal): Promise<void> {
    // Another server may have run the job while this one waited for the lease.
    if (!(await this.#isDue(job))) return;
    await this.#deps.runs.begin(job.id);
    this.#lastRuns.set(job.id, this.#clock.now());
    const late = new AbortController();
    const ends = AbortSignal.any([lease, this.#abort.signal, late.signal]);
    const running = this.#deps.work.run(owner, ends, (context) => job.run(context));
    await this.#untilOver({ owner, job }, running, late);
  }

  /** Waits for a run until its time is over. A run that ignores the request to end loses its lease. */
  async #untilOver({ owner, job }: OwnedJob, running: Promise<void>, late: AbortController): Promise<void> {
    const seconds = job.seconds ?? usualSeconds;
    const tell = (text: string) => this.#deps.work.report(owner, `job ${job.id}`, new Error(text));
    let cancel = (): void => {};
    const over = new Promise<void>((resolve) => {
      cancel = this.#clock.after(seconds * 1000, () => {
        tell(`It has run for ${seconds} seconds and was asked to end.`);
        cancel = this.#clock.after(patience, () => {
          tell('It does not end. It is not begun again until it has ended or the server starts anew.');
          this.#givenUp.add(job.id);
          const ended = () => void this.#givenUp.delete(job.id);
          running.then(ended, ended);
          resolve();
        });
        late.abort(new Error(`The job took longer than ${seconds} seconds.`));
      });
    });
    try {
      await Promise.race([running, over]);
    } catch (error) {
      // A run that took too long was reported when its time was over.
      if (!late.signal.aborted) throw error;
    } finally {
      cancel();
    }
  }

  async #isDue({ id, every }: JobDefinition): Promise<boolean> {
    const age = await this.#deps.runs.age(id);
    this.#lastRuns.set(id, this.#clock.now() - age);
    return hasPassed(every, age);
  }
}

/** Whether so many seconds have passed. After a wrong clock was corrected, a begin in the future does not delay a job. */
function hasPassed(seconds: number, age: number): boolean {
  return Math.abs(age) >= seconds * 1000 - early;
}
