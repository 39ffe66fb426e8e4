import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => server?.dispose());

const link = '00000000-0000-4000-8000-000000000000';
const read = () => server.client.get(`/api/v1/db/public/shared-view/${link}/meta`);
const together = (calls: number) => Promise.all(Array.from({ length: calls }, read));

test('an address may open many pages of links, and one that reads without end is asked to wait', async () => {
  // However long the machine takes, it is one minute in which they are counted.
  const now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  // Fewer at a time than one address has places for: none waits in line, where a slow machine would turn it away as busy.
  const burst = 20;
  // What a hundred people behind one address open in a minute.
  for (let calls = 0; calls < 4000; calls += burst) {
    const refused = (await together(burst)).filter(({ status }) => status !== 404);
    expect(refused.map(({ status, body }) => ({ calls, status, body }))).toEqual([]);
  }
  let refused: Awaited<ReturnType<typeof read>> | undefined;
  for (let calls = 0; calls < 25_600 && refused === undefined; calls += burst)
    refused = (await together(burst)).find(({ status }) => status === 429);
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_TRIES' } });
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
});
