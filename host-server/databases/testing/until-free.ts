import { DatabaseError } from '../../sql/database-error.ts';

/** Asks again while the database is busy: a thread that was given up takes its time to end on a busy machine. */
export async function untilFree<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.kind !== 'busy') throw error;
    }
  }
}
