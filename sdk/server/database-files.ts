import type { Readable } from 'node:stream';
import { createToken } from '../shared/index.ts';
import type { AccessScope } from './access.ts';

/** A database file that is being uploaded. @public */
export interface SentDatabaseFile {
  /** The name given by its sender: any text, never a path of this machine. */
  readonly name: string;
  readonly content: Readable;
  readonly signal?: AbortSignal;
}

/**
 * SQLite files that people upload from their computer, to be opened as a base. Each method requires `databaseOpen`.
 *
 * A file that becomes no base is removed after a day. The file of a base is removed when the base is removed from its project,
 * and when its project is purged.
 * @public
 */
export interface DatabaseFiles {
  /** The most bytes of a file; 0 if the operator forbids uploads. */
  readonly limit: number;
  /** @throws TrellisError 403 `FILE_UPLOAD_OFF`, 413 `FILE_UPLOAD_LARGE`, 507 `FILE_UPLOAD_NO_ROOM`. */
  assertRoom(scope: AccessScope, bytes: number): Promise<void>;
  /**
   * Stores a file once it is complete and SQLite has checked each page and index. `file` is the value for the setting of that
   * name of a base of kind `sqlite3`.
   *
   * @throws TrellisError 400 `FILE_UPLOAD_NOT_SQLITE`, `FILE_UPLOAD_DAMAGED` or `FILE_UPLOAD_UNREADABLE`; then nothing is stored.
   */
  receive(
    scope: AccessScope,
    sent: SentDatabaseFile,
  ): Promise<{ readonly file: string; readonly bytes: number }>;
  /** Removes a received file. @throws TrellisError 409 `FILE_IN_USE` if a base uses it. */
  discard(scope: AccessScope, file: string): Promise<void>;
}

/** SQLite files that people upload. @public */
export const DatabaseFilesToken = createToken<DatabaseFiles>('database-files');
