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
