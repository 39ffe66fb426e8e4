import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { askUntil, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from '../each-home.ts';
import { columnOf, type List, type Row } from './atlas.ts';

describeEachHome('columns that are computed over lookups of several values', (start) => {
  let server: TestServer;
  let client: TestClient;
  let round = 0;

  beforeAll(async () => {
    server = await start();
    client = await server.signUp();
  });
  afterAll(() => server?.dispose());

  /** Customers with invoices and their lines, and a junction between lines and offers; what SQL would make of it is worked out by hand. */
  async function shop() {
    round += 1;
    const title = `Shop${round}`;
    const project = await client.post<{ id: string }>('/api/v1/db/meta/projects', { title });
    const make = async (name: string, extra: readonly object[]) =>
      (
        await client.post<TableEntity>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
          title: name,
          columns: [{ title: 'Id', uidt: 'ID' }, { title: 'Title', uidt: 'SingleLineText' }, ...extra],
        })
      ).body;
    const customer = await make('Customer', []);
    const invoice = await make('Invoice', []);
    const line = await make('Line', [
      { title: 'Price', uidt: 'Decimal' },
      { title: 'Count', uidt: 'Number' },
      { title: 'Day', uidt: 'Date' },
    ]);
    const offer = await make('Offer', [{ title: 'Points', uidt: 'Number' }]);
    const data = (path: string) => `/api/v1/db/data/noco/${title}/${path}`;
    const lines: readonly (readonly [string, string | null, number | null, string | null])[] = [
      ['pen', '1.10', 2, '2024-01-05'],
      ['ink', '2.20', 3, '2024-02-29'],
      ['pen', '1.10', null, null],
      ['pad', null, 5, '2023-12-31'],
      ['pot', '10.05', 1, '2024-01-05'],
      ['cup', '99', 9, '2025-01-01'],
    ];
    for (const Title of ['Ada', 'Bob', 'Cyd']) await client.post(data('Customer'), { Title });
    for (const Title of ['A1', 'A2', 'B1']) await client.post(data('Invoice'), { Title });
    for (const [Title, Price, Count, Day] of lines)
      await client.post(data('Line'), { Title, Price, Count, Day });
    for (const Points of [5, 7, 5]) await client.post(data('Offer'), { Title: 'o', Points });
    const column = async (tableId: string, body: object) => {
      const made = await client.post<TableEntity>(`/api/v1/db/meta/tables/${tableId}/columns`, body);
      expect([body, made.status, made.status === 200 ? '' : made.body]).toEqual([body, 200, '']);
      return made.body;
    };
    const link = async (name: string, [from, to]: readonly TableEntity[], type: 'hm' | 'mm') =>
      columnOf(
        await column(from?.id ?? '', {
          title: name,
          uidt: 'LinkToAnotherRecord',
          parentId: from?.id,
          childId: to?.id,
          type,
        }),
        name,
      ).id;
    const invoices = await link('Invoices', [customer, invoice], 'hm');
    const ofInvoice = await link('Lines', [invoice, line], 'hm');
    const offers = await link('Offers', [line, offer], 'mm');
    for (const way of [
      'Customer/1/hm/Invoices/1',
      'Customer/1/hm/Invoices/2',
      'Customer/2/hm/Invoices/3',
      'Invoice/1/hm/Lines/1',
      'Invoice/1/hm/Lines/2',
      'Invoice/2/hm/Lines/3',
      'Invoice/2/hm/Lines/4',
      'Invoice/3/hm/Lines/5',
      'Line/1/mm/Offers/1',
      'Line/1/mm/Offers/2',
      'Line/2/mm/Offers/1',
      'Line/5/mm/Offers/3',
    ])
      expect(await client.post(data(way))).toMatchObject({ status: 200 });
    const lookUp = async (of: TableEntity, title: string, relation: string, columnId: string) =>
      columnOf(
        await column(of.id, {
          title,
          uidt: 'Lookup',
          fk_relation_column_id: relation,
          fk_lookup_column_id: columnId,
        }),
        title,
      ).id;
    const rollUp = (of: TableEntity, title: string, relation: string, columnId: string, fn: string) =>
      column(of.id, {
        title,
        uidt: 'Rollup',
        fk_relation_column_id: relation,
        fk_rollup_column_id: columnId,
        rollup_function: fn,
      });
    const list = async (path: string) => (await client.get<List>(data(path))).body.list;
    const links = { invoices, lines: ofInvoice, offers };
    return {
      project: project.body.id,
      customer,
      invoice,
      line,
      offer,
      data,
      links,
      lookUp,
      rollUp,
      column,
      list,
    };
  }

  test('are put together in each way over a lookup of several values, as the rows at its end are', async () => {
    const { customer, invoice, line, data, links, lookUp, rollUp, list } = await shop();
    const prices = await lookUp(invoice, 'Prices', links.lines, columnOf(line, 'Price').id);
    const days = await lookUp(invoice, 'Days', links.lines, columnOf(line, 'Day').id);
    const titles = await lookUp(invoice, 'Titles', links.lines, columnOf(line, 'Title').id);
    const expected: Readonly<Record<string, readonly [string, string, readonly unknown[]]>> = {
      Filled: [prices, 'count', [3, 1, 0]],
      Unique: [prices, 'countDistinct', [2, 1, 0]],
      Sum: [prices, 'sum', [4.4, 10.05, null]],
      'Sum of unique': [prices, 'sumDistinct', [3.3, 10.05, null]],
      Average: [prices, 'avg', [4.4 / 3, 10.05, null]],
      'Average of unique': [prices, 'avgDistinct', [1.65, 10.05, null]],
      Least: [prices, 'min', [1.1, 10.05, null]],
      Most: [prices, 'max', [2.2, 10.05, null]],
      First: [days, 'min', ['2023-12-31', '2024-01-05', null]],
      Last: [titles, 'max', ['pen', 'pot', null]],
      Names: [titles, 'countDistinct', [3, 1, 0]],
    };
    for (const [title, [of, fn]] of Object.entries(expected))
      await rollUp(customer, title, links.invoices, of, fn);
    const same = (value: unknown) =>
      typeof value === 'string' && /^-?[\d.]+$/.test(value) ? Number(value) : value;
    const shown = async (query = '') => {
      const rows = await list(`Customer?sort=Id${query}`);
      return Object.fromEntries(
        Object.keys(expected).map((of) => [of, rows.map((row) => same(row[of] ?? null))]),
      );
    };
    const found = await shown();
    for (const [title, [, , values]] of Object.entries(expected))
      expect([title, found[title]]).toEqual([
        title,
        values.map((value) => (typeof value === 'number' ? expect.closeTo(value, 9) : value)),
      ]);
    const names = async (query: string) => (await list(`Customer?${query}`)).map(({ Title }) => Title);
    expect(await names('sort=-Sum')).toEqual(['Bob', 'Ada', 'Cyd']);
    expect(await names('sort=Filled,-Title')).toEqual(['Cyd', 'Bob', 'Ada']);
    expect(await names('sort=Last,Id')).toEqual(['Cyd', 'Ada', 'Bob']);
    expect(await names(`where=${encodeURIComponent('(Sum,gt,5)')}`)).toEqual(['Bob']);
    expect(await names(`where=${encodeURIComponent('(First,null)')}`)).toEqual(['Cyd']);
    // What is written at the far end, and which rows are linked on the way, is what is added up from then on.
    await client.patch(data('Line/5'), { Price: '20.5' });
    await client.post(data('Invoice/3/hm/Lines/6'));
    expect((await shown())['Sum']).toEqual([expect.closeTo(4.4, 9), 119.5, null]);
    await client.post(data('Customer/3/hm/Invoices/3'));
    expect((await shown())['Sum']).toEqual([expect.closeTo(4.4, 9), null, 119.5]);
  });

  test('are put together over lookups of lookups, across a junction table, and of links to several rows', async () => {
    const { customer, invoice, line, offer, links, lookUp, rollUp, column, list } = await shop();
    const points = await lookUp(line, 'Points', links.offers, columnOf(offer, 'Points').id);
    const onward = await lookUp(invoice, 'Points', links.lines, points);
    await rollUp(invoice, 'Sum', links.lines, points, 'sum');
    await rollUp(customer, 'Sum', links.invoices, onward, 'sum');
    await rollUp(customer, 'Unique', links.invoices, onward, 'sumDistinct');
    await rollUp(customer, 'Number', links.invoices, onward, 'count');
    await rollUp(customer, 'Linked', links.invoices, links.lines, 'count');
    const numbers = async (of: string, ...titles: readonly string[]) =>
      (await list(`${of}?sort=Id`)).map((row) =>
        titles.map((title) => (row[title] === null ? null : Number(row[title]))),
      );
    expect(await numbers('Invoice', 'Sum')).toEqual([[17], [null], [5]]);
    // Offer 1 belongs to two lines, and counts with each.
    expect(await numbers('Customer', 'Sum', 'Unique', 'Number', 'Linked')).toEqual([
      [17, 12, 3, 4],
      [5, 5, 1, 1],
      [null, null, 0, 0],
    ]);
    // A page hears of changes in every table on the way, and in those that hold links.
    const { reached_tables: reached } = (
      await client.get<TableEntity>(`/api/v1/db/meta/tables/${customer.id}`)
    ).body;
    expect(reached).toEqual(expect.arrayContaining([invoice.id, line.id, offer.id]));
    expect(reached).toHaveLength(4);
    // Another column is computed from them in turn, and names the way that leads back.
    const made = await column(customer.id, { title: 'Double', uidt: 'Formula', formula: '{Sum} * 2' });
    expect((await list('Customer?sort=-Double'))[0]).toMatchObject({ Title: 'Ada' });
    const circle = await client.patch<Row>(`/api/v1/db/meta/columns/${columnOf(made, 'Double').id}`, {
      title: 'Double',
      uidt: 'Formula',
      formula: '{Double} + 1',
    });
    expect(circle).toMatchObject({ status: 400 });
    expect(
      await client.post(`/api/v1/db/meta/tables/${customer.id}/columns`, {
        title: 'No numbers',
        uidt: 'Rollup',
        fk_relation_column_id: links.invoices,
        fk_rollup_column_id: links.lines,
        rollup_function: 'sum',
      }),
    ).toMatchObject({ status: 400, body: { code: 'ROLLUP_NEEDS_NUMBERS' } });
  });

  test('are lists to the functions of formulas that take several values, and refused by all else where they stand', async () => {
    const { customer, invoice, line, data, links, lookUp, column, list } = await shop();
    const prices = await lookUp(invoice, 'Prices', links.lines, columnOf(line, 'Price').id);
    const titles = await lookUp(invoice, 'Titles', links.lines, columnOf(line, 'Title').id);
    await lookUp(customer, 'Prices', links.invoices, prices);
    const words = await lookUp(customer, 'Words', links.invoices, titles);
    const send = (title: string, formula: string) =>
      client.post<TableEntity & Row>(`/api/v1/db/meta/tables/${customer.id}/columns`, {
        title,
        uidt: 'Formula',
        formula,
      });
    const formulas: Readonly<Record<string, readonly [string, readonly unknown[]]>> = {
      Sum: ['SUM({Prices})', [4.4, 10.05, 0]],
      More: ['SUM({Prices}, 1)', [5.4, 11.05, 1]],
      Number: ['COUNT({Prices})', [3, 1, 0]],
      Filled: ['COUNTA({Words})', [4, 1, 0]],
      Average: ['ROUND(AVG({Prices}), 3)', [1.467, 10.05, null]],
      Least: ['MIN({Prices})', [1.1, 10.05, null]],
      Most: ['MAX({Prices}, 2)', [2.2, 10.05, 2]],
      Joined: ['JOIN(" + ", {Words})', ['pen + ink + pen + pad', 'pot', '']],
      Named: ['JOIN(", ", {Title}, {Prices})', ['Ada, 1.1, 2.2, 1.1', 'Bob, 10.05', 'Cyd']],
    };
    for (const [title, [formula]] of Object.entries(formulas)) {
      const made = await send(title, formula);
      expect([formula, made.status, made.status === 200 ? '' : made.body]).toEqual([formula, 200, '']);
    }
    const shown = async (query = 'sort=Id') => {
      const rows = await list(`Customer?${query}`);
      return Object.fromEntries(
        Object.entries(formulas).map(([title, [, values]]) => [
          title,
          rows.map((row, index) =>
            typeof values[index] === 'number' ? Number(row[title]) : (row[title] ?? null),
          ),
        ]),
      );
    };
    expect(await shown()).toEqual(
      Object.fromEntries(Object.entries(formulas).map(([title, [, values]]) => [title, values])),
    );
    const names = async (query: string) => (await list(`Customer?${query}`)).map(({ Title }) => Title);
    expect(await names('sort=-Sum')).toEqual(['Bob', 'Ada', 'Cyd']);
    expect(await names('sort=-Number,Joined')).toEqual(['Ada', 'Bob', 'Cyd']);
    expect(await names(`where=${encodeURIComponent('(Joined,like,%ink%)')}`)).toEqual(['Ada']);
    await client.patch(data('Line/5'), { Price: '20', Title: 'urn' });
    expect(await shown()).toMatchObject({ Sum: [4.4, 20, 0], Joined: ['pen + ink + pen + pad', 'urn', ''] });
    for (const [formula, start] of [
      ['{Prices} * 2', 0],
      ['1 + ROUND({Prices})', 10],
      ['JOIN({Words}, "a")', 5],
      ['SUM({Prices} + 1)', 4],
    ] as const)
      expect(await send('Wrong', formula)).toMatchObject({
        status: 400,
        body: {
          code: 'FORMULA_INVALID',
          msg: expect.stringContaining('may hold several values: put it into one of'),
          params: { start },
        },
      });
    expect(await send('Wrong', 'SUM({Words})')).toMatchObject({
      status: 400,
      body: { code: 'FORMULA_INVALID', msg: expect.stringContaining('number') },
    });
    const uses = await client.get<{ columns: readonly { title: string }[] }>(
      `/api/v1/db/meta/columns/${words}/uses`,
    );
    expect(uses.body.columns.map(({ title }) => title).toSorted()).toEqual(['Filled', 'Joined']);
    await client.delete(`/api/v1/db/meta/columns/${words}`);
    const left = (await client.get<TableEntity>(`/api/v1/db/meta/tables/${customer.id}`)).body;
    expect(columnOf(left, 'Joined').colOptions.error).toContain('Words');
    expect((await list('Customer?sort=Id')).map(({ Joined, Sum }) => [Joined ?? null, Number(Sum)])).toEqual([
      [null, 4.4],
      [null, 20],
      [null, 0],
    ]);
    await column(customer.id, { title: 'Again', uidt: 'Formula', formula: 'SUM({Sum}, {Prices})' });
  });

  test('are kept as plain values that stay as they were, by whoever may add a column', async () => {
    const { project, customer, invoice, line, data, links, lookUp, rollUp, column, list } = await shop();
    const prices = await lookUp(invoice, 'Prices', links.lines, columnOf(line, 'Price').id);
    const titles = await lookUp(invoice, 'Titles', links.lines, columnOf(line, 'Title').id);
    const words = await lookUp(customer, 'Words', links.invoices, titles);
    const average = columnOf(await rollUp(customer, 'Average', links.invoices, prices, 'avg'), 'Average').id;
    const made = await column(customer.id, {
      title: 'Known',
      uidt: 'Formula',
      formula: 'IF({Average} > 2, TRUE, FALSE)',
    });
    const known = columnOf(made, 'Known').id;
    const copy = (of: string, body: object, as: TestClient = client) =>
      as.post<TableEntity & Row>(`/api/v1/db/meta/columns/${of}/duplicate`, body);
    for (const [of, values_as, title] of [
      [words, 'LongText', undefined],
      [average, 'Decimal', 'Average then'],
      [known, 'Checkbox', undefined],
    ] as const) {
      const answer = await copy(of, { values_as, title });
      expect([values_as, answer.status, answer.status === 200 ? '' : answer.body]).toEqual([
        values_as,
        200,
        '',
      ]);
    }
    const ended = async (count: number) => {
      const all = await askUntil(
        async () =>
          (await client.get<{ list: readonly Row[] }>(`/api/v1/tasks?project=${project}`)).body.list.filter(
            ({ kind }) => kind === 'sys-tables.copy-values',
          ),
        (found) =>
          found.length === count &&
          found.every(({ state }) => !['waiting', 'running'].includes(String(state))),
      );
      return all.map(({ state }) => state);
    };
    expect(await ended(3)).toEqual(['done', 'done', 'done']);
    // What was filled in part, since values do not fit, is taken away again.
    expect(await copy(words, { values_as: 'Number', title: 'Unfit' })).toMatchObject({ status: 200 });
    expect((await ended(4)).filter((state) => state === 'failed')).toHaveLength(1);
    const { body: after } = await client.get<TableEntity>(`/api/v1/db/meta/tables/${customer.id}`);
    expect(columnOf(after, 'Unfit')).toBeUndefined();
    const shown = async () =>
      (await list('Customer?sort=Id')).map((row) => [
        row['Words values'],
        row['Average then'] === null ? null : Number(row['Average then']),
        row['Known values'] === null ? null : Boolean(row['Known values']),
      ]);
    const kept = [
      ['pen, ink, pen, pad', expect.closeTo(4.4 / 3, 3), false],
      ['pot', 10.05, true],
      [null, null, false],
    ];
    expect(await shown()).toEqual(kept);
    await client.patch(data('Line/5'), { Price: '20', Title: 'urn' });
    expect((await list('Customer?sort=Id'))[1]).toMatchObject({ Words: ['urn'] });
    expect((await shown())[1]).toEqual(kept[1]);
    const title = columnOf(customer, 'Title').id;
    expect(await copy(title, { values_as: 'LongText' })).toMatchObject({
      status: 400,
      body: { code: 'VALUES_OF_STORED' },
    });
    expect(await copy(links.invoices, { values_as: 'LongText' })).toMatchObject({
      status: 400,
      body: { code: 'VALUES_OF_STORED' },
    });
    expect(await copy(known, { values_as: 'Nothing' })).toMatchObject({ status: 400 });
    const stranger = await server.signUp(`stranger${round}@example.com`);
    expect((await copy(words, { values_as: 'LongText' }, stranger)).status).toBeGreaterThanOrEqual(403);
  });

  test('are kept as plain values while somebody changes the table', async () => {
    const { project, customer, line, invoice, links, lookUp, column, list } = await shop();
    const titles = await lookUp(invoice, 'Titles', links.lines, columnOf(line, 'Title').id);
    const words = await lookUp(customer, 'Words', links.invoices, titles);
    let isAdded = false;
    // The reading waits for what it writes, and the new column for the reading.
    const tapped = server.host.hooks.tap('test', 'rows.willUpdate', async (rows) => {
      if (isAdded) return rows;
      isAdded = true;
      await column(customer.id, { title: 'Meanwhile', uidt: 'Number' });
      return rows;
    });
    await client.post(`/api/v1/db/meta/columns/${words}/duplicate`, { values_as: 'LongText' });
    const [task] = await askUntil(
      async () => (await client.get<{ list: readonly Row[] }>(`/api/v1/tasks?project=${project}`)).body.list,
      ([found]) => found !== undefined && !['waiting', 'running'].includes(String(found['state'])),
    );
    await tapped.dispose();
    expect(task).toMatchObject({ state: 'done', error: null });
    expect((await list('Customer?sort=Id')).map((row) => [row['Words values'], row['Meanwhile']])).toEqual([
      ['pen, ink, pen, pad', null],
      ['pot', null],
      [null, null],
    ]);
  });

  test('over lookups of several values name the way on which they lead back', async () => {
    const { customer, invoice, line, links, lookUp, rollUp, column } = await shop();
    const size = columnOf(
      await column(line.id, { title: 'Size', uidt: 'Formula', formula: '{Count} + 1' }),
      'Size',
    );
    const sizes = await lookUp(invoice, 'Sizes', links.lines, size.id);
    const sum = columnOf(await rollUp(customer, 'Sum', links.invoices, sizes, 'sum'), 'Sum');
    const table = async (id: string) => (await client.get<TableEntity>(`/api/v1/db/meta/tables/${id}`)).body;
    const sumOfOwner = await lookUp(
      invoice,
      'Owed',
      columnOf(await table(invoice.id), 'Customer').id,
      sum.id,
    );
    const back = columnOf(await table(line.id), 'Invoice').id;
    await lookUp(line, 'Owed', back, sumOfOwner);
    const change = await client.patch<Row>(`/api/v1/db/meta/columns/${size.id}`, {
      title: 'Size',
      uidt: 'Formula',
      formula: '{Owed} + 1',
    });
    expect(change).toMatchObject({
      status: 400,
      body: {
        code: 'COLUMN_CIRCLE',
        msg: expect.stringContaining('Size → Owed → Owed → Sum → Sizes → Size'),
      },
    });
  });
});
