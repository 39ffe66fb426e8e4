import { expect, test } from '@jest/globals';
import { describeClient } from './ground.ts';

describeClient('webhooks', ({ withCities }) => {
  test('makes, lists, changes and deletes webhooks', async () => {
    const { api, projectId, table } = await withCities();
    const tableId = table.id ?? '';
    const payload = { method: 'POST', path: 'https://example.com/hook', body: '{{ json data }}' };
    const made = await api.dbTableWebhook.create(tableId, {
      title: 'Tell',
      event: 'AFTER',
      operation: 'insert',
      notification: { type: 'URL', payload },
      active: true,
    } as never);
    expect(made).toMatchObject({
      id: expect.stringMatching(/^hk_[0-9a-z]{14}$/),
      project_id: projectId,
      fk_model_id: tableId,
      title: 'Tell',
      event: 'after',
      operation: 'insert',
      notification: expect.any(String),
    });
    const { id = '', notification } = made as { id?: string; notification?: string };
    expect(JSON.parse(notification ?? '')).toMatchObject({ type: 'URL', payload });
    expect((await api.dbTableWebhook.list(tableId)).list).toEqual([made]);
    await api.dbTableWebhook.update(id, { ...made, title: 'Told', active: false } as never);
    expect((await api.dbTableWebhook.list(tableId)).list).toMatchObject([
      { id, title: 'Told', active: false, notification },
    ]);
    expect(await api.dbTableWebhook.update('hk_00000000000000', { title: 'x' } as never)).toBe('');
    expect(await api.dbTableWebhook.delete(id)).toBe(1);
    expect(await api.dbTableWebhook.delete(id)).toBe(0);
    expect((await api.dbTableWebhook.list(tableId)).list).toEqual([]);
  });

  test('keeps the conditions of a webhook', async () => {
    const { api, table } = await withCities();
    const made = await api.dbTableWebhook.create(table.id ?? '', {
      title: 'Tell',
      event: 'after',
      operation: 'update',
      condition: true,
      notification: { type: 'URL', payload: { path: 'https://example.com/hook' } },
    } as never);
    const { id = '' } = made as { id?: string };
    const people = table.columns?.find(({ title }) => title === 'People')?.id;
    const filter = await api.dbTableWebhookFilter.create(id, {
      fk_column_id: people,
      comparison_op: 'gt',
      value: '1000',
    } as never);
    const group = await api.dbTableWebhookFilter.create(id, {
      is_group: true,
      logical_op: 'or',
      children: [{ fk_column_id: people, comparison_op: 'notnull' }],
    } as never);
    expect(filter).toMatchObject({
      fk_hook_id: id,
      fk_column_id: people,
      comparison_op: 'gt',
      value: '1000',
    });
    expect(await api.dbTableWebhookFilter.read(id, {} as never)).toEqual([
      // Conditions are as old as the webhook, which has got another one since.
      { ...(filter as unknown as object), updated_at: expect.any(String) },
      { ...(group as unknown as object), order: 2 },
    ]);
  });

  test('reads a sample, and tries a webhook whose receiver must not be called', async () => {
    const { api, table } = await withCities();
    const tableId = table.id ?? '';
    expect(await api.dbTableWebhook.samplePayloadGet(tableId, 'insert')).toEqual({
      Id: 1,
      Name: 'Text',
      People: 123,
    });
    expect(await api.dbTableWebhook.samplePayloadGet(tableId, 'delete')).toEqual({ Id: 1 });
    const hook = { notification: { type: 'URL', payload: { path: 'http://127.0.0.1:1/x' } } };
    await expect(
      api.dbTableWebhook.test(tableId, { hook, payload: { data: {}, user: {} } } as never),
    ).rejects.toMatchObject({ response: { status: 400, data: { msg: expect.any(String) } } });
  });
});
