/** The state of a task; the last three are final. @public */
export type TaskState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** The progress of a task. @public */
export interface TaskProgress {
  /** In the task's own units: rows, bytes, tables. */
  readonly done: number;
  /** Undefined while it is not known. */
  readonly total?: number;
  /** The present step, in a few words. */
  readonly note?: string;
}

/** A task on the wire. Times are `YYYY-MM-DD HH:mm:ss` in UTC. @public */
export interface TaskEntity {
  readonly id: string;
  /** Empty for a task outside of projects. */
  readonly project_id: string;
  /** A kind's id, such as `rows.load`. */
  readonly kind: string;
  readonly title: string;
  readonly state: TaskState;
  readonly progress: TaskProgress;
  /** The task was cancelled and has not ended yet. */
  readonly is_cancelling: boolean;
  /** Whether it can still be cancelled; the server decides who may. */
  readonly is_cancellable: boolean;
  /** If true, it is no longer shown after it succeeded or was cancelled, since its plugin has a log of its own. */
  readonly is_quiet?: true;
  /** The address of the person who started it. */
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly finished_at: string | null;
  /** The error as a text for people; only for a failed task. */
  readonly error: string | null;
}
