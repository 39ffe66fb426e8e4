import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { RateLimiterToken } from '@trellis/sdk/server';
import type { TableEntity, ViewColumnEntity, ViewEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { servedRoutes } from './served-routes.ts';
import { describeEachHome } from './each-home.ts';

const data = '/api/v1/db/data/noco/Shop';
const meta = '/api/v1/db/meta';
/** Every hidden value and title holds this word, so that no answer to a stranger may. */
const secret = 'Smaug';
const people = 'owner@example.com';

/** The columns of the shared table that its view hides, by what they are. */
const hiddenColumns = [
  'Wage Smaug',
  'Note Smaug',
  'Twice Smaug',
  'Codewords Smaug',
  'Prices Smaug',
  'Rivals Smaug',
  'Notes of firms Smaug',
  'Keeper',
] as const;

interface Answer {
  readonly path: string;
  readonly status: number;
  readonly text: string;
  /** By which pages of links ask whether the answer is another one by now. */
  readonly mark: string | null;
}

/**
 * A table whose view hides columns and rows, and tables that it is linked to in every way. What is hidden is told by no call, and
 * changes no answer.
 */
function describeLeaks(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let stranger: TestClient;
  let project = '';
  const tables = new Map<string, TableEntity>();

  const table = (title: string): TableEntity => {
    const found = tables.get(title);
    if (found === undefined) throw new Error(`There is no table ${title}.`);
    return found;
  };
  const id = (of: string, title: string): string => {
    const found = table(of).columns?.find((column) => column.title === title);
    if (found === undefined) throw new Error(`There is no column ${title} in ${of}.`);
    return found.id;
  };
  async function ok<Body>(answer: Promise<{ readonly status: number; readonly body: Body }>): Promise<Body> {
    const { status, body } = await answer;
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body;
  }
  async function make(title: string, columns: readonly object[]): Promise<void> {
    const path = `${meta}/projects/${project}/tables`;
    const body = { title, columns: [{ title: 'Id', uidt: 'ID' }, ...columns] };
    tables.set(title, await ok(owner.post<TableEntity>(path, body)));
  }
  async function add(to: string, body: object): Promise<void> {
    tables.set(to, await ok(owner.post<TableEntity>(`${meta}/tables/${table(to).id}/columns`, body)));
  }
  const link = (title: string, type: 'hm' | 'mm' | 'bt', to: string) =>
    add('Order', {
      title,
      uidt: 'LinkToAnotherRecord',
      type,
      parentId: type === 'bt' ? table(to).id : table('Order').id,
      childId: type === 'bt' ? table('Order').id : table(to).id,
    });
  const write = (to: string, row: object) => ok(owner.post<{ Id: number }>(`${data}/${to}`, row));

  /** A view of the orders without what is hidden, opened by a link; answers the base of its calls. */
  async function share(
    plural: string,
    title: string,
    more: object = {},
    shown: readonly string[] = [],
  ): Promise<string> {
    const path = `${meta}/tables/${table('Order').id}/${plural}`;
    const { id: viewId } = await ok(owner.post<ViewEntity>(path, { title, ...more }));
    const places = await ok(owner.get<readonly ViewColumnEntity[]>(`${meta}/views/${viewId}/columns`));
    const hidden = new Set<string>(hiddenColumns.map((column) => id('Order', column)));
    const asked = new Set(shown.map((column) => id('Order', column)));
    for (const { id: placeId, fk_column_id: of } of places)
      if (hidden.has(of) || asked.has(of))
        await ok(owner.patch(`${meta}/views/${viewId}/columns/${placeId}`, { show: asked.has(of) }));
    const wage = { fk_column_id: id('Order', 'Wage Smaug') };
    if (plural !== 'forms') {
      await ok(owner.post(`${meta}/views/${viewId}/filters`, { ...wage, comparison_op: 'gt', value: '10' }));
      await ok(owner.post(`${meta}/views/${viewId}/sorts`, { ...wage, direction: 'desc' }));
    }
    await ok(owner.patch(`${meta}/views/${viewId}`, { description: `For ${secret} alone` }));
    await colour(viewId);
    const { uuid } = await ok(owner.post<{ uuid: string }>(`${meta}/views/${viewId}/share`, {}));
    return `/api/v1/db/public/shared-view/${uuid}`;
  }

  /** Rows are coloured by what is hidden, alone and beside what is seen; only the last rule is about what is seen alone. */
  async function colour(viewId: string): Promise<void> {
    const condition = (title: string, value: string) =>
      ({ kind: 'condition', logicalOp: 'and', columnId: id('Order', title), operator: 'eq', value }) as const;
    const hidden = condition('Note Smaug', `${secret} 1`);
    const seen = condition('Title', 'second');
    const group = { kind: 'group', logicalOp: 'or', children: [seen, hidden] };
    const rules = [[hidden], [seen, hidden], [group], [seen]].map((filters, at) => ({
      id: `rule_${at}`,
      color: '#2d6fdb',
      filters,
    }));
    const kept = { by: 'rules', place: 'row', columnId: id('Order', 'Keeper'), rules };
    await ok(
      owner.patch(`${meta}/views/${viewId}`, {
        meta: { additions: { 'row-colors': kept } },
        meta_before: {},
      }),
    );
  }

  /** Every way to name a column that a stranger must not reach. */
  const forbidden = () => {
    const titles = [
      ...hiddenColumns,
      ...hiddenColumns.flatMap((title) => [`Order.${title}`, `t0.${title}`, `Title:${title}`]),
      'Word Smaug',
      'Firms.Word Smaug',
      'Price Smaug',
      'Lines.Price Smaug',
      'Phone Smaug',
      'Secret Smaug',
      'created_at',
      'updated_at',
      'nc_order',
    ];
    const ids = [
      ...hiddenColumns.map((title) => id('Order', title)),
      id('Firm', 'Word Smaug'),
      id('Line', 'Price Smaug'),
      id('Person', 'Phone Smaug'),
      id('Vault', 'Secret Smaug'),
    ];
    return { titles, ids };
  };

  const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

  /** Questions that name a column, as parameters of the calls of the rows. */
  const questionsOf = (title: string): readonly string[] => {
    const name = encodeURIComponent(title);
    return [
      `where=(${name},eq,11)`,
      `where=(${name},like,Sm%25)`,
      `where=(Title,like,%25)~or(${name},notnull)`,
      `where=~not(${name},null)`,
      `sort=${name}`,
      `sort=-${name}`,
      `sort=Title,-${name}`,
      `fields=${name}`,
      `fields=Title,${name}`,
    ];
  };
  const questionsById = (column: string): readonly string[] => [
    `filterArrJson=${json([{ fk_column_id: column, comparison_op: 'notnull', value: '' }])}`,
    `filterArrJson=${json([
      { is_group: true, children: [{ fk_column_id: column, comparison_op: 'eq', value: '11' }] },
    ])}`,
    `sortArrJson=${json([{ fk_column_id: column, direction: 'desc' }])}`,
    `groupArrJson=${json([{ fk_column_id: column, direction: 'asc' }])}`,
    `also=${column}`,
  ];
  /** Parameters that widen what members read; for visitors there are none. */
  const widening = [
    'show_system_fields=true',
    'nested[Firms][fields]=*',
    'nested[Firms][where]=(Id,gt,0)',
    'skipDisabledFilters=true',
    'also=x',
    'viewId=x',
    'ignoreFilters=true',
    'shuffle=1',
    `aggregations=${json([])}`,
  ];

  /** The calls of the rows, all of which take the parameters above. */
  const rowCalls = () => [
    'rows',
    'rows/groups',
    'rows/aggregate',
    'rows/export/csv',
    `group/${id('Order', 'State')}`,
  ];
  const linkCalls = () =>
    [
      ['mm', 'Firms'],
      ['hm', 'Lines'],
      ['mm', 'Friends'],
    ] as const;

  async function ask(base: string, path: string): Promise<Answer> {
    const { status, body, headers } = await stranger.get(`${base}/${path}`);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { path, status, text, mark: headers.get('etag') };
  }

  afterEach(() => {
    jest.restoreAllMocks();
  });
  // More than one address exports in ten minutes.
  beforeEach(() =>
    server.host.container.get(RateLimiterToken).reset('visitor-exports', { address: '127.0.0.1' }),
  );
  beforeAll(async () => {
    server = await start();
    owner = await server.signUp(people);
    stranger = server.client;
    project = (await ok(owner.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' }))).id;
    await make('Firm', [
      { title: 'Name', uidt: 'SingleLineText', pv: true },
      { title: 'Word Smaug', uidt: 'SingleLineText' },
    ]);
    await make('Line', [
      { title: 'Label', uidt: 'SingleLineText', pv: true },
      { title: 'Price Smaug', uidt: 'Number' },
    ]);
    await make('Person', [
      { title: 'Name', uidt: 'SingleLineText', pv: true },
      { title: 'Phone Smaug', uidt: 'SingleLineText' },
    ]);
    await make('Vault', [{ title: 'Secret Smaug', uidt: 'SingleLineText', pv: true }]);
    await make('Order', [
      { title: 'Title', uidt: 'SingleLineText', pv: true },
      {
        title: 'State',
        uidt: 'SingleSelect',
        meta: {
          options: ['open', 'done', 'lost'].map((title) => ({ id: `sl_${title}`, title, color: '#cfdffe' })),
        },
      },
      { title: 'Day', uidt: 'Date' },
      { title: 'Wage Smaug', uidt: 'Number' },
      { title: 'Note Smaug', uidt: 'LongText' },
      { title: 'Keeper', uidt: 'Collaborator' },
    ]);
    await link('Firms', 'mm', 'Firm');
    await link('Rivals Smaug', 'mm', 'Firm');
    await link('Lines', 'hm', 'Line');
    await link('Buyer', 'bt', 'Person');
    await link('Friends', 'mm', 'Order');
    await add('Order', {
      title: 'Loud',
      uidt: 'Formula',
      formula_raw: 'UPPER({Title})',
      formula: 'UPPER({Title})',
    });
    const twice = '{Wage Smaug} * 2';
    await add('Order', { title: 'Twice Smaug', uidt: 'Formula', formula_raw: twice, formula: twice });
    await add('Order', {
      title: 'Codewords Smaug',
      uidt: 'Lookup',
      fk_relation_column_id: id('Order', 'Firms'),
      fk_lookup_column_id: id('Firm', 'Word Smaug'),
    });
    await add('Order', {
      title: 'Notes of firms Smaug',
      uidt: 'Lookup',
      fk_relation_column_id: id('Order', 'Friends'),
      fk_lookup_column_id: id('Order', 'Note Smaug'),
    });
    await add('Order', {
      title: 'Prices Smaug',
      uidt: 'Rollup',
      fk_relation_column_id: id('Order', 'Lines'),
      fk_rollup_column_id: id('Line', 'Price Smaug'),
      rollup_function: 'sum',
    });
    await add('Order', {
      title: 'Names',
      uidt: 'Lookup',
      fk_relation_column_id: id('Order', 'Firms'),
      fk_lookup_column_id: id('Firm', 'Name'),
    });
    for (const firm of ['Acme', 'Bolt', 'Cave Smaug'])
      await write('Firm', { Name: firm, 'Word Smaug': `${secret} ${firm}` });
    for (const label of ['nails', 'paint', 'hidden Smaug'])
      await write('Line', { Label: label, 'Price Smaug': 77_000 });
    for (const name of ['Ida', 'Jon Smaug']) await write('Person', { Name: name, 'Phone Smaug': secret });
    await write('Vault', { 'Secret Smaug': secret });
    for (const [at, Title] of ['Filtered Smaug', 'second', 'third', 'fourth'].entries())
      await write('Order', {
        Title,
        State: at % 2 === 0 ? 'open' : 'done',
        Day: `2026-03-0${at + 1}`,
        'Wage Smaug': at === 0 ? 1 : 77_100 + at,
        'Note Smaug': `${secret} ${at}`,
        Keeper: people,
      });
    const joins = [
      // What is hidden hangs on hidden rows and by hidden links alone.
      ['1', 'mm', 'Firms', '3'],
      ['2', 'mm', 'Firms', '1'],
      ['3', 'mm', 'Firms', '1'],
      ['3', 'mm', 'Firms', '2'],
      ['2', 'mm', 'Rivals Smaug', '3'],
      ['1', 'hm', 'Lines', '3'],
      ['2', 'hm', 'Lines', '1'],
      ['3', 'hm', 'Lines', '2'],
      ['1', 'bt', 'Buyer', '2'],
      ['2', 'bt', 'Buyer', '1'],
      // A row that the view shows is a friend of one that it does not.
      ['2', 'mm', 'Friends', '1'],
      ['2', 'mm', 'Friends', '3'],
    ] as const;
    for (const [row, kind, column, other] of joins)
      await ok(owner.post(`${data}/Order/${row}/${kind}/${encodeURIComponent(column)}/${other}`));
  });
  afterAll(() => server?.dispose());

  const kinds = () =>
    [
      ['grids', {}],
      ['galleries', {}],
      ['kanbans', { fk_grp_col_id: id('Order', 'State') }],
      ['calendars', { meta: { ranges: [{ fromId: id('Order', 'Day') }] } }],
      ['timelines', { meta: { fromId: id('Order', 'Day'), groupId: id('Order', 'State') } }],
    ] as const;

  test('asks every public call there is', () => {
    const calls = servedRoutes(server)
      .filter(({ permission, path }) => permission === 'public' && path.includes('/public/shared-view/'))
      .map(({ method, path }) => `${method} ${path.replace('/api/v1/db/public/shared-view/:uuid/', '')}`);
    expect(calls.toSorted()).toEqual([
      'GET group/:column',
      'GET meta',
      'GET nested/:column',
      'GET rows',
      'GET rows/:rowId/:kind/:column',
      'GET rows/aggregate',
      'GET rows/export/:type',
      'GET rows/groups',
      'POST files/:column',
      'POST rows',
    ]);
  });

  test('tells nothing that is hidden where nothing of it is asked', async () => {
    for (const [plural, more] of kinds()) {
      const base = await share(plural, `All of ${plural}`, more);
      const paths = [
        'meta',
        ...rowCalls(),
        'rows?limit=1000',
        'rows?fields=*',
        'rows?fields=',
        `rows/groups?groupArrJson=${json([{ fk_column_id: id('Order', 'State'), direction: 'asc' }])}`,
        'rows/export/csv?raw=true',
        'rows/export/excel',
        'rows/export/json',
        ...linkCalls().map(([kind, column]) => `rows/2/${kind}/${id('Order', column)}`),
      ];
      for (const path of paths) {
        const { text, ...answer } = await ask(base, path);
        expect(answer.status).toBeLessThan(500);
        // Ids in what is told of the view may hold any digits.
        const told = path === 'meta' ? '' : text;
        expect([
          path,
          text.includes(secret),
          text.includes(people),
          /\b(?:771\d\d|77000)\b/.test(told),
        ]).toEqual([path, false, false, false]);
      }
      const told = JSON.parse((await ask(base, 'meta')).text) as { readonly view: Pick<ViewEntity, 'meta'> };
      expect(told.view.meta).toMatchObject({
        additions: { 'row-colors': { columnId: '', rules: [{ id: 'rule_3' }] } },
      });
      const rows = await ask(base, 'rows');
      expect(rows).toMatchObject({ status: 200 });
      expect(JSON.parse(rows.text)).toMatchObject({
        data: { list: [{ Title: 'second' }, { Title: 'third' }, { Title: 'fourth' }] },
      });
    }
  });

  test('refuses whoever names a hidden column, by its title, as part of another table, or by its id', async () => {
    const base = await share('grids', 'Named');
    const { titles, ids } = forbidden();
    const questions = [...titles.flatMap(questionsOf), ...ids.flatMap(questionsById), ...widening];
    const wrong: unknown[] = [];
    for (const question of questions)
      for (const call of ['rows', 'rows/export/csv']) {
        const answer = await ask(base, `${call}?${question}`);
        if (answer.status !== 400) wrong.push([answer.path, answer.status, answer.text]);
      }
    for (const question of questions.filter((_, at) => at % 7 === 0))
      for (const call of rowCalls()) {
        const isOfFigures = call === 'rows/groups' || call === 'rows/aggregate';
        if (isOfFigures && /^(?:aggregations|groupArrJson)/.test(question)) continue;
        const answer = await ask(base, `${call}?${question}`);
        if (answer.status !== 400) wrong.push([answer.path, answer.status, answer.text]);
      }
    for (const column of ids)
      for (const call of ['rows/aggregate', 'rows/groups'])
        for (const aggregation of ['sum', 'min', 'count', 'unique', 'empty']) {
          const groups = json([{ fk_column_id: id('Order', 'State'), direction: 'asc' }]);
          const asked = `groupArrJson=${groups}&aggregations=${json([{ column, aggregation }])}`;
          const answer = await ask(base, `${call}?${asked}`);
          if (answer.status !== 400) wrong.push([answer.path, answer.status, answer.text]);
        }
    for (const column of [...ids, ...titles.map(encodeURIComponent)]) {
      const answer = await ask(base, `group/${column}`);
      if (answer.status !== 404) wrong.push([answer.path, answer.status, answer.text]);
      for (const kind of ['hm', 'mm', 'bt']) {
        const linked = await ask(base, `rows/2/${kind}/${column}`);
        if (linked.status !== 404) wrong.push([linked.path, linked.status, linked.text]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('reads the days of calendars and timelines by what they show, also where nobody may search', async () => {
    const wrong: unknown[] = [];
    for (const [plural, more] of kinds().slice(-2)) {
      const base = await share(plural, `Days of ${plural}`, more);
      const uuid = base.split('/').at(-1);
      const links = await ok(
        owner.get<{ list: readonly { id: string; uuid: string }[] }>(
          `${meta}/projects/${project}/shared-views`,
        ),
      );
      const view = links.list.find((link) => link.uuid === uuid)?.id;
      await ok(owner.patch(`${meta}/views/${view}/share`, { meta: { allowSearch: false } }));
      const within = (column: string, from: string, to: string) =>
        json([
          { fk_column_id: column, comparison_op: 'gte', value: from, logical_op: 'and' },
          { fk_column_id: column, comparison_op: 'lte', value: to, logical_op: 'and' },
        ]);
      const days = within(id('Order', 'Day'), '2026-03-01', '2026-03-31');
      for (const call of ['rows', 'rows/aggregate', 'rows/groups']) {
        const { status, text } = await ask(base, `${call}?filterArrJson=${days}`);
        if (status !== 200 || text.includes(secret)) wrong.push([call, status, text]);
      }
      const { text } = await ask(base, `rows?filterArrJson=${days}`);
      expect(JSON.parse(text)).toMatchObject({ data: { pageInfo: { totalRows: 3 } } });
      for (const column of [...forbidden().ids, id('Order', 'Title')])
        for (const call of ['rows', 'rows/aggregate', 'rows/groups', 'rows/export/csv']) {
          const answer = await ask(base, `${call}?filterArrJson=${within(column, '0', '999999')}`);
          if (![400, 403].includes(answer.status)) wrong.push([answer.path, answer.status, answer.text]);
        }
    }
    expect(wrong).toEqual([]);
  });

  test('opens no call of members to whoever has a link: no comments, presence, history, exports or files', async () => {
    const base = await share('grids', 'For strangers');
    const uuid = base.split('/').at(-1) ?? '';
    const comment = { fk_model_id: table('Order').id, row_id: '2', description: `${secret} says` };
    await ok(owner.post(`${meta}/audits/comments`, comment));
    const { list } = await ok(
      owner.get<{ list: readonly ViewEntity[] }>(`${meta}/tables/${table('Order').id}/views`),
    );
    const known: Readonly<Record<string, string>> = {
      projectId: project,
      baseId: project,
      tableId: table('Order').id,
      viewId: list.find(({ title }) => title === 'For strangers')?.id ?? '',
      columnId: id('Order', 'Note Smaug'),
      rowId: '2',
      orgs: 'noco',
      org: 'noco',
      project,
      projectName: 'Shop',
      table: 'Order',
      tableName: 'Order',
      uuid,
    };
    const calls = servedRoutes(server).filter(({ permission }) => permission !== 'public');
    expect(calls.length).toBeGreaterThan(100);
    const wrong: unknown[] = [];
    for (const { method, path } of calls) {
      const to = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(known[name] ?? 'x'));
      for (const header of ['xc-auth', 'xc-token', 'xc-shared-base-id', 'xc-shared-view-id', 'xc-password']) {
        const url = `${server.url}${to}?uuid=${uuid}&sharedViewId=${uuid}`;
        const body = method === 'GET' ? {} : { body: '{}' };
        const answer = await fetch(url, {
          method,
          headers: { [header]: uuid, 'content-type': 'application/json' },
          ...body,
        });
        const text = await answer.text();
        if (answer.status < 400 || text.includes(secret) || text.includes(people))
          wrong.push([method, to, answer.status, text.slice(0, 200)]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('leads by a link to the keys and names of the rows that are linked, and to no other cell of theirs', async () => {
    const base = await share('grids', 'Linked');
    const wrong: unknown[] = [];
    for (const [kind, column] of linkCalls()) {
      const call = `rows/2/${kind}/${id('Order', column)}`;
      const { status, text } = await ask(base, call);
      expect([call, status]).toEqual([call, 200]);
      const { list } = JSON.parse(text) as { readonly list: readonly object[] };
      expect(list).toHaveLength(1);
      for (const title of ['Word Smaug', 'Price Smaug', 'Note Smaug', 'Wage Smaug', 'Keeper', 'created_at'])
        for (const question of questionsOf(title)) {
          const answer = await ask(base, `${call}?${question}`);
          if (answer.status !== 400) wrong.push([answer.path, answer.status, answer.text]);
        }
      for (const hidden of forbidden().ids)
        for (const question of questionsById(hidden)) {
          const answer = await ask(base, `${call}?${question}`);
          if (answer.status !== 400) wrong.push([answer.path, answer.status, answer.text]);
        }
      for (const row of ['1', '99', '0', '-1', 'x', encodeURIComponent("1' or '1'='1")]) {
        const answer = await ask(base, `rows/${row}/${kind}/${id('Order', column)}`);
        if (answer.status !== 404 && answer.status !== 400) wrong.push([answer.path, answer.status]);
        if (/Cave|hidden/.test(answer.text)) wrong.push([answer.path, answer.text]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('names rows by keys of two columns, and hides the others of their table', async () => {
    const path = `${meta}/projects/${project}/tables`;
    const pair = await ok(
      owner.post<TableEntity>(path, {
        title: 'Seat',
        columns: [
          { title: 'Line', uidt: 'SingleLineText', pk: true, rqd: true },
          { title: 'Place', uidt: 'SingleLineText', pk: true, rqd: true },
          { title: 'Guest', uidt: 'SingleLineText', pv: true },
          { title: 'Fare Smaug', uidt: 'Number' },
        ],
      }),
    );
    tables.set('Seat', pair);
    for (const [Line, Place, fare] of [
      ['a', '1', 5],
      ['a', '2', 50],
      ['b', '1', 51],
    ] as const)
      await write('Seat', { Line, Place, Guest: `${Line}${Place}`, 'Fare Smaug': fare });
    const fare = id('Seat', 'Fare Smaug');
    const view = await ok(owner.post<ViewEntity>(`${meta}/tables/${pair.id}/grids`, { title: 'Seats' }));
    const places = await ok(owner.get<readonly ViewColumnEntity[]>(`${meta}/views/${view.id}/columns`));
    const place = places.find(({ fk_column_id: of }) => of === fare);
    await ok(owner.patch(`${meta}/views/${view.id}/columns/${place?.id}`, { show: false }));
    await ok(
      owner.post(`${meta}/views/${view.id}/filters`, { fk_column_id: fare, comparison_op: 'gt', value: '9' }),
    );
    const { uuid } = await ok(owner.post<{ uuid: string }>(`${meta}/views/${view.id}/share`, {}));
    const base = `/api/v1/db/public/shared-view/${uuid}`;
    const { status, text } = await ask(base, 'rows?sort=Guest');
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      { data: { list: [{ Guest: 'a2' }, { Guest: 'b1' }] } },
    ]);
    expect((await ask(base, 'rows?where=(Guest,eq,a1)')).text).not.toContain('"Guest"');
    for (const question of [...questionsOf('Fare Smaug'), ...questionsById(fare)])
      for (const call of ['rows', 'rows/export/csv'])
        expect([question, (await ask(base, `${call}?${question}`)).status]).toEqual([question, 400]);
    expect(text + (await ask(base, 'meta')).text).not.toContain(secret);
  });

  test('offers a form the keys and names of rows that can be linked, by the links that it shows', async () => {
    const base = await share('forms', 'Sent', {}, ['Firms', 'Lines', 'Buyer', 'Friends']);
    const wrong: unknown[] = [];
    for (const column of ['Firms', 'Lines', 'Buyer', 'Friends']) {
      const call = `nested/${id('Order', column)}`;
      const { status, text } = await ask(base, call);
      expect([call, status]).toEqual([call, 200]);
      const { list } = JSON.parse(text) as { readonly list: readonly object[] };
      for (const row of list) expect(Object.keys(row)).toHaveLength(2);
      for (const title of ['Word Smaug', 'Price Smaug', 'Phone Smaug', 'Note Smaug', 'Wage Smaug', 'Keeper'])
        for (const question of questionsOf(title)) {
          const answer = await ask(base, `${call}?${question}`);
          if (answer.status !== 400) wrong.push([answer.path, answer.status, answer.text]);
        }
    }
    for (const column of [...forbidden().ids, id('Order', 'Title')]) {
      const answer = await ask(base, `nested/${column}`);
      if (answer.status !== 404) wrong.push([answer.path, answer.status, answer.text]);
    }
    for (const call of [...rowCalls(), `rows/2/mm/${id('Order', 'Firms')}`]) {
      const answer = await ask(base, call);
      if (answer.status !== 404) wrong.push([answer.path, answer.status, answer.text]);
    }
    expect(wrong).toEqual([]);
    const told = await ask(base, 'meta');
    expect(told.text).not.toMatch(/Smaug|owner@example/);
    const sent = await stranger.post(`${base}/rows`, {
      data: { Title: 'sent', 'Wage Smaug': 5, 'Note Smaug': 'set by a stranger', Keeper: people, Id: 77 },
    });
    expect(JSON.stringify(sent.body)).not.toMatch(/Smaug|owner@example/);
    const found = await ok(
      owner.get<{ list: readonly Readonly<Record<string, unknown>>[] }>(
        `${data}/Order?where=(Title,eq,sent)`,
      ),
    );
    expect(found.list).toMatchObject([{ 'Wage Smaug': null, 'Note Smaug': null, Keeper: null }]);
    expect(found.list[0]?.Id).not.toBe(77);
  });

  test('answers the same whatever stands in what is hidden', async () => {
    const bases: string[] = [];
    for (const [plural, more] of kinds()) bases.push(await share(plural, `Same ${plural}`, more));
    const state = { fk_column_id: id('Order', 'State'), direction: 'asc' };
    const figures = ['Title', 'State', 'Loud'].flatMap((title) =>
      ['count', 'unique', 'filled', 'empty'].map((aggregation) => ({
        column: id('Order', title),
        aggregation,
      })),
    );
    const visible = ['Title', 'State', 'Loud', 'Names', 'Firms', 'Lines', 'Buyer', 'Friends'];
    const asked = [
      '',
      ...visible.flatMap((title) => [
        `sort=${title}`,
        `sort=-${title}`,
        `fields=${title}`,
        `where=(${title},notnull)`,
        `where=(${title},like,%25a%25)`,
        `where=(${title},like,%25${secret}%25)`,
        `where=(${title},like,%25Cave%25)`,
      ]),
      'where=(Id,lt,3)',
      'limit=1&offset=1',
    ];
    const paths = [
      'meta',
      ...asked.flatMap((query) => [`rows?${query}`, `rows/export/csv?${query}`]),
      `rows/groups?groupArrJson=${json([state])}&aggregations=${json(figures)}`,
      `rows/aggregate?aggregations=${json(figures)}`,
      `group/${id('Order', 'State')}`,
      ...linkCalls().map(([kind, column]) => `rows/2/${kind}/${id('Order', column)}`),
      ...linkCalls().map(([kind, column]) => `rows/1/${kind}/${id('Order', column)}`),
    ];
    const answers = async () => {
      const told: Answer[] = [];
      for (const [at, base] of bases.entries())
        // Each kind of view asks some of it; together they ask all of it, and the grid does by itself.
        for (const path of paths.filter((_, place) => at === 0 || place % (bases.length - 1) === at - 1)) {
          const answer = await ask(base, path);
          told.push({ ...answer, path: `${base} ${path}` });
        }
      return told;
    };
    const before = await answers();
    expect(before.filter(({ status }) => status >= 500)).toEqual([]);
    const change = (path: string, body: object) => ok(owner.patch(`${data}/${path}`, body));
    // What the view filters out, with all that hangs on it, and the hidden cells of what it shows.
    await change('Order/1', { Title: 'Another', State: 'lost', 'Note Smaug': 'x', 'Wage Smaug': 2 });
    await change('Order/2', { 'Note Smaug': 'zzz', 'Wage Smaug': 11, Keeper: null });
    await change('Order/3', { 'Note Smaug': 'aaa', 'Wage Smaug': 99 });
    await change('Firm/1', { 'Word Smaug': 'other' });
    await change('Firm/3', { Name: 'Den', 'Word Smaug': 'other' });
    await change('Line/1', { 'Price Smaug': 5 });
    await change('Line/3', { Label: 'bare', 'Price Smaug': 5 });
    await change('Person/1', { 'Phone Smaug': '1' });
    await change('Person/2', { Name: 'Kim' });
    await ok(owner.post(`${data}/Order/2/mm/${encodeURIComponent('Rivals Smaug')}/2`));
    await ok(owner.post(`${data}/Order/1/mm/Firms/1`));
    const after = await answers();
    for (const [at, answer] of before.entries()) expect(after[at]).toEqual(answer);
  });

  test('lets nobody notice by the marks of its answers that something hidden was written, and tells by them what is seen', async () => {
    const base = await share('grids', 'Marked');
    const state = json([{ fk_column_id: id('Order', 'State'), direction: 'asc' }]);
    const count = json([{ column: id('Order', 'Title'), aggregation: 'count' }]);
    const paths = [
      'meta',
      'rows',
      'rows?limit=1&count=false',
      `rows/groups?groupArrJson=${state}`,
      `rows/aggregate?aggregations=${count}`,
      `group/${id('Order', 'State')}`,
    ];
    const now = Date.now.bind(Date);
    const later = (milliseconds: number) =>
      jest.spyOn(Date, 'now').mockImplementation(() => now() + milliseconds);
    const askedBy = async (marks: ReadonlyMap<string, string>) => {
      const statuses: Record<string, number> = {};
      for (const [path, mark] of marks) {
        const asking = stranger.with({ headers: { 'if-none-match': mark } });
        const { status, body, headers } = await asking.get(`${base}/${path}`);
        statuses[path] = status;
        if (status === 304) expect([body, headers.get('etag')]).toEqual(['', mark]);
      }
      return statuses;
    };
    const all = (status: number) => Object.fromEntries(paths.map((path) => [path, status]));
    const marks = new Map<string, string>();
    for (const path of paths) marks.set(path, (await ask(base, path)).mark ?? '');
    expect(new Set(marks.values()).size).toBe(paths.length);
    // A row that the view filters out comes, changes and goes, and hidden cells of rows in sight and of linked ones change.
    const added = await write('Order', { Title: 'unseen', State: 'open', 'Wage Smaug': 1 });
    await ok(owner.patch(`${data}/Order/${added.Id}`, { Title: 'unseen still' }));
    await ok(owner.patch(`${data}/Order/2`, { 'Note Smaug': 'once more', 'Wage Smaug': 12 }));
    await ok(owner.patch(`${data}/Firm/1`, { 'Word Smaug': 'once more' }));
    expect(await askedBy(marks)).toEqual(all(304));
    await ok(owner.delete(`${data}/Order/${added.Id}`));
    // Also once it is looked for again, and not only believed.
    later(60_000);
    expect(await askedBy(marks)).toEqual(all(304));
    // What is seen is told, at once to whoever asks without a mark, and soon to whoever asks by one.
    const { mark: before } = await ask(base, 'rows');
    await ok(owner.patch(`${data}/Order/3`, { Title: 'third by another name' }));
    expect((await ask(base, 'rows')).mark).not.toBe(before);
    later(120_000);
    const told = await askedBy(marks);
    expect([told.rows, told[`group/${id('Order', 'State')}`], told.meta]).toEqual([200, 200, 304]);
  });

  test('opens nothing once the view, the table or the project is gone', async () => {
    const wage = id('Order', 'Wage Smaug');
    const base = await share('grids', 'Short-lived');
    const views = await ok(
      owner.get<{ list: readonly ViewEntity[] }>(`${meta}/tables/${table('Order').id}/views`),
    );
    const view = views.list.find(({ title }) => title === 'Short-lived');
    await ok(owner.delete(`${meta}/views/${view?.id}`));
    const calls = ['meta', ...rowCalls(), `rows/2/mm/${id('Order', 'Firms')}`, `nested/${wage}`];
    const closed = async (of: string) => {
      for (const call of calls) expect([call, (await ask(of, call)).status]).toEqual([call, 404]);
    };
    await closed(base);
    const { list } = await ok(
      owner.get<{ list: readonly ViewEntity[] }>(`${meta}/tables/${table('Vault').id}/views`),
    );
    const shareFirst = async ([first]: readonly ViewEntity[]) => {
      const shared = await ok(owner.post<{ uuid: string }>(`${meta}/views/${first?.id}/share`, {}));
      return `/api/v1/db/public/shared-view/${shared.uuid}`;
    };
    const ofVault = await shareFirst(list);
    expect((await ask(ofVault, 'rows')).status).toBe(200);
    await ok(owner.delete(`${meta}/tables/${table('Vault').id}`));
    await closed(ofVault);
    const ofProject = await share('grids', 'Of a project');
    await ok(owner.delete(`${meta}/projects/${project}`));
    await closed(ofProject);
  });
}

describeEachHome('what a shared view hides', describeLeaks);
