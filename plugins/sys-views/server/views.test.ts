import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AccessServiceToken } from '@trellis/sdk/server';
import type {
  FilterEntity,
  SortEntity,
  TableEntity,
  ViewColumnEntity,
  ViewEntity,
  ViewGroup,
  ViewList,
} from '@trellis/sdk/shared';
import { Veto } from '@trellis/sdk/shared';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

/** A view type with rules: a board stacks its rows by a number, and its stacking column is always shown; and a plain one. */
const boards = testPlugin('view-board', (ctx) => {
  for (const type of ['board', 'plain'])
    ctx.register('permissions', {
      id: `${type}ViewCreate`,
      label: `Create a ${type} view`,
      scope: 'project',
      roles: [],
    });
  ctx.register('viewTypes', { id: 'plain', label: 'Plain' });
  ctx.register('viewTypes', {
    id: 'board',
    label: 'Board',
    options: {
      type: 'object',
      required: ['stack'],
      additionalProperties: false,
      properties: {
        stack: { type: 'string', title: 'Stack by' },
        size: { type: 'string', enum: ['small', 'large'], default: 'small' },
      },
    },
    columnOptions: {
      type: 'object',
      additionalProperties: false,
      properties: { label: { type: 'string', maxLength: 10 }, bold: { type: 'boolean', default: false } },
    },
    willSave({ options, columns }, { table }) {
      const numbers = table.columns.filter(({ type }) => type === 'Number');
      const chosen = options['stack'] ?? numbers[0]?.id;
      if (chosen === undefined) throw new Veto('BOARD_NUMBER', 'A board needs a column with numbers.');
      if (chosen === 'broken') throw new Error('the rules of the board are broken');
      if (!numbers.some(({ id }) => id === chosen))
        throw new Veto('BOARD_STACK', 'A board is stacked by a column with numbers.');
      return {
        options: { ...options, stack: chosen },
        columns: columns.map((column) => (column.columnId === chosen ? { ...column, show: true } : column)),
      };
    },
  });
});

const meta = '/api/v1/db/meta';

