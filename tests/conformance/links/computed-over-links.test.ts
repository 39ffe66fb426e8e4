import { expect, test } from '@jest/globals';
import type { ColumnEntity, TableEntity } from '@trellis/sdk/shared';
import { columnOf, describeLinks, type List, type Row } from './atlas.ts';
import { statementsAbout } from './page-statements.ts';

describeLinks('columns that are computed over links', (atlas) => {
  test('are looked up, counted and added up', async () => {
    const { client, city, country, data, link, list, table, column } = await atlas();
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

    // And made one figure of all rows, as under a grid.
    expect(
      (await column(country.id, { title: 'Double', uidt: 'Formula', formula: '{Number} * 2' })).status,
    ).toBe(200);
    const figures = async (
      of: TableEntity,
      asked: readonly (readonly [title: string, figure: string])[],
      more = '',
    ) => {
      const aggregations = asked.map(([title, aggregation]) => ({
        column: columnOf(of, title).id,
        aggregation,
      }));
      const query = `aggregations=${encodeURIComponent(JSON.stringify(aggregations))}${more}`;
      const answer = await client.get<{ list: readonly Row[] }>(data(`${of.title}/aggregate?${query}`));
      return answer.body.list.map(({ value }) => numberOf(value));
    };
    const asked = [
      ['People', 'sum'],
      ['People', 'average'],
      ['People', 'empty'],
      ['Acres', 'sum'],
      ['Largest', 'maximum'],
      ['Number', 'sum'],
      ['Number', 'average'],
      ['Double', 'sum'],
      ['Double', 'average'],
    ] as const;
    const lands = await table(country.id);
    expect(await figures(lands, asked)).toEqual([12_500_000, 6_250_000, 1, 2825.57, 10_000_000, 3, 1, 6, 2]);
    const ofPeru = [10_000_000, 10_000_000, 0, 2672.3, 10_000_000, 1, 1, 2, 2];
    expect(await figures(lands, asked, '&where=(Title,eq,Peru)')).toEqual(ofPeru);
    const ofTowns = [
      ['Land people', 'sum'],
      ['Land people', 'average'],
      ['Land people', 'minimum'],
    ] as const;
    expect(await figures(await table(city.id), ofTowns)).toEqual([15_000_000, 5_000_000, 2_500_000]);
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
    const { client, city, country, data, link, list, table, column } = await atlas();
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
    const { client, city, country, data, link, list, table, column } = await atlas();
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
    const { client, country, data, list, table, column } = await atlas();
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

  test('cost a page of rows one statement and one for each link, however many rows it has', async () => {
    const { server, client, city, country, data, link, table, column } = await atlas();
    await link('hm');
    await link('mm', { title: 'Tours' });
    const colonies = { title: 'Colonies', uidt: 'LinkToAnotherRecord', type: 'hm' };
    await column(country.id, { ...colonies, parentId: country.id, childId: country.id });
    const [lands, towns] = [await table(country.id), await table(city.id)];
    const [title, pop] = [columnOf(towns, 'Title').id, columnOf(towns, 'Pop').id];
    const cities = over(column, country.id, columnOf(lands, 'Cities').id);
    const tours = over(column, country.id, columnOf(lands, 'Tours').id);
    await cities('Names', 'Lookup', title);
    await tours('Sights', 'Lookup', title);
    await cities('People', 'Rollup', pop, 'sum');
    await tours('Seen', 'Rollup', pop, 'max');
    const formula = { title: 'Share', uidt: 'Formula', formula: '{People} / 2' };
    expect((await column(country.id, formula)).status).toBe(200);
    for (const way of ['1/hm/Cities/1', '1/mm/Tours/2', '1/hm/Colonies/2', '2/hm/Cities/3', '3/mm/Tours/3'])
      await client.post(data(`Country/${way}`));
    const shown = ['Cities', 'Tours', 'Colonies', 'Names', 'Sights', 'People', 'Seen', 'Share'];
    // What the tables of a project are called begins alike, junction tables among them.
    const prefix = (lands.table_name ?? '').replace(/country$/, '');
    const asked = async (query: string) => {
      let page: List | undefined;
      const statements = await statementsAbout(server, prefix, async () => {
        page = (await client.get<List>(data(`Country?sort=Id&fields=${shown.join(',')}&${query}`))).body;
      });
      return { rows: page?.list ?? [], statements };
    };
    // What the first page learns of the table is not counted.
    await asked('limit=25');
    const all = await asked('limit=25');
    expect(all.rows).toHaveLength(3);
    expect(all.rows[0]).toMatchObject({
      Cities: [{ Title: 'Paris' }],
      Tours: [{ Title: 'Lyon' }],
      Colonies: [{ Title: 'Peru' }],
      Names: ['Paris'],
      Sights: ['Lyon'],
    });
    expect([numberOf(all.rows[0]?.Share), numberOf(all.rows[0]?.Seen)]).toEqual([1_000_000, 500_000]);
    expect(all.statements).toHaveLength(1 + 3);
    const one = await asked('limit=1');
    expect(one.rows).toHaveLength(1);
    expect(one.statements).toHaveLength(1 + 3);
  });

  test('refuse to be computed from themselves: what they are made of stays, and a formula between them says the way', async () => {
    const { client, city, country, data, link, list, table, column } = await atlas();
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
});
