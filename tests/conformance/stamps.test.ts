import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from './each-home.ts';

type Row = Readonly<Record<string, unknown>> & { readonly Id: number };

/** Moments as milliseconds, whatever form the database answers them in. */
const at = (value: unknown): number =>
  Date.parse(
    `${String(value as string)
      .replace(' ', 'T')
      .slice(0, 19)}Z`,
  );
/** Before anything of a test: a change of it is seen in the whole seconds of a stamp. */
const long = '2001-02-03 04:05:06';

function describeStamps(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let client: TestClient;
  let table: TableEntity;
  let path: string;
  const bulk = () => path.replace('/data/', '/data/bulk/');

  beforeAll(async () => {
    server = await start();
    client = await server.signUp();
    const { body: project } = await client.post<{ id: string }>('/api/v1/db/meta/projects', {
      title: 'Work',
    });
    const made = await client.post<TableEntity>(`/api/v1/db/meta/projects/${project.id}/tables`, {
      title: 'Tasks',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Title', uidt: 'SingleLineText' },
        { title: 'Made', uidt: 'CreateTime', rqd: true },
        { title: 'Changed', uidt: 'LastModifiedTime' },
      ],
    });
    expect(made).toMatchObject({ status: 200 });
    table = made.body;
    path = '/api/v1/db/data/noco/Work/Tasks';
  });
  afterAll(() => server?.dispose());

  const columnOf = (title: string) => {
    const found = table.columns?.find((of) => of.title === title);
    if (found === undefined) throw new Error(`There is no column ${title}`);
    return found;
  };

  /** A row whose stamps lie long ago, as if it had been made then. */
  async function oldRow(title: string): Promise<Row> {
    const { body } = await client.post<Row>(path, { Title: title });
    const columns = [columnOf('Made'), columnOf('Changed')];
    for (const column of columns) {
      const patch = (uidt: string) =>
        client.patch<TableEntity>(`/api/v1/db/meta/columns/${column.id}`, { title: column.title, uidt });
      expect(await patch('DateTime')).toMatchObject({ status: 200 });
      expect(await client.patch(`${path}/${body.Id}`, { [column.title]: long })).toMatchObject({
        status: 200,
      });
      expect(await patch(column.uidt)).toMatchObject({ status: 200 });
    }
    return read(body.Id);
  }

  async function read(id: number): Promise<Row> {
    const { status, body } = await client.get<Row>(`${path}/${id}`);
    expect(status).toBe(200);
    return body;
  }

  const expectNow = (value: unknown) => expect(Math.abs(Date.now() - at(value))).toBeLessThan(600_000);
  const expectLongAgo = (value: unknown) => expect(at(value)).toBe(at(long));

  test('a new row has both moments, whatever the client sends for them', async () => {
    const one = await client.post<Row>(path, { Title: 'one', Made: long, Changed: long });
    expect(one).toMatchObject({ status: 200 });
    const many = await client.post<readonly Row[]>(bulk(), [{ Title: 'two', Made: 'never' }, { Made: long }]);
    expect(many).toMatchObject({ status: 200 });
    for (const { Id } of [one.body, ...many.body]) {
      const { Made, Changed } = await read(Id);
      expectNow(Made);
      expectNow(Changed);
      expect(at(Made)).toBeLessThanOrEqual(at(Changed));
    }
  });

  test('every way to change a row sets the second moment, and none the first', async () => {
    const ways: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
      'one row': (id) =>
        client.patch(`${path}/${id}`, { Title: 'a', Made: '1999-01-01', Changed: '1999-01-01' }),
      'named rows': (id) => client.patch(bulk(), [{ Id: id, Title: 'b', Changed: '1999-01-01' }]),
      'all rows of a condition': (id) => client.patch(`${bulk()}/all?where=(Id,eq,${id})`, { Title: 'c' }),
    };
    for (const [way, change] of Object.entries(ways)) {
      const { Id, Made, Changed } = await oldRow(way);
      expectLongAgo(Made);
      expectLongAgo(Changed);
      expect(await change(Id)).toMatchObject({ status: 200 });
      const after = await read(Id);
      expectLongAgo(after.Made);
      expectNow(after.Changed);
    }
  });

  test('undo is a change of its own: it sets the second moment anew and gives a deleted row its first one back', async () => {
    const { Id } = await oldRow('before');
    const undo = ({ headers }: { readonly headers: Headers }) =>
      client.post(`/api/v1/db/data/operations/Work/${headers.get('x-trellis-operation')}/undo`);
    const renamed = await client.patch(`${path}/${Id}`, { Title: 'after' });
    expect(await undo(renamed)).toMatchObject({ status: 200 });
    const back = await read(Id);
    expect(back.Title).toBe('before');
    expectLongAgo(back.Made);
    expectNow(back.Changed);
    const gone = await client.delete(`${path}/${Id}`);
    expect(await undo(gone)).toMatchObject({ status: 200 });
    const again = await read(Id);
    expectLongAgo(again.Made);
    expectNow(again.Changed);
  });

  test('the last change of a row is right in a column from the trash, too, where another column knows it', async () => {
    const meta = '/api/v1/db/meta';
    const { body: made } = await client.post<TableEntity>(`${meta}/projects/${table.project_id}/tables`, {
      title: 'Changing',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Title', uidt: 'SingleLineText' },
        { title: 'Changed', uidt: 'DateTime' },
      ],
    });
    const rows = path.replace(/[^/]+$/, 'Changing');
    const { body: row } = await client.post<Row>(rows, { Title: 'old', Changed: long });
    const id = made.columns?.find(({ title }) => title === 'Changed')?.id;
    const stamped = { title: 'Changed', uidt: 'LastModifiedTime' };
    expect(await client.patch(`${meta}/columns/${id}`, stamped)).toMatchObject({ status: 200 });
    expect(await client.delete(`${meta}/columns/${id}`)).toMatchObject({ status: 200 });
    await client.post(`${meta}/tables/${made.id}/columns`, { ...stamped, title: 'Other' });
    await client.patch(`${rows}/${row.Id}`, { Title: 'new' });
    expect(
      await client.post(`${meta}/projects/${table.project_id}/trash/columns/${id}/restore`, {}),
    ).toMatchObject({ status: 200 });
    const { body: after } = await client.get<Row>(`${rows}/${row.Id}`);
    expectNow(after['Changed']);
    expect(at(after['Changed'])).toBe(at(after['Other']));
  });

  test('a column from the trash keeps its moments, and has those of rows that were added meanwhile from another column', async () => {
    const meta = '/api/v1/db/meta';
    const { body: made } = await client.post<TableEntity>(`${meta}/projects/${table.project_id}/tables`, {
      title: 'Restored',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Title', uidt: 'SingleLineText' },
        { title: 'Made', uidt: 'CreateTime' },
      ],
    });
    const rows = path.replace(/[^/]+$/, 'Restored');
    const before = await client.post<Row>(rows, { Title: 'before' });
    expectNow(before.body.Made);
    const id = made.columns?.find(({ title }) => title === 'Made')?.id;
    expect(await client.delete(`${meta}/columns/${id}`)).toMatchObject({ status: 200 });
    expect(
      await client.post(`${meta}/tables/${made.id}/columns`, { title: 'Other', uidt: 'CreateTime' }),
    ).toMatchObject({ status: 200 });
    const meanwhile = await client.post<Row>(rows, { Title: 'meanwhile' });
    expect(
      await client.post(`${meta}/projects/${table.project_id}/trash/columns/${id}/restore`, {}),
    ).toMatchObject({ status: 200 });
    const { body } = await client.get<{ list: readonly Row[] }>(`${rows}?sort=Id`);
    expect(body.list.map(({ Made }) => Made)).toEqual([before.body.Made, meanwhile.body['Other']]);
  });

  test('a column that is added tells of the rows that are there what another one knows, else nothing, and of new ones the moment', async () => {
    const { Id } = await oldRow('old');
    const add = (title: string, uidt: string) =>
      client.post(`/api/v1/db/meta/tables/${table.id}/columns`, { title, uidt });
    expect(await add('Made too', 'CreateTime')).toMatchObject({ status: 200 });
    expect(await add('Changed too', 'LastModifiedTime')).toMatchObject({ status: 200 });
    const old = await read(Id);
    expectLongAgo(old['Made too']);
    expectLongAgo(old['Changed too']);
    const { body } = await client.post<Row>(path, { Title: 'new' });
    expectNow(body['Made too']);
    expectNow(body['Changed too']);

    const { body: bare } = await client.post<TableEntity>(
      `/api/v1/db/meta/projects/${table.project_id}/tables`,
      {
        title: 'Bare',
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Title', uidt: 'SingleLineText' },
        ],
      },
    );
    const ofBare = path.replace('Tasks', 'Bare');
    const { body: first } = await client.post<Row>(ofBare, { Title: 'first' });
    await client.post(`/api/v1/db/meta/tables/${bare.id}/columns`, { title: 'Made', uidt: 'CreateTime' });
    expect((await client.get<Row>(`${ofBare}/${first.Id}`)).body.Made).toBeNull();
    expectNow((await client.post<Row>(ofBare, { Title: 'second' })).body.Made);
  });

  test('a stamp that becomes a plain date and time is typed by people and set by nobody', async () => {
    const { body: column } = await client.post<TableEntity>(`/api/v1/db/meta/tables/${table.id}/columns`, {
      title: 'Retyped',
      uidt: 'LastModifiedTime',
    });
    const of = column.columns?.find(({ title }) => title === 'Retyped');
    expect(of).toMatchObject({ au: true, cdf: 'CURRENT_TIMESTAMP' });
    const { body: after } = await client.patch<TableEntity>(`/api/v1/db/meta/columns/${of?.id}`, {
      title: 'Retyped',
      uidt: 'DateTime',
    });
    expect(after.columns?.find(({ title }) => title === 'Retyped')).toMatchObject({ au: false, cdf: null });
    const { body: made } = await client.post<Row>(path, { Title: 'x' });
    expect(made.Retyped).toBeNull();
    await client.patch(`${path}/${made.Id}`, { Retyped: long });
    await client.patch(`${path}/${made.Id}`, { Title: 'y' });
    expectLongAgo((await read(made.Id)).Retyped);
  });

  test('rows are named by a stamp in a bulk delete, which it must not be left out of', async () => {
    const { Id } = await oldRow('named by its moment');
    const kept = (await client.post<Row>(path, { Title: 'kept' })).body;
    expect(await client.delete(bulk(), [{ Made: long, Title: 'named by its moment' }])).toMatchObject({
      status: 200,
    });
    expect((await client.get(`${path}/${Id}`)).status).toBe(404);
    await read(kept.Id);
  });
}

describeEachHome('moments that the server sets', describeStamps);
