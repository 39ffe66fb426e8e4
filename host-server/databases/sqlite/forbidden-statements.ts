import { fromFirstWord } from '../compile-query.ts';
import type { WorkerSettings } from './worker-protocol.ts';

/**
 * Refuses statements that reach beyond the file or that undo a reader's promise, whoever wrote them.
 *
 * SQLite prepares one statement at a time, and these are told by their first word. Nothing of ours needs them.
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
