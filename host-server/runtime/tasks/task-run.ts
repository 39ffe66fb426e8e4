import { isExpected, type Clock } from '@trellis/core';
import type { AccessScope, Logger, TaskContext, TaskKind } from '@trellis/sdk/server';
import type { TaskProgress, TaskState } from '@trellis/sdk/shared';
import { Heartbeat } from '../heartbeat.ts';
import type { OwnedWork } from '../owned-work.ts';
import { failureOf, taskErrors, wordsFor } from './task-errors.ts';
import { asJson } from './task-json.ts';
import { isCancelling, type TaskRow } from './task-row.ts';
import type { Hold, TaskRows } from './task-rows.ts';

export interface TaskRunDependencies {
  readonly rows: TaskRows;
  readonly work: OwnedWork;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The scope with the present rights of the account that started the task; throws when the account is gone or disabled. */
  readonly scopeOf: (row: TaskRow) => AccessScope | Promise<AccessScope>;
  /** The scope for cleaning up, which works even if the account is gone or disabled. */
  readonly cleanUpScopeOf: (row: TaskRow) => AccessScope | Promise<AccessScope>;
  /** Announces the state of a task. */
  readonly announce: (id: string) => Promise<void>;
}

/** A claimed task with its kind and the kind's plugin. */
export interface Claimed {
  readonly row: TaskRow;
  readonly kind: TaskKind;
  readonly owner: string;
  /** Whether the kind is still registered. */
  readonly isOffered: () => boolean;
}

const renewEvery = 2000;
const tellEvery = 500;
const mostAttempts = 5;

/** One run of a task, from the claim to the end, to a cancel, or until it is cut off. */
export class TaskRun {
  readonly #deps: TaskRunDependencies;
  readonly #claimed: Claimed;
  readonly #hold: Hold;
  /** Aborts the run: it was cancelled, or the server stops. */
  readonly #ending = new AbortController();
  /** Aborts all of the run's work: another server has the task, so nothing may be written any more. */
  readonly #lost = new AbortController();
  #isCancelled: boolean;
  #telling: (() => void) | undefined;
  #progress: TaskProgress | undefined;

  constructor(deps: TaskRunDependencies, claimed: Claimed) {
    this.#deps = deps;
    this.#claimed = claimed;
    this.#hold = { id: claimed.row.id, fence: Number(claimed.row.fence) };
    this.#isCancelled = isCancelling(claimed.row);
  }

  /** Ends the run because it was cancelled. */
  cancel(): void {
    this.#isCancelled = true;
    this.#ending.abort(taskErrors.create('TASK_CANCELLED'));
  }

  /** Ends the run for now; it continues after the next start. */
  stop(reason: Error): void {
    this.#ending.abort(reason);
  }

  /** Never rejects: an error is stored with the task and logged. */
  async run(): Promise<void> {
    const { announce, logger } = this.#deps;
    const { id } = this.#hold;
    const heartbeat = this.#keep();
    try {
      await announce(id);
      await this.#work();
    } catch (error) {
      logger.error('A task could not be ended and is left to its next run', { task: id, error });
    } finally {
      // A renewal under way finds a task that no longer runs.
      void heartbeat.stop();
      this.#telling?.();
    }
    await announce(id).catch((error: unknown) =>
      logger.warn('A task could not be told', { task: id, error }),
    );
  }

