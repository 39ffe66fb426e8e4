import { DatabaseError } from '../../sql/database-error.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

const ACQUIRE_MS = 2000;
const IDLE_MS = 60_000;

interface Waiter {
  /** Called when it is certain that it gets a connection; it is not told that all are busy any more. */
  readonly stopTheClock: () => void;
  readonly take: (connection: SqliteConnection) => void;
  readonly refuse: (error: unknown) => void;
}

/** A few reading connections, opened when they are first needed and closed after a minute of rest. */
export class SqliteReaders {
  readonly #open: () => Promise<SqliteConnection>;
  readonly #most: number;
  readonly #resting: { readonly connection: SqliteConnection; readonly timer: NodeJS.Timeout }[] = [];
  readonly #lent = new Set<SqliteConnection>();
  readonly #waiters: Waiter[] = [];
  /** Connections that count against the limit: lent, resting, opening, and given up but not ended yet. */
  #count = 0;
  #closed = false;

  constructor(most: number, open: () => Promise<SqliteConnection>) {
    this.#most = most;
    this.#open = open;
  }

  /** Rejects with kind `busy` when none is free within two seconds. */
  acquire(): Promise<SqliteConnection> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(new DatabaseError('busy'));
      }, ACQUIRE_MS);
      const waiter: Waiter = {
        stopTheClock: () => clearTimeout(timer),
        take: (connection) => {
          clearTimeout(timer);
          this.#lent.add(connection);
          resolve(connection);
        },
        refuse: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#waiters.push(waiter);
      this.#serve();
    });
  }

  release(connection: SqliteConnection): void {
    this.#lent.delete(connection);
    if (connection.ended) {
      this.#count -= 1;
    } else if (this.#closed) {
      this.#close(connection);
    } else {
      const timer = setTimeout(() => {
        this.#resting.splice(
          this.#resting.findIndex((rest) => rest.connection === connection),
          1,
        );
        this.#close(connection);
      }, IDLE_MS);
      timer.unref();
      this.#resting.push({ connection, timer });
    }
    this.#serve();
  }

  /** Gives up a connection whose statement goes on; its place is free when the statement has ended. */
  discard(connection: SqliteConnection): void {
    this.#lent.delete(connection);
    void connection.abandon().then(() => {
      this.#count -= 1;
      this.#serve();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const waiter of this.#waiters.splice(0)) waiter.refuse(new DatabaseError('unreachable'));
    const resting = this.#resting.splice(0);
    for (const { timer } of resting) clearTimeout(timer);
    await Promise.all([
      ...resting.map(({ connection }) => connection.close()),
      ...[...this.#lent].map((connection) => connection.abandon()),
    ]);
  }

  #close(connection: SqliteConnection): void {
    this.#count -= 1;
    connection.close().catch(() => connection.abandon());
  }

  #serve(): void {
    while (this.#waiters.length > 0) {
      const rest = this.#resting.pop();
      if (rest !== undefined) {
        clearTimeout(rest.timer);
        // Its thread may have died at rest.
        if (rest.connection.ended) this.#count -= 1;
        else this.#waiters.shift()?.take(rest.connection);
      } else if (!this.#closed && this.#count < this.#most) {
        this.#count += 1;
        const waiter = this.#waiters.shift();
        waiter?.stopTheClock();
        this.#open().then(
          (connection) => waiter?.take(connection),
          (error: unknown) => {
            this.#count -= 1;
            waiter?.refuse(error);
          },
        );
      } else {
        return;
      }
    }
  }
}
