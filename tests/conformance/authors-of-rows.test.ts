import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from './each-home.ts';

type Row = Readonly<Record<string, unknown>> & { readonly Id: number };

const meta = '/api/v1/db/meta';
const path = '/api/v1/db/data/noco/Work/Tasks';
const bulk = path.replace('/data/', '/data/bulk/');
const [ada, bob] = ['ada@example.com', 'bob@example.com'];

function describeAuthors(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let member: TestClient;
  let project: string;
  let table: TableEntity;

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp(ada);
    member = await server.signUp(bob);
    const made = await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Work' });
    project = made.body.id;
    await owner.post(`${meta}/projects/${project}/users`, { email: bob, roles: 'editor' });
    const { status, body } = await owner.post<TableEntity>(`${meta}/projects/${project}/tables`, {
      title: 'Tasks',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Title', uidt: 'SingleLineText' },
        { title: 'Maker', uidt: 'CreatedBy', rqd: true },
        { title: 'Changer', uidt: 'LastModifiedBy' },
      ],
    });
    expect(status).toBe(200);
    table = body;
  });
  afterAll(() => server?.dispose());

  const columnId = (title: string) => table.columns?.find((of) => of.title === title)?.id ?? '';
  const read = async (id: number) => (await owner.get<Row>(`${path}/${id}`)).body;
  const add = async (client: TestClient, title: string) =>
    (await client.post<Row>(path, { Title: title })).body.Id;

  test('say who made a row and who changed it last, whatever the client sends', async () => {
    const one = await member.post<Row>(path, { Title: 'one', Maker: ada, Changer: ada });
    expect(one).toMatchObject({ status: 200, body: { Maker: bob, Changer: bob } });
    const many = await owner.post<readonly Row[]>(bulk, [{ Title: 'two', Maker: 'nobody' }, { Maker: bob }]);
    expect(many).toMatchObject({ status: 200 });
    for (const { Id } of many.body) expect(await read(Id)).toMatchObject({ Maker: ada, Changer: ada });
  });

  test('follow every way to change a row', async () => {
    const ways: Readonly<Record<string, (id: number) => Promise<{ readonly status: number }>>> = {
      'one row': (id) => member.patch(`${path}/${id}`, { Title: 'a', Maker: bob, Changer: ada }),
      'named rows': (id) => member.patch(bulk, [{ Id: id, Title: 'b' }]),
      'all rows of a condition': (id) => member.patch(`${bulk}/all?where=(Id,eq,${id})`, { Title: 'c' }),
    };
    for (const [way, change] of Object.entries(ways)) {
      const id = await add(owner, way);
      expect(await read(id)).toMatchObject({ Maker: ada, Changer: ada });
      expect((await change(id)).status).toBe(200);
      expect([way, await read(id)]).toEqual([way, expect.objectContaining({ Maker: ada, Changer: bob })]);
    }
  });

  test('undo is a change of whoever undoes, and a deleted row comes back as that of its maker', async () => {
    const id = await add(member, 'before');
    const gone = await owner.delete(`${path}/${id}`);
    const operation = gone.headers.get('x-trellis-operation');
    expect(await owner.post(`/api/v1/db/data/operations/Work/${operation}/undo`)).toMatchObject({
      status: 200,
    });
    expect(await read(id)).toMatchObject({ Maker: bob, Changer: ada });
  });

  test('are filtered by people and by oneself, and stand in formulas', async () => {
    const id = await add(member, 'mine');
    const formula = { title: 'By', uidt: 'Formula', formula_raw: 'UPPER(CREATED_BY())' };
    expect(await owner.post(`${meta}/tables/${table.id}/columns`, formula)).toMatchObject({ status: 200 });
    expect(await read(id)).toMatchObject({ By: bob.toUpperCase() });
    const bare = await owner.post<TableEntity>(`${meta}/projects/${project}/tables`, {
      title: 'Bare',
      columns: [{ title: 'Id', uidt: 'ID' }],
    });
    expect(await owner.post(`${meta}/tables/${bare.body.id}/columns`, formula)).toMatchObject({
      status: 400,
      body: { msg: 'CREATED_BY needs a column of the type “Created by” in this table: add one' },
    });
    const list = async (client: TestClient, where: string) =>
      (await client.get<{ list: readonly Row[] }>(`${path}?limit=1000&where=${where}`)).body.list;
    const makers = async (client: TestClient, where: string) =>
      new Set((await list(client, where)).map(({ Maker }) => Maker));
    expect(await makers(owner, `(Maker,anyof,${bob})`)).toEqual(new Set([bob]));
    expect(await makers(owner, '(Maker,anyof,@me)')).toEqual(new Set([ada]));
    expect(await makers(member, '(Maker,anyof,@me)')).toEqual(new Set([bob]));
  });

  test('know nothing of rows that were there before, unless another column says it', async () => {
    const { body: old } = await owner.post<TableEntity>(`${meta}/projects/${project}/tables`, {
      title: 'Old',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Title', uidt: 'SingleLineText' },
      ],
    });
    const rows = path.replace(/[^/]+$/, 'Old');
    await member.post(rows, { Title: 'old' });
    const addColumn = (of: TableEntity, title: string, uidt: string) =>
      owner.post(`${meta}/tables/${of.id}/columns`, { title, uidt });
    expect(await addColumn(old, 'Maker', 'CreatedBy')).toMatchObject({ status: 200 });
    expect((await owner.get<Row>(`${rows}/1`)).body).toMatchObject({ Maker: null });
    await member.post(rows, { Title: 'new' });
    expect(await addColumn(old, 'Maker too', 'CreatedBy')).toMatchObject({ status: 200 });
    expect((await owner.get<Row>(`${rows}/2`)).body).toMatchObject({ Maker: bob, 'Maker too': bob });
  });

  test('keep their values when they are described, and when they become people and authors again', async () => {
    const id = await add(member, 'kept');
    const patch = (column: string, body: object) =>
      owner.patch<TableEntity>(`${meta}/columns/${columnId(column)}`, body);
    expect(await patch('Changer', { title: 'Changer', description: 'Who was it?' })).toMatchObject({
      status: 200,
    });
    expect(await patch('Changer', { title: 'Changer', meta: {} })).toMatchObject({ status: 200 });
    expect(await patch('Changer', { title: 'Changer', uidt: 'Collaborator' })).toMatchObject({ status: 200 });
    expect(await member.patch(`${path}/${id}`, { Changer: ada })).toMatchObject({ status: 200 });
    expect(await read(id)).toMatchObject({ Changer: ada });
    expect(await patch('Changer', { title: 'Changer', uidt: 'LastModifiedBy' })).toMatchObject({
      status: 200,
    });
    expect(await read(id)).toMatchObject({ Changer: ada });
    await member.patch(`${path}/${id}`, { Title: 'renewed' });
    expect(await read(id)).toMatchObject({ Changer: bob });
  });
}

describeEachHome('authors of rows', describeAuthors);
