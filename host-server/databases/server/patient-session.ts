import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorReader } from '../../dialects/errors/default.ts';
import { DatabaseError } from '../../sql/database-error.ts';
import type { Binding, Session } from '../../sql/session.ts';

const LOCK_RETRIES = 7;
/**
 * Milliseconds between checks for slow reads while an attempt waits: a read found early in the attempt has ended before its second
 * is over.
 */
const LOOK_MS = 150;

interface LockWaits {
  /** Called each time a lock was not granted. */
  readonly onLocked: () => void;
  /**
   * Called repeatedly, with the attempt's number, while a second or later attempt waits. New readers queue behind a lock that is
   * waited for.
   */
  readonly onWaiting: (attempt: number) => void;
}

/** A session that waits for locks one second at a time, with pauses in which the readers queued behind a schema change proceed. */
export function patientSession(
  session: Session,
  errors: ErrorReader,
  { onLocked, onWaiting }: LockWaits,
): Session {
  const execute = async (attempt: number, sql: string, bindings?: readonly Binding[]) => {
    const looking = attempt > 1 ? setInterval(() => onWaiting(attempt), LOOK_MS) : undefined;
    try {
      return await session.execute(sql, bindings);
    } finally {
      clearInterval(looking);
    }
  };
  return {
    execute: async (sql, bindings) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await execute(attempt, sql, bindings);
        } catch (error) {
          const known = errors.toDatabaseError(error);
          const isLocked =
            known instanceof DatabaseError && (known.kind === 'busy' || known.kind === 'deadlock');
          if (!isLocked) throw known;
          onLocked();
          if (attempt >= LOCK_RETRIES) {
            throw new DatabaseError('busy', { code: 'TABLE_BUSY', cause: error });
          }
          await delay(100 * 2 ** attempt + Math.random() * 100);
        }
      }
    },
  };
}
