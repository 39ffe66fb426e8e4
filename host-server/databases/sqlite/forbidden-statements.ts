import { fromFirstWord } from '../compile-query.ts';
import type { WorkerSettings } from './worker-protocol.ts';

/**
 * Refuses statements that access other files or that let a reader write, whoever wrote them.
 *
 * SQLite prepares one statement at a time, and the first word identifies these. The host itself needs none of them.
 */
export function assertAllowed(sql: string, role: WorkerSettings['role']): void {
  const statement = fromFirstWord(sql);
  const reachesOut = /^(?:attach|detach)\b/i.test(statement) || /^vacuum\b[\s\S]*\binto\b/i.test(statement);
  const changesReader = role === 'reader' && /^pragma\b[\s\S]*[=(]/i.test(statement);
  if (reachesOut || changesReader) {
    throw Object.assign(new Error('This statement is not allowed on this connection'), {
      code: 'SQLITE_AUTH',
    });
  }
}
