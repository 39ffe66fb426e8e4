import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServerPluginContext } from '@trellis/sdk/server';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import { migrations } from './migrations.ts';
import { TokenStore } from './token-store.ts';

describe('the store of API tokens', () => {
  let server: TestServer;
  let ctx: ServerPluginContext;
  let now = Date.parse('2026-11-22T10:00:00Z');

  beforeAll(async () => {
    const manifest = {
      id: 'tokens',
      name: 'Tokens',
      version: '1.0.0',
      category: 'app',
      engines: { trellis: '>=0.1.0' },
      sdk: 1,
      enabledByDefault: true,
      contributes: { tables: ['token'] },
    };
    const half = { migrations, setup: (own: ServerPluginContext) => void (ctx = own) };
    server = await createTestServer({ plugins: [{ manifest, server: half }] });
  });
  afterAll(() => server?.dispose());

  const of = { accountId: 'us_1', projectId: 'p_1', description: '', role: 'editor' } as const;

  test('knows a token until its end', async () => {
    const store = new TokenStore(ctx.db, () => now);
    const { text } = await store.create({ ...of, expiresAt: now + 60_000 });
    expect(await store.use(text)).toMatchObject({ accountId: 'us_1', role: 'editor' });
    now += 60_000;
    expect(await store.use(text)).toBeUndefined();
  });

  test('hears within half a second of a token that another server deleted', async () => {
    const [here, there] = [new TokenStore(ctx.db, () => now), new TokenStore(ctx.db, () => now)];
    const { token, text } = await here.create({ ...of, expiresAt: undefined });
    await here.use(text);
    await there.delete(token);
    expect(await there.use(text)).toBeUndefined();
    now += 500;
    expect(await here.use(text)).toBeUndefined();
  });

  test('holds no text of a token', async () => {
    const { text } = await new TokenStore(ctx.db, () => now).create({ ...of, expiresAt: undefined });
    const rows = await ctx.db.read((unit) => unit.all(unit.table('token').select('*')));
    expect(JSON.stringify(rows)).not.toContain(text);
  });
});
