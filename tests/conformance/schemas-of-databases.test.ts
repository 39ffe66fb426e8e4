import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { openDatabase, type Database, type ServerTarget } from '../../host-server/databases/index.ts';
import { createTestDatabases, describeEachExistingServer } from '../../host-server/databases/testing.ts';
import type { TableDiff } from '../../plugins/sys-tables/shared/index.ts';

const meta = '/api/v1/db/meta';

/** Two parts of one database with tables of the same names; one of them refers to the other. */
const office = [
  'create schema sales',
  'create table public.customer (id int primary key, name varchar(50) not null)',
  'create table sales.customer (id int primary key, name varchar(50) not null)',
  'create table sales.invoice (id int primary key, customer_id int references public.customer (id), buyer_id int references sales.customer (id))',
  "insert into public.customer values (1, 'Ada')",
  "insert into sales.customer values (1, 'Bob'), (2, 'Cy')",
  'insert into sales.invoice values (1, 1, 2)',
];

describeEachExistingServer('the schemas of one database', (dialect) => {
  if (dialect !== 'postgres') return;
  const databases = createTestDatabases(dialect);
  let server: TestServer;
  let owner: TestClient;
  let target: ServerTarget;
  let elsewhere: Database;

  beforeAll(async () => {
    server = await createTestServer();
    owner = await server.signUp();
    target = (await databases.target()) as ServerTarget;
    elsewhere = await openDatabase(target, { name: 'the other application' });
    for (const sql of office) await run(sql);
  });
  afterAll(async () => {
    await server?.dispose();
    await elsewhere?.close();
    await databases.dropAll();
  });

  const run = (sql: string) => elsewhere.write((unit) => unit.run({ sql, bindings: [] }));
  function settingsOf(schema: string, more = {}) {
    const { host, port, user, password, database } = target;
    const login = { host, port, user, ...(password !== undefined && { password }) };
    return { ...login, database, schema, ...more };
  }
  const create = (title: string, schema: string, more = {}) =>
    owner.post<ProjectEntity>(`${meta}/projects`, {
      title,
      external: true,
      bases: [{ type: 'pg', settings: settingsOf(schema, more) }],
    });
  const tablesOf = async (id: string) =>
    (await owner.get<{ list: readonly TableEntity[] }>(`${meta}/projects/${id}/tables`)).body.list;
  const rowsOf = async (project: string, table: string) => {
    const answer = await owner.get<{ list: readonly Record<string, unknown>[] }>(
      `/api/v1/db/data/noco/${encodeURIComponent(project)}/${encodeURIComponent(table)}`,
    );
    expect(answer).toMatchObject({ status: 200 });
    return answer.body.list;
  };

  test('stand in one project side by side, tables of one name too, and a key that leads out of its schema links nothing', async () => {
    const { body: project } = await create('Office', 'public');
    const added = await owner.post<{ id: string }>(`${meta}/projects/${project.id}/bases`, {
      type: 'pg',
      alias: 'sales',
      settings: settingsOf('sales'),
    });
    expect(added).toMatchObject({ status: 200 });
    const tables = await tablesOf(project.id);
    expect(tables.map(({ title, table_name: name }) => [title, name])).toEqual([
      ['Customer', 'customer'],
      ['Customer1', 'customer'],
      ['Invoice', 'invoice'],
    ]);
    expect(await rowsOf('Office', 'Customer')).toMatchObject([{ Name: 'Ada' }]);
    expect(await rowsOf('Office', 'Customer1')).toMatchObject([{ Name: 'Bob' }, { Name: 'Cy' }]);
    const invoice = tables.find(({ title }) => title === 'Invoice');
    const { columns = [] } = (await owner.get<TableEntity>(`${meta}/tables/${invoice?.id ?? ''}`)).body;
    const links = columns.filter(({ uidt }) => uidt === 'LinkToAnotherRecord');
    expect(links).toHaveLength(1);
    const [row] = await rowsOf('Office', 'Invoice');
    expect(row).toMatchObject({ [links[0]?.title ?? '']: { Id: 2, Name: 'Cy' } });

    const diff = () => owner.get<readonly TableDiff[]>(`${meta}/projects/${project.id}/meta-diff`);
    const outward = (await diff()).body.flatMap(
      (table) => table.outward?.map((key) => [table.title, key]) ?? [],
    );
    expect(outward).toEqual([
      ['Invoice', { cn: 'customer_id', schema: 'public', rtn: 'customer', rcn: 'id' }],
    ]);
    expect((await diff()).body.flatMap(({ detectedChanges }) => detectedChanges)).toEqual([]);
    await run('alter table sales.customer add column city text');
    expect((await diff()).body.flatMap(({ detectedChanges }) => detectedChanges)).toEqual([
      expect.objectContaining({ type: 'TABLE_COLUMN_ADD', cn: 'city', id: tables[1]?.id }),
    ]);
    expect(await owner.post(`${meta}/projects/${project.id}/meta-diff`, {})).toMatchObject({ status: 200 });
    expect(await rowsOf('Office', 'Customer1')).toMatchObject([{ City: null }, { City: null }]);
    expect(Object.keys((await rowsOf('Office', 'Customer'))[0] ?? {})).not.toContain('City');
  });

  test('that is not there is named when it is tested and opened, or made where that was asked for', async () => {
    const wrong = { type: 'pg', settings: settingsOf('slaes') };
    const absent = 'Invalid database parameters: the database has no schema of this name.';
    expect(await owner.post(`${meta}/connection/test`, wrong)).toMatchObject({
      status: 200,
      body: { code: -1, message: absent },
    });
    expect(await create('Wrong', 'slaes')).toMatchObject({ status: 400, body: { msg: absent } });
    expect(await create('Made', 'New "one', { createDatabase: true, schemaChanges: true })).toMatchObject({
      status: 200,
    });
    const { body: again } = await create('Again', 'New "one', { schemaChanges: true });
    expect(await tablesOf(again.id)).toEqual([]);
  });
});
