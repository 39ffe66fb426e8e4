import { createToken, type TrellisError } from '../shared/index.ts';
import type { TaskEntity, TaskProgress } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { Logger } from './logger.ts';

/** The input of a task's run. @public */
export interface TaskContext<Payload = unknown, Checkpoint = unknown> {
  readonly taskId: string;
  readonly payload: Payload;
  /** The checkpoint that the last run kept before it was cut off; undefined in the first run. */
  readonly checkpoint: Checkpoint | undefined;
  /**
   * The present rights of the account that started the task. A long run should ask again for each part, since rights may be
   * removed meanwhile.
   */
  scope(): Promise<AccessScope>;
  /**
   * Aborts when the task is cancelled, its plugin is disabled, the server stops, or another server took the task over.
   * The run should then reject soon; it is continued from its checkpoint unless it was cancelled.
   */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Reports the progress of the run. Stored and sent at most twice a second. */
  progress(progress: TaskProgress): void;
  /**
   * Stores the data that a later run needs to continue from here; JSON of at most 1 MB. Rejects when another server has taken
   * over the task: then nothing may be written any more.
   */
  keep(checkpoint: Checkpoint): Promise<void>;
}

/**
 * A kind of work that outlives a request. A run that is cut off is repeated by any server with the last checkpoint, so each part
 * must be able to run twice.
 * @public
 */
export interface TaskKind<Payload = unknown, Checkpoint = unknown> {
  /** With the plugin's id as prefix. */
  readonly id: string;
  /** The permission to start tasks of this kind, and to cancel those of others. */
  readonly permission: string;
  /** Tasks of the kind are not listed after they succeeded or were cancelled: their plugin has its own log. Default false. */
  readonly isQuiet?: boolean;
  /** Its tasks may take hours, so each server keeps room for other tasks that people wait for. Default false. */
  readonly isLong?: boolean;
  /** Returns the result for `TaskEnd.result`: JSON of at most 1 MB. It is not started if the caller has lost the permission. */
  run(context: TaskContext<Payload, Checkpoint>): Promise<unknown>;
  /** Reverts the effects of a failed or cancelled run. It may be called again. */
  cleanUp?(context: TaskContext<Payload, Checkpoint>): Promise<void>;
}

/** A task to start. @public */
export interface TaskInput {
  readonly kind: string;
  /** The title for people: "Import of customers.csv". */
  readonly title: string;
  /** JSON of at most 1 MB; never secrets. */
  readonly payload: unknown;
}

/** The end of a task. @public */
export interface TaskEnd {
  readonly task: TaskEntity;
  /** The result of `run`; undefined unless the task is done. */
  readonly result: unknown;
  /** The error of `run`, if it was a `TrellisError`: code that waits for the task may rethrow it. */
  readonly failure?: TrellisError;
}

/**
 * Durable work: stored before it begins, continued after a kill, shown in one place.
 *
 * At most four tasks run at once on a server, two of them of long kinds, and projects take turns. Reading requires the permission
 * `taskList`. A task of a project that the scope does not name is 404 `TASK_NOT_FOUND`. A scope outside of projects has its own
 * tasks, which only super admins can read.
 * @public
 */
export interface Tasks {
  /** Throws 403 without the kind's permission, and 501 `TASK_KIND_DISABLED` for a kind that is not registered. */
  start(scope: AccessScope, input: TaskInput): Promise<TaskEntity>;
  /** Unfinished tasks first, then the most recently ended ones; at most 100. */
  list(scope: AccessScope): Promise<readonly TaskEntity[]>;
  get(scope: AccessScope, id: string): Promise<TaskEntity>;
  /** Requests the end of a task; an ended one stays as it is. Throws 403 for a caller who neither started it nor may start its kind. */
  cancel(scope: AccessScope, id: string): Promise<TaskEntity>;
  /** Resolves when the task has ended, whichever server runs it. */
  ended(scope: AccessScope, id: string, signal?: AbortSignal): Promise<TaskEnd>;
}
/** Durable work. @public */
export const TasksToken = createToken<Tasks>('tasks');
