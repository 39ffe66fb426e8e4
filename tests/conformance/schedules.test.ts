import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestClient } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';
import { ManualClock } from '../../plugins/schedules/testing/manual-clock.ts';
import {
  Bakery,
  keeperOf,
  startScheduledServer,
  type Baking,
  type ScheduledServer,
} from '../../plugins/schedules/testing/scheduled-server.ts';

const secret = { TRELLIS_SECRET: 'one secret for all of the servers' };

async function projectOf(client: TestClient): Promise<string> {
  return (await client.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body.id;
}

describeEachServer('two servers on one database', (dialect) => {
  const databases = createStartedDatabases(dialect);
  let servers: readonly ScheduledServer[] = [];
  let keepers: readonly ReturnType<typeof keeperOf>[];
  let ann: TestClient;

  beforeAll(async () => {
    const database = await databases.url();
    const first = await startScheduledServer({ database, env: secret });
    servers = [first];
    const second = await startScheduledServer({ database, env: secret });
    servers = [first, second];
    ann = await first.server.signUp('ann@example.com');
    const projectId = await projectOf(ann);
    keepers = servers.map(({ server }) => keeperOf(server.client.with({ token: ann.token }), projectId));
  });
  afterAll(async () => {
    for (const { server } of servers) await server.dispose();
    await databases.dropAll();
  });

  function everywhereAt(moment: string): void {
    for (const { clock } of servers) clock.advanceTo(moment);
  }
  const begunBy = () => servers.map(({ bakery }) => bakery.begun.length);
  /** The next run that begins, and the number of the server that has it. */
  function nextOf(begun: readonly number[]): Promise<{ readonly baking: Baking; readonly at: number }> {
    return Promise.race(
      servers.map(async ({ bakery }, at) => ({ baking: await bakery.next((begun[at] ?? 0) + 1), at })),
    );
  }

  test('a run comes once, whichever of them has it', async () => {
    const [keep] = keepers;
    if (keep === undefined) throw new Error('there is no server');
    const schedule = await keep.make({ cron: '* 8 2 3 *', overlap: 'wait' });
    const minutes = ['00', '01', '02', '03', '04', '05'];
    for (const minute of minutes) {
      const before = begunBy();
      everywhereAt(`2026-03-02T08:${minute}:00Z`);
      (await nextOf(before)).baking.done();
      const due = `2026-03-02T08:${minute}:00.000Z`;
      await keep.until(schedule.id, ([newest]) => newest?.due_at === due && newest.state === 'done');
    }
    expect((await keep.log(schedule.id)).length).toBe(minutes.length);
    expect(begunBy().reduce((sum, count) => sum + count, 0)).toBe(minutes.length);
    await ann.delete(`${keep.path}/${schedule.id}`);
  });

  test('what a server left that went away the other one goes on with, and the log says that it was cut off', async () => {
    const schedule = await keepers[0]?.make({ cron: '0 9 2 3 *', retries: 1 });
    const before = begunBy();
    everywhereAt('2026-03-02T09:00:00Z');
    const { baking, at } = await nextOf(before);
    await servers[at]?.server.host.stop();
    const [other, keep] = [servers[1 - at], keepers[1 - at]];
    const again = await other?.bakery.next((before[1 - at] ?? 0) + 1);
    expect(again?.run).toMatchObject({ attempt: 2, runId: baking.run.runId });
    again?.done();
    const list = await keep?.until(schedule?.id ?? '', ([newest]) => newest?.state === 'done');
    expect(list?.[0]?.attempts.map(({ outcome }) => outcome)).toEqual(['cut-off', 'done']);
  });
});

describe('a server that starts anew', () => {
  test.each([
    ['skip', [['skipped', 3]]],
    ['once', [['done', 1]]],
    [
      'all',
      [
        ['done', 1],
        ['done', 1],
        ['done', 1],
      ],
    ],
  ] as const)('does with what was missed as is set: %s', async (missed, expected) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trellis-schedules-'));
    let { server } = await startScheduledServer({ dataDir, env: secret });
    try {
      const ann = await server.signUp('ann@example.com');
      const projectId = await projectOf(ann);
      const { id } = await keeperOf(ann, projectId).make({ cron: '0 * 2 3 *', missed });
      await server.dispose();
      const clock = new ManualClock('2026-03-02T09:30:00Z');
      const bakery = new Bakery();
      ({ server } = await startScheduledServer({ dataDir, env: secret, clock, bakery }));
      const keep = keeperOf(server.client.with({ token: ann.token }), projectId);
      clock.advanceTo('2026-03-02T09:30:02Z');
      const runs = expected.filter(([state]) => state === 'done').length;
      for (let number = 1; number <= runs; number += 1) (await bakery.next(number)).done();
      const list = await keep.until(
        id,
        (all) => all.length === expected.length && all.every(({ ended_at }) => ended_at !== null),
      );
      expect(list.map(({ state, times }) => [state, times])).toEqual(expected);
      expect((await keep.read(id)).next_runs[0]).toBe('2026-03-02T10:00:00.000Z');
      expect(bakery.begun.length).toBe(runs);
    } finally {
      await server.dispose();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
    }
  });
});
