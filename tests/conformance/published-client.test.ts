import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import { Api } from 'nocodb-sdk';
import { createTestDatabases, describeEachServer } from '../../host-server/databases/testing.ts';

/** The client that programs of others use: its calls and the answers that they read. */
function describeClient(start: () => Promise<TestServer>): void {
  let server: TestServer;

  afterEach(() => server.dispose());

  async function signUp() {
    server = await start();
    const api = new Api<unknown>({ baseURL: server.url });
    const { token } = await api.auth.signup({ email: 'ann@example.com', password: 'Passw0rd!x' });
    api.instance.defaults.headers.common['xc-auth'] = token;
    return api;
  }

  async function withCities() {
    const api = await signUp();
    const project = await api.project.create({ title: 'Atlas' });
    const projectId = project.id ?? '';
    const table = await api.dbTable.create(projectId, {
      table_name: 'city',
      title: 'City',
      columns: [
        { column_name: 'id', title: 'Id', uidt: 'ID', pk: true, ai: true },
        { column_name: 'name', title: 'Name', uidt: 'SingleLineText' },
        { column_name: 'people', title: 'People', uidt: 'Number' },
      ],
    } as never);
    const rows = [
      ['Oslo', 700_000],
      ['Bern', 130_000],
      ['Lima', 10_000_000],
    ].map(([Name, People]) => ({ Name, People }));
    for (const row of rows) await api.dbTableRow.create('noco', 'Atlas', 'City', row);
    const views = (await api.dbView.list(table.id ?? '')).list as unknown as readonly { title: string }[];
    return { api, projectId, table, view: views[0]?.title ?? '' };
  }

  const names = (answer: { readonly list?: unknown }) =>
    (answer.list as readonly { readonly Name: string }[]).map(({ Name }) => Name);

  test('signs up, signs in, tells who it is, changes its password and refreshes', async () => {
    const api = await signUp();
    expect(await api.auth.me()).toMatchObject({ email: 'ann@example.com', roles: { super: true } });
    await api.auth.passwordChange({ currentPassword: 'Passw0rd!x', newPassword: 'An0ther!pw' } as never);
    const { token } = await api.auth.signin({ email: 'ann@example.com', password: 'An0ther!pw' });
    expect(token).toEqual(expect.any(String));
    await expect(
      api.auth.signin({ email: 'ann@example.com', password: 'wrong-Passw0rd' }),
    ).rejects.toMatchObject({ response: { status: 400, data: { msg: expect.any(String) } } });
    const guest = new Api<unknown>({ baseURL: server.url });
    expect(await guest.auth.me()).toEqual({ roles: { guest: true } });
    await expect(guest.project.list()).rejects.toMatchObject({ response: { status: 401 } });
  });

  test('lists, adds, changes and removes the members of a project, and signs up by an invitation', async () => {
    const api = await signUp();
    const id = (await api.project.create({ title: 'Atlas' })).id ?? '';
    const added = (await api.auth.projectUserAdd(id, {
      email: 'bob@example.com',
      roles: 'viewer',
      project_id: id,
      projectName: 'Atlas',
    } as never)) as unknown as { readonly invite_token: string; readonly email: string };
    expect(added).toMatchObject({ invite_token: expect.any(String), email: 'bob@example.com' });
    const people = async (query = {}) => {
      const answer = (await api.auth.projectUserList(id, query)) as unknown as {
        readonly users: { readonly list: readonly { id: string; email: string; roles: string }[] };
      };
      return answer.users.list;
    };
    const invited = (await people({ query: 'bob' }))[0]?.id ?? '';
    await expect(api.auth.projectUserResendInvite(id, invited, {})).rejects.toMatchObject({
      response: { status: 400, data: { msg: expect.stringContaining('No Email Plugin is found') } },
    });
    const guest = new Api<unknown>({ baseURL: server.url });
    const person = { email: 'bob@example.com', password: 'Passw0rd!x', token: added.invite_token };
    const { token } = await guest.auth.signup(person as never);
    guest.instance.defaults.headers.common['xc-auth'] = token;
    expect(await guest.project.read(id)).toMatchObject({ title: 'Atlas', role: 'viewer' });
    const bob = (await people()).find(({ email }) => email === 'bob@example.com')?.id ?? '';
    const role = { roles: 'editor', project_id: id, email: 'bob@example.com', projectName: 'Atlas' };
    expect(await api.auth.projectUserUpdate(id, bob, role as never)).toEqual({
      msg: 'User details updated successfully',
    });
    expect(await api.auth.projectUserRemove(id, bob)).toEqual({ msg: 'success' });
    expect((await people()).map(({ email, roles }) => [email, roles])).toEqual([
      ['ann@example.com', 'owner'],
    ]);
    await expect(guest.project.read(id)).rejects.toMatchObject({ response: { status: 403 } });
  });

  test('makes, lists, reads, renames and deletes projects', async () => {
    const api = await signUp();
    const { id } = await api.project.create({ title: 'Atlas' });
    expect(id).toMatch(/^p_[0-9a-z]{14}$/);
    expect((await api.project.list({})).list).toMatchObject([{ id, title: 'Atlas' }]);
    await api.project.update(id ?? '', { title: 'World' });
    expect(await api.project.read(id ?? '')).toMatchObject({ title: 'World', bases: [{ project_id: id }] });
    await api.project.delete(id ?? '');
    expect((await api.project.list({})).list).toEqual([]);
  });

  test('makes, reads, renames and deletes tables and columns', async () => {
    const { api, projectId, table } = await withCities();
    const id = table.id ?? '';
    // The types of the client say less than it answers.
    const readTable = async (of: string) =>
      (await api.dbTable.read(of)) as unknown as { columns: { id: string; title: string }[] };
    expect((await api.dbTable.list(projectId)).list).toMatchObject([{ id, title: 'City' }]);
    const added = await api.dbTableColumn.create(id, {
      column_name: 'note',
      title: 'Note',
      uidt: 'LongText',
    } as never);
    const note = (added as unknown as { columns: { id: string; title: string }[] }).columns.find(
      (column) => column.title === 'Note',
    );
    await api.dbTableColumn.update(note?.id ?? '', { ...note, title: 'Remark' } as never);
    const titles = async () => (await readTable(id)).columns.map((column) => column.title);
    expect(await titles()).toEqual(['Id', 'Name', 'People', 'Remark']);
    await api.dbTableColumn.primaryColumnSet(note?.id ?? '');
    await api.dbTableColumn.delete(note?.id ?? '');
    expect(await titles()).toEqual(['Id', 'Name', 'People']);
    await api.dbTable.update(id, { title: 'Town' } as never);
    expect((await api.dbTable.read(id)).title).toBe('Town');
    await api.dbTable.delete(id);
    expect((await api.dbTable.list(projectId)).list).toEqual([]);
  });

  test('lists, counts, finds, groups, changes and deletes rows', async () => {
    const { api, view } = await withCities();
    const at = ['noco', 'Atlas', 'City'] as const;
    const sorted = await api.dbTableRow.list(...at, { sort: '-People', fields: 'Name', limit: 2 } as never);
    expect(names(sorted)).toEqual(['Lima', 'Oslo']);
    expect(sorted.pageInfo).toEqual({
      totalRows: 3,
      page: 1,
      pageSize: 2,
      isFirstPage: true,
      isLastPage: false,
    });
    expect(names(await api.dbTableRow.list(...at, { where: '(Name,like,%er%)' }))).toEqual(['Bern']);
    await expect(api.dbTableRow.list(...at, { where: '(Nme,eq,x)' })).rejects.toMatchObject({
      response: { status: 400 },
    });
    expect(await api.dbTableRow.findOne(...at, { where: '(Name,eq,Oslo)' })).toMatchObject({ Name: 'Oslo' });
    expect(await api.dbViewRow.count(...at, view)).toEqual({ count: 3 });
    const groups = await api.dbTableRow.groupBy(...at, { column_name: 'name', sort: 'Name' } as never);
    expect(
      (groups as { list: { name: string; count: unknown }[] }).list.map((group) => Number(group.count)),
    ).toEqual([1, 1, 1]);
    const [oslo] = (await api.dbTableRow.list(...at)).list as { Id: number }[];
    const id = String(oslo?.Id);
    expect(await api.dbTableRow.read(...at, id)).toMatchObject({ Name: 'Oslo' });
    expect(await api.dbTableRow.exist(...at, id)).toBe(true);
    expect(await api.dbTableRow.update(...at, id, { Name: 'Kristiania' })).toMatchObject({
      Name: 'Kristiania',
    });
    expect(await api.dbTableRow.delete(...at, id)).toBe(1);
    await expect(api.dbTableRow.read(...at, id)).rejects.toMatchObject({ response: { status: 404 } });
  });

  test('links tables and rows, lists what is linked and what could be, and takes links away', async () => {
    const { api, projectId, table } = await withCities();
    const country = await api.dbTable.create(projectId, {
      table_name: 'country',
      title: 'Country',
      columns: [
        { column_name: 'id', title: 'Id', uidt: 'ID', pk: true, ai: true },
        { column_name: 'name', title: 'Name', uidt: 'SingleLineText' },
      ],
    } as never);
    for (const Name of ['Norway', 'Peru']) await api.dbTableRow.create('noco', 'Atlas', 'Country', { Name });
    type Column = { id: string; title: string; uidt: string; colOptions: Record<string, unknown> };
    const columnsOf = (of: unknown) => (of as { columns: Column[] }).columns;
    const made = await api.dbTableColumn.create(country.id ?? '', {
      uidt: 'LinkToAnotherRecord',
      title: 'Cities',
      parentId: country.id,
      childId: table.id,
      type: 'hm',
    } as never);
    const cities = columnsOf(made).find(({ title }) => title === 'Cities');
    expect(cities?.colOptions).toMatchObject({ type: 'hm', fk_related_model_id: table.id });
    const at = ['noco', 'Atlas', 'Country', '1', 'hm', 'Cities'] as const;
    expect(await api.dbTableRow.nestedAdd(...at, '1')).toEqual({ msg: 'success' });
    expect(names((await api.dbTableRow.nestedList(...at)) as never)).toEqual(['Oslo']);
    expect(names((await api.dbTableRow.nestedChildrenExcludedList(...at)) as never)).toEqual([
      'Bern',
      'Lima',
    ]);
    const listed = (await api.dbTableRow.list('noco', 'Atlas', 'Country', {
      'nested[Cities][fields]': 'Name',
    } as never)) as { list: Record<string, unknown>[] };
    expect(listed.list.map((row) => row['Cities'])).toEqual([[{ Name: 'Oslo' }], []]);
    const people = columnsOf(await api.dbTable.read(table.id ?? '')).find(({ title }) => title === 'People');
    await api.dbTableColumn.create(country.id ?? '', {
      uidt: 'Rollup',
      title: 'Total',
      fk_relation_column_id: cities?.id,
      fk_rollup_column_id: people?.id,
      rollup_function: 'sum',
    } as never);
    const row = (await api.dbTableRow.read('noco', 'Atlas', 'Country', '1')) as Record<string, unknown>;
    expect(Number(row['Total'])).toBe(700_000);
    expect(await api.dbTableRow.nestedRemove(...at, '1')).toEqual({ msg: 'success' });
    expect(names((await api.dbTableRow.nestedList(...at)) as never)).toEqual([]);
    const left = await api.dbTableColumn.delete(cities?.id ?? '');
    expect(columnsOf(left).map(({ title }) => title)).toEqual(['Id', 'Name']);
  });

  test('writes rows in bulk', async () => {
    const { api } = await withCities();
    const at = ['noco', 'Atlas', 'City'] as const;
    const made = (await api.dbTableRow.bulkCreate(...at, [{ Name: 'Rome' }, { Name: 'Kyiv' }])) as {
      Id: unknown;
    }[];
    expect(made.map(({ Id }) => Number(Id))).toEqual([4, 5]);
    await api.dbTableRow.bulkUpdate(...at, [{ Id: 4, Name: 'Roma' }]);
    expect(names(await api.dbTableRow.list(...at, { where: '(Id,gt,3)', sort: 'Id' } as never))).toEqual([
      'Roma',
      'Kyiv',
    ]);
    await api.dbTableRow.bulkDelete(...at, [{ Id: 4 }]);
    await expect(api.dbTableRow.bulkUpdateAll(...at, { People: 1 })).rejects.toMatchObject({
      response: { status: 400, data: { code: 'CONFIRM_ALL', params: { count: 4 } } },
    });
    // Its type has no place for parameters, so that callers pass them on.
    await api.dbTableRow.bulkUpdateAll(...at, { People: 1 }, { query: { confirm: 'all' } } as never);
    const rows = (await api.dbTableRow.list(...at)).list as { People: unknown }[];
    expect(rows.map(({ People }) => Number(People))).toEqual([1, 1, 1, 1]);
    const condition = { query: { where: '(Id,lt,3)' } };
    await api.dbTableRow.bulkDeleteAll(...at, {}, condition as never);
    const left = (await api.dbTableRow.list(...at, { sort: 'Id' } as never)).list as { Id: unknown }[];
    expect(left.map(({ Id }) => Number(Id))).toEqual([3, 5]);
    await expect(api.dbTableRow.bulkDeleteAll(...at, {})).rejects.toMatchObject({
      response: { status: 400, data: { code: 'CONFIRM_ALL', params: { count: 2 } } },
    });
  });

  test('makes views with sorts, filters and hidden columns, and lists rows through them', async () => {
    const { api, table } = await withCities();
    const view = await api.dbView.gridCreate(table.id ?? '', { title: 'Big' } as never);
    const id = view.id ?? '';
    const people = table.columns?.find((column) => column.title === 'People')?.id;
    await api.dbTableSort.create(id, { fk_column_id: people, direction: 'desc' } as never);
    await api.dbTableFilter.create(id, {
      fk_column_id: people,
      comparison_op: 'gt',
      value: '200000',
      logical_op: 'and',
    } as never);
    expect(await api.dbTableSort.list(id)).toMatchObject({ sorts: { list: [{ fk_column_id: people }] } });
    expect(await api.dbTableFilter.read(id)).toMatchObject([{ fk_column_id: people, comparison_op: 'gt' }]);
    expect(names(await api.dbViewRow.list('noco', 'Atlas', 'City', 'Big'))).toEqual(['Lima', 'Oslo']);
    const columns = (await api.dbViewColumn.list(id)) as { id: string; fk_column_id: string }[];
    const hidden = columns.find((column) => column.fk_column_id === people);
    await api.dbViewColumn.update(id, hidden?.id ?? '', { show: false });
    await api.dbView.update(id, { title: 'Large' } as never);
    const rows = (await api.dbViewRow.list('noco', 'Atlas', 'City', 'Large')).list as object[];
    expect(rows.map((row) => 'People' in row)).toEqual([false, false]);
    const csv = (await api.dbViewRow.export('noco', 'Atlas', 'City', 'Large', 'csv' as never)) as {
      readonly data: string;
    };
    expect(csv.data.trim().split(/\r?\n/)).toEqual(['Name', 'Lima', 'Oslo']);
    await api.dbView.delete(id);
    expect((await api.dbView.list(table.id ?? '')).list).toHaveLength(1);
  });

  test('reads what the server is', async () => {
    const api = await signUp();
    expect(await api.utils.appInfo()).toMatchObject({ version: expect.any(String) });
    expect(await api.utils.appHealth()).toMatchObject({ message: 'OK' });
    expect(await api.utils.appVersion()).toMatchObject({ currentVersion: expect.any(String) });
  });
}

describe('the published client, on SQLite', () => {
  describeClient(() => createTestServer());
});

describeEachServer('the published client', (dialect) => {
  const databases = createTestDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeClient(async () => createTestServer({ database: await databases.url() }));
});
