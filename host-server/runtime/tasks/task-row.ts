import {
  keptPrincipal,
  presentPrincipal,
  type AccountStore,
  type Principal,
  type TaskEnd,
} from '@trellis/sdk/server';
import { taskErrors, toError, type TaskFailure } from './task-errors.ts';
import { wireTime, type TaskEntity, type TaskState } from '@trellis/sdk/shared';

/** A row of `trellis_task` as drivers return it: large numbers may be texts, flags are numbers. */
export interface TaskRow {
  readonly id: string;
  readonly project_id: string | null;
  readonly kind: string;
  readonly title: string;
  /** As on the wire, and `reverting` for a schema change that is being reverted. */
  readonly state: TaskState | 'reverting';
  readonly payload: string;
  readonly checkpoint: string | null;
  readonly principal: string | null;
  readonly created_by: string | null;
  readonly done: number | string;
  readonly total: number | string | null;
  readonly note: string | null;
  readonly cancelling: unknown;
  readonly owner: string | null;
  /** Grows with every run; a write with an older one is too late. */
  readonly fence: number | string;
  /** Milliseconds UTC until which its run holds the task. */
  readonly lease_until: number | string;
  /** The number of runs that began and did not end properly. */
  readonly attempts: number;
  /** JSON: the result of the run, or the `TaskFailure`. */
  readonly result: string | null;
  readonly error: string | null;
  readonly created_at: number | string;
  readonly updated_at: number | string;
  readonly finished_at: number | string | null;
}

/** The prefix of kinds of schema changes, which are run by their caller and not by a worker. */
export const schemaKindPrefix = 'schema.';
/** Schema changes that go through the rows of a table and can be cancelled. */
const cancellableChanges: readonly string[] = ['schema.retypeColumn'];

export const finalStates: readonly TaskState[] = ['done', 'failed', 'cancelled'];

export function isFinal(state: TaskRow['state']): boolean {
  return (finalStates as readonly string[]).includes(state);
}

export function isCancelling({ cancelling }: TaskRow): boolean {
  return cancelling === true || cancelling === 1 || cancelling === '1';
}

export function isSchemaChange({ kind }: TaskRow): boolean {
  return kind.startsWith(schemaKindPrefix);
}

export function isCancellable(row: TaskRow): boolean {
  if (isSchemaChange(row)) return row.state === 'running' && cancellableChanges.includes(row.kind);
  return !isFinal(row.state);
}

/** Whether this person started the task. Accounts are compared, since an address may change or go to somebody else. */
export function isStartedBy(row: TaskRow, { id }: Principal): boolean {
  return id !== '' && principalOf(row).id === id;
}

export function toEntity(row: TaskRow): TaskEntity {
  return {
    id: row.id,
    project_id: row.project_id ?? '',
    kind: row.kind,
    title: row.title,
    state: row.state === 'reverting' ? 'running' : row.state,
    progress: {
      done: Number(row.done),
      ...(row.total !== null && { total: Number(row.total) }),
      ...(row.note !== null && { note: row.note }),
    },
    is_cancelling: isCancelling(row) && !isFinal(row.state),
    is_cancellable: isCancellable(row),
    created_by: row.created_by ?? '',
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
    finished_at: row.finished_at === null ? null : wireTime(row.finished_at),
    error: row.state === 'failed' ? row.error : null,
  };
}

/** The end of a task. */
export function toEnd(row: TaskRow): TaskEnd {
  const task = toEntity(row);
  const told: unknown = row.result === null ? undefined : JSON.parse(row.result);
  if (task.state !== 'failed' || told === undefined) return { task, result: told };
  return { task, result: undefined, failure: toError(told as TaskFailure) };
}

/** The principal that started the task, without its credential. */
export function principalOf({ principal }: TaskRow): Principal {
  return JSON.parse(principal ?? '{}') as Principal;
}

/** The account that started the task; empty if no account did. */
export function starterIdOf(row: TaskRow): string {
  const principal = principalOf(row);
  return isAccount(principal) ? principal.id : '';
}

const isAccount = ({ kind }: Principal): boolean => kind === 'user' || kind === 'token';

/**
 * The principal that started the task, with the rights that its account has now.
 *
 * @throws TrellisError 409 `TASK_STARTER_GONE` if the account is gone or disabled.
 */
export async function starterOf(row: TaskRow, accounts: Pick<AccountStore, 'byId'>): Promise<Principal> {
  const principal = principalOf(row);
  if (!isAccount(principal)) return principal;
  const present = await presentPrincipal(accounts, principal);
  if (present === undefined) throw taskErrors.create('TASK_STARTER_GONE');
  return present;
}

export function storedPrincipal(principal: Principal): string {
  return JSON.stringify(keptPrincipal(principal));
}
