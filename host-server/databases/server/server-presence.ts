import { createHash } from 'node:crypto';
import type { PresenceLocks } from '../connections/presence.ts';
import type { ServerTarget } from '../database.ts';

/** A session on a database server, which holds a lock until the session ends. */
export interface LockSession {
  hold(name: bigint): Promise<void>;
  free(names: readonly bigint[]): Promise<readonly bigint[]>;
  /** Resolves when the session has ended for any reason. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds before a lost session is opened again, and between heartbeats, which detect a silent loss. */
const pause = 1000;
const heartbeat = 15_000;

async function openSession(target: ServerTarget): Promise<LockSession> {
  const { kind } = target;
  if (kind === 'mysql') return (await import('../mysql/mysql-locks.ts')).openMysqlLocks(target);
  if (kind === 'postgres') return (await import('../postgres/postgres-locks.ts')).openPostgresLocks(target);
  throw new Error(`Trellis cannot keep its own tables in a database of the kind '${kind}'.`);
}

/** Locks of servers on one database server: each holds one in a separate session, which ends with its process. */
export class ServerPresence implements PresenceLocks {
  readonly #target: ServerTarget;
  #session: LockSession | undefined;
  #id = '';
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(target: ServerTarget) {
    this.#target = target;
  }

  async hold(id: string): Promise<void> {
    this.#id = id;
    const session = await openSession(this.#target);
    try {
      await session.hold(this.#nameOf(id));
    } catch (error) {
      await session.close();
      throw error;
    }
    if (this.#isClosed) return session.close();
    this.#session = session;
    this.#beatLater(session);
    void session.ended.then(() => this.#lose(session));
  }

  async free(ids: readonly string[]): Promise<readonly string[]> {
    const session = this.#session;
    if (session === undefined) return [];
    const idOf = new Map(ids.map((id) => [this.#nameOf(id), id]));
    try {
      const free = await session.free([...idOf.keys()]);
      return free.flatMap((name) => idOf.get(name) ?? []);
    } catch {
      this.#lose(session);
      return [];
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const session = this.#session;
    this.#session = undefined;
    await session?.close();
  }

  /** Installations that share a server have separate locks. */
  #nameOf(id: string): bigint {
    const { database, schema = '' } = this.#target;
    return createHash('sha256').update(`${database}/${schema}/${id}`).digest().readBigInt64BE();
  }

  #beatLater(session: LockSession): void {
    this.#after(heartbeat, () => {
      session.free([this.#nameOf(this.#id)]).then(
        ([lost]) => {
          if (lost !== undefined) this.#lose(session);
          else if (this.#session === session) this.#beatLater(session);
        },
        () => this.#lose(session),
      );
    });
  }

  /** Until the lock is held again, others may take over this server's work, which is then done twice. */
  #lose(session: LockSession): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    void session.close();
    this.#holdLater();
  }

  #holdLater(): void {
    if (this.#isClosed) return;
    this.#after(pause, () => {
      this.hold(this.#id).catch(() => this.#holdLater());
    });
  }

  #after(milliseconds: number, run: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(run, milliseconds).unref();
  }
}
