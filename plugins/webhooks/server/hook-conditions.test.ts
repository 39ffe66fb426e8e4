import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { askUntil } from '@trellis/sdk/testing/server';
import type { HookEntity } from '../shared/index.ts';
import { at, bulk, json, openHookShop, rows, type HookShop, type TableAnswer } from '../testing/hook-shop.ts';

describe('which changes a webhook tells of', () => {
  let shop: HookShop;

  beforeAll(async () => {
    shop = await openHookShop();
  });
  afterEach(() => shop?.clear());
  afterAll(() => shop?.dispose());

  test('tells only of rows that meet its conditions, and of changes of chosen columns', async () => {
    const { receiver, ann, idOf, hook } = shop;
    const dear = await hook('/dear', { condition: true });
    const filters = `/api/v1/db/meta/hooks/${dear.id}/filters`;
    const added = await ann.post(filters, {
      fk_column_id: idOf('Price'),
      comparison_op: 'gt',
      value: '100',
    });
    expect(added.body).toMatchObject({ fk_hook_id: dear.id, comparison_op: 'gt', value: '100' });
    expect((await ann.get(filters)).body).toEqual([added.body]);
    const renamed = await hook('/renamed', { operation: 'update', columns: [idOf('Name')] });
    expect(renamed.columns).toEqual([idOf('Name')]);
    await ann.post(bulk, [
      { Name: 'Cheap', Price: '99.99' },
      { Name: 'Dear', Price: '100.01' },
    ]);
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'Dearest', Price: '1000' });
    await ann.patch(`${rows}/${body.Id}`, { Price: '2000' });
    await ann.patch(`${rows}/${body.Id}`, { Name: 'Dearer' });
    const [only] = await receiver.until(1, at('/renamed'));
    expect(json(only)).toMatchObject({ Name: 'Dearer' });
    const told = await receiver.until(2, at('/dear'));
    expect(told.map((got) => String(json(got).Name)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'Dear',
      'Dearest',
    ]);
    expect(receiver.got.filter(at('/renamed'))).toHaveLength(1);
  });

  test('asks the row as each change left it, however late it is told of', async () => {
    const { server, receiver, ann, idOf, hook } = shop;
    const dear = await hook('/as-it-was', { operation: 'update', condition: true });
    const filters = `/api/v1/db/meta/hooks/${dear.id}/filters`;
    await ann.post(filters, { fk_column_id: idOf('Price'), comparison_op: 'gt', value: '100' });
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'Vase', Price: '200' });
    const patch = (cells: object) => ann.patch(`${rows}/${body.Id}`, cells);
    await server.host.plugins.disable('webhooks', { cascade: [] });
    await patch({ Name: 'Dear' });
    await patch({ Price: '5' });
    await patch({ Name: 'Cheap' });
    // More than are read of a row's past at once.
    for (let turn = 0; turn < 60; turn += 1) await patch({ Sold: turn % 2 === 0 });
    await patch({ Price: '300' });
    await server.host.plugins.enable('webhooks');
    const told = await receiver.until(2, at('/as-it-was'));
    expect(told.map(json)).toMatchObject([
      { Name: 'Dear', Price: '200' },
      { Name: 'Cheap', Price: '300' },
    ]);
    expect(receiver.got.filter(at('/as-it-was'))).toHaveLength(2);
  });

  test('has no more conditions than can be asked of every change, however they come', async () => {
    const { ann, idOf, hook } = shop;
    const { id } = await hook('/many', { condition: true });
    const filters = `/api/v1/db/meta/hooks/${id}/filters`;
    const one = { fk_column_id: idOf('Name'), comparison_op: 'eq', value: 'Yes' };
    const group = (count: number) => ({ is_group: true, children: Array.from({ length: count }, () => one) });
    expect((await ann.put(filters, { list: Array.from({ length: 4 }, () => group(100)) })).status).toBe(200);
    const more = await ann.post(filters, group(99));
    expect(more).toMatchObject({ status: 400, body: { code: 'HOOK_CONDITIONS_MANY' } });
    expect((await ann.get<readonly unknown[]>(filters)).body).toHaveLength(4);
  });

  test('has conditions that are read, changed and taken away by their own ids', async () => {
    const { server, receiver, ann, table, idOf, hook } = shop;
    const { id } = await hook('/by-id', { condition: true });
    const filters = `/api/v1/db/meta/hooks/${id}/filters`;
    const named = (value: string) => ({ fk_column_id: idOf('Name'), comparison_op: 'eq', value });
    const first = await ann.post<{ id: string }>(filters, named('Yes'));
    const group = await ann.post<{ id: string; children: readonly { id: string }[] }>(filters, {
      is_group: true,
      logical_op: 'or',
      children: [named('Perhaps'), named('No')].map((one) => ({ ...one, logical_op: 'or' })),
    });
    const before = await ann.post<{ id: string }>(`${filters}?when=before`, named('Was'));
    const updated_at: unknown = expect.any(String);
    const at0 = (of: string) => `/api/v1/db/meta/filters/${of}`;
    expect((await ann.get(at0(first.body.id))).body).toEqual({ ...first.body, updated_at });
    expect((await ann.get(at0(before.body.id))).body).toEqual({ ...before.body, updated_at });
    const [child, other] = group.body.children;
    // What would stand in no group is not said to be there.
    for (const fk_parent_id of ['fi_00000000000000', first.body.id])
      expect(await ann.post(filters, { ...named('Lost'), fk_parent_id })).toMatchObject({ status: 404 });
    expect(await ann.get(`${at0(group.body.id)}/children`)).toMatchObject({
      status: 200,
      body: [{ id: child?.id, value: 'Perhaps', fk_parent_id: group.body.id }, { id: other?.id }],
    });
    expect(await ann.patch(at0(child?.id ?? ''), { value: 'Maybe', order: 2 })).toMatchObject({
      status: 200,
      body: '',
    });
    expect((await ann.delete(at0(first.body.id))).status).toBe(200);
    expect((await ann.get(filters)).body).toMatchObject([
      {
        id: group.body.id,
        children: [
          { id: other?.id, value: 'No' },
          { id: child?.id, value: 'Maybe' },
        ],
      },
    ]);
    expect(await ann.patch(at0(child?.id ?? ''), { comparison_op: 'nonsense' })).toMatchObject({
      status: 409,
    });
    expect((await ann.get(at0(first.body.id))).status).toBe(404);

    const eve = await server.signUp();
    expect((await eve.get(at0(child?.id ?? ''))).status).toBe(
      (await eve.get(at0('fi_00000000000000'))).status,
    );
    const editor = await server.signUp();
    const me = await editor.get<{ email: string }>('/api/v1/auth/user/me');
    await ann.post(`/api/v1/db/meta/projects/${table.project_id}/users`, {
      email: me.body.email,
      roles: 'editor',
    });
    expect((await editor.delete(at0(child?.id ?? ''))).status).toBe(403);
    await ann.patch(at0(child?.id ?? ''), { value: 'Told' });
    await ann.post(bulk, [{ Name: 'Yes' }, { Name: 'Told' }, { Name: 'Maybe' }]);
    expect(json((await receiver.until(1, at('/by-id')))[0])).toMatchObject({ Name: 'Told' });
    expect(receiver.got.filter(at('/by-id'))).toHaveLength(1);
  });

  test('tells of a value that changed from one to another, where either may be any', async () => {
    const { receiver, ann, idOf, hook } = shop;
    const update = { operation: 'update', condition: true };
    const named = (value: string) => [{ fk_column_id: idOf('Name'), comparison_op: 'eq', value }];
    const told = { columns: [idOf('Name')], ...update };
    const sold = await hook('/sold', told);
    const reopened = await hook('/reopened', told);
    const conditions = (id: string, when: string) => `/api/v1/db/meta/hooks/${id}/filters?when=${when}`;
    await ann.put(conditions(sold.id, 'before'), { list: named('Open') });
    await ann.put(conditions(sold.id, 'after'), { list: named('Sold') });
    await ann.put(conditions(reopened.id, 'before'), { list: named('Sold') });
    expect((await ann.get(conditions(sold.id, 'before'))).body).toMatchObject([
      { fk_hook_id: sold.id, comparison_op: 'eq', value: 'Open' },
    ]);
    const { body } = await ann.post<{ Id: number }>(rows, { Name: 'New' });
    for (const Name of ['Sold', 'Open', 'Sold', 'Sold', 'Back', 'Sold'])
      await ann.patch(`${rows}/${body.Id}`, { Name });
    await ann.patch(`${rows}/${body.Id}`, { Price: '3' });
    await ann.patch(`${rows}/${body.Id}`, { Name: 'Last' });
    const back = await receiver.until(3, at('/reopened'));
    expect(back.map((request) => json(request).Name)).toEqual(['Open', 'Back', 'Last']);
    expect(receiver.got.filter(at('/sold')).map((request) => json(request).Name)).toEqual(['Sold']);
  });

  test('tells of the rows of a view by the filters that it has then, and is paused when the view is gone', async () => {
    const { receiver, ann, table, idOf, hook, logOf } = shop;
    const grid = await ann.post<{ id: string }>(`/api/v1/db/meta/tables/${table.id}/grids`, {
      title: 'Dear ones',
    });
    const view = grid.body.id;
    const filters = `/api/v1/db/meta/views/${view}/filters`;
    const price = (value: string) => [{ fk_column_id: idOf('Price'), comparison_op: 'gt', value }];
    await ann.put(filters, { list: price('100') });
    const { id, view_id: stored } = await hook('/in-view', { view_id: view });
    expect(stored).toBe(view);
    await hook('/all');
    const add = (Name: string, Price: string) => ann.post(rows, { Name, Price });
    const toldOf = async (count: number) => {
      await receiver.until(count, at('/all'));
      await logOf(id, (list) => list.every(({ state }) => state === 'done'));
      return receiver.got.filter(at('/in-view')).map((request) => json(request).Name);
    };
    await add('50 of 100', '50');
    await add('150 of 100', '150');
    await receiver.until(1, at('/in-view'));
    expect(await toldOf(2)).toEqual(['150 of 100']);
    await ann.put(filters, { list: price('20') });
    await add('50 of 20', '50');
    await receiver.until(2, at('/in-view'));
    expect(await toldOf(3)).toEqual(['150 of 100', '50 of 20']);
    await ann.delete(`/api/v1/db/meta/views/${view}`);
    const hooksOf = `/api/v1/db/meta/tables/${table.id}/hooks`;
    await askUntil(
      () => ann.get<{ list: readonly HookEntity[] }>(hooksOf),
      ({ body }) => body.list.find((one) => one.id === id)?.paused_code === 'HOOK_VIEW_GONE',
    );
    await add('500 of nothing', '500');
    expect(await toldOf(4)).toHaveLength(2);
    // Whether it means that row nobody knows: it is not kept, and counted.
    await askUntil(
      () => ann.get<HookEntity>(`/api/v1/db/meta/hooks/${id}`),
      ({ body }) => body.dropped === 1,
    );
    const other = await ann.post(hooksOf, {
      title: 'x',
      view_id: view,
      notification: { type: 'URL', payload: { path: receiver.url } },
    });
    expect(other).toMatchObject({ status: 400, body: { code: 'HOOK_VIEW' } });
  });
  test('is paused when a column of its conditions is gone, and counts what it cannot judge', async () => {
    const { ann, table, hook } = shop;
    const { body: wider } = await ann.post<TableAnswer>(`/api/v1/db/meta/tables/${table.id}/columns`, {
      title: 'Stage',
      uidt: 'SingleLineText',
    });
    const stage = wider.columns.find(({ title }) => title === 'Stage')?.id ?? '';
    const { id } = await hook('/staged', {
      condition: true,
      conditions: {
        after: [{ fk_column_id: stage, comparison_op: 'eq', value: 'go' }],
      },
    });
    expect((await ann.delete(`/api/v1/db/meta/columns/${stage}`)).status).toBe(200);
    await ann.post(bulk, [{ Name: 'One' }, { Name: 'Two' }]);
    const own = async () => (await ann.get<HookEntity>(`/api/v1/db/meta/hooks/${id}`)).body;
    const paused = await askUntil(own, ({ dropped }) => dropped === 2);
    expect(paused).toMatchObject({
      paused_code: 'HOOK_CONDITIONS_GONE',
      paused: expect.not.stringContaining(stage),
    });
    await shop.logOf(id, (list) => list.length === 0);
    const { body } = await ann.patch<HookEntity>(`/api/v1/db/meta/hooks/${id}`, {
      condition: false,
      conditions: { after: [] },
      active: true,
    });
    expect(body).toMatchObject({ paused: null, dropped: 0 });
  });

  test('takes no id that a condition of another webhook has', async () => {
    const { ann, idOf, hook } = shop;
    const condition = { fk_column_id: idOf('Name'), comparison_op: 'eq', value: 'x' };
    const { id } = await hook('/mine', { condition: true });
    const filters = `/api/v1/db/meta/hooks/${id}/filters`;
    const { body: mine } = await ann.post<{ id: string }>(filters, condition);
    const projects = '/api/v1/db/meta/projects';
    const { body: project } = await ann.post<{ id: string }>(projects, { title: 'Elsewhere' });
    const { body: other } = await ann.post<TableAnswer>(`${projects}/${project.id}/tables`, {
      title: 'Others',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    const [name] = other.columns.filter(({ title }) => title === 'Name');
    const { body: taken } = await ann.post<HookEntity>(`/api/v1/db/meta/tables/${other.id}/hooks`, {
      title: 'Sly',
      condition: true,
      conditions: { after: [{ ...condition, id: mine.id, fk_column_id: name?.id }] },
      notification: { type: 'URL', payload: { path: 'https://example.com/' } },
    });
    const theirs = await ann.get<readonly { id: string }[]>(`/api/v1/db/meta/hooks/${taken.id}/filters`);
    expect(theirs.body).toHaveLength(1);
    expect(theirs.body[0]?.id).not.toBe(mine.id);
    expect((await ann.patch(`/api/v1/db/meta/filters/${mine.id}`, { value: 'y' })).status).toBe(200);
    // Those of the webhook itself stay.
    await ann.put(filters, { list: [{ ...condition, id: mine.id, value: 'z' }] });
    expect((await ann.get(filters)).body).toMatchObject([{ id: mine.id, value: 'z' }]);
  });
});
