import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ColumnEntity, TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

type Row = Readonly<Record<string, unknown>>;
interface List {
  readonly list: readonly Row[];
  readonly pageInfo: { readonly totalRows: number };
}

/** Links between tables as people make and use them over the API. */
function describeLinks(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let client: TestClient;
  let round = 0;

  beforeAll(async () => {
    server = await start();
    client = await server.signUp();
  });
  afterAll(() => server?.dispose());

  /** A project with countries and cities, each with a few rows. */
  async function atlas() {
    round += 1;
    const title = `Atlas${round}`;
    const project = await client.post<{ id: string }>('/api/v1/db/meta/projects', { title });
    const make = async (name: string, extra: readonly object[] = []) =>
      (
        await client.post<TableEntity>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
          title: name,
          table_name: name.toLowerCase(),
          columns: [{ title: 'Id', uidt: 'ID' }, { title: 'Title', uidt: 'SingleLineText' }, ...extra],
        })
      ).body;
    const country = await make('Country');
    const city = await make('City', [
      { title: 'Pop', uidt: 'Number' },
      { title: 'Area', uidt: 'Decimal' },
    ]);
    const data = (path: string) => `/api/v1/db/data/noco/${title}/${path}`;
    for (const name of ['France', 'Peru', 'Chad']) await client.post(data('Country'), { Title: name });
    const cities = [
      ['Paris', 2_000_000, '105.4'],
      ['Lyon', 500_000, '47.87'],
      ['Lima', 10_000_000, '2672.3'],
      ['Nowhere', null, null],
    ];
    for (const [Title, Pop, Area] of cities) await client.post(data('City'), { Title, Pop, Area });
    const column = (tableId: string, body: object) =>
      client.post<TableEntity>(`/api/v1/db/meta/tables/${tableId}/columns`, body);
    const link = (type: 'hm' | 'bt' | 'mm', more: object = {}) =>
      column(type === 'bt' ? city.id : country.id, {
        title: type === 'bt' ? 'Land' : 'Cities',
        uidt: 'LinkToAnotherRecord',
        parentId: country.id,
        childId: city.id,
        type,
        ...more,
      });
    const table = async (id: string) => (await client.get<TableEntity>(`/api/v1/db/meta/tables/${id}`)).body;
    const list = async (path: string) => (await client.get<List>(data(path))).body;
    return { project: project.body.id, country, city, data, column, link, table, list };
  }

  const columnOf = (table: TableEntity, title: string) =>
    table.columns?.find((column) => column.title === title) as ColumnEntity & { colOptions: Row };

  test('of a row to many make a foreign key and a column at both ends', async () => {
    const { country, city, link, table } = await atlas();
    const made = await link('hm');
    expect(made.status).toBe(200);
    const cities = columnOf(made.body, 'Cities');
    const child = await table(city.id);
    const back = columnOf(child, 'Country');
    const key = child.columns?.find(({ uidt }) => uidt === 'ForeignKey');
    expect(key).toMatchObject({ title: `${country.table_name}_id`, column_name: `${country.table_name}_id` });
    const shared = {
      fk_child_column_id: key?.id,
      fk_parent_column_id: columnOf(made.body, 'Id').id,
      fk_mm_model_id: null,
    };
    expect(cities).toMatchObject({
      uidt: 'LinkToAnotherRecord',
      column_name: null,
      colOptions: { type: 'hm', fk_column_id: cities.id, fk_related_model_id: city.id, ...shared },
    });
    expect(back.colOptions).toMatchObject({ type: 'bt', fk_related_model_id: country.id, ...shared });
    // People are offered the link in the place of the key that was made for it.
    const internal = child.columns?.flatMap((of) => (of.internal === true ? [of.title] : []));
    expect(internal).toEqual([key?.title]);
  });

  test('stand in the history of the row that holds the key, with the names of the linked rows', async () => {
    const { link, data } = await atlas();
    await link('hm');
    await client.post(data(`Country/1/hm/Cities/1`));
    await client.post(data(`Country/2/hm/Cities/1`));
    await client.delete(data(`Country/2/hm/Cities/1`));
    const child = await client.get<{ list: readonly { cells: readonly Row[] }[] }>(data('City/1/history'));
    const links = child.body.list.map(({ cells }) =>
      cells.filter(({ before, after }) =>
        [before, after].some((value) => typeof value === 'object' && value),
      ),
    );
    const [france, peru] = [
      { Id: 1, Title: 'France' },
      { Id: 2, Title: 'Peru' },
    ];
    expect(links).toEqual([
      [expect.objectContaining({ before: peru, after: null })],
      [expect.objectContaining({ before: france, after: peru })],
      [expect.objectContaining({ before: null, after: france })],
      [],
    ]);
    await client.delete(data('Country/1'));
    const later = await client.get<{ list: readonly { cells: readonly Row[] }[] }>(data('City/1/history'));
    expect(later.body.list[2]?.cells).toContainEqual(
      expect.objectContaining({ before: null, after: { Id: 1 } }),
    );
  });

  test('keep the foreign key out of views that are made later, as the first view does', async () => {
    const { city, link, table } = await atlas();
    await link('hm');
    const key = (await table(city.id)).columns?.find(({ uidt }) => uidt === 'ForeignKey');
    const path = `/api/v1/db/meta/tables/${city.id}/grids`;
    const made = await client.post<{ readonly id: string }>(path, { title: 'Second' });
    const places = await client.get<readonly Row[]>(`/api/v1/db/meta/views/${made.body.id}/columns`);
    expect(places.body.find(({ fk_column_id: of }) => of === key?.id)).toMatchObject({ show: false });
  });

  test('show what is linked in a page of rows, and shape it as it is asked for', async () => {
    const { data, link, list } = await atlas();
    await link('hm');
    for (const city of [1, 2]) {
      const linked = await client.post(data(`Country/1/hm/Cities/${city}`));
      expect([linked.status, linked.body]).toEqual([200, { msg: 'success' }]);
    }
    expect((await list('Country')).list.map(({ Title, Cities }) => [Title, Cities])).toEqual([
      [
        'France',
        [
          { Id: 1, Title: 'Paris' },
          { Id: 2, Title: 'Lyon' },
        ],
      ],
      ['Peru', []],
      ['Chad', []],
    ]);
    expect((await list('City')).list.map(({ Country }) => Country)).toEqual([
      { Id: 1, Title: 'France' },
      { Id: 1, Title: 'France' },
      null,
      null,
    ]);
    const nested = 'nested[Cities][fields]=Title,Pop&nested[Cities][sort]=-Title&nested[Cities][limit]=1';
    expect((await list(`Country?${nested}`)).list[0]?.Cities).toEqual(
      [{ Title: 'Paris', Pop: 2_000_000 }].map((row) => expect.objectContaining({ Title: row.Title })),
    );
    const one = await client.get<Row>(data('Country/1'));
    expect(one.body.Cities).toHaveLength(2);
    const csv = await client.get<string>(data('Country/export/csv?fields[]=Title&fields[]=Cities'));
    expect(csv.body).toContain('"Paris, Lyon"');
  });

  test('are listed, and what could be linked is; linking again changes nothing, and linking moves', async () => {
    const { data, link, list } = await atlas();
    await link('hm');
    await client.post(data('Country/1/hm/Cities/1'));
    await client.post(data('Country/1/hm/Cities/1'));
    const linked = await list('Country/1/hm/Cities');
    expect(linked).toMatchObject({ list: [{ Id: 1, Title: 'Paris' }], pageInfo: { totalRows: 1 } });
    expect(Object.keys(linked.list[0] ?? {})).not.toContain('Country');
    const others = await list('Country/1/hm/Cities/exclude?where=(Title,like,i)&limit=1');
    expect(others).toMatchObject({ list: [{ Title: 'Lima' }], pageInfo: { totalRows: 1 } });
    await client.post(data('Country/2/hm/Cities/1'));
    expect((await list('Country')).list.map(({ Cities }) => Cities)).toMatchObject([[], [{ Id: 1 }], []]);
    await client.post(data('City/2/bt/Country/3'));
    expect((await list('City/2/bt/Country/exclude')).list.map(({ Title }) => Title)).toEqual([
      'France',
      'Peru',
    ]);
    await client.delete(data('City/1/bt/Country/1'));
    expect((await list('City')).list.map(({ Country }) => Country)).toMatchObject([
      { Id: 2 },
      { Id: 3 },
      null,
      null,
    ]);
    await client.delete(data('City/1/bt/Country/2'));
    expect((await list('City')).list[0]?.Country).toBeNull();
    expect((await client.post(data('Country/99/hm/Cities/1'))).status).toBe(404);
    expect((await client.post(data('Country/1/hm/Cities/99'))).status).toBe(404);
    expect((await client.post(data('Country/1/hm/Title/1'))).status).toBe(404);
  });

  test('both ways stand in a junction table, which steps back', async () => {
    const { project, city, country, data, link, list, table } = await atlas();
    const made = await link('mm', { title: 'Tours' });
    const options = columnOf(made.body, 'Tours').colOptions;
    expect(options).toMatchObject({ type: 'mm', fk_related_model_id: city.id });
    const junction = await table(String(options.fk_mm_model_id));
    expect(junction).toMatchObject({ mm: true, title: expect.stringMatching(/_nc_m2m_\w{10}$/) });
    expect(junction.columns?.filter(({ pk }) => pk).map(({ column_name }) => column_name)).toEqual([
      'table2_id',
      'table1_id',
    ]);
    const tables = await client.get<List>(`/api/v1/db/meta/projects/${project}/tables`);
    expect(tables.body.list.map(({ title }) => title)).toEqual(['Country', 'City']);
    const bridge = columnOf(await table(country.id), `${junction.title} List`);
    expect(bridge).toMatchObject({
      system: true,
      colOptions: { type: 'hm', fk_related_model_id: junction.id },
    });
    for (const [from, to] of [
      [1, 1],
      [1, 3],
      [2, 3],
      [1, 1],
    ]) {
      const answer = await client.post(data(`Country/${from}/mm/Tours/${to}`));
      expect([answer.status, answer.body]).toEqual([200, { msg: 'success' }]);
    }
    expect((await list('Country?fields=Tours')).list).toEqual([
      {
        Tours: [
          { Id: 1, Title: 'Paris' },
          { Id: 3, Title: 'Lima' },
        ],
      },
      { Tours: [{ Id: 3, Title: 'Lima' }] },
      { Tours: [] },
    ]);
    expect((await list('City/3/mm/Country List')).list.map(({ Title }) => Title)).toEqual(['France', 'Peru']);
    const others = await list('Country/1/mm/Tours/exclude');
    expect(others).toMatchObject({
      list: [{ Title: 'Lyon' }, { Title: 'Nowhere' }],
      pageInfo: { totalRows: 2 },
    });
    const taken = await client.delete(data('Country/1/mm/Tours/3'));
    expect(taken.body).toEqual({ msg: 'success' });
    expect((await list('Country/1/mm/Tours')).list.map(({ Title }) => Title)).toEqual(['Paris']);
    const undone = await client.post(`/api/v1/db/data/undo/${taken.headers.get('x-trellis-operation')}`);
    expect(undone.status).toBeLessThan(500);
  });

  test('are filtered by what they lead to', async () => {
    const { data, link, list } = await atlas();
    await link('hm');
    for (const [country, city] of [
      [1, 1],
      [1, 2],
      [2, 3],
    ])
      await client.post(data(`Country/${country}/hm/Cities/${city}`));
    const titles = async (where: string, of = 'Country') =>
      (await list(`${of}?where=${encodeURIComponent(where)}`)).list.map(({ Title }) => Title);
    expect(await titles('(Cities,eq,Paris)')).toEqual(['France']);
    expect(await titles('(Cities,like,l)')).toEqual(['France', 'Peru']);
    expect(await titles('(Cities,neq,Paris)')).toEqual(['Peru', 'Chad']);
    expect(await titles('(Cities,nlike,l)')).toEqual(['Chad']);
    expect(await titles('(Cities,empty,x)')).toEqual(['Chad']);
    expect(await titles('(Cities,notempty,x)')).toEqual(['France', 'Peru']);
    expect(await titles('(Country,eq,France)', 'City')).toEqual(['Paris', 'Lyon']);
    expect(await titles('(Country,neq,France)', 'City')).toEqual(['Lima']);
    expect(await titles('(Country,null,x)', 'City')).toEqual(['Nowhere']);
    expect(await titles('(Country,notnull,x)', 'City')).toEqual(['Paris', 'Lyon', 'Lima']);
    expect((await list('City?sort=-Country,Title')).list.map(({ Title }) => Title)).toEqual(
      expect.arrayContaining(['Lima', 'Lyon', 'Paris', 'Nowhere']),
    );
    const sorted = (await list('City?sort=-Country,Title&where=(Country,notnull,x)')).list;
    expect(sorted.map(({ Title }) => Title)).toEqual(['Lima', 'Lyon', 'Paris']);
  });

  test('are looked up, counted and added up', async () => {
    const { city, country, data, link, list, table, column } = await atlas();
    const linked = await link('hm');
    for (const [from, to] of [
      [1, 1],
      [1, 2],
      [2, 3],
    ])
      await client.post(data(`Country/${from}/hm/Cities/${to}`));
    const relation = columnOf(linked.body, 'Cities').id;
    const cities = await table(city.id);
    const [pop, area, name] = ['Pop', 'Area', 'Title'].map((title) => columnOf(cities, title).id);
    const add = async (title: string, uidt: string, body: object, tableId = country.id) => {
      const answer = await column(tableId, { title, uidt, fk_relation_column_id: relation, ...body });
      expect([title, answer.status, answer.status === 200 ? '' : answer.body]).toEqual([title, 200, '']);
      return columnOf(answer.body, title);
    };
    const names = await add('Names', 'Lookup', { fk_lookup_column_id: name });
    expect(names.colOptions).toMatchObject({
      id: expect.stringMatching(/^lk_/),
      fk_column_id: names.id,
      fk_relation_column_id: relation,
      fk_lookup_column_id: name,
    });
    const people = await add('People', 'Rollup', { fk_rollup_column_id: pop, rollup_function: 'sum' });
    expect(people.colOptions).toMatchObject({
      id: expect.stringMatching(/^rl_/),
      rollup_function: 'sum',
      result: { uidt: columnOf(cities, 'Pop').uidt, storage: columnOf(cities, 'Pop').storage },
    });
    await add('Acres', 'Rollup', { fk_rollup_column_id: area, rollup_function: 'sum' });
    await add('Largest', 'Rollup', { fk_rollup_column_id: pop, rollup_function: 'max' });
    await add('Distinct', 'Rollup', { fk_rollup_column_id: pop, rollup_function: 'sumDistinct' });
    await add('Filled', 'Rollup', { fk_rollup_column_id: pop, rollup_function: 'count' });
    await add('Number', 'Count', {});
    const back = columnOf(await table(city.id), 'Country').id;
    await add(
      'Land people',
      'Lookup',
      { fk_relation_column_id: back, fk_lookup_column_id: people.id },
      city.id,
    );
    const rows = (await list('Country')).list;
    expect(rows.map((row) => row.Names)).toEqual([['Paris', 'Lyon'], ['Lima'], []]);
    expect(rows.map((row) => (row.People === null ? null : Number(row.People)))).toEqual([
      2_500_000,
      10_000_000,
      null,
    ]);
    expect(rows.map((row) => row.Acres && Number(row.Acres))).toEqual([153.27, 2672.3, null]);
    expect(rows.map((row) => row.Largest && Number(row.Largest))).toEqual([2_000_000, 10_000_000, null]);
    expect(rows.map((row) => [Number(row.Filled), Number(row.Number)])).toEqual([
      [2, 2],
      [1, 1],
      [0, 0],
    ]);
    const towns = (await list('City?sort=-Land people,Title')).list;
    expect(towns.slice(0, 3).map((row) => row.Title)).toEqual(['Lima', 'Lyon', 'Paris']);
    expect(towns.map((row) => row['Land people'] && Number(row['Land people']))).toEqual([
      10_000_000,
      2_500_000,
      2_500_000,
      null,
    ]);
    const titles = async (where: string, of = 'Country') =>
      (await list(`${of}?where=${encodeURIComponent(where)}`)).list.map(({ Title }) => Title);
    expect(await titles('(Names,eq,Lyon)')).toEqual(['France']);
    expect(await titles('(People,gt,3000000)')).toEqual(['Peru']);
    expect(await titles('(Number,eq,0)')).toEqual(['Chad']);
    expect(await titles('(Land people,lt,3000000)', 'City')).toEqual(['Paris', 'Lyon']);
    const sorted = async (sort: string, of = 'Country') =>
      (await list(`${of}?sort=${encodeURIComponent(sort)}`)).list.map(({ Title }) => Title);
    // What has nothing to add up is empty, and empty cells are the least.
    expect(await sorted('-People')).toEqual(['Peru', 'France', 'Chad']);
    expect(await sorted('People')).toEqual(['Chad', 'France', 'Peru']);
    expect(await sorted('-Acres')).toEqual(['Peru', 'France', 'Chad']);
    expect(await sorted('-Number')).toEqual(['France', 'Peru', 'Chad']);
    expect(await sorted('Number,-Title')).toEqual(['Chad', 'Peru', 'France']);
    expect(await sorted('Land people,-Title', 'City')).toEqual(['Nowhere', 'Paris', 'Lyon', 'Lima']);
    const second = await list('Country?sort=-People&limit=1&offset=1');
    expect(second.list.map(({ Title }) => Title)).toEqual(['France']);
  });

  /** Adds columns that are computed over a link of a table. */
  const over = (
    column: (tableId: string, body: object) => Promise<{ status: number; body: TableEntity }>,
    tableId: string,
    relation: string,
  ) => {
    return async (title: string, uidt: 'Lookup' | 'Rollup' | 'Count', of?: string, fn?: string) => {
      const key = uidt === 'Lookup' ? 'fk_lookup_column_id' : 'fk_rollup_column_id';
      const body = { title, uidt, fk_relation_column_id: relation, [key]: of, rollup_function: fn };
      const answer = await column(tableId, body);
      expect([title, answer.status, answer.status === 200 ? '' : answer.body]).toEqual([title, 200, '']);
      return columnOf(answer.body, title);
    };
  };
  const numberOf = (value: unknown) => (value === null ? null : Number(value));

  test('are put together in each way, and a value that stands in several rows counts once where it should', async () => {
    const { city, country, data, link, list, table, column } = await atlas();
    const relation = columnOf((await link('hm')).body, 'Cities').id;
    expect((await client.post(data('City'), { Title: 'Twin', Pop: 500_000 })).status).toBe(200);
    for (const [from, to] of [
      [1, 1],
      [1, 2],
      [1, 5],
      [2, 4],
    ])
      await client.post(data(`Country/${from}/hm/Cities/${to}`));
    const pop = columnOf(await table(city.id), 'Pop').id;
    const add = over(column, country.id, relation);
    const expected = {
      count: [3, 0, 0],
      countDistinct: [2, 0, 0],
      sum: [3_000_000, null, null],
      sumDistinct: [2_500_000, null, null],
      avg: [1_000_000, null, null],
      avgDistinct: [1_250_000, null, null],
      min: [500_000, null, null],
      max: [2_000_000, null, null],
    };
    for (const fn of Object.keys(expected)) await add(fn, 'Rollup', pop, fn);
    const rows = (await list('Country?sort=Id')).list;
    const found = Object.keys(expected).map((fn) => [fn, rows.map((row) => numberOf(row[fn]))]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  test('are looked up, counted and added up across a junction table, from both ends', async () => {
    const { city, country, data, link, list, table, column } = await atlas();
    const tours = columnOf((await link('mm', { title: 'Tours' })).body, 'Tours').id;
    for (const [from, to] of [
      [1, 1],
      [1, 3],
      [2, 3],
    ])
      await client.post(data(`Country/${from}/mm/Tours/${to}`));
    const cities = await table(city.id);
    const there = over(column, country.id, tours);
    await there('Names', 'Lookup', columnOf(cities, 'Title').id);
    await there('People', 'Rollup', columnOf(cities, 'Pop').id, 'sum');
    await there('Number', 'Count');
    const shown = (await list('Country?sort=Id')).list;
    expect(shown.map(({ Names, People, Number: of }) => [Names, numberOf(People), numberOf(of)])).toEqual([
      [['Paris', 'Lima'], 12_000_000, 2],
      [['Lima'], 10_000_000, 1],
      [[], null, 0],
    ]);
    const back = over(column, city.id, columnOf(cities, 'Country List').id);
    await back('Lands', 'Lookup', columnOf(country, 'Title').id);
    await back('Visits', 'Count');
    await back('Last', 'Rollup', columnOf(country, 'Title').id, 'max');
    const towns = (await list('City?sort=Id')).list;
    expect(towns.map(({ Lands, Visits, Last }) => [Lands, numberOf(Visits), Last])).toEqual([
      [['France'], 1, 'France'],
      [[], 0, null],
      [['France', 'Peru'], 2, 'Peru'],
      [[], 0, null],
    ]);
    const found = await list(`Country?where=${encodeURIComponent('(Names,eq,Paris)')}`);
    expect(found.list.map(({ Title }) => Title)).toEqual(['France']);
  });

  test('are looked up, counted and added up within one table, each way on its own', async () => {
    const { country, data, list, table, column } = await atlas();
    await column(country.id, { title: 'Size', uidt: 'Number' });
    for (const [row, Size] of [640, 1280, 1284].entries())
      await client.patch(data(`Country/${row + 1}`), { Size });
    const self = { uidt: 'LinkToAnotherRecord', parentId: country.id, childId: country.id };
    await column(country.id, { ...self, title: 'Colonies', type: 'hm' });
    await column(country.id, { ...self, title: 'Friends', type: 'mm' });
    for (const way of ['1/hm/Colonies/2', '1/hm/Colonies/3', '2/mm/Friends/1', '2/mm/Friends/3'])
      await client.post(data(`Country/${way}`));
    const columns = await table(country.id);
    const [title, size] = [columnOf(columns, 'Title').id, columnOf(columns, 'Size').id];
    for (const relation of ['Colonies', 'Friends', 'Country', 'Country List']) {
      const add = over(column, country.id, columnOf(columns, relation).id);
      await add(`Names of ${relation}`, 'Lookup', title);
      if (relation !== 'Country') await add(`Size of ${relation}`, 'Rollup', size, 'sum');
    }
    const rows = (await list('Country?sort=Id')).list;
    const shown = (of: string) =>
      rows.map((row) => [row[`Names of ${of}`], numberOf(row[`Size of ${of}`] ?? null)]);
    expect(shown('Colonies')).toEqual([
      [['Peru', 'Chad'], 2564],
      [[], null],
      [[], null],
    ]);
    expect(rows.map((row) => row['Names of Country'])).toEqual([null, 'France', 'France']);
    expect(shown('Friends')).toEqual([
      [[], null],
      [['France', 'Chad'], 1924],
      [[], null],
    ]);
    expect(shown('Country List')).toEqual([
      [['Peru'], 1280],
      [[], null],
      [['Peru'], 1280],
    ]);
  });

  test('refuse to be computed from themselves: what they are made of stays, and a formula between them says the way', async () => {
    const { city, country, data, link, list, table, column } = await atlas();
    const cities = columnOf((await link('hm')).body, 'Cities').id;
    const made = await column(country.id, { title: 'Size', uidt: 'Formula', formula: 'LEN({Title})' });
    const size = columnOf(made.body, 'Size');
    const town = await table(city.id);
    const back = over(column, city.id, columnOf(town, 'Country').id);
    const there = over(column, country.id, cities);
    const landSize = await back('Land size', 'Lookup', size.id);
    const sum = await there('Sum', 'Rollup', landSize.id, 'sum');
    await client.post(data('Country/1/hm/Cities/1'));
    await client.post(data('Country/1/hm/Cities/2'));
    const [france] = (await list('Country?sort=Id')).list;
    expect([numberOf(france?.Size), numberOf(france?.Sum)]).toEqual([6, 12]);
    const change = (of: ColumnEntity, body: object) =>
      client.patch<Row>(`/api/v1/db/meta/columns/${of.id}`, { title: of.title, uidt: of.uidt, ...body });
    expect(await change(size, { formula: '{Sum} + 1' })).toMatchObject({
      status: 400,
      body: { code: 'COLUMN_CIRCLE', msg: expect.stringContaining('Size → Sum → Land size → Size') },
    });
    for (const [of, body] of [
      [sum, { fk_rollup_column_id: columnOf(town, 'Pop').id }],
      [landSize, { fk_lookup_column_id: sum.id }],
    ] as const)
      expect(await change(of, body)).toMatchObject({ status: 501, body: { code: 'DEFINITION_FIXED' } });
  });

  test('refuse what cannot be: figures over one row, other projects and bases', async () => {
    const { city, country, link, table, column } = await atlas();
    const other = await atlas();
    const linked = await link('hm');
    const [cities, back] = [columnOf(linked.body, 'Cities').id, columnOf(await table(city.id), 'Country').id];
    const pop = columnOf(await table(city.id), 'Pop').id;
    const rollup = { title: 'R', uidt: 'Rollup', fk_relation_column_id: back, fk_rollup_column_id: pop };
    expect(await column(city.id, { ...rollup, rollup_function: 'sum' })).toMatchObject({
      status: 400,
      body: { code: 'ROLLUP_OF_ONE' },
    });
    const many = { ...rollup, fk_relation_column_id: cities };
    expect(await column(country.id, { ...many, rollup_function: 'load_extension' })).toMatchObject({
      status: 400,
      body: { code: 'ROLLUP_FUNCTION_UNKNOWN' },
    });
    const title = columnOf(await table(city.id), 'Title').id;
    expect(
      await column(country.id, { ...many, fk_rollup_column_id: title, rollup_function: 'sum' }),
    ).toMatchObject({ status: 400, body: { code: 'ROLLUP_NEEDS_NUMBERS' } });
    const foreign = columnOf(await other.table(other.city.id), 'Title').id;
    expect(
      await column(country.id, {
        title: 'L',
        uidt: 'Lookup',
        fk_relation_column_id: cities,
        fk_lookup_column_id: foreign,
      }),
    ).toMatchObject({ status: 400 });
    const elsewhere = {
      title: 'X',
      uidt: 'LinkToAnotherRecord',
      parentId: other.country.id,
      childId: city.id,
      type: 'hm',
    };
    expect(await column(city.id, elsewhere)).toMatchObject({
      status: 400,
      body: { code: 'LINK_TABLE_UNKNOWN' },
    });
    expect(await link('hm', { type: 'xx' })).toMatchObject({ status: 400 });
    expect(await column(country.id, { title: 'X', uidt: 'LinkToAnotherRecord', type: 'hm' })).toMatchObject({
      status: 400,
      body: { msg: "Missing 'parentId' property in request body" },
    });
    expect(await link('hm', { title: 'Title' })).toMatchObject({
      status: 400,
      body: { msg: 'Duplicate column alias' },
    });
  });

  test('of a table to itself name both ends apart', async () => {
    const { country, data, column, list } = await atlas();
    const self = { uidt: 'LinkToAnotherRecord', parentId: country.id, childId: country.id };
    const made = await column(country.id, { ...self, title: 'Colonies', type: 'hm' });
    expect(made.status).toBe(200);
    await column(country.id, { ...self, title: 'Friends', type: 'mm' });
    await client.post(data('Country/1/hm/Colonies/3'));
    await client.post(data('Country/1/mm/Friends/2'));
    const rows = (await list('Country')).list;
    expect(rows[0]).toMatchObject({
      Colonies: [{ Title: 'Chad' }],
      Country: null,
      Friends: [{ Title: 'Peru' }],
      'Country List': [],
    });
    expect(rows[1]).toMatchObject({ 'Country List': [{ Title: 'France' }], Friends: [] });
    expect(rows[2]).toMatchObject({ Country: { Title: 'France' } });
  });

  test.each(['hm', 'bt', 'mm'] as const)(
    'go with both ends and all that hangs on them (%s)',
    async (type) => {
      const { city, country, data, link, list, table, column } = await atlas();
      const made = await link(type, { onDelete: 'restrict' });
      const own = columnOf(made.body, type === 'bt' ? 'Land' : 'Cities');
      const parent = await table(country.id);
      const title = columnOf(await table(city.id), 'Title');
      const relation = parent.columns?.find(({ uidt, system }) => uidt === 'LinkToAnotherRecord' && !system);
      await client.post(data(`Country/1/${type === 'mm' ? 'mm' : 'hm'}/${relation?.title}/1`));
      await column(country.id, {
        title: 'Names',
        uidt: 'Lookup',
        fk_relation_column_id: relation?.id,
        fk_lookup_column_id: title.id,
      });
      const refused = await client.delete<Row>(`/api/v1/db/meta/tables/${city.id}`);
      expect(refused).toMatchObject({ status: 400 });
      expect(refused.body.msg).toMatch(
        /^Table can't be deleted since Table is being referred in following tables : .*Country/,
      );
      const inUse = await client.delete<Row>(data('Country/1'));
      expect(inUse.body).toEqual({
        message: [expect.stringContaining('1. Country.')],
      });
      const links = await client.get<{ links: readonly { title: string; table: string }[] }>(
        `/api/v1/db/meta/tables/${city.id}/uses`,
      );
      expect(new Set(links.body.links.map(({ table: of }) => of))).toContain('Country');
      const uses = await client.get<{
        columns: readonly { title: string; table: string; goes: boolean }[];
      }>(`/api/v1/db/meta/columns/${own.id}/uses`);
      // Neither a junction table nor a key that holds a link is anything that people know.
      const hanging = uses.body.columns;
      expect(hanging.map(({ title: of }) => of)).toContain('Names');
      expect(hanging).toHaveLength(2);
      expect(hanging.every(({ goes }) => goes)).toBe(true);
      const named = (await table(city.id)).columns?.find(({ pv }) => pv === true);
      const usesOfName = await client.get<{ columns: readonly { table: string }[] }>(
        `/api/v1/db/meta/columns/${named?.id}/uses`,
      );
      expect(usesOfName.body.columns.filter(({ table: of }) => !['City', 'Country'].includes(of))).toEqual(
        [],
      );
      const gone = await client.delete<TableEntity>(`/api/v1/db/meta/columns/${own.id}`);
      expect([gone.status, gone.status === 200 ? '' : gone.body]).toEqual([200, '']);
      for (const id of [city.id, country.id]) {
        const left = (await table(id)).columns ?? [];
        expect(left.map(({ uidt }) => uidt).filter((uidt) => /Link|Lookup|ForeignKey/.test(uidt))).toEqual(
          [],
        );
      }
      expect((await list('City')).pageInfo.totalRows).toBe(4);
      expect((await client.delete(data('Country/1'))).body).toBe(1);
      expect((await client.delete(`/api/v1/db/meta/tables/${city.id}`)).body).toBe(true);
      // The same link can be made again.
      expect(
        (
          await column(country.id, {
            title: 'Again',
            uidt: 'LinkToAnotherRecord',
            parentId: country.id,
            childId: country.id,
            type,
          })
        ).status,
      ).toBe(200);
    },
  );

  test.each(['hm', 'mm'] as const)(
    'come back from the trash whole, with what they linked (%s)',
    async (type) => {
      const { project, city, country, data, link, list, table } = await atlas();
      const own = columnOf((await link(type)).body, 'Cities');
      await client.post(data(`Country/1/${type}/Cities/1`));
      await client.delete(`/api/v1/db/meta/columns/${own.id}`);
      const trash = `/api/v1/db/meta/projects/${project}/trash`;
      const items = (await client.get<List>(trash)).body.list;
      expect(items.map(({ kind, title }) => `${String(kind)} ${String(title)}`).toSorted()).toEqual([
        'column Cities',
        type === 'hm' ? 'column Country' : 'column Country List',
      ]);
      const restored = await client.post(`${trash}/columns/${own.id}/restore`);
      expect([restored.status, restored.status === 200 ? '' : restored.body]).toEqual([200, '']);
      expect((await list('Country')).list[0]?.Cities).toEqual([{ Id: 1, Title: 'Paris' }]);
      expect((await table(city.id)).columns?.some(({ uidt }) => uidt === 'LinkToAnotherRecord')).toBe(true);
      expect((await client.delete(data('Country/1'))).body).toEqual({ message: [expect.any(String)] });
      await client.delete(`/api/v1/db/meta/columns/${own.id}`);
      await client.delete(data('Country/1'));
      // A row that was linked to is gone: the link comes back without the database's watch over it.
      expect((await client.post(`${trash}/columns/${own.id}/restore`)).status).toBe(200);
      expect((await list('City')).list[0]?.Title).toBe('Paris');
      expect((await client.delete(`/api/v1/db/meta/columns/${own.id}`)).status).toBe(200);
      expect((await client.delete(`${trash}/columns/${own.id}`)).status).toBeLessThan(300);
      expect((await client.get<List>(trash)).body.list).toEqual([]);
      expect((await client.delete(`/api/v1/db/meta/tables/${country.id}`)).body).toBe(true);
    },
  );

  test.each(['hm', 'mm'] as const)(
    'leave nothing in the trash once a table that they led to is deleted for good (%s)',
    async (type) => {
      const { project, city, country, link } = await atlas();
      const own = columnOf((await link(type)).body, 'Cities');
      await client.delete(`/api/v1/db/meta/columns/${own.id}`);
      await client.delete(`/api/v1/db/meta/tables/${country.id}`);
      const trash = `/api/v1/db/meta/projects/${project}/trash`;
      const [other] = (await client.get<List>(trash)).body.list.filter(({ kind }) => kind === 'column');
      expect(await client.post(`${trash}/columns/${String(other?.id)}/restore`)).toMatchObject({
        status: 409,
        body: { code: 'TRASH_TABLE_DELETED' },
      });
      expect((await client.delete(`${trash}/tables/${country.id}`)).status).toBe(200);
      expect((await client.get<List>(trash)).body.list).toEqual([]);
      expect((await client.post(`${trash}/columns/${String(other?.id)}/restore`)).status).toBe(404);
      expect((await client.delete(`/api/v1/db/meta/tables/${city.id}`)).body).toBe(true);
    },
  );

  test('do with the linked rows what was chosen when a row is deleted', async () => {
    const { data, link, list } = await atlas();
    await link('hm', { onDelete: 'set null', onUpdate: 'cascade' });
    await client.post(data('Country/1/hm/Cities/1'));
    expect((await client.delete(data('Country/1'))).body).toBe(1);
    expect((await list('City')).list[0]).toMatchObject({ Title: 'Paris', Country: null });
  });

  test('follow a row that gets another key where that was chosen, and else keep it from getting one', async () => {
    const { data, link, list } = await atlas();
    await link('hm', { onUpdate: 'cascade' });
    await client.post(data('Country/1/hm/Cities/1'));
    expect(await client.patch(data('Country/1'), { Id: 50 })).toMatchObject({
      status: 200,
      body: { Id: 50 },
    });
    expect((await list('City?sort=Id&limit=1')).list).toMatchObject([
      { Country: { Id: 50, Title: 'France' } },
    ]);
    const other = await atlas();
    await other.link('hm');
    await client.post(other.data('Country/1/hm/Cities/1'));
    const refused = await client.patch(other.data('Country/1'), { Id: 50 });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect((await other.list('City?sort=Id&limit=1')).list).toMatchObject([{ Country: { Id: 1 } }]);
  });

  // No key that is made here has a default value but none.
  test('set the key of linked rows to its default, which is none, where that was chosen', async () => {
    const { data, link, list } = await atlas();
    await link('hm', { onDelete: 'set default' });
    await client.post(data('Country/1/hm/Cities/1'));
    await client.post(data('Country/2/hm/Cities/3'));
    expect((await client.delete(data('Country/1'))).body).toBe(1);
    expect((await list('City?sort=Id')).list.map(({ Country }) => Country)).toEqual([
      null,
      null,
      { Id: 2, Title: 'Peru' },
      null,
    ]);
  });

  test.each(['hm', 'mm'] as const)(
    'do something else with the linked rows once somebody says so, from either end (%s)',
    async (type) => {
      const { city, data, link, list, table } = await atlas();
      const own = columnOf((await link(type)).body, 'Cities');
      const back = (await table(city.id)).columns?.find(
        ({ uidt, system }) => uidt === 'LinkToAnotherRecord' && !system,
      );
      for (const row of [1, 2]) await client.post(data(`Country/${row}/${type}/Cities/${row}`));
      const change = (column: ColumnEntity, body: object) =>
        client.patch<TableEntity & { code?: string }>(`/api/v1/db/meta/columns/${column.id}`, {
          title: column.title,
          uidt: column.uidt,
          ...body,
        });
      const changed = await change(own, { colOptions: { ...own.colOptions, onDelete: 'cascade' } });
      expect(columnOf(changed.body, 'Cities').colOptions).toMatchObject({ dr: 'cascade', ur: null });
      expect((await client.delete(data('Country/1'))).body).toBe(1);
      const left = async () => (await list('City?sort=Id')).list.map(({ Title }) => Title);
      // Of a junction table it is the links that go.
      expect(await left()).toEqual(['Paris', 'Lyon', 'Lima', 'Nowhere'].slice(type === 'hm' ? 1 : 0));
      expect((await change(back as ColumnEntity, { meta: { link: { onDelete: 'restrict' } } })).status).toBe(
        200,
      );
      const refused = await client.delete<{ message?: unknown }>(data('Country/2'));
      expect(refused.body.message).toEqual([expect.stringContaining('Country')]);
      expect(await change(own, { meta: { link: { onDelete: 'explode' } } })).toMatchObject({
        status: 400,
        body: { code: 'LINK_ACTION_UNKNOWN' },
      });
      expect(await change(own, { meta: { link: { onDelete: 'cascade', childId: city.id } } })).toMatchObject({
        status: 501,
      });
    },
  );

  test('that the database does not hold have nothing done with their rows', async () => {
    const { link } = await atlas();
    const own = columnOf((await link('hm', { virtual: true })).body, 'Cities');
    const path = `/api/v1/db/meta/columns/${own.id}`;
    const body = { title: own.title, uidt: own.uidt, meta: { link: { onDelete: 'cascade' } } };
    expect(await client.patch(path, body)).toMatchObject({ status: 400, body: { code: 'LINK_NOT_HELD' } });
  });

  test('keep a row from being deleted that others point to, and say which columns do', async () => {
    const { data, link, list } = await atlas();
    await link('hm');
    await client.post(data('Country/1/hm/Cities/1'));
    const refused = await client.delete(data('Country/1'));
    expect([refused.status, refused.body]).toEqual([
      200,
      { message: ['1. Country.Cities is a LinkToAnotherRecord of City'] },
    ]);
    expect((await list('Country')).list).toHaveLength(3);
  });

  test('keep their column when it is renamed, and what they are made of', async () => {
    const { city, link, table } = await atlas();
    const made = await link('hm');
    const own = columnOf(made.body, 'Cities');
    const path = `/api/v1/db/meta/columns/${own.id}`;
    const renamed = await client.patch<TableEntity>(path, { ...own, title: 'Towns' });
    expect(columnOf(renamed.body, 'Towns')).toMatchObject({
      id: own.id,
      colOptions: { ...own.colOptions, updated_at: expect.any(String) },
    });
    expect(await client.patch(path, { uidt: 'SingleLineText', title: 'Towns' })).toMatchObject({
      status: 501,
      body: { msg: 'Updating LinkToAnotherRecord => SingleLineText is not implemented' },
    });
    const key = (await table(city.id)).columns?.find(({ uidt }) => uidt === 'ForeignKey');
    expect((await client.delete(`/api/v1/db/meta/columns/${key?.id}`)).status).toBe(501);
  });
}

describe('links with the projects in SQLite', () => {
  describeLinks(() => createTestServer());
});

describeEachServer('links with the projects on a server', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeLinks(() => createTestServer({ database: databases }));
});
