import { hostname } from 'node:os';
import { defineErrors } from '@trellis/core';
import type { Servers } from '@trellis/sdk/server';
import type { Database } from '../databases/database.ts';
import { fromNow } from './database-clock.ts';
import { Heartbeat } from './heartbeat.ts';
import { randomText } from './ids.ts';

export const leaseErrors = defineErrors({
  LEASE_LOST: { status: 503, message: 'Another server took over {name}. Please try again.' },
});

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

/** A lease that was had, and when it was asked for, by `performance.now()`. */
interface Taken {
  readonly fence: number;
  readonly at: number;
}

/** What came of an attempt to take a lease. */
type Acquired = { readonly fence: number } | { readonly heldBy: string | undefined };

/** Milliseconds between two attempts to take a lease that somebody else holds. */
const retry = 100;

export interface LeaseTimes {
  /** Milliseconds after which a lease that was not renewed is free. Default 6,000. */
  readonly lifetime?: number;
  /** Milliseconds between two renewals. Default 2,000. */
  readonly renewal?: number;
}

export interface LeasesOptions extends LeaseTimes {
  /** Tells which holders have ended: their leases are free at once. Default: nobody knows. */
  readonly servers?: Servers;
}

/**
 * Leases in `trellis_lease`: rows that expire unless their holder renews them, so that one that hangs gives way in seconds; one that
 * has ended gives way at once. All times are those of the database's clock: the clocks of the servers may differ.
 *
 * A renewal that fails is tried again while the lease lives. Where a database has one writer, a holder that writes for long keeps its
 * renewal waiting; nobody else can take the lease meanwhile, so there it ends only when another holder is found to have it.
 */
export function createLeases(
  database: Pick<Database, 'dialect' | 'write'>,
  { lifetime = 6000, renewal = 2000, servers }: LeasesOptions = {},
): Leases {
  const { dialect } = database;
  const holder = servers?.id ?? `${hostname()}:${process.pid}:${randomText(8)}`;
  /** Callers of this process take turns here; the row only speaks for the process. */
  const local = new Map<string, Promise<unknown>>();

  /** Contenders may deadlock on the row; the write is run again then. */
  const contended = { retry: true };
  const hasOneWriter = !dialect.statements.locksRows;
  /** A renewal that hangs on a server leaves time for another one. */
  const renewing = hasOneWriter ? contended : { ...contended, timeoutMs: renewal };

  /** Takes a lease that is free; otherwise gives who holds it. */
  async function acquire(name: string, ended: string | undefined): Promise<Acquired> {
    return database.write(async (unit) => {
      const row = () => unit.knex('trellis_lease').where({ name });
      const read = () => unit.first<{ holder: string; fence: number }>(row().select('holder', 'fence'));
      if ((await read()) === undefined) {
        const free = { name, holder: '', fence: 0, expires_at: 0 };
        await unit.run(unit.knex('trellis_lease').insert(free).onConflict('name').ignore());
      }
      const { changes } = await unit.run(
        row()
          .where((is) => {
            void is.where('expires_at', '<', fromNow(unit, dialect));
            if (ended !== undefined) void is.orWhere({ holder: ended });
          })
          .update({ holder, expires_at: fromNow(unit, dialect, lifetime) })
          .increment('fence', 1),
      );
      const found = await read();
      return changes === 0 ? { heldBy: found?.holder } : { fence: Number(found?.fence) };
    }, contended);
  }

  /** The fence of a lease that could be had. */
  async function take(name: string): Promise<number | undefined> {
    const first = await acquire(name, undefined);
    if ('fence' in first) return first.fence;
    const [ended] = (await servers?.endedOf(first.heldBy === undefined ? [] : [first.heldBy])) ?? [];
    if (ended === undefined) return undefined;
    const second = await acquire(name, ended);
    return 'fence' in second ? second.fence : undefined;
  }

  /** Keeps or gives back the lease that `fence` stands for; false when another holder has it. */
  async function update(name: string, fence: number, to: 'kept' | 'free'): Promise<boolean> {
    const { changes } = await database.write(
      (unit) => {
        const expires_at = to === 'kept' ? fromNow(unit, dialect, lifetime) : 0;
        return unit.run(unit.knex('trellis_lease').where({ name, holder, fence }).update({ expires_at }));
      },
      to === 'kept' ? renewing : contended,
    );
    return changes > 0;
  }

  async function waitFor(name: string, until: number): Promise<Taken | undefined> {
    for (;;) {
      const at = performance.now();
      const fence = await take(name);
      if (fence !== undefined) return { fence, at };
      if (performance.now() >= until) return undefined;
      await new Promise((resolve) => setTimeout(resolve, retry));
    }
  }

  async function run<T>(
    name: string,
    work: (lease: Lease) => Promise<T>,
    until: number,
  ): Promise<T | undefined> {
    const taken = await waitFor(name, until);
    if (taken === undefined) return undefined;
    const { heartbeat, signal } = keep(name, taken);
    try {
      return await work({ fence: taken.fence, signal });
    } finally {
      // A renewal on its way must not undo the release.
      await heartbeat.stop();
      // Work that is done stays done: a lease that cannot be given back runs out by itself.
      await update(name, taken.fence, 'free').catch(() => false);
    }
  }

  /** Renews a lease until it is stopped. The signal aborts when the lease may be another's. */
  function keep(name: string, { fence, at }: Taken) {
    const lost = new AbortController();
    const heartbeat = new Heartbeat({
      every: renewal,
      lifetime: hasOneWriter ? undefined : lifetime,
      since: performance.now() - at,
      beat: () => update(name, fence, 'kept'),
      onLost: (failure) => lost.abort(failure ?? leaseErrors.create('LEASE_LOST', { name })),
    });
    return { heartbeat, signal: lost.signal };
  }

  return {
    async hold(name, work, { wait } = {}) {
      const until = performance.now() + (wait ?? Number.POSITIVE_INFINITY);
      const before = local.get(name) ?? Promise.resolve();
      const turn = comesWithin(before, wait).then((comes) => (comes ? run(name, work, until) : undefined));
      // The caller behind one that gave up waits for those before it, too.
      const settled = Promise.allSettled([before, turn]).then(() => undefined);
      local.set(name, settled);
      void settled.then(() => {
        if (local.get(name) === settled) local.delete(name);
      });
      return turn;
    },
  };
}

/** Whether `turn` comes within so many milliseconds; without a limit it does. */
function comesWithin(turn: Promise<unknown>, wait: number | undefined): Promise<boolean> {
  if (wait === undefined) return turn.then(() => true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), wait);
    void turn.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
