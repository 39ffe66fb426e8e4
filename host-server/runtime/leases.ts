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

/** The facts that the holder of a lease gets. */
export interface Lease {
  /** Grows with every holder; a write with an older one is too late. */
  readonly fence: number;
  /** Aborts when the lease could not be renewed. */
  readonly signal: AbortSignal;
}

export interface LeaseOptions {
  /** Milliseconds to wait for the present holder. Default: no limit. */
  readonly wait?: number;
}

/** One holder at a time over all servers on one metadata database. */
export interface Leases {
  /** Runs `work` while nobody else holds `name`. Undefined when the lease was not free in time. */
  hold<T>(name: string, work: (lease: Lease) => Promise<T>, options?: LeaseOptions): Promise<T | undefined>;
}

/** A taken lease, and when it was asked for, by `performance.now()`. */
interface Taken {
  readonly fence: number;
  readonly at: number;
}

/** The outcome of an attempt to take a lease. */
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
  /** Tells which holders have ended, so that their leases are free at once. Default: unknown. */
  readonly servers?: Servers;
}

/**
 * Leases in `trellis_lease`: rows that expire unless their holder renews them. A holder that hangs loses its lease in seconds,
 * and one that has ended loses it at once. All times are by the database's clock, since the clocks of servers may differ.
 *
 * A failed renewal is repeated while the lease lives. On a database with a single writer, a holder's own long write delays its
 * renewal. Nobody else can take the lease during that time, so there a lease ends only when another holder is found.
 */
export function createLeases(
  database: Pick<Database, 'dialect' | 'write'>,
  { lifetime = 6000, renewal = 2000, servers }: LeasesOptions = {},
): Leases {
  const { dialect } = database;
  const holder = servers?.id ?? `${hostname()}:${process.pid}:${randomText(8)}`;
  /** Callers in this process take turns here; the row only represents the process. */
  const local = new Map<string, Promise<unknown>>();

  /** Contenders may deadlock on the row; then the write is repeated. */
  const contended = { retry: true };
  const hasOneWriter = !dialect.statements.locksRows;
  /** A renewal that hangs on a server is cut off early enough for another one. */
  const renewing = hasOneWriter ? contended : { ...contended, timeoutMs: renewal };

  /** Takes a free lease; otherwise returns its holder. */
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

  /** The fence of the lease, if it was taken. */
  async function take(name: string): Promise<number | undefined> {
    const first = await acquire(name, undefined);
    if ('fence' in first) return first.fence;
    const [ended] = (await servers?.endedOf(first.heldBy === undefined ? [] : [first.heldBy])) ?? [];
    if (ended === undefined) return undefined;
    const second = await acquire(name, ended);
    return 'fence' in second ? second.fence : undefined;
  }

  /** Renews or releases the lease of `fence`; false when another holder has it. */
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
      // A renewal under way must not undo the release.
      await heartbeat.stop();
      // The work is done even if the lease cannot be released; then it expires.
      await update(name, taken.fence, 'free').catch(() => false);
    }
  }

  /** Renews a lease until it is stopped. The signal aborts when another holder may have the lease. */
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
      // A caller behind one that gave up also waits for those before it.
      const settled = Promise.allSettled([before, turn]).then(() => undefined);
      local.set(name, settled);
      void settled.then(() => {
        if (local.get(name) === settled) local.delete(name);
      });
      return turn;
    },
  };
}

/** Whether `turn` settles within so many milliseconds; always true without a limit. */
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
