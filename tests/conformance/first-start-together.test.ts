import { afterAll, expect, test } from '@jest/globals';
import { createTestServer } from '@trellis/sdk/testing/server';
import { createTestDatabases, describeEachServer } from '../../host-server/databases/testing.ts';

/** How often two servers start on each database; `TRELLIS_TEST_STARTS=50` makes a campaign. */
const times = Number(process.env.TRELLIS_TEST_STARTS ?? 3);
const env = { TRELLIS_SECRET: 'one secret for both of the servers' };

describeEachServer('two servers that start together on an empty database', (dialect) => {
  const databases = createTestDatabases(dialect);
  afterAll(() => databases.dropAll());

  test.each(Array.from({ length: times }, (_, index) => index + 1))('both run, time %i', async () => {
    const database = await databases.url();
    const starts = await Promise.allSettled([1, 2].map(() => createTestServer({ database, env })));
    const servers = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    try {
      expect(starts.flatMap((start) => (start.status === 'rejected' ? [start.reason] : []))).toEqual([]);
      for (const { host } of servers) {
        // Those that are off until somebody wants them are 'discovered'.
        const off = host.plugins.list().filter(({ state }) => state !== 'enabled' && state !== 'discovered');
        expect(off.map(({ id, state }) => ({ id, state }))).toEqual([]);
      }
    } finally {
      await Promise.all(servers.map((server) => server.dispose()));
    }
  });
});
