import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorReader } from '../../dialects/errors/default.ts';
import { DatabaseError } from '../../sql/database-error.ts';
import type { Session } from '../../sql/session.ts';

const LOCK_RETRIES = 7;

/**
 * A session that waits for locks a second at a time, with pauses in which the readers behind a schema change get through.
 *
 * @param onLocked called each time a lock was not to be had
 */
export function patientSession(session: Session, errors: ErrorReader, onLocked: () => void): Session {
  return {
    execute: async (sql, bindings) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await session.execute(sql, bindings);
        } catch (error) {
          const known = errors.toDatabaseError(error);
          const isLocked =
            known instanceof DatabaseError && (known.kind === 'busy' || known.kind === 'deadlock');
          if (!isLocked) throw known;
          onLocked();
          if (attempt >= LOCK_RETRIES) {
            throw new DatabaseError('busy', { code: 'TABLE_BUSY', status: 409, cause: error });
          }
          await delay(100 * 2 ** attempt + Math.random() * 100);
        }
      }
    },
  };
}