  async #work(): Promise<void> {
    const { row, kind, owner } = this.#claimed;
    if (this.#isCancelled) return this.#takeBack({ state: 'cancelled' });
    if (row.attempts > mostAttempts) {
      const error = taskErrors.create('TASK_CUT_OFF', { attempts: mostAttempts });
      return this.#takeBack({ state: 'failed', error: wordsFor(error) });
    }
    const ends = AbortSignal.any([this.#ending.signal, this.#lost.signal]);
    let heard: AbortSignal = ends;
    let result: string;
    try {
      const answer = await this.#deps.work.run(owner, ends, async ({ signal, logger }) => {
        heard = signal;
        (await this.#deps.scopeOf(row)).require(kind.permission);
        return kind.run(this.#context(signal, logger, this.#deps.scopeOf));
      });
      result = asJson('result', answer ?? null);
    } catch (error) {
      return this.#failed(error, heard.aborted || !this.#claimed.isOffered());
    }
    await this.#end({ state: 'done', result });
  }

  /** @param isCut whether the run was ended from outside and did not fail by itself */
  async #failed(error: unknown, isCut: boolean): Promise<void> {
    if (this.#lost.signal.aborted) return;
    if (this.#isCancelled) return this.#takeBack({ state: 'cancelled' });
    if (isCut) {
      const attempts = Math.max(0, this.#claimed.row.attempts - 1);
      await this.#write({ state: 'waiting', lease: 'free', attempts });
      return;
    }
    const { kind, owner, row } = this.#claimed;
    // An expected error is shown with the task, and is no fault of its plugin.
    if (isExpected(error)) this.#deps.logger.info('A task failed', { task: row.id, kind: kind.id, error });
    else this.#deps.work.report(owner, `task ${kind.id}`, error);
    const failure = failureOf(error);
    await this.#takeBack({
      state: 'failed',
      error: wordsFor(error),
      ...(failure !== undefined && { result: asJson('result', failure) }),
    });
  }

  /** Ends the task after its effects have been reverted. */
  async #takeBack(end: {
    readonly state: TaskState;
    readonly error?: string;
    readonly result?: string;
  }): Promise<void> {
    const { kind, owner } = this.#claimed;
    const cleanUp = kind.cleanUp?.bind(kind);
    if (cleanUp !== undefined) {
      try {
        await this.#deps.work.run(owner, this.#lost.signal, async ({ signal, logger }) =>
          cleanUp(this.#context(signal, logger, this.#deps.cleanUpScopeOf)),
        );
      } catch (error) {
        this.#deps.work.report(owner, `clean-up of task ${kind.id}`, error);
      }
    }
    await this.#end(end);
  }

  async #end(end: {
    readonly state: TaskState;
    readonly error?: string;
    readonly result?: string;
  }): Promise<void> {
    await this.#write({ ...end, lease: 'free', finished_at: this.#deps.clock.now() });
  }

  #context(signal: AbortSignal, logger: Logger, scopeOf: TaskRunDependencies['scopeOf']): TaskContext {
    const { row } = this.#claimed;
    return {
      taskId: row.id,
      payload: JSON.parse(row.payload) as unknown,
      checkpoint: row.checkpoint === null ? undefined : (JSON.parse(row.checkpoint) as unknown),
      scope: async () => scopeOf(row),
      signal,
      logger,
      progress: (progress) => {
        this.#progress = progress;
        this.#tellLater();
      },
      keep: async (checkpoint) => {
        signal.throwIfAborted();
        // A task with a checkpoint is not given up, however often its server stops.
        if (!(await this.#write({ checkpoint: asJson('checkpoint', checkpoint), attempts: 1 })))
          throw taskErrors.create('TASK_TAKEN_OVER');
      },
    };
  }

  async #write(patch: Parameters<TaskRows['update']>[1]): Promise<boolean> {
    const { done, total = null, note = null } = this.#progress ?? {};
    const progress =
      done === undefined ? {} : { done, total, note: note === null ? null : note.slice(0, 200) };
    this.#progress = undefined;
    const isHeld = await this.#deps.rows.update(this.#hold, { ...progress, ...patch });
    if (!isHeld) this.#lose();
    return isHeld;
  }

  #lose(): void {
    this.#lost.abort(taskErrors.create('TASK_TAKEN_OVER'));
  }

  #tellLater(): void {
    this.#telling ??= this.#deps.clock.after(tellEvery, () => {
      this.#telling = undefined;
      if (this.#progress === undefined) return;
      this.#write({})
        .then(() => this.#deps.announce(this.#hold.id))
        .catch((error: unknown) =>
          this.#deps.logger.warn('The progress of a task could not be stored', {
            task: this.#hold.id,
            error,
          }),
        );
    });
  }

  /** Renews the hold until the run is over. */
  #keep(): Heartbeat {
    const { clock, rows, logger } = this.#deps;
    return new Heartbeat({
      every: renewEvery,
      lifetime: rows.lifetime,
      clock,
      beat: async () => {
        const kept = await rows.renew(this.#hold);
        // Without a bus between the servers, a cancel is noticed here.
        if (kept !== undefined && isCancelling(kept) && !this.#isCancelled) this.cancel();
        return kept !== undefined;
      },
      onLost: () => this.#lose(),
      onError: (error) => logger.warn('A task could not be kept', { task: this.#hold.id, error }),
    });
  }
}
