import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServerPluginContext } from '@trellis/sdk/server';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import usersPlugin from '../plugin.json' with { type: 'json' };
import { migrations } from './migrations.ts';
import { lifetimes, Tickets } from './tickets.ts';

describe('links in mails', () => {
  let server: TestServer;
  let ctx: ServerPluginContext;
  let now = Date.parse('2026-11-22T10:00:00Z');

  beforeAll(async () => {
    const manifest = {
      id: 'tickets',
      name: 'Tickets',
      version: '1.0.0',
      category: 'app',
      engines: { trellis: '>=0.1.0' },
      sdk: 1,
      enabledByDefault: true,
      contributes: { tables: usersPlugin.contributes.tables },
    };
    const half = { migrations, setup: (own: ServerPluginContext) => void (ctx = own) };
    server = await createTestServer({ plugins: [{ manifest, server: half }] });
  });
  afterAll(() => server?.dispose());

  test('work for their time, and say afterwards that it is over', async () => {
    const tickets = new Tickets(ctx.db, () => now);
    const { token, until } = await tickets.issue('reset', 'us_1', 'for Ada');
    expect(until - now).toBe(lifetimes.reset);
    expect(await tickets.read(['reset'], token)).toEqual({
      state: 'valid',
      kind: 'reset',
      accountId: 'us_1',
      note: 'for Ada',
    });
    expect(await tickets.read(['verify'], token)).toEqual({ state: 'unknown' });
    now += lifetimes.reset;
    expect(await tickets.read(['reset'], token)).toEqual({ state: 'expired' });
    await tickets.sweep();
    expect(await tickets.read(['reset'], token)).toEqual({ state: 'expired' });
    now += 24 * 3600_000;
    await tickets.sweep();
    expect(await tickets.read(['reset'], token)).toEqual({ state: 'unknown' });
  });

  test('are kept as digests alone', async () => {
    const tickets = new Tickets(ctx.db, () => now);
    const { token } = await tickets.issue('reset', 'us_2');
    const rows = await ctx.db.read((unit) => unit.all(unit.table('ticket').select('*')));
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});
