import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type SqliteFile from 'better-sqlite3';
import type { PresenceLocks } from '../connections/presence.ts';

/** Milliseconds within which a server that has created its file locks it. */
const patience = 60_000;

type Open = typeof SqliteFile;

/** The folder with the locks of the servers on a database file. */
export function serversFolderOf(file: string): string {
  return `${file}-servers`;
}

/**
 * Locks of servers that share a database file: each holds an empty SQLite file beside it, and the operating system releases its
 * lock when the process ends.
 */
export class SqlitePresence implements PresenceLocks {
  readonly #folder: string;
  #held: { readonly file: string; readonly lock: SqliteFile.Database } | undefined;

  constructor(file: string) {
    this.#folder = serversFolderOf(file);
  }

  async hold(id: string): Promise<void> {
    const { default: File } = await import('better-sqlite3');
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#removeEnded(File);
    const file = this.#fileOf(id);
    const lock = locked(new File(file, { timeout: 0 }));
    if (lock === undefined) throw new Error(`The file ${file} of this server is in use by another one.`);
    this.#held = { file, lock };
  }

  async free(ids: readonly string[]): Promise<readonly string[]> {
    const { default: File } = await import('better-sqlite3');
    return ids.filter((id) => isFree(File, this.#fileOf(id)));
  }

  async close(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) return;
    held.lock.close();
    await rm(held.file, { force: true });
  }

  #fileOf(id: string): string {
    return join(this.#folder, id.replaceAll(/[^\w-]/g, '_'));
  }

  /** Removes the files of killed servers. */
  async #removeEnded(File: Open): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const file = join(this.#folder, name);
      const { mtimeMs = Date.now() } = (await stat(file).catch(() => undefined)) ?? {};
      if (Date.now() - mtimeMs > patience && isFree(File, file)) await rm(file, { force: true });
    }
  }
}

/** A connection that holds the lock of its file; undefined, and closed, if another one holds it. */
function locked(database: SqliteFile.Database): SqliteFile.Database | undefined {
  try {
    return database.exec('begin exclusive');
  } catch {
    database.close();
    return undefined;
  }
}

/** Whether nobody holds the lock of a file. True for a missing file; a file that cannot be opened counts as held. */
function isFree(File: Open, file: string): boolean {
  if (!existsSync(file)) return true;
  try {
    return locked(new File(file, { timeout: 0, fileMustExist: true }))?.close() !== undefined;
  } catch {
    return false;
  }
}
