import {
  defineErrors,
  errorOrigin,
  isExpected,
  recordErrorOrigin,
  TrellisError,
  type ErrorOrigin,
  type ErrorParams,
} from '@trellis/core';
import { DatabaseError } from '../../sql/database-error.ts';

export const taskErrors = defineErrors({
  TASK_NOT_FOUND: { status: 404, message: 'There is no such task.' },
  TASK_KIND_DISABLED: {
    status: 501,
    message: "Tasks of the kind '{kind}' need a plugin that is switched off.",
  },
  TASK_STARTER_GONE: {
    status: 409,
    message: 'The account of whoever started the task is gone or disabled.',
  },
  TASK_TOO_LARGE: { status: 413, message: 'The {part} of a task is larger than {limit} bytes.' },
  TASK_TAKEN_OVER: { status: 503, message: 'Another server goes on with the task.' },
  TASK_NOT_CANCELLABLE: { status: 409, message: 'This change of the schema cannot be cancelled.' },
  TASK_CANCELLED: { status: 409, message: 'The task was cancelled.' },
  TASK_CUT_OFF: {
    status: 500,
    message: 'The task was cut off {attempts} times without getting on, and was given up.',
  },
});

/** Whether work failed because somebody cancelled it. */
export function isCancel(error: unknown): boolean {
  return error instanceof TrellisError && error.code === 'TASK_CANCELLED';
}

const longest = 500;

/** The message for a task's error: its own if it is meant for people, else where to look. */
export function wordsFor(error: unknown): string {
  const isForPeople = isExpected(error) || error instanceof DatabaseError;
  const words = isForPeople ? (error as Error).message : 'Some internal error occurred; the log has more.';
  return words.slice(0, longest);
}

/** The reason of a failed task, stored for the code that waits for its end. */
export interface TaskFailure {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly params: ErrorParams;
  /** The plugin that caused it, if it is not the task's own. */
  readonly origin?: ErrorOrigin;
}

/** Undefined for errors that belong only in the log. */
export function failureOf(error: unknown): TaskFailure | undefined {
  if (!(error instanceof TrellisError)) return undefined;
  const { code, message, status, params } = error;
  const origin = errorOrigin(error);
  return { code, message: message.slice(0, longest), status, params, ...(origin && { origin }) };
}

/** Restores a stored error. */
export function toError({ code, message, origin, ...options }: TaskFailure): TrellisError {
  const error = new TrellisError(code, message, options);
  if (origin !== undefined) recordErrorOrigin(error, origin);
  return error;
}
