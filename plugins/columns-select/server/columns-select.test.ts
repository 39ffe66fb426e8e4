import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ColumnEntity, TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

interface Option {
  readonly id: string;
  readonly title: string;
  readonly color: string;
}

let server: TestServer;
let client: TestClient;
let table: TableEntity;
beforeAll(async () => {
  server = await createTestServer();
  client = await server.signUp();
  const { body: project } = await client.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Work' });
  const made = await client.post<TableEntity>(`/api/v1/db/meta/projects/${project.id}/tables`, {
    title: 'Tasks',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Title', uidt: 'SingleLineText' },
      {
        title: 'State',
        uidt: 'SingleSelect',
        colOptions: { options: [{ title: 'Open', color: '#cfdffe' }, { title: 'Done' }] },
      },
      {
        title: 'Tags',
        uidt: 'MultiSelect',
        colOptions: { options: [{ title: 'red' }, { title: 'green' }, { title: 'blue' }] },
      },
      { title: 'Mail', uidt: 'Email' },
    ],
  });
  expect(made).toMatchObject({ status: 200 });
  table = made.body;
});
afterAll(() => server?.dispose());

const rowsPath = '/api/v1/db/data/noco/Work/Tasks';
const column = (title: string): ColumnEntity => {
  const found = table.columns?.find((of) => of.title === title);
  if (found === undefined) throw new Error(`There is no column ${title}`);
  return found;
};
const optionsOf = (of: ColumnEntity) => (of.colOptions as { options: readonly Option[] }).options;
const patch = (of: ColumnEntity, body: object) =>
  client.patch<TableEntity & { msg: string; code: string }>(`/api/v1/db/meta/columns/${of.id}`, {
    title: of.title,
    uidt: of.uidt,
    ...body,
  });
const cells = async (title: string) => {
  const { body } = await client.get<{ list: readonly Record<string, unknown>[] }>(`${rowsPath}?sort=Id`);
  return body.list.map((row) => row[title]);
};

test('Options travel as clients of the v1 API know them, with ids and colours for those that have none', () => {
  expect(optionsOf(column('State'))).toEqual([
    { id: expect.any(String), title: 'Open', color: '#cfdffe', order: 1, fk_column_id: column('State').id },
    expect.objectContaining({ title: 'Done', color: expect.stringMatching(/^#/), order: 2 }),
  ]);
});

test.each([
  ['Empty options are not allowed!', 'SingleSelect', [{ title: ' ' }]],
  ['Duplicates are not allowed!', 'SingleSelect', [{ title: 'a' }, { title: 'A' }]],
  ["Illegal char(',') for MultiSelect", 'MultiSelect', [{ title: 'a,b' }]],
  ['must be a list of options', 'SingleSelect', 'none'],
])('Options are refused: %s', async (message, uidt, options) => {
  const answer = await client.post<{ msg: string }>(`/api/v1/db/meta/tables/${table.id}/columns`, {
    title: 'Refused',
    uidt,
    colOptions: { options },
  });
  expect(answer).toMatchObject({ status: 400, body: { msg: expect.stringContaining(message) } });
});

test('A renamed option is renamed in every row, and an option that rows hold is taken away only after a question', async () => {
  for (const [Title, State, Tags] of [
    ['a', 'open', 'red,green'],
    ['b', 'Done', ['green', 'blue']],
    ['c', 'Elsewhere', null],
  ])
    expect(await client.post(rowsPath, { Title, State, Tags })).toMatchObject({ status: 200 });
  expect(await cells('State')).toEqual(['Open', 'Done', 'Elsewhere']);
  expect(await cells('Tags')).toEqual(['red,green', 'green,blue', null]);

  const [open, done] = optionsOf(column('State'));
  const renamed = await patch(column('State'), { meta: { options: [{ ...open, title: 'Ready' }, done] } });
  expect(renamed).toMatchObject({ status: 200 });
  expect(await cells('State')).toEqual(['Ready', 'Done', 'Elsewhere']);

  const [red, , blue] = optionsOf(column('Tags'));
  const withoutGreen = { options: [red, { ...blue, title: 'navy' }] };
  const asked = await patch(column('Tags'), { colOptions: withoutGreen });
  expect(asked).toMatchObject({
    status: 409,
    body: { code: 'OPTIONS_IN_USE', msg: expect.stringContaining("2 of 2 values of 'Tags'") },
  });
  expect(await cells('Tags')).toEqual(['red,green', 'green,blue', null]);
  const agreed = await patch(column('Tags'), { colOptions: withoutGreen, meta: { acceptLoss: true } });
  expect(agreed).toMatchObject({ status: 200 });
  expect(await cells('Tags')).toEqual(['red', 'navy', null]);
});

test('A column takes any text until it asks for valid ones, on every way in', async () => {
  const mail = column('Mail');
  expect(JSON.parse(mail.validate ?? '')).toEqual({
    func: ['isEmail'],
    args: [''],
    msg: ['Validation failed : isEmail'],
  });
  expect(await client.post(rowsPath, { Mail: 'no address' })).toMatchObject({ status: 200 });
  expect(await patch(mail, { meta: { validate: true } })).toMatchObject({ status: 200 });
  const refused = { status: 400, body: { msg: 'Validation failed : isEmail (Mail)' } };
  expect(await client.post(rowsPath, { Mail: 'no address' })).toMatchObject(refused);
  expect(await client.patch(`${rowsPath}/1`, { Mail: 'no address' })).toMatchObject(refused);
  const bulk = await client.post('/api/v1/db/data/bulk/noco/Work/Tasks', [{ Mail: '' }, { Mail: 'ada' }]);
  expect(bulk).toMatchObject({ status: 400, body: { msg: 'Row 2: Validation failed : isEmail (Mail)' } });
  expect(await client.post(rowsPath, { Mail: 'ada@example.com' })).toMatchObject({ status: 200 });
});

test('Whoever is about to switch a plugin off is told how many columns are of its types', async () => {
  const { body } = await client.get<{ usage: readonly string[] }>(
    '/api/v1/app-store/plugins/columns-select/usage',
  );
  expect(body.usage.toSorted()).toEqual([
    'Multiple select: 1 column in 1 table',
    'Single select: 1 column in 1 table',
  ]);
  const views = await client.get<{ usage: readonly string[] }>('/api/v1/app-store/plugins/view-grid/usage');
  expect(views.body.usage).toEqual(['Grid: 1 view in 1 table']);
});
