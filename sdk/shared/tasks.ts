/** Where a task stands; the last three are final. @public */
export type TaskState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** How far a task is. @public */
export interface TaskProgress {
  /** In units of the task's own: rows, bytes, tables. */
  readonly done: number;
  /** Undefined while nobody knows. */
  readonly total?: number;
  /** What happens now, in a few words. */
  readonly note?: string;
}

/** A task as it travels. Times are `YYYY-MM-DD HH:mm:ss` in UTC. @public */
export interface TaskEntity {
  readonly id: string;
  /** Empty for a task outside of projects. */
  readonly project_id: string;
  /** A kind's id, such as `rows.load`. */
  readonly kind: string;
  readonly title: string;
  readonly state: TaskState;
  readonly progress: TaskProgress;
  /** A cancel was asked for and the task has not ended yet. */
  readonly is_cancelling: boolean;
  /** Whether it may still be cancelled at all; the server judges who may. */
  readonly is_cancellable: boolean;
  /** Once it ended well or was cancelled it is no longer shown: its plugin keeps a log of its own. */
  readonly is_quiet?: true;
  /** The address of whoever started it. */
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly finished_at: string | null;
  /** What went wrong, in words for people; only of a failed task. */
  readonly error: string | null;
}
