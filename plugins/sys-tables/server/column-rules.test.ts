import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ColumnEntity, TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

let server: TestServer;
let client: TestClient;
let table: TableEntity;

beforeAll(async () => {
  server = await createTestServer();
  client = await server.signUp();
  const { body: project } = await client.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Work' });
  const made = await client.post<TableEntity>(`/api/v1/db/meta/projects/${project.id}/tables`, {
    title: 'Animals',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'Legs', uidt: 'Number', description: ' How many it walks on ' },
    ],
  });
  table = made.body;
  await client.post('/api/v1/db/data/bulk/noco/Work/Animals', [
    { Name: 'Cat', Legs: 4 },
    { Name: 'Dog', Legs: 4 },
    { Name: 'Snake' },
    { Name: 'Eel' },
  ]);
});
afterAll(() => server?.dispose());

const columnOf = (of: TableEntity, title: string): ColumnEntity => {
  const found = of.columns?.find((column) => column.title === title);
  if (found === undefined) throw new Error(`There is no column ${title}`);
  return found;
};
const patch = (title: string, body: object) =>
  client.patch<TableEntity>(`/api/v1/db/meta/columns/${columnOf(table, title).id}`, { title, ...body });

test('whoever makes a column required or unique is told which rows stand in the way', async () => {
  expect(await patch('Legs', { uidt: 'Number', rqd: true })).toMatchObject({
    status: 400,
    body: {
      code: 'COLUMN_NEEDS_DEFAULT',
      msg: "'Legs' cannot be required: rows without a value: 2, such as 'Snake', 'Eel'. Give it a default value, or fill the rows first.",
    },
  });
  expect(await patch('Legs', { uidt: 'Number', unique: true })).toMatchObject({
    status: 400,
    body: {
      code: 'COLUMN_NOT_UNIQUE',
      msg: "'Legs' cannot be unique: values that stand in several rows: 1, such as '4'.",
    },
  });
});

test('a description is kept through a change of the type, and goes when it is emptied', async () => {
  expect(columnOf(table, 'Legs')).toMatchObject({ description: 'How many it walks on' });
  const renamed = await patch('Legs', { description: 'Feet, rather' });
  expect(columnOf(renamed.body, 'Legs')).toMatchObject({ description: 'Feet, rather' });
  const retyped = await patch('Legs', { uidt: 'SingleLineText' });
  expect(columnOf(retyped.body, 'Legs')).toMatchObject({ description: 'Feet, rather' });
  const inPlace = await patch('Legs', { uidt: 'SingleLineText', cdf: 'four', description: 'Words' });
  expect(columnOf(inPlace.body, 'Legs')).toMatchObject({ description: 'Words', cdf: 'four' });
  const emptied = await patch('Legs', { description: '' });
  expect(columnOf(emptied.body, 'Legs')).toMatchObject({ description: null });
  const key = await patch('Id', { description: 'Its number' });
  expect(columnOf(key.body, 'Id')).toMatchObject({ description: 'Its number' });
});

test('a project with strict names refuses others, and makes none itself', async () => {
  const { body: project } = await client.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Plain' });
  const path = `/api/v1/db/meta/projects/${project.id}`;
  const make = (title: string) =>
    client.post<TableEntity>(`${path}/tables`, { title, columns: [{ title: 'Id', uidt: 'ID' }] });
  expect(await make('My orders')).toMatchObject({ status: 200 });
  await client.patch(path, { meta: { strictNames: true } });
  expect(await make('Your orders!')).toMatchObject({
    status: 400,
    body: { code: 'NAME_NOT_PLAIN', msg: 'Following characters are not allowed   !' },
  });
  expect(await make('2_orders')).toMatchObject({
    status: 400,
    body: { code: 'NAME_START', msg: 'Name should start with an alphabet or _' },
  });
  const { body: orders } = await make('_orders_2');
  const columns = `/api/v1/db/meta/tables/${orders.id}/columns`;
  expect(await client.post(columns, { title: 'Unit price', uidt: 'Number' })).toMatchObject({ status: 400 });
  const { body: priced } = await client.post<TableEntity>(columns, { title: 'price', uidt: 'Number' });
  const price = columnOf(priced, 'price');
  expect(await client.patch(`/api/v1/db/meta/columns/${price.id}`, { title: 'a-b' })).toMatchObject({
    status: 400,
  });
  const copied = await client.post<TableEntity>(`/api/v1/db/meta/columns/${price.id}/duplicate`, {});
  expect(copied.body.columns?.map(({ title }) => title)).toContain('price_copy');
});

test('a column that is renewed by each change begins with the moment of its row, and is a date and time', async () => {
  const path = `/api/v1/db/meta/tables/${table.id}/columns`;
  const { body: added } = await client.post<TableEntity>(path, { title: 'Seen', uidt: 'DateTime' });
  expect(columnOf(added, 'Seen')).toMatchObject({ au: false, cdf: null });
  const seen = `/api/v1/db/meta/columns/${columnOf(added, 'Seen').id}`;
  const { body: renewed } = await client.patch<TableEntity>(seen, { title: 'Seen', au: true });
  expect(columnOf(renewed, 'Seen')).toMatchObject({ au: true, cdf: 'CURRENT_TIMESTAMP' });
  const made = await client.post<Record<string, string>>('/api/v1/db/data/noco/Work/Animals', {
    Name: 'Owl',
  });
  expect(made.body.Seen).toMatch(/^\d{4}-/);
  expect(await client.post(path, { title: 'Count', uidt: 'Number', au: true })).toMatchObject({
    status: 400,
    body: {
      msg: "Column 'Count': only a date and time can be renewed by each change of its row.",
    },
  });
});

test('a decimal of so many digits has two of them behind the point, unless somebody says how many', async () => {
  const made = async (title: string, sizes: object) => {
    const path = `/api/v1/db/meta/tables/${table.id}/columns`;
    const { body } = await client.post<TableEntity>(path, { title, uidt: 'Decimal', ...sizes });
    const { dtxp, dtxs } = columnOf(body, title);
    return [dtxp, dtxs];
  };
  expect(await made('Price', { dtxp: '10' })).toEqual(['10', '2']);
  expect(await made('Whole', { dtxp: '10', dtxs: '0' })).toEqual(['10', '0']);
  expect(await made('Digit', { dtxp: '1' })).toEqual(['1', '0']);
});