describe('views', () => {
  let server: TestServer;
  let client: TestClient;
  let table: TableEntity;
  let view: ViewEntity;
  let round = 0;

  beforeAll(async () => {
    server = await createTestServer({ plugins: [boards] });
    client = await server.signUp();
  });

  afterAll(async () => {
    await server?.dispose();
  });

  beforeEach(async () => {
    round += 1;
    const project = await client.post<{ id: string }>(`${meta}/projects`, { title: `Project ${round}` });
    const made = await client.post<TableEntity>(`${meta}/projects/${project.body.id}/tables`, {
      title: 'People',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Age', uidt: 'Number' },
      ],
    });
    table = made.body;
    view = table.views?.[0] as ViewEntity;
    await client.post(`/api/v1/db/data/bulk/noco/Project ${round}/People`, [
      { Name: 'Ada', Age: 36 },
      { Name: 'Grace', Age: 85 },
      { Name: 'Alan', Age: 41 },
    ]);
  });

  const columnId = (title: string) => table.columns?.find((column) => column.title === title)?.id ?? '';

  async function names(of: ViewEntity = view): Promise<readonly unknown[]> {
    const path = `/api/v1/db/data/noco/Project ${round}/People/views/${of.id}`;
    const answer = await client.get<{ list: readonly Record<string, unknown>[] }>(path);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body.list.map((row) => row.Name);
  }

  function addSort(direction: 'asc' | 'desc', title = 'Age') {
    return client.post<SortEntity>(`${meta}/views/${view.id}/sorts`, {
      fk_column_id: columnId(title),
      direction,
    });
  }

  function addFilter(body: object) {
    return client.post<FilterEntity>(`${meta}/views/${view.id}/filters`, body);
  }

  async function create(title: string, more: object = {}): Promise<ViewEntity> {
    return (await client.post<ViewEntity>(`${meta}/tables/${table.id}/grids`, { title, ...more })).body;
  }

  test('a view of any type is made by its id, which travels with it', async () => {
    const path = `${meta}/tables/${table.id}/views`;
    const made = await client.post<ViewEntity>(path, { title: 'Mine', type: 'grid', meta: { wide: true } });
    expect(made).toMatchObject({
      status: 200,
      body: { title: 'Mine', type: 3, view_type: 'grid', meta: { wide: true } },
    });
    expect(await client.post(path, { title: 'Cards', type: 'cards' })).toMatchObject({
      status: 400,
      body: { code: 'VIEW_TYPE_UNKNOWN' },
    });
    expect(await client.post(path, { title: 'None' })).toMatchObject({ status: 400 });
  });

  test('a view says what it is for and who made it, for members to read', async () => {
    const path = `${meta}/tables/${table.id}/views`;
    const body = { title: 'Late', type: 'plain', description: ' What  waits ' };
    const made = await client.post<ViewEntity>(path, body);
    expect(made.body).toMatchObject({ description: 'What waits', made_by: expect.any(String) });
    const patch = async (description: string | null) =>
      (await client.patch<ViewEntity>(`${meta}/views/${made.body.id}`, { description })).body.description;
    expect(await patch('What is late')).toBe('What is late');
    expect((await client.patch(`${meta}/views/${made.body.id}`, { title: 'Later' })).status).toBe(200);
    const listed = async () =>
      (await client.get<{ list: readonly ViewEntity[] }>(path)).body.list.find(
        ({ id }) => id === made.body.id,
      );
    expect(await listed()).toMatchObject({ title: 'Later', description: 'What is late' });
    expect(await patch(null)).toBeNull();
    expect(
      (await client.patch(`${meta}/views/${made.body.id}`, { description: 'x'.repeat(2001) })).status,
    ).toBe(400);
    await client.delete(`${meta}/views/${made.body.id}`);
  });

  test('the names of all views of a project are told to members, without the personal ones of others', async () => {
    const { id, title } = await create('Mine');
    await client.patch(`${meta}/views/${id}`, { lock_type: 'personal' });
    const projectId = table.project_id ?? '';
    const member = await server.signUp(`member${round}@example.com`);
    const { body: me } = await member.get<{ id: string }>('/api/v1/auth/user/me');
    const path = `/api/v1/plugins/sys-views/projects/${projectId}/views`;
    expect((await member.get(path)).status).toBe(403);
    await server.host.container.get(AccessServiceToken).grant(projectId, me.id, 'viewer');
    const of = { id: table.id, title: 'People' };
    const first = { id: view.id, title: 'People', icon: null, table: of };
    expect((await client.get(path)).body).toEqual([first, { id, title, icon: null, table: of }]);
    expect((await member.get(path)).body).toEqual([first]);
  });

  test('views stand in groups that are named, put in order and removed without them', async () => {
    const groups = `${meta}/tables/${table.id}/view-groups`;
    const list = async () => (await client.get<ViewList>(`${meta}/tables/${table.id}/views`)).body;
    const titles = async () => (await list()).groups.map(({ title }) => title);
    expect(await titles()).toEqual([]);
    const [sales, stock] = [
      (await client.post<ViewGroup>(groups, { title: ' Sales  2026 ' })).body,
      (await client.post<ViewGroup>(groups, { title: 'Stock' })).body,
    ];
    expect(await titles()).toEqual(['Sales 2026', 'Stock']);
    expect(await client.post(groups, { title: 'STOCK' })).toMatchObject({
      status: 409,
      body: { code: 'VIEW_GROUP_TITLE_TAKEN' },
    });
    expect(await client.post(groups, { title: '  ' })).toMatchObject({ status: 400 });

    const put = (group_id: string | null) =>
      client.patch<ViewEntity>(`${meta}/views/${view.id}`, { group_id });
    expect((await put(stock.id)).body).toMatchObject({ group_id: stock.id });
    expect(await put('vg_nowhere')).toMatchObject({ status: 404, body: { code: 'VIEW_GROUP_NOT_FOUND' } });
    expect(await create('Copy', { copy_from_id: view.id })).toMatchObject({ group_id: stock.id });
    expect(await create('Free')).toMatchObject({ group_id: null });

    await client.patch(`${groups}/${stock.id}`, { title: 'Store', order: sales.order - 1 });
    expect(await titles()).toEqual(['Store', 'Sales 2026']);
    expect((await client.delete(`${groups}/${stock.id}`)).status).toBe(200);
    expect(await client.delete(`${groups}/${stock.id}`)).toMatchObject({ status: 404 });
    expect(await titles()).toEqual(['Sales 2026']);
    expect((await list()).list.map(({ title, group_id }) => [title, group_id])).toEqual([
      [view.title, null],
      ['Copy', null],
      ['Free', null],
    ]);
  });

  test('a view that is put into a group while that is removed stands in no group that is gone', async () => {
    const groups = `${meta}/tables/${table.id}/view-groups`;
    const others = await Promise.all(['One', 'Two', 'Three'].map((title) => create(title)));
    for (let round = 0; round < 5; round += 1) {
      const { id } = (await client.post<ViewGroup>(groups, { title: `Round ${round}` })).body;
      const removed = client.delete(`${groups}/${id}`);
      const put = await Promise.all(
        others.map((of) => client.patch(`${meta}/views/${of.id}`, { group_id: id })),
      );
      expect((await removed).status).toBe(200);
      for (const { status } of put) expect([200, 404]).toContain(status);
      const { list } = (await client.get<ViewList>(`${meta}/tables/${table.id}/views`)).body;
      expect(list.map(({ group_id: of }) => of)).not.toContain(id);
    }
  });

  test('a view has an icon of its own: an emoji or one of the icon font', async () => {
    const icon = async (wanted: unknown) => {
      const { status, body } = await client.patch<ViewEntity>(`${meta}/views/${view.id}`, { icon: wanted });
      return status === 200 ? body.icon : status;
    };
    for (const good of ['bolt', 'shopping-cart', '🚀', '👩‍💻', '🇩🇪', '1️⃣', null])
      expect(await icon(good)).toBe(good);
    for (const bad of ['1', 'two words', '🚀🚀', 'a🚀', '<b>', '"', 'x'.repeat(41)])
      expect(await icon(bad)).toBe(400);
    await icon('🚀');
    expect(await create('Copy', { copy_from_id: view.id })).toMatchObject({ icon: '🚀' });
  });

  test('whoever may not change views changes neither groups nor icons', async () => {
    const groups = `${meta}/tables/${table.id}/view-groups`;
    const { id } = (await client.post<ViewGroup>(groups, { title: 'Mine' })).body;
    await client.patch(`${meta}/views/${view.id}`, { group_id: id });
    const viewer = await server.signUp(`viewer${round}@example.com`);
    await client.post(`${meta}/projects/${table.project_id}/users`, {
      email: `viewer${round}@example.com`,
      roles: 'viewer',
    });
    const asked = [
      viewer.post(groups, { title: 'Theirs' }),
      viewer.patch(`${groups}/${id}`, { title: 'Theirs' }),
      viewer.delete(`${groups}/${id}`),
      viewer.patch(`${meta}/views/${view.id}`, { group_id: id }),
      viewer.patch(`${meta}/views/${view.id}`, { icon: 'bolt' }),
    ];
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect((await viewer.get<ViewList>(`${meta}/tables/${table.id}/views`)).body.groups).toHaveLength(1);
  });

  test('a sort orders every read through the view, can be turned and taken away', async () => {
    const sort = await addSort('desc');
    expect(await names()).toEqual(['Grace', 'Alan', 'Ada']);
    await client.patch(`${meta}/sorts/${sort.body.id}`, { direction: 'asc' });
    expect(await names()).toEqual(['Ada', 'Alan', 'Grace']);
    expect((await client.get(`${meta}/sorts/${sort.body.id}`)).body).toMatchObject({ direction: 'asc' });
    await client.delete(`${meta}/sorts/${sort.body.id}`);
    expect(await names()).toEqual(['Ada', 'Grace', 'Alan']);
  });

  test('all sorts are sent at once, and the one of a column that stays keeps its id', async () => {
    const kept = await addSort('asc');
    const path = `${meta}/views/${view.id}/sorts`;
    const list = [
      { fk_column_id: columnId('Name'), direction: 'desc' },
      { fk_column_id: columnId('Age'), direction: 'desc' },
    ];
    const put = await client.put<{ sorts: { list: readonly SortEntity[] } }>(path, { list });
    expect(put.body.sorts.list).toMatchObject([list[0], { ...list[1], id: kept.body.id }]);
    expect(await names()).toEqual(['Grace', 'Alan', 'Ada']);
    expect(await client.put(path, { list: [{ fk_column_id: 'cl_00000000000000' }] })).toMatchObject({
      status: 400,
    });
    expect((await client.get(path)).body).toEqual(put.body);
    await client.put(path, { list: [] });
    expect(await names()).toEqual(['Ada', 'Grace', 'Alan']);
  });

  test('filters join by and, or and not, and groups hold together', async () => {
    await addFilter({ fk_column_id: columnId('Age'), comparison_op: 'gt', value: 40 });
    expect(await names()).toEqual(['Grace', 'Alan']);
    const group = await addFilter({
      is_group: true,
      logical_op: 'and',
      children: [
        { fk_column_id: columnId('Name'), comparison_op: 'eq', value: 'Alan', logical_op: 'and' },
        { fk_column_id: columnId('Name'), comparison_op: 'eq', value: 'Ada', logical_op: 'or' },
      ],
    });
    expect(await names()).toEqual(['Alan']);
    const children = await client.get<readonly FilterEntity[]>(`${meta}/filters/${group.body.id}/children`);
    expect(children.body.map((child) => child.value)).toEqual(['Alan', 'Ada']);
    await client.patch(`${meta}/filters/${group.body.id}`, { logical_op: 'not' });
    expect(await names()).toEqual(['Grace']);
    await client.delete(`${meta}/filters/${group.body.id}`);
    expect((await client.get<readonly unknown[]>(`${meta}/views/${view.id}/filters`)).body).toHaveLength(1);
  });

  test('the whole tree of filters is sent and answered at once, and what stays keeps its id', async () => {
    const age = { fk_column_id: columnId('Age'), comparison_op: 'gt', value: 40 };
    const kept = await addFilter(age);
    const path = `${meta}/views/${view.id}/filters`;
    const name = (value: string) => ({ fk_column_id: columnId('Name'), comparison_op: 'eq', value });
    const tree = {
      list: [
        { id: kept.body.id, ...age, value: 50 },
        { id: 'new-1', logical_op: 'or', is_group: true, children: [name('Alan'), name('Alan')] },
      ],
    };
    const put = await client.put<readonly FilterEntity[]>(path, tree);
    expect(put).toMatchObject({ status: 200 });
    expect(await names()).toEqual(['Grace', 'Alan']);
    const read = await client.get<readonly FilterEntity[]>(path);
    expect(read.body).toEqual(put.body);
    expect(read.body).toMatchObject([
      { id: kept.body.id, value: 50 },
      { is_group: true, children: [{ value: 'Alan' }, { value: 'Alan' }] },
    ]);
    const ids = read.body.flatMap(({ id, children = [] }) => [id, ...children.map((child) => child.id)]);
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain('new-1');

    const bad = await client.put(path, { list: [{ ...age, comparison_op: 'near' }] });
    expect(bad).toMatchObject({ status: 400, body: { code: 'FILTER_OPERATOR_UNKNOWN' } });
    expect(await names()).toEqual(['Grace', 'Alan']);
    await client.patch(`${meta}/views/${view.id}`, { lock_type: 'locked' });
    expect(await client.put(path, { list: [] })).toMatchObject({
      status: 400,
      body: { code: 'VIEW_LOCKED' },
    });
  });

  test('a tree or a list is not put in the place of one that somebody else changed meanwhile', async () => {
    const filters = `${meta}/views/${view.id}/filters`;
    const group = { is_group: true, children: [{ fk_column_id: columnId('Name'), value: 'Ada' }] };
    await client.put(filters, {
      list: [group, { fk_column_id: columnId('Age'), comparison_op: 'gt', value: 1 }],
    });
    const read = (await client.get<readonly FilterEntity[]>(filters)).body;
    expect(await client.put(filters, { list: read, replaces: read })).toMatchObject({ status: 200 });
    await client.patch(`${meta}/filters/${read[0]?.children?.[0]?.id}`, { value: 'Alan' });
    expect(await client.put(filters, { list: [], replaces: read })).toMatchObject({
      status: 409,
      body: { code: 'FILTERS_CHANGED', params: { list: [{ children: [{ value: 'Alan' }] }, { value: 1 }] } },
    });
    expect(await names()).toEqual(['Alan']);
    await client.put(filters, { list: [] });

    const sorts = `${meta}/views/${view.id}/sorts`;
    const list = [{ fk_column_id: columnId('Age'), direction: 'desc' }];
    expect(await client.put(sorts, { list, replaces: [] })).toMatchObject({ status: 200 });
    expect(await client.put(sorts, { list: [], replaces: [] })).toMatchObject({
      status: 409,
      body: { code: 'SORTS_CHANGED', params: { list } },
    });
    expect(await client.put(sorts, { list: [], replaces: list })).toMatchObject({ status: 200 });
  });

  test('a filter that is not finished does not filter yet, and a column of another table is refused', async () => {
    await addFilter({ fk_column_id: columnId('Name'), comparison_op: 'eq', value: '' });
    expect(await names()).toHaveLength(3);
    expect(
      await addFilter({ fk_column_id: 'cl_00000000000000', comparison_op: 'eq', value: 'x' }),
    ).toMatchObject({
      status: 400,
    });
    let nested: object = { fk_column_id: columnId('Name'), comparison_op: 'eq', value: 'x' };
    for (let depth = 0; depth < 8; depth += 1) nested = { is_group: true, children: [nested] };
    expect(await addFilter(nested)).toMatchObject({ status: 400, body: { code: 'FILTER_DEPTH' } });
  });

  test('people who set different options of a column at once both keep theirs, and the same one is refused', async () => {
    const made = await client.post<ViewEntity>(`${meta}/tables/${table.id}/views`, {
      title: 'Board',
      type: 'board',
    });
    const path = `${meta}/views/${made.body.id}/columns`;
    const column = async () => {
      const { body } = await client.get<readonly ViewColumnEntity[]>(path);
      return body.find((of) => of.fk_column_id === columnId('Age'));
    };
    const seen = (await column())?.meta ?? {};
    const save = async (options: object, before: object | undefined = seen) =>
      client.patch<{ readonly code?: string }>(`${path}/${(await column())?.id ?? ''}`, {
        meta: { ...seen, ...options },
        meta_before: before,
      });
    expect((await save({ label: 'Years' })).status).toBe(200);
    expect((await save({ bold: true })).status).toBe(200);
    expect((await column())?.meta).toMatchObject({ label: 'Years', bold: true });
    expect(await save({ label: 'Old' })).toMatchObject({ status: 409, body: { code: 'OPTIONS_CHANGED' } });
    expect((await save({ label: 'New' }, { label: 'Years', bold: true })).status).toBe(200);
    expect((await column())?.meta).toMatchObject({ label: 'New' });
  });

  test('columns are hidden, moved and resized in one view alone', async () => {
    const other = await create('Other');
    const columns = async (of: ViewEntity) =>
      (await client.get<readonly ViewColumnEntity[]>(`${meta}/views/${of.id}/columns`)).body;
    const age = (await columns(view)).find((column) => column.fk_column_id === columnId('Age'));
    await client.patch(`${meta}/grid-columns/${age?.id ?? ''}`, { show: false, width: '321px', order: 0.5 });
    const [first] = await columns(view);
    expect(first).toMatchObject({ fk_column_id: columnId('Age'), show: false, width: '321px' });
    expect((await columns(other)).map((column) => [column.width, column.is_width_chosen])).toEqual(
      Array(3).fill(['180px', false]),
    );
    await client.patch(`${meta}/grid-columns/${age?.id ?? ''}`, { width: '180px' });
    expect((await columns(view))[0]).toMatchObject({ width: '180px', is_width_chosen: true });
    const rows = await client.get<{ list: readonly object[] }>(
      `/api/v1/db/data/noco/Project ${round}/People/views/${view.id}`,
    );
    expect(rows.body.list[0]).toEqual({ Id: 1, Name: 'Ada' });
    await client.post(`${meta}/views/${view.id}/hide-all?ignoreIds[]=${columnId('Name')}`);
    expect((await columns(view)).filter((column) => column.show)).toHaveLength(1);
    await client.post(`${meta}/views/${view.id}/show-all`);
    expect((await columns(view)).every((column) => column.show)).toBe(true);
  });

  test('a copy takes sorts, filters and columns along and goes its own way after that', async () => {
    await addSort('desc');
    await addFilter({
      is_group: true,
      children: [{ fk_column_id: columnId('Age'), comparison_op: 'lt', value: 80 }],
    });
    const copy = await create('Copy', { copy_from_id: view.id });
    expect(await names(copy)).toEqual(['Alan', 'Ada']);
    const sorts = await client.get<{ sorts: { list: readonly SortEntity[] } }>(
      `${meta}/views/${copy.id}/sorts`,
    );
    await client.delete(`${meta}/sorts/${sorts.body.sorts.list[0]?.id ?? ''}`);
    expect(await names(copy)).toEqual(['Ada', 'Alan']);
    expect(await names()).toEqual(['Alan', 'Ada']);
  });

  test('a locked view keeps its arrangement until it is unlocked', async () => {
    await client.patch(`${meta}/views/${view.id}`, { lock_type: 'locked' });
    expect(await addSort('asc')).toMatchObject({ status: 400, body: { code: 'VIEW_LOCKED' } });
    await client.patch(`${meta}/views/${view.id}`, { lock_type: 'collaborative' });
    expect(await addSort('asc')).toMatchObject({ status: 200 });
  });

  test('another view is made the one that its table opens with, but none that is personal', async () => {
    const other = await create('Other');
    const defaults = async () => {
      const { body } = await client.get<{ list: readonly ViewEntity[] }>(`${meta}/tables/${table.id}/views`);
      return body.list.filter(({ is_default: is }) => is).map(({ title }) => title);
    };
    const [former] = await defaults();
    expect(await client.patch(`${meta}/views/${other.id}`, { make_default: true })).toMatchObject({
      status: 200,
      body: { is_default: true },
    });
    expect(await defaults()).toEqual(['Other']);
    // A client that sends a whole view back makes it no default.
    await client.patch(`${meta}/views/${view.id}`, { title: former, is_default: true });
    expect(await defaults()).toEqual(['Other']);
    await client.patch(`${meta}/views/${view.id}`, { lock_type: 'personal' });
    expect(await client.patch(`${meta}/views/${view.id}`, { make_default: true })).toMatchObject({
      status: 400,
      body: { code: 'VIEW_DEFAULT_PERSONAL' },
    });
    expect(await defaults()).toEqual(['Other']);
  });

  test('the last view stays, and a deleted default hands its place on', async () => {
    expect(await client.delete(`${meta}/views/${view.id}`)).toMatchObject({
      status: 400,
      body: { code: 'LAST_VIEW' },
    });
    const other = await create('Other');
    expect(await client.delete(`${meta}/views/${view.id}`)).toMatchObject({ status: 200 });
    const after = await client.get<{ list: readonly ViewEntity[] }>(`${meta}/tables/${table.id}/views`);
    expect(after.body.list).toMatchObject([{ id: other.id, is_default: true }]);
  });

  test('a new column stands at the end of every view', async () => {
    const other = await create('Other');
    await client.post(`${meta}/tables/${table.id}/columns`, { title: 'Email', uidt: 'SingleLineText' });
    for (const of of [view, other]) {
      const columns = await client.get<readonly ViewColumnEntity[]>(`${meta}/views/${of.id}/columns`);
      expect(columns.body).toHaveLength(4);
      expect(columns.body.at(-1)?.show).toBe(true);
    }
  });

  describe('whose type has rules', () => {
    const columnsOf = async (of: ViewEntity) =>
      (await client.get<readonly ViewColumnEntity[]>(`${meta}/views/${of.id}/columns`)).body;
    const columnOf = async (of: ViewEntity, title: string) =>
      (await columnsOf(of)).find((column) => column.fk_column_id === columnId(title));
    const makeBoard = (more: object = {}) =>
      client.post<ViewEntity>(`${meta}/tables/${table.id}/views`, { title: 'Board', type: 'board', ...more });
    const readBoard = async (id: string) =>
      (await client.get<{ list: readonly ViewEntity[] }>(`${meta}/tables/${table.id}/views`)).body.list.find(
        (of) => of.id === id,
      );

    test('are completed when they are made, or refused with the words of the rule', async () => {
      const made = await makeBoard();
      expect(made).toMatchObject({
        status: 200,
        body: { view_type: 'board', meta: { stack: columnId('Age'), size: 'small' } },
      });
      expect((await columnsOf(made.body)).map((column) => column.meta)).toEqual([null, null, null]);
      expect(await makeBoard({ meta: { stack: columnId('Name') } })).toMatchObject({
        status: 400,
        body: { code: 'BOARD_STACK', msg: 'A board is stacked by a column with numbers.' },
      });
      await client.delete(`${meta}/columns/${columnId('Age')}`);
      expect(await makeBoard()).toMatchObject({ status: 400, body: { code: 'BOARD_NUMBER' } });
    });

    test('keep options that fit the schema, and nothing of a change that is refused', async () => {
      const { body: board } = await makeBoard();
      const path = `${meta}/views/${board.id}`;
      const stack = columnId('Age');
      expect(await client.patch(path, { title: 'Renamed', meta: { stack, size: 'huge' } })).toMatchObject({
        status: 400,
        body: { code: 'VIEW_OPTIONS_INVALID', params: { problems: { '/size': expect.any(String) } } },
      });
      expect(await client.patch(path, { meta: { stack: 'broken' } })).toMatchObject({
        status: 500,
        body: { code: 'VIEW_RULES_FAILED' },
      });
      expect(await readBoard(board.id)).toMatchObject({ title: 'Board', meta: { stack, size: 'small' } });
      expect(server.host.plugins.list().find(({ id }) => id === 'view-board')?.errors).toMatchObject([
        { message: 'the rules of the board are broken' },
      ]);
      expect(await client.patch(path, { meta: { stack, size: 'large' } })).toMatchObject({ status: 200 });
      expect(await readBoard(board.id)).toMatchObject({ meta: { stack, size: 'large' } });
    });

    test('keep options for each column, which a copy takes along', async () => {
      const { body: board } = await makeBoard();
      const name = await columnOf(board, 'Name');
      const path = `${meta}/views/${board.id}/columns/${name?.id ?? ''}`;
      expect(await client.patch(path, { meta: { label: 'Who', bold: true } })).toMatchObject({ status: 200 });
      expect(await columnOf(board, 'Name')).toMatchObject({ meta: { label: 'Who', bold: true }, show: true });
      expect(await client.patch(path, { meta: { label: 'Far too long for this' } })).toMatchObject({
        status: 400,
        body: { code: 'VIEW_OPTIONS_INVALID', msg: expect.stringContaining('Name: /label') },
      });
      const { body: copy } = await makeBoard({ title: 'Copy', copy_from_id: board.id });
      expect(await columnOf(copy, 'Name')).toMatchObject({ meta: { label: 'Who', bold: true } });
      const { body: plain } = await makeBoard({ title: 'Plain', type: 'plain', copy_from_id: board.id });
      expect(await columnOf(plain, 'Name')).toMatchObject({ meta: null });
      const inPlain = `${meta}/views/${plain.id}/columns/${(await columnOf(plain, 'Name'))?.id ?? ''}`;
      expect(await client.patch(inPlain, { meta: { label: 'Who' } })).toMatchObject({
        status: 400,
        body: { code: 'VIEW_COLUMN_OPTIONS_NONE' },
      });
    });

    test('let their rules decide over what is shown', async () => {
      const { body: board } = await makeBoard();
      await client.post(`${meta}/views/${board.id}/hide-all`);
      expect((await columnsOf(board)).filter(({ show }) => show)).toMatchObject([
        { fk_column_id: columnId('Age') },
      ]);
      await client.post(`${meta}/views/${board.id}/show-all`);
      const age = await columnOf(board, 'Age');
      await client.patch(`${meta}/views/${board.id}/columns/${age?.id ?? ''}`, { show: false, width: 300 });
      expect(await columnOf(board, 'Age')).toMatchObject({ show: true, width: '300px' });
    });

    test('keep their options while the plugin is off, and take no new ones', async () => {
      const { body: board } = await makeBoard();
      const name = await columnOf(board, 'Name');
      const path = `${meta}/views/${board.id}`;
      await client.post('/api/v1/app-store/plugins/view-board/disable', {});
      try {
        const refused = { status: 409, body: { code: 'VIEW_TYPE_DISABLED' } };
        expect(await client.patch(path, { meta: { size: 'large' } })).toMatchObject(refused);
        const column = `${path}/columns/${name?.id ?? ''}`;
        expect(await client.patch(column, { meta: { label: 'Who' } })).toMatchObject(refused);
        expect(await client.patch(column, { show: false })).toMatchObject({ status: 200 });
        expect(await client.patch(path, { title: 'Still', meta: board.meta })).toMatchObject({ status: 200 });
        expect(await readBoard(board.id)).toMatchObject({ title: 'Still', meta: board.meta });
      } finally {
        await client.post('/api/v1/app-store/plugins/view-board/enable');
      }
    });
  });
});
