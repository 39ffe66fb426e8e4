import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Servers } from '@trellis/sdk/server';
import { DatabaseError, type Database } from '../databases/index.ts';
import { describeEachMetadata } from '../metadata/testing.ts';
import { createMetadata } from '../metadata/metadata.ts';
import { createLeases, type LeaseTimes } from './leases.ts';
import { serverOfTest } from './testing.ts';

describeEachMetadata('a lease', (open, dialect) => {
  /** Leases whose renewals a test lets fail or hang. */
  async function start(times: LeaseTimes) {
    const database = await open();
    const { dispose } = await createMetadata({ database, pollEvery: 0 });
    const hindrance: { of: (() => Promise<never>) | undefined } = { of: undefined };
    const write: Database['write'] = (work, options) => hindrance.of?.() ?? database.write(work, options);
    return {
      leases: createLeases({ dialect: database.dialect, write }, times),
      database,
      hindrance,
      dispose,
    };
  }
  const ended = (signal: AbortSignal) => new Promise((resolve) => signal.addEventListener('abort', resolve));

  test('of a server that has ended is had at once, and of one that runs it is not', async () => {
    const { database, dispose } = await start({});
    const first = serverOfTest();
    const held = createLeases(database, { servers: first });
    await held.hold('work', async () => {
      const take = (servers: Servers) =>
        createLeases(database, { servers }).hold('work', ({ fence }) => Promise.resolve(fence), { wait: 0 });
      expect(await take(serverOfTest())).toBeUndefined();
      expect(await take(serverOfTest([first.id]))).toBe(2);
    });
    dispose();
  });

  test('is kept when a renewal fails and a later one does not', async () => {
    const { leases, database, hindrance, dispose } = await start({ lifetime: 60_000, renewal: 5 });
    const expiry = async () =>
      (
        await database.read((unit) =>
          unit.first<{ expires_at: number | string }>(
            unit.knex('trellis_lease').where({ name: 'work' }).select('expires_at'),
          ),
        )
      )?.expires_at;
    const isKept = await leases.hold('work', async ({ signal }) => {
      await new Promise<void>((resolve) => {
        hindrance.of = () => {
          hindrance.of = undefined;
          resolve();
          return Promise.reject(new DatabaseError('unreachable'));
        };
      });
      const before = await expiry();
      while ((await expiry()) === before && !signal.aborted) await setImmediate();
      return !signal.aborted;
    });
    expect(isKept).toBe(true);
    dispose();
  });

  test('ends with its lifetime when a renewal hangs, but not while its holder keeps the only writer busy', async () => {
    const { leases, hindrance, dispose } = await start({ lifetime: 50, renewal: 5 });
    const outcome = await leases.hold('work', async ({ signal }) => {
      const aborted = ended(signal);
      const tried = new Promise<string>((resolve) => {
        let renewals = 0;
        hindrance.of = async () => {
          renewals += 1;
          if (renewals === 30) resolve('kept');
          if (dialect !== 'sqlite') await aborted;
          throw new DatabaseError('busy');
        };
      });
      const outcome = await Promise.race([tried, aborted.then(() => 'ended')]);
      hindrance.of = undefined;
      return outcome;
    });
    expect(outcome).toBe(dialect === 'sqlite' ? 'kept' : 'ended');
    dispose();
  });

  test('ends when another holder is found to have it', async () => {
    const { leases, database, dispose } = await start({ lifetime: 60_000, renewal: 5 });
    const reason = await leases.hold('work', async ({ signal }) => {
      const aborted = ended(signal);
      await database.write((unit) => unit.run(unit.knex('trellis_lease').increment('fence', 1)));
      await aborted;
      return signal.reason as unknown;
    });
    expect(reason).toMatchObject({ code: 'LEASE_LOST' });
    dispose();
  });

  test('is not waited for longer than asked in the process that holds it, and the next caller keeps its place', async () => {
    const { leases, dispose } = await createMetadata({ database: await open(), pollEvery: 0 });
    let finish = () => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const seen: string[] = [];
    const work = (name: string) => async () => void seen.push(name);
    const holding = leases.hold('work', async () => {
      await done;
      seen.push('first');
    });
    const hurried = leases.hold('work', work('hurried'), { wait: 1 });
    const patient = leases.hold('work', work('patient'), { wait: 60_000 });
    expect(await hurried).toBeUndefined();
    finish();
    await Promise.all([holding, patient]);
    expect(seen).toEqual(['first', 'patient']);
    dispose();
  });
});
