import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import type { Servers } from '@trellis/sdk/server';
import type { DatabaseTarget } from '../database.ts';
import { SqlitePresence } from '../sqlite/sqlite-presence.ts';

/** How servers on a database know of each other: each holds a lock that ends with its process. */
export interface Presence extends Servers {
  dispose(): Promise<void>;
}

/** The locks of one kind of database. */
export interface PresenceLocks {
  /** Holds the lock of an id until `close`, or until the process ends. */
  hold(id: string): Promise<void>;
  /** Those of the ids whose locks are free; none while the database cannot be asked. */
  free(ids: readonly string[]): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Ids with this prefix belong to servers that hold a lock. For others, such as those of former versions, a free lock means nothing. */
const prefix = 'server:';
const longestHost = 24;

/** Announces this server to the others on its database. */
export async function openPresence(target: DatabaseTarget): Promise<Presence> {
  const locks = await locksOf(target);
  const id = `${prefix}${hostname().slice(0, longestHost)}:${process.pid}:${randomUUID().slice(0, 13)}`;
  await locks.hold(id);
  return {
    id,
    async endedOf(ids) {
      const others = ids.filter((one) => one !== id && one.startsWith(prefix));
      return others.length === 0 ? [] : locks.free(others);
    },
    dispose: () => locks.close(),
  };
}

async function locksOf(target: DatabaseTarget): Promise<PresenceLocks> {
  if (target.kind === 'sqlite') return new SqlitePresence(target.file);
  const { ServerPresence } = await import('../server/server-presence.ts');
  return new ServerPresence(target);
}
