import type { Readable } from 'node:stream';
import { createToken } from '../shared/index.ts';
import type { AccessScope } from './access.ts';

/** A database file on its way to the server. @public */
export interface SentDatabaseFile {
  /** As its sender calls it: any text, never a path of this machine. */
  readonly name: string;
  readonly content: Readable;
  readonly signal?: AbortSignal;
}

/**
 * SQLite files that people send from their computer, to be opened as a base. Each method requires `databaseOpen`.
 *
 * A file that became no base is removed after a day, and the file of a base goes with it: when the base is taken out of its project, and
 * when its project is deleted for good.
 * @public
 */
export interface DatabaseFiles {
  /** Bytes of a file at most; 0 where the operator forbids it. */
  readonly limit: number;
  /** @throws TrellisError 403 `FILE_UPLOAD_OFF`, 413 `FILE_UPLOAD_LARGE`, 507 `FILE_UPLOAD_NO_ROOM`. */
  assertRoom(scope: AccessScope, bytes: number): Promise<void>;
  /**
   * Keeps a file once all of it has come and SQLite has checked each page and index. `file` is what the setting of the same name of a
   * base of kind `sqlite3` holds.
   *
   * @throws TrellisError 400 `FILE_UPLOAD_NOT_SQLITE`, `FILE_UPLOAD_DAMAGED` or `FILE_UPLOAD_UNREADABLE`; nothing is kept then.
   */
  receive(
    scope: AccessScope,
    sent: SentDatabaseFile,
  ): Promise<{ readonly file: string; readonly bytes: number }>;
  /** Removes a file that was received. @throws TrellisError 409 `FILE_IN_USE` where a base has it. */
  discard(scope: AccessScope, file: string): Promise<void>;
}

/** SQLite files that people send. @public */
export const DatabaseFilesToken = createToken<DatabaseFiles>('database-files');
