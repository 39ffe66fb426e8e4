import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AccessServiceToken, AccountStoreToken } from '@trellis/sdk/server';
import type { FilterNode, LiveEvent, ProjectRole, TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { io } from 'socket.io-client';
import type { CustomRole } from '#plugins/sys-members/shared';
import { describeEachHome } from './each-home.ts';

const data = '/api/v1/db/data/noco/Desk';
const bulk = '/api/v1/db/data/bulk/noco/Desk';
const meta = '/api/v1/db/meta';

function describeRules(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let ann: TestClient;
  let vic: TestClient;
  let project = '';
  let rules = '';
  let goals: TableEntity;
  let tasks: TableEntity;

  const idOf = (table: TableEntity, title: string) =>
    table.columns?.find((column) => column.title === title)?.id ?? '';
  const condition = (title: string, operator: string, value: string): FilterNode => ({
    kind: 'condition',
    logicalOp: 'and',
    columnId: idOf(tasks, title),
    operator,
    value,
  });
  const put = (role: string, filters: readonly FilterNode[], table = tasks.id, of = owner) =>
    of.put(`${rules}/${table}/${role}`, { filters });

  async function member(name: string, role: ProjectRole): Promise<TestClient> {
    const client = await server.signUp(`${name}@example.com`);
    const { container } = server.host;
    const account = await container.get(AccountStoreToken).byEmail(`${name}@example.com`);
    await container.get(AccessServiceToken).grant(project, account?.id ?? '', role);
    return client;
  }

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp('owner@example.com');
    project = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Desk' })).body.id;
    rules = `/api/v1/plugins/row-rules/projects/${project}/rules`;
    ann = await member('ann', 'editor');
    vic = await member('vic', 'viewer');
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ];
    const made = (body: object) => owner.post<TableEntity>(`${meta}/projects/${project}/tables`, body);
    const cost = { title: 'Cost', uidt: 'Number' };
    tasks = (
      await made({ title: 'Tasks', columns: [...columns, cost, { title: 'Owner', uidt: 'Collaborator' }] })
    ).body;
    goals = (await made({ title: 'Goals', columns })).body;
    await owner.post(`${meta}/tables/${goals.id}/columns`, {
      title: 'Steps',
      uidt: 'LinkToAnotherRecord',
      parentId: goals.id,
      childId: tasks.id,
      type: 'hm',
    });
    goals = (await owner.get<TableEntity>(`${meta}/tables/${goals.id}`)).body;
    tasks = (await owner.get<TableEntity>(`${meta}/tables/${tasks.id}`)).body;
    const relation = { fk_relation_column_id: idOf(goals, 'Steps') };
    const add = (body: object) => owner.post(`${meta}/tables/${goals.id}/columns`, { ...relation, ...body });
    await add({ title: 'Names', uidt: 'Lookup', fk_lookup_column_id: idOf(tasks, 'Name') });
    await add({
      title: 'Costs',
      uidt: 'Rollup',
      fk_rollup_column_id: idOf(tasks, 'Cost'),
      rollup_function: 'sum',
    });
    await owner.post(`${data}/Goals`, { Name: 'Ship' });
    for (const [Name, Cost, Owner] of [
      ['Plan', 1, 'ann@example.com'],
      ['Secret', 20, 'vic@example.com'],
      ['Both', 300, 'ann@example.com,vic@example.com'],
      ['Nobody', 4000, null],
    ])
      await owner.post(`${data}/Tasks`, { Name, Cost, Owner });
    for (const key of [1, 2, 3, 4]) await owner.post(`${data}/Goals/1/hm/Steps/${key}`);
  });
  afterAll(() => server?.dispose());

  const names = async (client: TestClient, query = '') =>
    (await client.get<{ list: { Name: string }[] }>(`${data}/Tasks?sort=Id${query}`)).body.list.map(
      ({ Name }) => Name,
    );

  test('leave a role the rows of which its person is the owner, in every answer', async () => {
    expect(await put('editor', [condition('Owner', 'anyof', '@me')])).toMatchObject({ status: 200 });
    expect(await names(ann)).toEqual(['Plan', 'Both']);
    expect(await names(vic)).toHaveLength(4);
    expect(await names(owner)).toHaveLength(4);
    expect((await ann.get(`${data}/Tasks/count`)).body).toEqual({ count: 2 });
    const [goal] = (await ann.get<{ list: Record<string, unknown>[] }>(`${data}/Goals`)).body.list;
    expect(goal).toMatchObject({ Names: ['Plan', 'Both'] });
    expect(Number(goal?.['Costs'])).toBe(301);
    expect((await ann.get(`${data}/Goals?where=(Names,like,Secret)`)).body).toMatchObject({ list: [] });
    expect((await ann.get<{ list: object[] }>(`${data}/Goals/1/hm/Steps`)).body.list).toHaveLength(2);
    expect((await ann.get(`${data}/Tasks/groupby?column_name=Name`)).body).toMatchObject({
      pageInfo: { totalRows: 2 },
    });
    const csv = (await ann.get<string>(`${data}/Tasks/export/csv`)).body;
    expect(csv).toContain('Plan');
    for (const answer of [
      { body: csv },
      await ann.get(`${data}/Goals/1`),
      await ann.get(`${data}/Goals?nested[Steps][where]=(Name,like,Sec)`),
      await ann.get(`${data}/Tasks/2/history`),
      await ann.get(`${data}/Tasks/find-one?where=(Name,eq,Secret)`),
    ])
      expect(JSON.stringify(answer.body)).not.toContain('Secret');
    expect((await ann.get(`${data}/Tasks/2`)).status).toBe(404);
    const comment = { fk_model_id: tasks.id, row_id: '2', description: 'Hm' };
    expect((await ann.post(`${meta}/audits/comments`, comment)).status).toBe(404);
    const token = await ann.post<{ token: string }>(`${meta}/api-tokens`, { permissions: 'editor' });
    expect(await names(server.client.with({ headers: { 'xc-token': token.body.token } }))).toHaveLength(2);
    // A token and a preview of a lower role, for which there is no rule, take away and give nothing.
    for (const role of ['commenter', 'viewer']) {
      const { body } = await ann.post<{ token: string }>(`${meta}/api-tokens`, { permissions: role });
      expect(await names(server.client.with({ headers: { 'xc-token': body.token } }))).toEqual([
        'Plan',
        'Both',
      ]);
      expect(await names(ann.with({ headers: { 'xc-preview': role } }))).toEqual(['Plan', 'Both']);
    }
    // Whoever looks at the project as an editor is told what an editor of this name would see.
    expect(await names(owner.with({ headers: { 'xc-preview': 'editor' } }))).toEqual([]);
  });

  test('change and delete nothing out of sight, and refuse what would be out of sight', async () => {
    expect((await ann.patch(`${data}/Tasks/2`, { Name: 'Mine' })).status).toBe(404);
    expect((await ann.patch(`${bulk}/Tasks`, [{ Id: 2, Name: 'Mine' }])).body).toEqual([0]);
    expect((await ann.delete(`${data}/Tasks/2`)).body).not.toBe(1);
    const refused = { status: 403, body: { code: 'ROW_OUT_OF_REACH', params: { table: 'Tasks' } } };
    expect(await ann.post(`${data}/Tasks`, { Name: 'Mine', Owner: 'vic@example.com' })).toMatchObject(
      refused,
    );
    expect(await ann.post(`${bulk}/Tasks`, [{ Name: 'Mine', Owner: 'vic@example.com' }])).toMatchObject(
      refused,
    );
    expect(await ann.patch(`${data}/Tasks/1`, { Owner: 'vic@example.com' })).toMatchObject(refused);
    expect(await names(owner)).toEqual(['Plan', 'Secret', 'Both', 'Nobody']);
    const mine = await ann.post<{ Id: number }>(`${data}/Tasks`, { Name: 'Mine', Owner: 'ann@example.com' });
    expect(mine.status).toBe(200);
    expect((await ann.delete(`${data}/Tasks/${mine.body.Id}`)).status).toBe(200);
    expect((await ann.post(`${data}/Goals/1/hm/Steps/2`)).status).toBe(404);
  });

  test('are met by new rows that leave open what a rule says plainly', async () => {
    const empty = await ann.post<{ Id: number }>(`${data}/Tasks`, {});
    expect(empty.body).toMatchObject({ Owner: 'ann@example.com' });
    const many = await ann.post<{ Id: number }[]>(`${bulk}/Tasks`, [{ Name: 'One' }, { Name: 'Two' }]);
    expect(many.status).toBe(200);
    expect(await names(ann)).toEqual(['Plan', 'Both', null, 'One', 'Two']);
    const byOwner = await owner.post<{ Id: number }>(`${data}/Tasks`, {});
    expect(byOwner.body).toMatchObject({ Owner: null });
    const kept = [1, 2, 3, 4];
    const { list } = (await owner.get<{ list: { Id: number }[] }>(`${data}/Tasks`)).body;
    await owner.delete(
      `${bulk}/Tasks`,
      list.filter(({ Id }) => !kept.includes(Id)).map(({ Id }) => ({ Id })),
    );
    expect(await names(owner)).toHaveLength(4);
  });

  test.each([
    ['of whom they bind', () => ({ token: ann.token })],
    ['that look through their role', () => ({ token: owner.token, headers: { 'xc-preview': 'editor' } })],
  ])('tell live pages %s to read again in place of rows', async (_, auth) => {
    const socket = io(`${server.url}/live`, {
      auth: auth(),
      forceNew: true,
      transports: ['websocket'],
      reconnection: false,
    });
    const heard = new Promise<LiveEvent>((resolve) => {
      socket.on('event', (event: LiveEvent) => {
        if (event.kind === 'rows' || event.kind === 'rowsReset') resolve(event);
      });
    });
    await once(socket as never, 'connect');
    await socket.timeout(5000).emitWithAck('subscribe', { tableId: tasks.id });
    await owner.patch(`${data}/Tasks/2`, { Cost: 21 });
    expect(await heard).toMatchObject({ kind: 'rowsReset', tableId: tasks.id });
    socket.disconnect();
  });

  test('hold for a custom role beside those of the role that it narrows', async () => {
    const roles = `/api/v1/plugins/sys-members/projects/${project}/roles`;
    const { id } = (await owner.post<CustomRole>(roles, { title: 'Cheap', base: 'editor' })).body;
    expect((await put(id, [condition('Cost', 'gt', '100')])).status).toBe(200);
    expect(await names(ann)).toEqual(['Plan', 'Both']);
    const me = (await ann.get<{ id: string }>('/api/v1/auth/user/me')).body.id;
    await owner.patch(`${meta}/projects/${project}/users/${me}`, {
      roles: 'editor',
      project_id: project,
      custom_role: id,
    });
    expect(await names(ann)).toEqual(['Both']);
    expect(await names(owner.with({ headers: { 'xc-preview': id } }))).toEqual([]);
    expect((await owner.delete(`${rules}/${tasks.id}/editor`)).status).toBe(200);
    expect(await names(ann)).toEqual(['Both', 'Nobody']);
  });

  test('leave a role every row to see, and its own to change', async () => {
    const whole = [...(await names(owner))];
    const own = { filters: [condition('Owner', 'anyof', '@me')], limits: 'change' };
    const cat = await member('cat', 'commenter');
    const pat = await member('pat', 'editor');
    expect(await owner.put(`${rules}/${tasks.id}/editor`, own)).toMatchObject({
      status: 200,
      body: { limits: 'change' },
    });
    expect(await names(pat)).toEqual(whole);
    expect((await pat.get(`${data}/Tasks/count`)).body).toEqual({ count: whole.length });
    const refused = { status: 403, body: { code: 'ROW_NOT_CHANGEABLE', params: { table: 'Tasks' } } };
    expect(await pat.patch(`${data}/Tasks/1`, { Name: 'Mine' })).toMatchObject(refused);
    expect(await pat.delete(`${data}/Tasks/1`)).toMatchObject(refused);
    expect((await pat.patch(`${data}/Tasks/999`, { Name: 'Mine' })).status).toBe(404);
    expect((await pat.patch(`${bulk}/Tasks`, [{ Id: 1, Name: 'Mine' }])).body).toEqual([0]);
    expect((await pat.delete(`${bulk}/Tasks`, [{ Id: 1 }])).body).toEqual([0]);
    await pat.patch(`${bulk}/Tasks/all?where=(Id,gt,0)`, { Name: 'Mine' });
    await pat.delete(`${bulk}/Tasks/all?where=(Id,gt,0)`);
    expect((await pat.delete(`${data}/Goals/1/hm/Steps/1`)).status).not.toBe(500);
    expect((await pat.post(`${data}/Goals/1/hm/Steps/1`)).status).toBeGreaterThanOrEqual(400);
    expect(await names(owner)).toEqual(whole);
    expect((await owner.get<{ list: object[] }>(`${data}/Goals/1/hm/Steps`)).body.list).toHaveLength(4);

    const forOther = await pat.post(`${data}/Tasks`, { Name: 'Theirs', Owner: 'vic@example.com' });
    expect(forOther.status).toBe(403);
    const mine = await pat.post<{ Id: number; Owner: string }>(`${data}/Tasks`, { Name: 'Mine' });
    expect(mine).toMatchObject({ status: 200, body: { Owner: 'pat@example.com' } });
    const place = `${data}/Tasks/${mine.body.Id}`;
    expect((await pat.patch(place, { Name: 'Still mine' })).status).toBe(200);
    expect((await pat.patch(place, { Owner: 'vic@example.com' })).status).toBe(403);
    const undone = await owner.patch(`${data}/Tasks/1`, { Name: 'Plans' });
    const operation = undone.headers.get('x-trellis-operation') ?? '';
    expect((await pat.post(`/api/v1/db/data/operations/${project}/${operation}/undo`, {})).status).not.toBe(
      200,
    );
    expect((await owner.get(`${data}/Tasks/1`)).body).toMatchObject({ Name: 'Plans' });
    await owner.patch(`${data}/Tasks/1`, { Name: 'Plan' });
    expect((await pat.patch(`${bulk}/Tasks/all?where=(Id,gt,0)`, { Name: 'Alone' })).body).toBe(1);
    expect((await pat.delete(place)).status).toBe(200);
    expect(await names(owner)).toEqual(whole);
    expect(await names(cat)).toEqual(whole);
    expect((await owner.delete(`${rules}/${tasks.id}/editor`)).status).toBe(200);
    expect((await pat.patch(`${data}/Tasks/1`, { Name: 'Plan' })).status).toBe(200);
  });

  test('are made by owners and creators, of columns and tables of the project', async () => {
    expect((await put('editor', [condition('Owner', 'anyof', '@me')], tasks.id, ann)).status).toBe(403);
    expect((await ann.get(rules)).status).toBe(403);
    expect((await vic.delete(`${rules}/${tasks.id}/editor`)).status).toBe(403);
    expect(await put('editor', [])).toMatchObject({ status: 400, body: { code: 'ROW_RULE_EMPTY' } });
    expect(await put('owner', [condition('Cost', 'gt', '1')])).toMatchObject({ status: 400 });
    expect(await put('viewer', [condition('Cost', 'gt', 'many')])).toMatchObject({ status: 400 });
    expect(await put('viewer', [condition('Nothing', 'gt', '1')])).toMatchObject({ status: 400 });
    expect(await put('viewer', [condition('Cost', 'nearly', '1')])).toMatchObject({ status: 409 });
    expect(await put('viewer', [condition('Cost', 'gt', '1')], 'md_00000000000000')).toMatchObject({
      status: 404,
    });
    const deep = Array.from({ length: 9 }).reduce<FilterNode>(
      (child) => ({ kind: 'group', logicalOp: 'and', children: [child] }),
      condition('Cost', 'gt', '1'),
    );
    expect(await put('viewer', [deep])).toMatchObject({ status: 400, body: { code: 'ROW_RULE_LARGE' } });
    const listed = await owner.get<{ list: { role: string }[] }>(rules);
    expect(listed.body.list).toHaveLength(1);
  });

  test('are made by one of those who make the same at the same moment, and the others hear of it', async () => {
    const path = `${rules}/${tasks.id}/commenter`;
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          owner.put<{ code?: string }>(path, {
            filters: [condition('Cost', 'gt', String(at))],
            replaces: null,
          }),
        ),
      );
      const [made, refused] = [true, false].map((isMade) =>
        answers.filter(({ status }) => (status === 200) === isMade).map(({ body }) => body.code),
      );
      expect(made).toHaveLength(1);
      expect(refused).toEqual(Array.from({ length: 5 }, () => 'CHANGED_MEANWHILE'));
      expect(await owner.delete(path)).toMatchObject({ status: 200 });
    }
  });

  test('leave no row once a column of theirs is gone', async () => {
    expect((await put('viewer', [condition('Cost', 'lt', '100')])).status).toBe(200);
    expect(await names(vic)).toEqual(['Plan', 'Secret']);
    await owner.delete(`${meta}/columns/${idOf(tasks, 'Cost')}`);
    expect(await names(vic)).toEqual([]);
    expect(await names(owner)).toHaveLength(4);
  });
}

describeEachHome('row rules', describeRules);
