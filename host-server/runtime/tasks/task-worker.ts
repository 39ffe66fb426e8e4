import { systemClock, type Clock, type Disposable, type RegistryView } from '@trellis/core';
import type { Bus, Servers, TaskKind } from '@trellis/sdk/server';
import type { TaskRow } from './task-row.ts';
import { TaskRun, type TaskRunDependencies } from './task-run.ts';

export interface TaskWorkerDependencies extends Omit<TaskRunDependencies, 'clock'> {
  readonly kinds: RegistryView<TaskKind>;
  readonly bus: Bus;
  readonly servers: Servers;
  readonly clock?: Clock;
}

/** The most tasks that run at once on one server. */
const mostAtOnce = 4;
/** How many of these may take hours, so that there are places for tasks that people wait for. */
const mostLong = 2;
/** Milliseconds between checks for tasks of silent runs, and for tasks that no bus announced. */
const lookEvery = 5000;

interface Running {
  readonly id: string;
  readonly run: TaskRun;
  readonly isLong: boolean;
  readonly ended: Promise<void>;
}

/** Runs tasks: claims them one after another, up to the number that one server can run. */
export class TaskWorker {
  readonly #deps: TaskWorkerDependencies & { readonly clock: Clock };
  readonly #runs = new Set<Running>();
  readonly #hearing: Disposable[] = [];
  #cancelLook: (() => void) | undefined;
  #looking: Promise<void> | undefined;
  #mustLookAgain = false;
  #isStopped = false;

  constructor(deps: TaskWorkerDependencies) {
    this.#deps = { ...deps, clock: deps.clock ?? systemClock };
  }

  start(): void {
    const { bus, kinds } = this.#deps;
    this.#hearing.push(
      bus.subscribe('task.changed', {
        message: ({ task }) => {
          if (task.is_cancelling) this.#cancel(task.id);
          if (task.state === 'waiting') this.look();
        },
        gap: () => this.look(),
      }),
      kinds.onDidChange(() => this.look()),
    );
    this.look();
    this.#lookLater();
  }

  /** Aborts the running tasks, which continue on the next server. Resolves when they have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelLook?.();
    this.#stopRuns();
    for (const hearing of this.#hearing.splice(0)) await hearing.dispose();
    await this.#looking;
    // A check that was under way may have started another one.
    this.#stopRuns();
    await Promise.all([...this.#runs].map(({ ended }) => ended));
  }

  #cancel(task: string): void {
    for (const { id, run } of this.#runs) if (id === task) run.cancel();
  }

  #stopRuns(): void {
    for (const { run } of this.#runs) run.stop(new Error('The server stops.'));
  }

  /** Checks for tasks to run. If a check is running, another one follows it. */
  look(): void {
    this.#mustLookAgain = true;
    this.#looking ??= this.#claimAll().finally(() => {
      this.#looking = undefined;
      if (this.#mustLookAgain && !this.#isStopped) this.look();
    });
  }

  async #claimAll(): Promise<void> {
    const { rows, kinds, logger, servers } = this.#deps;
    this.#mustLookAgain = false;
    try {
      if (!(await rows.hasUnfinished())) return;
      await rows.freeEnded(servers);
      while (!this.#isStopped && this.#runs.size < mostAtOnce) {
        const row = (await this.#claim(true)) ?? (await this.#claim(false));
        if (row === undefined) return;
        const kind = kinds.get(row.kind);
        // The kind's plugin was disabled after the claim: the claim expires, and the task waits for the plugin.
        if (kind === undefined) return;
        const owner = kinds.ownerOf(row.kind) ?? '';
        const run = new TaskRun(this.#deps, {
          row,
          kind,
          owner,
          isOffered: () => kinds.get(kind.id) === kind,
        });
        // Keyed by run and not by task: a server that stalled may take over a task that it still runs.
        const running: Running = {
          id: row.id,
          run,
          isLong: kind.isLong === true,
          ended: run.run().finally(() => {
            this.#runs.delete(running);
            if (!this.#isStopped) this.look();
          }),
        };
        this.#runs.add(running);
      }
    } catch (error) {
      logger.warn('Tasks could not be looked for', { error });
    }
  }

  /** Long tasks are claimed separately, so that a project's long tasks do not count against its tasks that people wait for. */
  #claim(isLong: boolean): Promise<TaskRow | undefined> {
    const { rows, kinds, servers } = this.#deps;
    const running = [...this.#runs].filter((run) => run.isLong).length;
    const ids = kinds.list().filter((kind) => (kind.isLong === true) === isLong);
    return rows.claim(isLong && running >= mostLong ? [] : ids.map(({ id }) => id), servers.id);
  }

  #lookLater(): void {
    this.#cancelLook = this.#deps.clock.after(lookEvery, () => {
      this.look();
      this.#lookLater();
    });
  }
}
