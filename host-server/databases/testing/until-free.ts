import { DatabaseError } from '../../sql/database-error.ts';

/** Repeats the call while the database is busy: on a busy machine, an abandoned thread takes some time to end. */
export async function untilFree<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.kind !== 'busy') throw error;
    }
  }
}
