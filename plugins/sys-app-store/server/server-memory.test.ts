import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import type { ServerMemory } from '../shared/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server?.dispose());

test('the store says how much memory all plugins share with the server, to administrators alone', async () => {
  const admin = await server.signUp();
  const path = '/api/v1/app-store/plugins';
  const { body } = await admin.get<{ memory: ServerMemory }>(path);
  const { used, limit, process } = body.memory;
  for (const bytes of [used, limit, process])
    expect(Number.isSafeInteger(bytes) && bytes > 2 ** 20).toBe(true);
  expect(used).toBeLessThan(limit);
  const other = await server.signUp();
  expect((await other.get<object>(path)).body).not.toHaveProperty('memory');
});
