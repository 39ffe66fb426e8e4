import { createToken, type TrellisError } from '../shared/index.ts';
import type { TaskEntity, TaskProgress } from '../shared/index.ts';
import type { AccessScope } from './access.ts';
import type { Logger } from './logger.ts';

/** What a run of a task is given. @public */
export interface TaskContext<Payload = unknown, Checkpoint = unknown> {
  readonly taskId: string;
  readonly payload: Payload;
  /** What the last run kept with `checkpoint` before it was cut off; undefined for the first run. */
  readonly checkpoint: Checkpoint | undefined;
  /**
   * The rights of whoever started the task, as they are now. A run that takes long asks again for each part, since rights may be
   * taken away meanwhile.
   */
  scope(): Promise<AccessScope>;
  /**
   * Aborts when the task is cancelled, its plugin is disabled, the server stops, or another server took the task over.
   * The run should then reject soon; it is continued from its checkpoint unless it was cancelled.
   */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Shows how far the run is. Stored and told at most twice a second. */
  progress(progress: TaskProgress): void;
  /**
   * Keeps what a later run needs to go on from here; JSON of at most 1 MB.
   * Rejects when another server has taken the task over: nothing may be written after that.
   */
  keep(checkpoint: Checkpoint): Promise<void>;
}

/**
 * A kind of work that outlives a request. A run that is cut off is run again, by any server, with the last checkpoint: each part
 * of it must be able to run twice.
 * @public
 */
export interface TaskKind<Payload = unknown, Checkpoint = unknown> {
  /** With the plugin's id as prefix. */
  readonly id: string;
  /** Who may start tasks of this kind, and cancel those of others. */
  readonly permission: string;
  /** Tasks of the kind that ended well or were cancelled are not listed: their plugin keeps a log of its own. Default false. */
  readonly isQuiet?: boolean;
  /** Its tasks may take hours: they leave room on each server for those that people wait for. Default false. */
  readonly isLong?: boolean;
  /** Gives what `Tasks.result` answers: JSON of at most 1 MB. Not begun for a caller who has lost the permission since. */
  run(context: TaskContext<Payload, Checkpoint>): Promise<unknown>;
  /** Takes back what runs left, after a failure or a cancel. It may be run again. */
  cleanUp?(context: TaskContext<Payload, Checkpoint>): Promise<void>;
}

/** A task to start. @public */
export interface TaskInput {
  readonly kind: string;
  /** What people see: "Import of customers.csv". */
  readonly title: string;
  /** JSON of at most 1 MB; never secrets. */
  readonly payload: unknown;
}

/** How a task ended. @public */
export interface TaskEnd {
  readonly task: TaskEntity;
  /** What `run` answered; undefined unless the task is done. */
  readonly result: unknown;
  /** What `run` threw, where that was a `TrellisError`: whoever waits for the task may throw it on. */
  readonly failure?: TrellisError;
}

/**
 * Durable work: stored before it begins, continued after a kill, shown in one place.
 *
 * At most four tasks run at once on a server, two of them of long kinds, and projects take turns. Reading needs the permission `taskList`. A task of a project that the scope does not name answers
 * 404 `TASK_NOT_FOUND`. A scope outside of projects has tasks of its own, which only super admins read.
 * @public
 */
export interface Tasks {
  /** Throws 403 without the kind's permission, and 501 `TASK_KIND_DISABLED` for a kind that nobody registered. */
  start(scope: AccessScope, input: TaskInput): Promise<TaskEntity>;
  /** Unfinished tasks first, then the ones that ended last; at most 100. */
  list(scope: AccessScope): Promise<readonly TaskEntity[]>;
  get(scope: AccessScope, id: string): Promise<TaskEntity>;
  /** Asks a task to end. One that has ended stays as it is. Throws 403 for whoever neither started it nor may start its kind. */
  cancel(scope: AccessScope, id: string): Promise<TaskEntity>;
  /** Resolves when the task has ended, whichever server runs it. */
  ended(scope: AccessScope, id: string, signal?: AbortSignal): Promise<TaskEnd>;
}
/** Durable work. @public */
export const TasksToken = createToken<Tasks>('tasks');
