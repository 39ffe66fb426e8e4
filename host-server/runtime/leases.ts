import { hostname } from 'node:os';
import type { Database } from '../databases/database.ts';
import { randomText } from '../metadata/ids.ts';
import { metadataErrors } from '../metadata/metadata-errors.ts';

/** What the holder of a lease is told. */
export interface Lease {
  /** Grows with every holder; a write that carries an old one came too late. */
  readonly fence: number;
  /** Aborts when the lease could not be kept. */
  readonly signal: AbortSignal;
}

export interface LeaseOptions {
  /** Milliseconds to wait for the present holder. Default: as long as it takes. */
  readonly wait?: number;
}

/** One holder at a time over all servers on one metadata database. */
export interface Leases {
  /** Runs `work` while nobody else holds `name`. Undefined when it could not be had in time. */
  hold<T>(name: string, work: (lease: Lease) => Promise<T>, options?: LeaseOptions): Promise<T | undefined>;
}

const lifetime = 6000;
const renewal = 2000;
const retry = 100;

/** Leases in `trellis_lease`: rows that expire unless their holder renews them, so that a killed one gives way in seconds. */
export function createLeases(database: Database, now: () => number = Date.now): Leases {
  const holder = `${hostname()}:${process.pid}:${randomText(8)}`;
  /** Callers of this process take turns here; the row only speaks for the process. */
  const local = new Map<string, Promise<unknown>>();

  /** Contenders may deadlock on the row; the write is run again then. */
  const contended = { retry: true };

  async function acquire(name: string): Promise<number | undefined> {
    return database.write(async (unit) => {
      const row = () => unit.knex('trellis_lease').where({ name });
      if ((await unit.first(row().select('fence'))) === undefined) {
        const free = { name, holder: '', fence: 0, expires_at: 0 };
        await unit.run(unit.knex('trellis_lease').insert(free).onConflict('name').ignore());
      }
      const { changes } = await unit.run(
        row()
          .where('expires_at', '<', now())
          .update({ holder, expires_at: now() + lifetime })
          .increment('fence', 1),
      );
      if (changes === 0) return undefined;
      return Number((await unit.first<{ fence: number }>(row().select('fence')))?.fence);
    }, contended);
  }

  /** Moves the end of the lease that `fence` stands for; false when another holder has it. */
  async function setExpiry(name: string, fence: number, expiresAt: number): Promise<boolean> {
    const { changes } = await database.write(
      (unit) =>
        unit.run(unit.knex('trellis_lease').where({ name, holder, fence }).update({ expires_at: expiresAt })),
      contended,
    );
    return changes > 0;
  }

  async function waitFor(name: string, until: number): Promise<number | undefined> {
    for (;;) {
      const fence = await acquire(name);
      if (fence !== undefined || now() >= until) return fence;
      await new Promise((resolve) => setTimeout(resolve, retry));
    }
  }

  async function run<T>(
    name: string,
    work: (lease: Lease) => Promise<T>,
    until: number,
  ): Promise<T | undefined> {
    const fence = await waitFor(name, until);
    if (fence === undefined) return undefined;
    const lost = new AbortController();
    let renewing: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      renewing = setExpiry(name, fence, now() + lifetime).then(
        (kept) => {
          if (!kept) lost.abort(metadataErrors.create('LEASE_LOST', { name }));
        },
        (error: unknown) => lost.abort(error),
      );
    }, renewal);
    timer.unref();
    try {
      return await work({ fence, signal: lost.signal });
    } finally {
      clearInterval(timer);
      // A renewal on its way must not undo the release.
      await renewing;
      // Work that is done stays done: a lease that cannot be given back runs out by itself.
      await setExpiry(name, fence, 0).catch(() => false);
    }
  }

  return {
    async hold(name, work, options = {}) {
      const until = options.wait === undefined ? Number.POSITIVE_INFINITY : now() + options.wait;
      const before = local.get(name) ?? Promise.resolve();
      const turn = before.then(() => run(name, work, until));
      const settled = turn.catch(() => undefined);
      local.set(name, settled);
      void settled.then(() => {
        if (local.get(name) === settled) local.delete(name);
      });
      return turn;
    },
  };
}
