import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessServiceToken, OperationsToken } from '@trellis/sdk/server';
import type { ColumnEntity, TableEntity } from '@trellis/sdk/shared';
import type { TestClient } from '@trellis/sdk/testing/server';
import type { HookEntity } from '../shared/index.ts';
import { at, json, openHookShop, rows, type HookShop } from '../testing/hook-shop.ts';

describe('a button that sends its row by a webhook', () => {
  let shop: HookShop;
  let viewer: TestClient;
  let key: string;

  beforeAll(async () => {
    shop = await openHookShop();
    viewer = await shop.server.signUp('viewer@example.com');
    const me = await viewer.get<{ id: string }>('/api/v1/auth/user/me');
    const access = shop.server.host.container.get(AccessServiceToken);
    await access.grant(shop.table.project_id, me.body.id, 'viewer');
    key = String((await shop.ann.post<{ Id: number }>(rows, { Name: 'Chair' })).body.Id);
  });
  afterEach(() => shop?.clear());
  afterAll(() => shop?.dispose());

  const add = (title: string, choice: string, table = shop.table.id) =>
    shop.ann.post<TableEntity & { code?: string }>(`/api/v1/db/meta/tables/${table}/columns`, {
      title,
      uidt: 'Button',
      meta: { action: 'run', operation: 'webhooks.send', choice },
    });
  const press = (client: TestClient, id: string) =>
    client.post(`/api/v1/plugins/columns-formula/columns/${id}/press`, { rowKey: key });
  const choices = (client: TestClient) =>
    client.get<{ list: unknown }>(
      `/api/v1/plugins/columns-formula/tables/${shop.table.id}/button-operations/webhooks.send`,
    );

  async function button(title: string, choice: string): Promise<ColumnEntity> {
    const made = (await add(title, choice)).body.columns?.find((of) => of.title === title);
    if (made === undefined) throw new Error(`There is no column ${title}.`);
    return made;
  }

  test('offers the webhooks of its table that have a row to tell of, to whoever may make columns', async () => {
    const sent = await shop.hook('/offered');
    await shop.hook('/of-deleted', { operation: 'delete' });
    expect((await choices(shop.ann)).body.list).toEqual([{ id: sent.id, label: '/offered' }]);
    expect((await choices(viewer)).status).toBe(403);
    const acts = await shop.ann.get<{ list: unknown }>(
      `/api/v1/plugins/columns-formula/projects/${shop.table.project_id}/button-operations`,
    );
    expect(acts.body.list).toContainEqual({
      id: 'webhooks.send',
      label: 'Send the row to a webhook',
      choice_label: 'Webhook',
    });
  });

  test('tells of the row whoever presses it, once the receiver has taken it', async () => {
    const { id } = await shop.hook('/pressed');
    const { id: column } = await button('Send', id);
    expect(await press(viewer, column)).toMatchObject({ status: 200 });
    const got = shop.receiver.got.filter(at('/pressed'));
    expect(got.map(json)).toMatchObject([{ Name: 'Chair' }]);
    const [logged] = await shop.logOf(id, (list) => list[0]?.state === 'done');
    expect(logged).toMatchObject({ row_id: key, by_hand: true });
  });

  test('keeps no webhook that is not there, is of another table, or that its maker may not try', async () => {
    const { id } = await shop.hook('/kept');
    const other = await shop.ann.post<TableEntity>(
      `/api/v1/db/meta/projects/${shop.table.project_id}/tables`,
      { title: 'Others', columns: [{ title: 'Id', uidt: 'ID', pk: true, ai: true }] },
    );
    for (const [choice, table] of [
      ['', shop.table.id],
      ['hk_nothing', shop.table.id],
      [id, other.body.id],
    ] as const)
      expect(await add('Refused', choice, table)).toMatchObject({
        status: 400,
        body: { code: 'BUTTON_CHOICE' },
      });
  });

  test('says that its webhook is off, paused or gone, and sends nothing', async () => {
    const { id } = await shop.hook('/silent');
    const { id: column } = await button('Silent', id);
    const path = `/api/v1/db/meta/hooks/${id}`;
    await shop.ann.patch(path, { active: false });
    expect(await press(viewer, column)).toMatchObject({ status: 409, body: { code: 'HOOK_OFF' } });
    const view = await shop.ann.post<{ id: string }>(`/api/v1/db/meta/tables/${shop.table.id}/grids`, {
      title: 'Short',
    });
    await shop.ann.patch(path, { active: true, view_id: view.body.id });
    await shop.ann.delete(`/api/v1/db/meta/views/${view.body.id}`);
    for (let isPaused = false; !isPaused;) {
      const { body } = await shop.ann.get<{ list: readonly HookEntity[] }>(
        `/api/v1/db/meta/tables/${shop.table.id}/hooks`,
      );
      isPaused = body.list.some((of) => of.id === id && of.paused !== null);
    }
    expect(await press(viewer, column)).toMatchObject({ status: 409, body: { code: 'HOOK_PAUSED' } });
    await shop.ann.delete(path);
    expect(await press(viewer, column)).toMatchObject({ status: 404, body: { code: 'HOOK_GONE' } });
    // Another colour does not ask for the webhook that is gone.
    const recoloured = await shop.ann.patch(`/api/v1/db/meta/columns/${column}`, {
      title: 'Silent',
      uidt: 'Button',
      meta: { action: 'run', operation: 'webhooks.send', choice: id, color: 'danger' },
    });
    expect(recoloured.status).toBe(200);
    expect(shop.receiver.got.filter(at('/silent'))).toEqual([]);
  });

  test('tells once of what a caller that tries by itself sends again, and has it wait for no receiver', async () => {
    shop.receiver.answer((_, response) => void response.writeHead(500).end());
    const { id } = await shop.hook('/again');
    const { container } = shop.server.host;
    const me = await shop.ann.get<{ id: string; email: string }>('/api/v1/auth/user/me');
    const principal = { kind: 'user', id: me.body.id, email: me.body.email, accountRoles: [] } as const;
    const { project_id: projectId, id: tableId } = shop.table;
    const scope = await container.get(AccessServiceToken).scopeFor(principal, projectId, 'test');
    const send = (idempotencyKey: string) =>
      container.get(OperationsToken).run('webhooks.send', {
        scope,
        input: { projectId, tableId, columnId: '', rowKey: key, row: {}, choice: id },
        signal: AbortSignal.timeout(30_000),
        idempotencyKey,
      });
    await send('run.step');
    await send('run.step');
    expect(await shop.logOf(id, (list) => list.length > 0)).toHaveLength(1);
    await send('run.other');
    expect(await shop.logOf(id, (list) => list.length > 0)).toHaveLength(2);
  });

  test('says with which status the receiver refused the row', async () => {
    shop.receiver.answer((_, response) => void response.writeHead(500).end());
    const { id } = await shop.hook('/refuses');
    const { id: column } = await button('Refuses', id);
    expect(await press(viewer, column)).toMatchObject({
      status: 502,
      body: { code: 'HOOK_REFUSED', params: { webhook: '/refuses', status: 500 } },
    });
  });
});
