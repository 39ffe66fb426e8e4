import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { VisitorLimitToken, type VisitorLimit } from '@trellis/sdk/server';
import { createTestServer, testPlugin, type TestServer } from '@trellis/sdk/testing/server';

let server: TestServer;
let limit: VisitorLimit;
beforeAll(async () => {
  const counting = testPlugin('counts-visits', (ctx) => {
    limit = ctx.get(VisitorLimitToken);
  });
  server = await createTestServer({ plugins: [counting] });
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => server?.dispose());

const link = '00000000-0000-4000-8000-000000000000';
const read = () => server.client.get(`/api/v1/db/public/shared-view/${link}/meta`);

/** Calls by links from this machine beside those of the client, which are counted with them. */
async function visit(calls: number): Promise<void> {
  for (let call = 0; call < calls; call += 1) await limit.take('127.0.0.1');
}

test('an address may open many pages of links, and one that reads without end is asked to wait', async () => {
  // However long the machine takes, it is one minute in which they are counted.
  const now = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  // What a hundred people behind one address open in a minute.
  await visit(4000);
  expect(await read()).toMatchObject({ status: 404 });
  await expect(visit(25_600)).rejects.toMatchObject({ code: 'TOO_MANY_TRIES' });
  const refused = await read();
  expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_TRIES' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});
