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
  // What a hundred people behind one address open in a minute.
  for (let page = 0; page < 100; page += 1)
    expect((await together(40)).every(({ status }) => status === 404)).toBe(true);
  let refused: Awaited<ReturnType<typeof read>> | undefined;
  for (let page = 0; page < 640 && refused === undefined; page += 1)
    refused = (await together(40)).find(({ status }) => status === 429);
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_TRIES' } });
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
});
