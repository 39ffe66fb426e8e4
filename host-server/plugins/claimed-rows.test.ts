import { expect, test } from '@jest/globals';
import { ClaimedRows, type PluginMigration } from '@trellis/sdk/server';
import { createMetadata } from '../metadata/metadata.ts';
import { describeEachMetadata } from '../metadata/testing.ts';
import { serverOfTest } from '../runtime/testing.ts';
import { createPluginDatabase } from './plugin-database.ts';
import { migratePlugin } from './plugin-migrations.ts';

const migrations: readonly PluginMigration[] = [
  {
    id: '001-jobs',
    async up(schema) {
      const number = { kind: 'bigint', required: true } as const;
      await schema.createTable('job', {
        columns: {
          id: number,
          state: { kind: 'string', length: 10, required: true },
          next_at: number,
          lease_until: number,
          seq: number,
          position: number,
        },
        key: ['id'],
      });
      await ClaimedRows.addTo(schema, 'job');
      // A step that was cut off is run again.
      await ClaimedRows.addTo(schema, 'job');
    },
  },
];

describeEachMetadata('rows that servers claim', (open) => {
  async function start() {
    const database = await open();
    const metadata = await createMetadata({ database, pollEvery: 0 });
    await migratePlugin({ id: 'desk', contributes: { tables: ['job'] } }, migrations, {
      metadata,
      warn: () => undefined,
    });
    const db = createPluginDatabase('desk', metadata);
    let now = 1_000_000;
    const killed = serverOfTest();
    const one = { id: 1, state: 'waiting', next_at: 0, lease_until: 0, seq: 1, position: 0 };
    await db.write((unit) => unit.run(unit.table('job').insert(one)));
    return {
      killed,
      dispose: () => metadata.dispose(),
      claimsOf: (server = killed) => new ClaimedRows({ db, servers: server }, 'job', () => now),
      update: (values: object) =>
        db.write((unit) => unit.run(unit.table('job').where({ id: 1 }).update(values))),
      async job() {
        const row = await db.read((unit) => unit.first<Record<string, unknown>>(unit.table('job')));
        return {
          isTaken: row?.claimed_by !== null,
          leaseUntil: Number(row?.lease_until),
          interrupted: Number(row?.interrupted),
          nextAt: Number(row?.next_at),
        };
      },
      now: () => now,
      pass: (milliseconds: number) => void (now += milliseconds),
    };
  }

  test('are free at once when their server has ended, and stay with one that runs', async () => {
    const { killed, claimsOf, update, job, now, dispose } = await start();
    const claims = claimsOf();
    await update(claims.takenUntil(now() + 60_000));
    await claims.free();
    await claimsOf(serverOfTest()).free();
    expect(await job()).toMatchObject({ isTaken: true, leaseUntil: now() + 60_000 });
    await claimsOf(serverOfTest([killed.id])).free();
    expect(await job()).toEqual({ isTaken: false, leaseUntil: 0, interrupted: 1, nextAt: 0 });
    await update(claims.takenUntil(now() + 60_000));
    await update(ClaimedRows.done);
    expect(await job()).toEqual({ isTaken: false, leaseUntil: 0, interrupted: 0, nextAt: 0 });
    dispose();
  });

  test('are free when their time is over, and when what took them on the same server is gone', async () => {
    const { claimsOf, update, job, now, pass, dispose } = await start();
    const hangs = claimsOf(serverOfTest());
    await update(hangs.takenUntil(now() + 1000));
    pass(1001);
    await claimsOf().free();
    expect(await job()).toMatchObject({ isTaken: false, interrupted: 1 });
    await update(claimsOf().takenUntil(now() + 60_000));
    await claimsOf().free();
    expect(await job()).toMatchObject({ isTaken: false, interrupted: 2 });
    dispose();
  });

  test('wait longer and longer where they end one server after the other', async () => {
    const { killed, claimsOf, update, job, now, dispose } = await start();
    const next = claimsOf(serverOfTest([killed.id]));
    const pauses: number[] = [];
    for (let kills = 1; kills <= 8; kills += 1) {
      await update({ ...claimsOf().takenUntil(now() + 60_000), next_at: 0 });
      await next.free();
      pauses.push(Math.max(0, (await job()).nextAt - now()));
    }
    expect(pauses.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(pauses.slice(5)).toEqual(pauses.slice(5).toSorted((a, b) => a - b));
    expect(pauses[5]).toBeGreaterThanOrEqual(5000);
    dispose();
  });
});
