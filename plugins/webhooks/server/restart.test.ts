import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { BusToken } from '@trellis/sdk/server';
import { askUntil, createTestServer, startReceiver, testPlugin } from '@trellis/sdk/testing/server';
import type { HookEntity } from '../shared/index.ts';
import { openHookShop, rows } from '../testing/hook-shop.ts';

test('what the receiver did not take before the server stopped is told by the next one, in the order of each row', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trellis-webhooks-'));
  const receiver = await startReceiver();
  const options = { dataDir, env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } };
  let server = await createTestServer(options);
  try {
    const ann = await server.signUp('ann@example.com');
    const project = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
    const table = await ann.post<{ id: string }>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
      title: 'Things',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    const made = await ann.post<{ id: string }>(`/api/v1/db/meta/tables/${table.body.id}/hooks`, {
      title: 'Tell',
      operation: 'update',
      notification: { type: 'URL', payload: { path: `${receiver.url}/told` } },
    });
    const rows = '/api/v1/db/data/v1/Shop/Things';
    await ann.post('/api/v1/db/data/bulk/v1/Shop/Things', [{ Name: 'a0' }, { Name: 'b0' }]);
    receiver.answer((_, response) => void response.destroy());
    for (let turn = 1; turn <= 10; turn += 1) {
      await ann.patch(`${rows}/1`, { Name: `a${turn}` });
      await ann.patch(`${rows}/2`, { Name: `b${turn}` });
    }
    await receiver.until(1);
    await server.dispose();
    // By their events: a repetition is allowed, and counts once.
    const told = new Map<string, string>();
    receiver.answer(({ headers, body }, response) => {
      const id = headers['x-trellis-event-id'] ?? '';
      if (!told.has(id)) told.set(id, (JSON.parse(body) as { readonly Name: string }).Name);
      response.end('ok');
    });

    server = await createTestServer(options);
    const again = server.client;
    const signedIn = await again.post<{ token: string }>('/api/v1/auth/user/signin', {
      email: 'ann@example.com',
      password: 'Password-1',
    });
    expect(signedIn.status).toBe(200);
    await fetch(`${server.url}/api/v1/db/meta/hooks/${made.body.id}/resume`, {
      method: 'POST',
      headers: { 'xc-auth': signedIn.body.token, 'content-type': 'application/json' },
      body: '{}',
    });
    await receiver.until(1, () => told.size === 20);
    const names = [...told.values()];
    const expected = (row: string) => Array.from({ length: 10 }, (_, index) => `${row}${index + 1}`);
    for (const row of ['a', 'b']) expect(names.filter((name) => name.startsWith(row))).toEqual(expected(row));
  } finally {
    await server.dispose();
    await receiver.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
});

test('open pages are told when the messages of a webhook arrive again, also where another server saw them fail', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trellis-webhooks-'));
  let told = 0;
  const listener = testPlugin('listener', (ctx) => {
    const listening = ctx.get(BusToken).subscribe('objects.changed', {
      message({ objectKind }) {
        if (objectKind === 'webhooks') told += 1;
      },
      gap() {},
    });
    ctx.own(listening);
  });
  const options = { dataDir, plugins: [listener] };
  const shop = await openHookShop(options);
  let next: Awaited<ReturnType<typeof createTestServer>> | undefined;
  try {
    shop.receiver.answer((_, response) => void response.writeHead(503).end());
    const { id } = await shop.hook('/told');
    const path = `/api/v1/db/meta/hooks/${id}`;
    await shop.ann.post(rows, { Name: 'chair' });
    await askUntil(
      async () => (await shop.ann.get<HookEntity>(path)).body.failing,
      (failing) => failing !== null,
    );
    await shop.server.dispose();

    told = 0;
    shop.receiver.answer((_, response) => void response.end('ok'));
    next = await createTestServer({ ...options, env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
    const ann = next.client.with({ token: shop.ann.token });
    await ann.post(rows, { Name: 'table' });
    expect(
      await askUntil(
        () => Promise.resolve(told),
        (count) => count > 0,
      ),
    ).toBeGreaterThan(0);
    expect((await ann.get<HookEntity>(path)).body).toMatchObject({ active: true, paused: null });
  } finally {
    await (next ?? shop.server).dispose();
    await shop.receiver.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
});
