import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AccessServiceToken, AccountStoreToken } from '@trellis/sdk/server';
import type { ProjectRole, TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from './each-home.ts';

interface Titled {
  readonly id: string;
  readonly title: string;
}

function describeRules(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let project: string;
  let table: TableEntity;
  let big: Titled;

  beforeEach(async () => {
    server = await start();
    owner = await server.signUp('owner@example.com');
    const made = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Atlas' });
    project = `/api/v1/db/meta/projects/${made.body.id}`;
    const city = await owner.post<TableEntity>(`${project}/tables`, {
      title: 'City',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    table = city.body;
    await owner.post('/api/v1/db/data/noco/Atlas/City', { Name: 'Oslo' });
    big = (await owner.post<Titled>(`/api/v1/db/meta/tables/${table.id}/grids`, { title: 'Big' })).body;
  });
  afterEach(() => server.dispose());

  async function member(role: ProjectRole): Promise<TestClient> {
    const client = await server.signUp(`${role}@example.com`);
    const { container } = server.host;
    const account = await container.get(AccountStoreToken).byEmail(`${role}@example.com`);
    await container.get(AccessServiceToken).grant(table.project_id, account?.id ?? '', role);
    return client;
  }

  const rules = `visibility-rules`;
  const hide = (id: string, disabled: Readonly<Record<string, boolean>>) =>
    owner.post(`${project}/${rules}`, [{ id, disabled }]);
  const titles = ({ list }: { readonly list: readonly Titled[] }) => list.map(({ title }) => title);
  const views = async (client: TestClient) => {
    const { body } = await client.get<{ list: Titled[] }>(`/api/v1/db/meta/tables/${table.id}/views`);
    return titles(body);
  };
  const tables = async (client: TestClient) =>
    titles((await client.get<{ list: Titled[] }>(`${project}/tables`)).body);

  test('a view is not listed for a custom role, and is for others of the role that it narrows', async () => {
    const [editor, viewer] = [await member('editor'), await member('viewer')];
    const roles = `/api/v1/plugins/sys-members/projects/${table.project_id}/roles`;
    const { id } = (await owner.post<Titled>(roles, { title: 'Tender', base: 'editor' })).body;
    const me = (await editor.get<Titled>('/api/v1/auth/user/me')).body.id;
    expect(await hide(big.id, { [id]: true })).toMatchObject({ status: 200 });
    expect(await views(editor)).toEqual(['City', 'Big']);
    const given = { roles: 'editor', project_id: table.project_id, custom_role: id };
    await owner.patch(`${project}/users/${me}`, given);
    expect(await views(editor)).toEqual(['City']);
    expect(await views(viewer)).toEqual(['City', 'Big']);
    const listed = await owner.get<readonly { id: string; disabled: object }[]>(`${project}/${rules}`);
    expect(listed.body.find((view) => view.id === big.id)?.disabled).toMatchObject({
      [id]: true,
      editor: false,
    });
    await hide(big.id, { [id]: false });
    expect(await views(editor)).toEqual(['City', 'Big']);
  });

  test('a view is not listed for the roles that it is hidden from, and is for others', async () => {
    const [editor, viewer] = [await member('editor'), await member('viewer')];
    expect(await hide(big.id, { viewer: true })).toMatchObject({ status: 200, body: { msg: 'success' } });
    expect(await views(viewer)).toEqual(['City']);
    expect(await views(editor)).toEqual(['City', 'Big']);
    const audit = await owner.get<{ list: object[] }>(`${project}/audits?limit=1`);
    expect(audit.body.list).toMatchObject([
      {
        op_sub_type: 'VISIBILITY',
        user: 'owner@example.com',
        description: 'The roles that see Big were set',
      },
    ]);
    expect(await viewer.get(`/api/v1/db/meta/views/${big.id}/columns`)).toMatchObject({ status: 404 });
    const listed = await owner.get<object[]>(`${project}/${rules}`);
    expect(listed.body).toMatchObject([
      { _ptn: 'City', _tn: 'City', disabled: { owner: false, viewer: false } },
      { _ptn: 'City', _tn: 'Big', id: big.id, disabled: { editor: false, viewer: true, guest: false } },
    ]);
    await hide(big.id, { viewer: false });
    expect(await views(viewer)).toEqual(['City', 'Big']);
  });

  test('lists of views, and a table with its own, tell members for which roles each is not listed', async () => {
    const editor = await member('editor');
    await hide(big.id, { viewer: true });
    const shown = {
      owner: false,
      creator: false,
      editor: false,
      commenter: false,
      viewer: false,
      guest: false,
    };
    const told = [
      { title: 'City', disabled: shown },
      { title: 'Big', disabled: { ...shown, viewer: true } },
    ];
    const path = `/api/v1/db/meta/tables/${table.id}`;
    expect((await editor.get<{ list: object[] }>(`${path}/views`)).body.list).toMatchObject(told);
    expect((await editor.get<TableEntity>(path)).body.views).toMatchObject(told);
    const { uuid } = (await owner.post<{ uuid: string }>(`${project}/shared`, { roles: 'editor' })).body;
    const visitor = server.client.with({ headers: { 'xc-shared-base-id': uuid } });
    const { list } = (await visitor.get<{ list: readonly object[] }>(`${path}/views`)).body;
    expect(list).toHaveLength(2);
    for (const view of list) expect(view).not.toHaveProperty('disabled');
  });

  test('a group is told of to whoever sees a view of it or may change groups, and not to visitors', async () => {
    const [editor, viewer] = [await member('editor'), await member('viewer')];
    const path = `/api/v1/db/meta/tables/${table.id}`;
    const group = async (title: string) =>
      (await owner.post<Titled>(`${path}/view-groups`, { title })).body.id;
    const [open, secret] = [await group('Open'), await group('Redundancies')];
    await group('Empty');
    const [first] = table.views ?? [];
    await owner.patch(`/api/v1/db/meta/views/${first?.id ?? ''}`, { group_id: open });
    await owner.patch(`/api/v1/db/meta/views/${big.id}`, { group_id: secret });
    const groups = async (client: TestClient) => {
      const { body } = await client.get<{ groups: Titled[] }>(`${path}/views`);
      return body.groups.map(({ title }) => title);
    };
    expect(await groups(viewer)).toEqual(['Open', 'Redundancies']);
    await hide(big.id, { viewer: true });
    expect(await groups(viewer)).toEqual(['Open']);
    expect(await groups(editor)).toEqual(['Open', 'Redundancies']);
    expect(await groups(owner)).toEqual(['Open', 'Redundancies', 'Empty']);
    const { uuid } = (await owner.post<{ uuid: string }>(`${project}/shared`, { roles: 'viewer' })).body;
    const visitor = server.client.with({ headers: { 'xc-shared-base-id': uuid } });
    expect(await views(visitor)).toEqual(['City']);
    expect(await groups(visitor)).toEqual([]);
  });

  test('a table without a view that is listed is not listed; its rows can still be read', async () => {
    const [editor, viewer] = [await member('editor'), await member('viewer')];
    for (const { id } of table.views ?? []) await hide(id, { viewer: true, editor: true, owner: true });
    await hide(big.id, { viewer: true, owner: true });
    expect(await tables(viewer)).toEqual([]);
    expect(await tables(editor)).toEqual(['City']);
    expect(await views(editor)).toEqual(['Big']);
    expect(await tables(owner)).toEqual(['City']);
    expect(await views(owner)).toEqual(['City', 'Big']);
    expect(await viewer.get('/api/v1/db/data/noco/Atlas/City')).toMatchObject({
      status: 200,
      body: { list: [{ Name: 'Oslo' }] },
    });
  });

  test('owners and creators alone set the rules, for views of their project', async () => {
    const editor = await member('editor');
    expect(await editor.get(`${project}/${rules}`)).toMatchObject({ status: 403 });
    expect(await editor.post(`${project}/${rules}`, [{ id: big.id, disabled: {} }])).toMatchObject({
      status: 403,
    });
    const other = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Other' });
    expect(
      await owner.post(`/api/v1/db/meta/projects/${other.body.id}/${rules}`, [
        { id: big.id, disabled: { editor: true } },
      ]),
    ).toMatchObject({ status: 404 });
    expect(await views(editor)).toEqual(['City', 'Big']);
  });
}

describeEachHome('visibility rules', describeRules);
