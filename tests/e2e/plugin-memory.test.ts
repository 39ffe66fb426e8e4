import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestClient } from '@trellis/sdk/testing/server';
import { shipToNewFolder, startBuiltServer, type BuiltServer, type ShippedPlugin } from './built-product.ts';

/** What a route of the hoarder keeps: at least 8 bytes of each number. */
const kept = 40 * 2 ** 20;

const plugins: readonly ShippedPlugin[] = [
  {
    id: 'hoarder',
    name: 'Hoarder',
    server: `export default { setup(ctx) {
      ctx.routes({ method: 'GET', path: 'keep', permission: 'public', summary: 'Keeps', handle: async () => {
        while (kept.length < ${kept / 8 / 1000}) kept.push(Array.from({ length: 1000 }, Math.random));
        return { held: kept.length };
      } });
    } };
    const kept = [];`,
  },
  {
    id: 'modest',
    name: 'Modest',
    // Makes as much and keeps nothing.
    server: `export default { setup(ctx) {
      ctx.routes({ method: 'GET', path: 'keep', permission: 'public', summary: 'Drops', handle: async () => {
        let sum = 0;
        for (let turn = 0; turn < ${kept / 8 / 1000}; turn += 1) sum += Array.from({ length: 1000 }, Math.random).length;
        return { held: sum };
      } });
    } };`,
  },
];

interface HeldMemory {
  readonly held?: { readonly at: string; readonly bytes: Readonly<Record<string, number>> };
}

let dataDir = '';
beforeAll(async () => {
  dataDir = await shipToNewFolder(plugins);
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function withServer(
  watchdogSeconds: string,
  work: (boss: TestClient, server: BuiltServer) => Promise<void>,
): Promise<void> {
  const server = startBuiltServer(dataDir, {
    TRELLIS_WATCHDOG_SECONDS: watchdogSeconds,
    TRELLIS_PLUGINS_ENABLED: plugins.map(({ id }) => id).join(','),
  });
  try {
    const client = new TestClient(await server.listening());
    const credentials = { email: 'boss@example.com', password: 'Password-1' };
    const signedUp = await client.post<{ token: string }>('/api/v1/auth/user/signup', credentials);
    const { body } =
      signedUp.status < 300
        ? signedUp
        : await client.post<{ token: string }>('/api/v1/auth/user/signin', credentials);
    await work(client.with({ token: body.token }), server);
  } finally {
    await server.end('SIGTERM');
  }
}

test('the server says what each plugin holds in memory, and measures at most once a minute', () =>
  withServer('30', async (boss) => {
    for (const { id } of plugins) while ((await boss.get(`/api/v1/plugins/${id}/keep`)).status !== 200);
    const { body, status } = await boss.get<HeldMemory>('/api/v1/app-store/memory');
    expect(status).toBe(200);
    const { hoarder = 0, modest = 0 } = body.held?.bytes ?? {};
    // An estimate from one sample in some hundred kilobytes.
    expect(hoarder).toBeGreaterThan(kept * 0.6);
    expect(hoarder).toBeLessThan(kept * 2.5);
    expect(modest).toBeLessThan(kept * 0.2);
    expect((await boss.get<HeldMemory>('/api/v1/app-store/memory')).body).toEqual(body);
  }));

test('a server without a watchdog says that nobody measures', () =>
  withServer('0', async (boss) => {
    expect((await boss.get('/api/v1/app-store/memory')).body).toEqual({});
  }));
