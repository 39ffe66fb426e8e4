import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  refusalText,
  type ColumnEntity,
  type FilterEntity,
  type Refusal,
  type TableEntity,
  type ViewEntity,
} from '@trellis/sdk/shared';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

interface Option {
  readonly id: string;
  readonly title: string;
  readonly color: string;
}

/** A type whose rules for changed options are broken. */
const fragile = testPlugin('columns-fragile', (ctx) => {
  ctx.register('columnTypes', {
    id: 'Fragile',
    label: 'Fragile',
    icon: 'bolt',
    storage: 'text',
    accepts: ['text'],
    fallback: 'SingleLineText',
    operators: ['eq'],
    convertOptions: () => {
      throw new Error('the rules of the options are broken');
    },
    parse: (input) => ({ ok: true, value: String(input) }),
    format: (value) => JSON.stringify(value),
    examples: [],
  });
});

let server: TestServer;
let client: TestClient;
let table: TableEntity;
beforeAll(async () => {
  server = await createTestServer({ plugins: [fragile] });
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
        cdf: 'Open',
        colOptions: { options: [{ title: 'Open', color: '#cfdffe' }, { title: 'Done' }] },
      },
      {
        title: 'Tags',
        uidt: 'MultiSelect',
        colOptions: { options: [{ title: 'red' }, { title: 'green' }, { title: 'blue' }] },
      },
      { title: 'Mail', uidt: 'Email' },
      { title: 'Page', uidt: 'URL' },
      { title: 'Phone', uidt: 'PhoneNumber' },
      { title: 'Fragile', uidt: 'Fragile' },
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

const viewOf = async () =>
  (await client.get<{ list: readonly [ViewEntity] }>(`/api/v1/db/meta/tables/${table.id}/views`)).body
    .list[0];

async function addFilters(title: string, filters: readonly (readonly [string, unknown])[]) {
  const path = `/api/v1/db/meta/views/${(await viewOf()).id}/filters`;
  const ids: string[] = [];
  for (const [comparison_op, value] of filters) {
    const body = { fk_column_id: column(title).id, comparison_op, value };
    const made = await client.post<FilterEntity>(path, body);
    expect(made).toMatchObject({ status: 200 });
    ids.push(made.body.id);
  }
  return ids;
}

async function valuesOf(ids: readonly string[]) {
  const path = `/api/v1/db/meta/views/${(await viewOf()).id}/filters`;
  const { body } = await client.get<readonly FilterEntity[]>(path);
  return ids.map((id) => body.find((filter) => filter.id === id)?.value);
}

test('Options travel as clients of the v1 API know them, with ids and colours for those that have none', () => {
  expect(optionsOf(column('State'))).toEqual([
    { id: expect.any(String), title: 'Open', color: '#cfdffe', order: 1, fk_column_id: column('State').id },
    expect.objectContaining({ title: 'Done', color: expect.stringMatching(/^#/), order: 2 }),
  ]);
});

test('Options are taken from the list in `dtxp` where nothing else names any, in its order', async () => {
  const { body: project } = await client.post<{ id: string }>('/api/v1/db/meta/projects', {
    title: 'Import',
  });
  const columns = [
    { title: 'Id', uidt: 'ID' },
    { title: 'Stage', uidt: 'SingleSelect', dtxp: "'Lead','Offer, made','It''s won'" },
    { title: 'Tags', uidt: 'MultiSelect', dtxp: "'b', 'a'" },
    { title: 'Both', uidt: 'SingleSelect', dtxp: "'old'", colOptions: { options: [{ title: 'new' }] } },
    { title: 'List', uidt: 'SingleSelect', dtxp: '255', colOptions: [{ title: 'one' }] },
    { title: 'None', uidt: 'SingleSelect', dtxp: '255' },
  ];
  const path = `/api/v1/db/meta/projects/${project.id}/tables`;
  const { body } = await client.post<TableEntity>(path, { title: 'Deals', columns });
  const titles = (body.columns ?? [])
    .filter(({ uidt }) => uidt.endsWith('Select'))
    .map((of) => optionsOf(of).map(({ title }) => title));
  await client.delete(`/api/v1/db/meta/projects/${project.id}`);
  expect(titles).toEqual([['Lead', 'Offer, made', "It's won"], ['b', 'a'], ['new'], ['one'], []]);
});

describe('The list of `dtxp`', () => {
  let stage: ColumnEntity;
  beforeAll(async () => {
    const { body } = await client.post<TableEntity>(`/api/v1/db/meta/tables/${table.id}/columns`, {
      title: 'Stage',
      uidt: 'SingleSelect',
      colOptions: {
        options: [
          { title: 'Lead', color: '#cfdffe' },
          { title: 'Offer, made', color: '#111111' },
          { title: "It's won", color: '#222222' },
        ],
      },
    });
    const made = body.columns?.find(({ title }) => title === 'Stage');
    if (made === undefined) throw new Error('The column Stage was not made');
    stage = made;
  });
  afterAll(() => client.delete(`/api/v1/db/meta/columns/${stage.id}`));
  const sendBack = async (body: object) => {
    const answer = await client.patch<TableEntity>(`/api/v1/db/meta/columns/${stage.id}`, body);
    expect(answer).toMatchObject({ status: 200 });
    const now = answer.body.columns?.find(({ id }) => id === stage.id);
    if (now === undefined) throw new Error('The column Stage is gone');
    return now;
  };

  test('names the options as databases write those of an enum', () => {
    expect(stage.dtxp).toBe("'Lead','Offer, made','It''s won'");
  });

  test('leaves ids and colours as they are where it comes back without the options', async () => {
    const rest = { ...stage, colOptions: undefined, meta: undefined };
    expect(optionsOf(await sendBack({ ...rest, title: 'Stage' }))).toEqual(optionsOf(stage));
    const dtxp = "'Lost','It''s won','Lead','Offer, made'";
    const more = await sendBack({ ...rest, dtxp });
    expect(more.dtxp).toBe(dtxp);
    expect(
      optionsOf(more)
        .slice(1)
        .map(({ id, color }) => [id, color]),
    ).toEqual([2, 0, 1].map((at) => [optionsOf(stage)[at]?.id, optionsOf(stage)[at]?.color]));
    await sendBack(stage);
  });

  test('may be as long as the options are many', async () => {
    const options = Array.from({ length: 400 }, (_, at) => ({ title: `Option's ${at}` }));
    const long = await sendBack({ title: 'Stage', uidt: 'SingleSelect', colOptions: { options } });
    expect(long.dtxp?.length).toBeGreaterThan(2000);
    expect(optionsOf(await sendBack(long))).toEqual(optionsOf(long));
  });

  test('passes over what another type kept under the same name', async () => {
    await sendBack({ ...stage, meta: null, colOptions: undefined, uidt: 'SingleLineText' });
    await sendBack({ meta: { options: [null, { name: 'a' }, 1] } });
    const select = await sendBack({ uidt: 'SingleSelect', dtxp: "'a','b'" });
    expect(optionsOf(select).map(({ title }) => title)).toEqual(['a', 'b']);
    await sendBack(stage);
  });

  test('is no length for the text that the column becomes', async () => {
    const text = await sendBack({ ...stage, meta: null, colOptions: undefined, uidt: 'SingleLineText' });
    expect(text).toMatchObject({ uidt: 'SingleLineText', clen: null });
  });
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

test.each([5, null, [null], [{}], [{ id: 'a' }], [{ id: 'a', title: 5, color: '#ffffff' }]])(
  'A column keeps its options when it is sent such that are none: %j',
  async (options) => {
    const refused = await patch(column('State'), { meta: { options } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'COLUMN_SETTING' } });
  },
);

test('Options that two people add at the same time are both there, and what both rename is asked about', async () => {
  const { body: after } = await client.post<TableEntity>(`/api/v1/db/meta/tables/${table.id}/columns`, {
    title: 'Shared',
    uidt: 'SingleSelect',
    meta: { options: [{ id: 'a', title: 'A', color: '#cfdffe' }] },
  });
  const shared = after.columns?.find((of) => of.title === 'Shared');
  if (shared === undefined) throw new Error('no column');
  const seen = shared.meta as { readonly options: readonly Option[] };
  const option = (title: string, id = title) => ({ id, title, color: '#cfdffe' });
  const save = (options: readonly Option[]) => patch(shared, { meta: { options }, meta_before: seen });
  const [one, other] = await Promise.all([
    save([...seen.options, option('B')]),
    save([...seen.options, option('C')]),
  ]);
  expect([one.status, other.status]).toEqual([200, 200]);
  const present = async () => {
    const { body } = await client.get<TableEntity>(`/api/v1/db/meta/tables/${table.id}`);
    return body.columns?.find((of) => of.id === shared.id)?.meta as { options: readonly Option[] };
  };
  expect((await present()).options.map(({ title }) => title).toSorted()).toEqual(['A', 'B', 'C']);
  expect((await save([option('One', 'a')])).status).toBe(200);
  const refused = await save([option('Two', 'a')]);
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'OPTIONS_CHANGED', params: { title: 'Shared', meta: await present() } },
  });
  await client.delete(`/api/v1/db/meta/columns/${shared.id}`);
});

test('A type whose rules for changed options fail changes nothing, and the failure is told of its plugin', async () => {
  const refused = await patch(column('Fragile'), { meta: { size: 'large' } });
  expect(refused).toMatchObject({ status: 500, body: { code: 'COLUMN_TYPE_FAILED' } });
  expect(server.host.plugins.list().find(({ id }) => id === 'columns-fragile')?.errors).toMatchObject([
    { message: 'the rules of the options are broken' },
  ]);
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

  const stateFilters = await addFilters('State', [
    ['neq', 'Open'],
    ['eq', 'open'],
    ['in', 'Done, Open'],
    ['in', ['Open', 'Elsewhere']],
    ['nlike', 'Open'],
    ['like', 'pen'],
    ['is', 'empty'],
    ['eq', 'Done'],
  ]);
  const [open, done] = optionsOf(column('State'));
  const renamed = await patch(column('State'), {
    cdf: column('State').cdf,
    meta: { options: [{ ...open, title: 'Ready' }, done] },
  });
  expect(renamed).toMatchObject({ status: 200 });
  // Nothing was lost, so that there is nothing to bring back.
  const trash = `/api/v1/db/meta/projects/${table.project_id}/trash`;
  const { body: deleted } = await client.get<{ list: readonly { title: string }[] }>(trash);
  expect(deleted.list.map(({ title }) => title)).not.toContain('State (old)');
  expect(await cells('State')).toEqual(['Ready', 'Done', 'Elsewhere']);
  expect(await valuesOf(stateFilters)).toEqual([
    'Ready',
    'Ready',
    'Done,Ready',
    ['Ready', 'Elsewhere'],
    'Ready',
    'pen',
    'empty',
    'Done',
  ]);
  expect(renamed.body.columns?.find(({ title }) => title === 'State')).toMatchObject({ cdf: 'Ready' });
  expect((await client.post<Record<string, unknown>>(rowsPath, { Title: 'd' })).body).toMatchObject({
    State: 'Ready',
  });
  expect(await client.delete(`${rowsPath}/4`)).toMatchObject({ status: 200 });

  const tagFilters = await addFilters('Tags', [
    ['nlike', 'blue'],
    ['eq', 'green, blue'],
    ['in', 'green,blue'],
  ]);
  const [red, , blue] = optionsOf(column('Tags'));
  const withoutGreen = { options: [red, { ...blue, title: 'navy' }] };
  const asked = await patch(column('Tags'), { colOptions: withoutGreen });
  expect(asked).toMatchObject({
    status: 409,
    body: { code: 'OPTIONS_IN_USE', msg: expect.stringContaining("2 of 2 values of 'Tags'") },
  });
  expect(await cells('Tags')).toEqual(['red,green', 'green,blue', null]);
  expect(await valuesOf(tagFilters)).toEqual(['blue', 'green, blue', 'green,blue']);
  // A column whose type stays need not be told it again.
  const path = `/api/v1/db/meta/columns/${column('Tags').id}`;
  const agreed = await client.patch(path, { colOptions: withoutGreen, meta: { acceptLoss: true } });
  expect(agreed).toMatchObject({ status: 200 });
  expect(await cells('Tags')).toEqual(['red', 'navy', null]);
  expect(await valuesOf(tagFilters)).toEqual(['navy', 'green, blue', 'green,navy']);
});

test('A renamed option leaves the other values of a list as they were asked for, in quotes or not', async () => {
  const meta = '/api/v1/db/meta';
  const { body: made } = await client.post<TableEntity>(`${meta}/projects/${table.project_id}/tables`, {
    title: 'Trips',
    columns: [
      { title: 'Id', uidt: 'ID' },
      {
        title: 'Place',
        uidt: 'SingleSelect',
        colOptions: { options: [{ title: 'Bonn, Rhine' }, { title: '12" disc' }, { title: 'Rome' }] },
      },
    ],
  });
  const place = made.columns?.find(({ title }) => title === 'Place');
  if (place === undefined) throw new Error('no column');
  const rows = '/api/v1/db/data/noco/Work/Trips';
  for (const Place of ['Bonn, Rhine', 'Rome', '12" disc'])
    expect(await client.post(rows, { Place })).toMatchObject({ status: 200 });
  const { body: views } = await client.get<{ list: readonly [ViewEntity] }>(
    `${meta}/tables/${made.id}/views`,
  );
  const path = `${meta}/views/${views.list[0].id}/filters`;
  const quoted = '"Bonn, Rhine",Rome';
  for (const [comparison_op, value] of [
    ['in', quoted],
    ['anyof', quoted],
    ['in', 'Rome, Elsewhere'],
  ])
    expect(await client.post(path, { fk_column_id: place.id, comparison_op, value })).toMatchObject({
      status: 200,
    });
  const found = async (operator: string, value: string) => {
    const where = encodeURIComponent(`(Place,${operator},${value})`);
    const { body } = await client.get<{ list: readonly { Id: number }[] }>(`${rows}?where=${where}&sort=Id`);
    return body.list.map(({ Id }) => Id);
  };
  for (const operator of ['in', 'anyof']) expect(await found(operator, quoted)).toEqual([1, 2]);
  const [bonn, disc, rome] = optionsOf(place);
  const options = [bonn, disc, { ...rome, title: 'Roma (IT), 1' }];
  expect(await patch(place, { meta: { options } })).toMatchObject({ status: 200 });
  const after = '"Bonn, Rhine","Roma (IT), 1"';
  const { body: filters } = await client.get<readonly FilterEntity[]>(path);
  expect(filters.map(({ value }) => value)).toEqual([after, after, '"Roma (IT), 1",Elsewhere']);
  for (const operator of ['in', 'anyof']) expect(await found(operator, after)).toEqual([1, 2]);
  for (const { id } of filters) await client.delete(`${meta}/filters/${id}`);
  expect(await client.delete(`${meta}/tables/${made.id}`)).toMatchObject({ status: 200 });
});

test.each([
  ['Mail', 'isEmail', 'ada@example.com', 'no address', 'must be an e-mail address'],
  ['Page', 'isURL', 'https://example.com/a', 'http://localhost/a', 'must be an address of the web'],
  ['Phone', 'isMobilePhone', '+49 151 23456789', 'ask Ada', 'must be a phone number'],
])(
  'The column %s takes any text until it asks for valid ones by %s, on every way in',
  async (title, validator, valid, wrong, problem) => {
    const checked = column(title);
    expect(JSON.parse(checked.validate ?? '')).toEqual({
      func: [validator],
      args: [''],
      msg: [`Validation failed : ${validator}`],
    });
    expect(await client.post(rowsPath, { [title]: wrong })).toMatchObject({ status: 200 });
    expect(await patch(checked, { meta: { validate: true } })).toMatchObject({ status: 200 });
    const msg = `Validation failed : ${validator} (${title})`;
    const params = { validator, problem: expect.stringContaining(problem) };
    const refused = { status: 400, body: { msg, code: 'VALUE_INVALID', params } };
    expect(await client.post(rowsPath, { [title]: wrong })).toMatchObject(refused);
    expect(await client.patch(`${rowsPath}/1`, { [title]: wrong })).toMatchObject(refused);
    const bulk = await client.post('/api/v1/db/data/bulk/noco/Work/Tasks', [
      { [title]: '' },
      { [title]: wrong },
    ]);
    expect(bulk).toMatchObject({ status: 400, body: { msg: `Row 2: ${msg}` } });
    expect(await client.post(rowsPath, { [title]: valid })).toMatchObject({ status: 200 });
  },
);

test('Whoever is about to switch a plugin off is told how many columns are of its types', async () => {
  const { body } = await client.get<{ usage: readonly Refusal[] }>(
    '/api/v1/app-store/plugins/columns-select/usage',
  );
  expect(body.usage.map(refusalText).toSorted()).toEqual([
    'Multiple select: 1 column in 1 table',
    'Single select: 1 column in 1 table',
  ]);
  const views = await client.get<{ usage: readonly Refusal[] }>('/api/v1/app-store/plugins/view-grid/usage');
  expect(views.body.usage.map(refusalText)).toEqual(['Grid: 1 view in 1 table']);
});

test('New rows begin with an option that there is, and with none once it is gone', async () => {
  const { body: project } = await client.get<{ list: readonly { id: string }[] }>('/api/v1/db/meta/projects');
  const options = { options: [{ title: 'low' }, { title: 'high' }] };
  const { body: made } = await client.post<TableEntity>(
    `/api/v1/db/meta/projects/${project.list[0]?.id}/tables`,
    { title: 'Begun', columns: [{ title: 'Id', uidt: 'ID' }] },
  );
  const path = `/api/v1/db/meta/tables/${made.id}/columns`;
  const add = (title: string, uidt: string, cdf: string) =>
    client.post<TableEntity>(path, { title, uidt, cdf, colOptions: options });
  for (const [uidt, cdf] of [
    ['SingleSelect', 'zz'],
    ['MultiSelect', 'low,zz'],
  ] as const)
    expect(await add('Level', uidt, cdf)).toMatchObject({
      status: 400,
      body: { msg: "Column 'Level': Default value 'zz' is not a select option." },
    });
  expect(await add('Marks', 'MultiSelect', 'high,low')).toMatchObject({ status: 200 });
  const level = (await add('Level', 'SingleSelect', 'LOW')).body.columns?.find((of) => of.title === 'Level');
  expect(level).toMatchObject({ cdf: 'low' });
  const change = (body: object) =>
    client.patch<TableEntity>(`/api/v1/db/meta/columns/${level?.id}`, { title: 'Level', ...body });
  expect(await change({ cdf: 'none' })).toMatchObject({ status: 400, body: { code: 'DEFAULT_NO_OPTION' } });
  const highOf = (column: ColumnEntity | undefined) =>
    (column?.colOptions as { options: Option[] } | undefined)?.options.filter(
      ({ title }) => title === 'high',
    );
  const kept = highOf(level);
  const without = await change({ uidt: 'SingleSelect', meta: { options: kept, acceptLoss: true } });
  expect(without).toMatchObject({ status: 200 });
  expect(without.body.columns?.find((of) => of.title === 'Level')).toMatchObject({ cdf: null });
  expect(await client.post('/api/v1/db/data/noco/Work/Begun', {})).toMatchObject({
    body: { Level: null, Marks: 'high,low' },
  });
  const marks = without.body.columns?.find((of) => of.title === 'Marks');
  const fewer = await client.patch<TableEntity>(`/api/v1/db/meta/columns/${marks?.id}`, {
    title: 'Marks',
    meta: { options: highOf(marks), acceptLoss: true },
  });
  expect(fewer.body.columns?.find((of) => of.title === 'Marks')).toMatchObject({ cdf: 'high' });
});

test('Rows are found by the options that they hold, whole and whatever stands in them', async () => {
  const { body: project } = await client.get<{ list: readonly { id: string }[] }>('/api/v1/db/meta/projects');
  const options = (titles: readonly string[]) => ({ options: titles.map((title) => ({ title })) });
  await client.post(`/api/v1/db/meta/projects/${project.list[0]?.id}/tables`, {
    title: 'Held',
    columns: [
      { title: 'Id', uidt: 'ID' },
      {
        title: 'One',
        uidt: 'SingleSelect',
        colOptions: options(['red', 'redder', '50%', '500', 'red, "light"']),
      },
      { title: 'Some', uidt: 'MultiSelect', colOptions: options(['red', 'redder', '50%', '500']) },
    ],
  });
  const held = '/api/v1/db/data/noco/Work/Held';
  for (const [One, Some] of [
    ['red', 'red,redder'],
    ['redder', 'redder'],
    ['50%', '500'],
    ['500', '50%,red'],
    [null, null],
    ['red, "light"', null],
  ])
    expect(await client.post(held, { One, Some })).toMatchObject({ status: 200 });
  const found = async (where: string) => {
    const { body } = await client.get<{ list: readonly { Id: number }[] }>(
      `${held}?where=${encodeURIComponent(where)}`,
    );
    return body.list.map(({ Id }) => Id);
  };
  expect(await found('(One,anyof,RED,50%)')).toEqual([1, 3]);
  expect(await found('(One,noneof,red,50%)')).toEqual([2, 4, 5, 6]);
  // In quotes, a title may hold a comma.
  expect(await found('(One,anyof,500,"red, ""light""")')).toEqual([4, 6]);
  expect(await found('(One,noneof,"red, ""light""",red)')).toEqual([2, 3, 4, 5]);
  expect(await found('(Some,anyof,red)')).toEqual([1, 4]);
  expect(await found('(Some,anyof,50%)')).toEqual([4]);
  expect(await found('(Some,allof,Redder,red)')).toEqual([1]);
  expect(await found('(Some,noneof,red,500)')).toEqual([2, 5, 6]);
  expect(await found('(Some,nanyof,redder)')).toEqual([3, 4, 5, 6]);
});

test('A text that becomes a select makes options of what stands in the rows, in its order there, and keeps those that were chosen', async () => {
  const { body: project } = await client.get<{ list: readonly { id: string }[] }>('/api/v1/db/meta/projects');
  const { body: words } = await client.post<TableEntity>(
    `/api/v1/db/meta/projects/${project.list[0]?.id}/tables`,
    {
      title: 'Words',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'State', uidt: 'SingleLineText' },
        { title: 'Tags', uidt: 'LongText' },
        { title: 'Level', uidt: 'Number' },
      ],
    },
  );
  const path = '/api/v1/db/data/noco/Work/Words';
  for (const [State, Tags, Level] of [
    ['Open', 'red, green', 1],
    ['done', 'green', 2],
    [' open', 'blue ,red', 1],
    [null, null, null],
  ])
    expect(await client.post(path, { State, Tags, Level })).toMatchObject({ status: 200 });
  const retype = async (title: string, body: object) => {
    const id = words.columns?.find((of) => of.title === title)?.id;
    const answer = await client.patch<TableEntity>(`/api/v1/db/meta/columns/${id}`, { title, ...body });
    expect(answer).toMatchObject({ status: 200 });
    const after = answer.body.columns?.find((of) => of.title === title);
    return after === undefined ? [] : optionsOf(after).map((option) => option.title);
  };
  expect(await retype('State', { uidt: 'SingleSelect' })).toEqual(['Open', 'done']);
  expect(await retype('Tags', { uidt: 'MultiSelect' })).toEqual(['red', 'green', 'blue']);
  const chosen = { uidt: 'SingleSelect', colOptions: { options: [{ title: '2' }] } };
  const level = words.columns?.find((of) => of.title === 'Level')?.id;
  expect(await client.patch(`/api/v1/db/meta/columns/${level}`, { title: 'Level', ...chosen })).toMatchObject(
    {
      status: 409,
      body: { code: 'RETYPE_LOSES_VALUES', params: { lost: 2, total: 3 } },
    },
  );
  expect(await retype('Level', { ...chosen, meta: { acceptLoss: true } })).toEqual(['2']);
  const { body } = await client.get<{ list: readonly Record<string, unknown>[] }>(path);
  expect(body.list.map(({ State, Tags, Level }) => [State, Tags, Level])).toEqual([
    ['Open', 'red,green', null],
    ['done', 'green', '2'],
    ['Open', 'blue,red', null],
    [null, null, null],
  ]);
  expect(
    (await client.get<{ list: readonly unknown[] }>(`${path}?where=(Tags,allof,red,blue)`)).body.list,
  ).toHaveLength(1);
});
