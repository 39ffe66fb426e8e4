/** @jest-environment <rootDir>/sdk/testing/jest/node-environment.cjs */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { FilterOperator, ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import type { ServerTarget } from '../../host-server/databases/database.ts';
import * as connecting from '../../host-server/databases/mssql/mssql-driver.ts';
import { observeDialect } from '../../host-server/databases/testing/observed-dialect.ts';
import {
  recordSqlServer,
  type CatalogueTable,
} from '../../host-server/databases/testing/recorded-sql-server.ts';
import { tsqlProblems } from '../../host-server/databases/testing/tsql.ts';
import * as dialects from '../../host-server/dialects/select-dialect.ts';
import { pathWith, unissued, type Ids } from './route-objects.ts';
import { servedRoutes } from './served-routes.ts';

/**
 * No SQL Server runs here. So the whole product works on one that runs nothing and writes down what it is asked: each statement is
 * held to a parser of its language that others have written, and what makes SQL and was asked by nobody is named.
 */

const key = ['id', 'int', 'counts'] as const;
const shop: readonly CatalogueTable[] = [
  {
    name: 'customer',
    columns: [
      key,
      ['name', 'nvarchar'],
      ['email', 'nvarchar'],
      ['total', 'decimal'],
      ['points', 'int'],
      ['share', 'float'],
      ['paid', 'bit'],
      ['day', 'date'],
      ['at', 'datetime2'],
      ['hour', 'time'],
    ],
    key: ['id'],
  },
  {
    name: 'invoice',
    columns: [
      key,
      ['customer_id', 'int'],
      ['country_code', 'nvarchar'],
      ['total', 'decimal'],
      ['note', 'nvarchar'],
    ],
    key: ['id'],
    foreignKeys: [
      { name: 'FK_customer', column: 'customer_id', target: 'customer', targetColumn: 'id' },
      { name: 'FK_country', column: 'country_code', target: 'country', targetColumn: 'code' },
    ],
  },
  {
    name: 'country',
    columns: [
      ['code', 'nvarchar'],
      ['name', 'nvarchar'],
    ],
    key: ['code'],
  },
  {
    name: 'country_tag',
    columns: [
      ['code', 'nvarchar'],
      ['tag_id', 'int'],
    ],
    key: ['code', 'tag_id'],
    foreignKeys: [
      { name: 'FK_tagged_country', column: 'code', target: 'country', targetColumn: 'code' },
      { name: 'FK_country_tag', column: 'tag_id', target: 'tag', targetColumn: 'id' },
    ],
  },
  { name: 'tag', columns: [key, ['name', 'nvarchar']], key: ['id'] },
  {
    name: 'mixed',
    columns: [
      key,
      ['words', 'nvarchar'],
      ['total', 'decimal'],
      ['points', 'int'],
      ['share', 'float'],
      ['paid', 'bit'],
      ['day', 'date'],
      ['at', 'datetime2'],
      ['hour', 'time'],
    ],
    key: ['id'],
  },
  {
    name: 'customer_tag',
    columns: [
      ['customer_id', 'int'],
      ['tag_id', 'int'],
    ],
    key: ['customer_id', 'tag_id'],
    foreignKeys: [
      { name: 'FK_to_customer', column: 'customer_id', target: 'customer', targetColumn: 'id' },
      { name: 'FK_to_tag', column: 'tag_id', target: 'tag', targetColumn: 'id' },
    ],
  },
];

const observed = observeDialect(dialects.dialectOf('mssql'));
const recorded = recordSqlServer(shop);
jest.unstable_mockModule('../../host-server/dialects/select-dialect.ts', () => ({
  ...dialects,
  dialectOf: (...[name, schema]: Parameters<typeof dialects.dialectOf>) =>
    name === 'mssql' ? observed.dialect : dialects.dialectOf(name, schema),
}));
jest.unstable_mockModule('../../host-server/databases/mssql/mssql-driver.ts', () => ({
  mssqlDriver: (target: ServerTarget) =>
    recorded.driver({ ...connecting.mssqlDriver(target), dialect: observed.dialect }),
}));
const { askUntil, createTestServer } = await import('@trellis/sdk/testing/server');

const meta = '/api/v1/db/meta';
const data = '/api/v1/db/data/noco/Shop';
const bulk = '/api/v1/db/data/bulk/noco/Shop';

describe('what the product asks a SQL Server', () => {
  let server: TestServer;
  let owner: TestClient;
  let project: ProjectEntity;
  let tables: readonly TableEntity[];
  const failures: string[] = [];

  const table = (title: string) => tables.find((one) => one.title === title);
  const column = (of: string, title: string) =>
    table(of)?.columns?.find((one) => one.title === title)?.id ?? '';

  /** Asks, and notes an answer of the server about itself: what it should have asked the database is missing then. */
  async function ask<T = unknown>(
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    path: string,
    body?: object,
  ) {
    const answer = await owner.send<T>(method.toUpperCase(), path, body);
    if (answer.status >= 500)
      failures.push(`${answer.status} ${method} ${path} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  async function readTables(): Promise<void> {
    const { body } = await ask<{ list: readonly { id: string }[] }>(
      'get',
      `${meta}/projects/${project.id}/tables?includeM2M=true`,
    );
    tables = await Promise.all(
      body.list.map(async ({ id }) => (await ask<TableEntity>('get', `${meta}/tables/${id}`)).body),
    );
  }

  beforeAll(async () => {
    server = await createTestServer();
    owner = await server.signUp();
    const settings = { host: '127.0.0.1', port: 1433, user: 'sa', password: 'x', database: 'shop' };
    const connection = { ...settings, server: settings.host };
    await ask('post', `${meta}/connection/test`, { client: 'mssql', connection });
    const created = await ask<ProjectEntity>('post', `${meta}/projects`, {
      title: 'Shop',
      external: true,
      bases: [{ type: 'mssql', settings: { ...settings, schemaChanges: true } }],
    });
    expect(created).toMatchObject({ status: 200 });
    project = (await ask<ProjectEntity>('get', `${meta}/projects/${created.body.id}`)).body;
    await readTables();
  });
  afterAll(() => server?.dispose());

  /** Titles of `Customer` whose columns hold something. */
  const plain = ['Id', 'Name', 'Email', 'Total', 'Points', 'Share', 'Paid', 'Day', 'At', 'Hour'];
  const row = {
    Name: 'Ada',
    Total: '1.50',
    Points: 1,
    Share: 0.5,
    Paid: true,
    Day: '2024-02-29',
    Hour: '13:30',
  };

  test('is asked for rows in every way in which the API reads them', async () => {
    const values = { Id: '1', Total: '1.5', Points: '1', Share: '0.5', Paid: 'true', Day: '2024-02-29' };
    for (const title of plain) {
      const value = (values as Record<string, string>)[title] ?? 'a';
      const operators = [
        'eq',
        'neq',
        'gt',
        'ge',
        'lt',
        'le',
        'like',
        'nlike',
        'in',
        'null',
        'notnull',
        'empty',
      ];
      for (const operator of operators)
        await ask('get', `${data}/Customer?where=(${title},${operator},${value})&limit=2`);
      await ask(
        'get',
        `${data}/Customer?where=(${title},btw,${value},${value})~or(Name,eq,b)&sort=-${title}`,
      );
      await ask('get', `${data}/Customer/groupby?column_name=${title.toLowerCase()}&sort=-count`);
      await ask('get', `${data}/Customer?sort=${title}&offset=5000&limit=1`);
    }
    for (const path of [
      '?fields=Name',
      '/count',
      '/find-one?where=(Name,like,A)',
      '/1',
      '/1/exist',
      '/export/csv',
      '/1/hm/Invoice List',
      '/1/hm/Invoice List/exclude?where=(Note,like,a)',
      '/1/mm/Tag List',
      '/1/mm/Tag List/exclude',
      '?shuffle=1',
    ])
      expect({ path, status: (await ask('get', `${data}/Customer${path}`)).status }).toMatchObject({ path });
    await ask('get', `${data}/Invoice/1/bt/Customer`);
    await ask('get', `${data}/Invoice/1/bt/Customer/exclude`);
    await ask('get', `${data}/Invoice`);
    await ask('get', `${data}/Country`);
    await ask('get', `${data}/Country?where=(Invoice List,linkedto,1)`);
    await ask('get', `${data}/Country?where=(Tag List,linkedto,1)`);
    // Columns of a foreign key compare in their own collation, those of a junction table among them.
    expect(recorded.statements().join('\n')).toMatch(/t0\.\[code\] = t1\.\[country_code\] and /);
    expect(recorded.statements().join('\n')).toMatch(/t0\.\[code\] = j1\.\[code\] and /);
    // An invoice names its country in other letters.
    expect(recorded.statements().join('\n')).toMatch(
      /when spelled\.e0 = @p0 then 0 else -1 end as place, spelled\.c0 from \(select t0\.\[code\] as e0, min\(/,
    );
  });

  test('is told of rows in every way in which the API writes them', async () => {
    await ask('post', `${data}/Customer`, row);
    await ask('post', `${data}/Customer`, {});
    await ask('patch', `${data}/Customer/1`, { ...row, Name: 'Bea' });
    await ask('post', `${bulk}/Customer`, [row, { Name: 'Cid' }]);
    await ask('patch', `${bulk}/Customer`, [{ Id: 1, Name: 'Dan' }]);
    await ask('patch', `${bulk}/Customer/all?where=(Name,eq,Dan)`, { Paid: false });
    await ask('delete', `${bulk}/Customer`, [{ Id: 1 }]);
    await ask('delete', `${bulk}/Customer/all?where=(Name,eq,Nobody)`);
    for (const [kind, title] of [
      ['hm', 'Invoice List'],
      ['mm', 'Tag List'],
    ] as const) {
      await ask('post', `${data}/Customer/1/${kind}/${title}/1`);
      await ask('delete', `${data}/Customer/1/${kind}/${title}/1`);
    }
    await ask('post', `${data}/Invoice/1/bt/Customer/1`);
    await ask('delete', `${data}/Invoice/1/bt/Customer/1`);
    for (const [kind, title] of [
      ['hm', 'Invoice List'],
      ['mm', 'Tag List'],
    ] as const) {
      await ask('post', `${data}/Country/de/${kind}/${title}/1`);
      await ask('delete', `${data}/Country/de/${kind}/${title}/1`);
      await ask('put', `${bulk}/Country/links/${title}`, [{ row: 'de', rows: ['1'] }]);
    }
    await ask('delete', `${data}/Customer/1`);
    expect(failures).toEqual([]);
  });

  test('gets columns, tables and links of every type, and other ones in their place', async () => {
    const customer = table('Customer')?.id ?? '';
    const add = (body: object) => ask<TableEntity>('post', `${meta}/tables/${customer}/columns`, body);
    const make = async (body: object) => {
      const { status, body: said } = await add(body);
      expect({ body, status, said: status === 200 ? '' : said }).toEqual({ body, status: 200, said: '' });
    };
    const { body: types } = await ask<TableEntity>('get', `${meta}/tables/${customer}`);
    expect(types.columns?.length).toBeGreaterThan(plain.length);
    for (const uidt of [
      'SingleLineText',
      'LongText',
      'Number',
      'Decimal',
      'Checkbox',
      'Date',
      'DateTime',
      'Time',
      'JSON',
      'SingleSelect',
      'MultiSelect',
      'Rating',
      'Email',
      'Attachment',
      'Duration',
      'Currency',
      'Percent',
      'Year',
    ]) {
      const options = { colOptions: { options: [{ title: 'a' }, { title: 'b' }] } };
      const title = `New ${uidt}`;
      const added = await add({ title, uidt, ...(uidt.endsWith('Select') && options) });
      expect({ uidt, status: added.status }).toEqual({ uidt, status: 200 });
      const id = added.body.columns?.find((one) => one.title === title)?.id ?? '';
      await ask('patch', `${meta}/columns/${id}`, { title, uidt, rqd: true, cdf: '1' });
      await ask('patch', `${meta}/columns/${id}`, { title, uidt, un: false, unique: true });
      await ask('patch', `${meta}/columns/${id}`, {
        title,
        uidt: uidt === 'LongText' ? 'Number' : 'LongText',
        meta: { acceptLoss: true },
      });
      await ask('delete', `${meta}/columns/${id}`);
    }
    const ends = { uidt: 'LinkToAnotherRecord', parentId: customer, childId: table('Tag')?.id };
    for (const [title, type] of [
      ['Friends', 'mm'],
      ['Tags', 'hm'],
    ])
      expect(await add({ ...ends, title, type })).toMatchObject({ status: 200 });
    const link = column('Customer', 'Invoice List');
    const total = column('Invoice', 'Total');
    await make({ title: 'Totals', uidt: 'Lookup', fk_relation_column_id: link, fk_lookup_column_id: total });
    for (const rollup_function of [
      'count',
      'sum',
      'avg',
      'min',
      'max',
      'countDistinct',
      'sumDistinct',
      'avgDistinct',
    ])
      await make({
        title: `Invoices ${rollup_function}`,
        uidt: 'Rollup',
        fk_relation_column_id: link,
        fk_rollup_column_id: total,
        rollup_function,
      });
    const lookedUp = await ask<TableEntity>('post', `${meta}/tables/${table('Tag')?.id}/columns`, {
      title: 'Totals',
      uidt: 'Lookup',
      fk_relation_column_id: column('Tag', 'Customer List'),
      fk_lookup_column_id: column('Customer', 'Total'),
    });
    expect(lookedUp).toMatchObject({ status: 200 });
    for (const rollup_function of ['count', 'sumDistinct', 'max'])
      await make({
        title: `Tags ${rollup_function}`,
        uidt: 'Rollup',
        fk_relation_column_id: column('Customer', 'Tag List'),
        fk_rollup_column_id: lookedUp.body.columns?.find(({ title }) => title === 'Totals')?.id,
        rollup_function,
      });
    for (const [title, formula] of [
      ['Shout', 'UPPER(CONCAT({Name}, " ", {Email}))'],
      ['Double', 'ROUND({Total} * 2, 1) / {Points}'],
      ['Later', 'DATEADD({Day}, 1, "month")'],
      ['Big', 'IF(AND({Total} > 5, {Paid}), "yes", "no")'],
    ])
      await make({ title, uidt: 'Formula', formula_raw: formula, formula });
    await readTables();
    const computed = table('Customer')?.columns?.map(({ title }) => title) ?? [];
    expect(computed).toEqual(
      expect.arrayContaining(['Totals', 'Invoices sum', 'Shout', 'Double', 'Later', 'Big']),
    );
    for (const title of [
      'Totals',
      'Invoices sum',
      'Tags count',
      'Tags max',
      'Shout',
      'Double',
      'Later',
      'Big',
    ])
      for (const query of [
        `sort=-${title}`,
        `where=(${title},gt,1)`,
        `where=(${title},like,a)&sort=${title}`,
      ])
        await ask('get', `${data}/Customer?${query}`);
    for (const title of ['Total', 'Double']) {
      const between = [{ fk_column_id: column('Customer', title), direction: 'asc', bounds: [1, 10] }];
      await ask('get', `${data}/Customer/groups?groupArrJson=${encodeURIComponent(JSON.stringify(between))}`);
    }

    const made = await ask<TableEntity>('post', `${meta}/projects/${project.id}/tables`, {
      title: 'Notes',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Text', uidt: 'LongText' },
      ],
    });
    expect(made).toMatchObject({ status: 200 });
    await ask('delete', `${meta}/tables/${made.body.id}`);
    await ask('get', `${meta}/projects/${project.id}/trash`);
  });

  /** A value that a filter of an operator may be told. */
  function valueFor(operator: FilterOperator, uidt: string): string | undefined {
    if (operator.arity === 'none') return undefined;
    const words: Readonly<Record<string, string>> = { is: 'notnull', isnot: 'empty', within: 'last 7 days' };
    if (operator.takes === 'words')
      return words[operator.id] ?? (operator.id.endsWith('like') ? 'a' : '7 days');
    const isMoment = /^(?:Date|DateTime|CreatedTime|LastModifiedTime)$/.test(uidt);
    const of = isMoment ? ['2024-02-29', '2024-03-01'] : uidt === 'Time' ? ['13:30', '14:00'] : ['1', '2'];
    return operator.arity === 'one' ? of[0] : of.join(',');
  }

  /** Of every table, since the ones that computed columns are made of are of several. */
  const everyColumn = () =>
    tables.flatMap((of) => (of.columns ?? []).map((one) => ({ ...one, path: `${data}/${of.title}` })));

  test('is asked for rows by every filter that there is, of columns of every kind', async () => {
    const operators = server.host.registries.get('filterOperators').list();
    const answered = new Map(operators.map(({ id }) => [id, 0]));
    for (const { id, uidt, path } of everyColumn())
      for (const operator of operators) {
        const value = valueFor(operator, uidt);
        const filter = {
          fk_column_id: id,
          comparison_op: operator.id,
          ...(value !== undefined && { value }),
        };
        const query = `filterArrJson=${encodeURIComponent(JSON.stringify([filter]))}&limit=1`;
        const { status } = await ask('get', `${path}?${query}`);
        if (status === 200) answered.set(operator.id, (answered.get(operator.id) ?? 0) + 1);
      }
    expect([...answered].filter(([, times]) => times === 0)).toEqual([]);
  });

  test('is asked for every figure that there is, of all rows and of groups of them, of columns of every kind', async () => {
    const aggregations = server.host.registries.get('aggregations').list();
    const answered = new Map(aggregations.map(({ id }) => [id, 0]));
    const day = column('Customer', 'Day');
    for (const { id, path } of everyColumn()) {
      const sorted = [{ fk_column_id: id, direction: 'desc' }];
      const groups = `groupArrJson=${encodeURIComponent(JSON.stringify(sorted))}`;
      await ask('get', `${path}/groups?${groups}`);
      for (const { id: aggregation } of aggregations) {
        const figures = `aggregations=${encodeURIComponent(JSON.stringify([{ column: id, aggregation }]))}`;
        const { status } = await ask('get', `${path}/aggregate?${figures}`);
        if (status !== 200) continue;
        answered.set(aggregation, (answered.get(aggregation) ?? 0) + 1);
        await ask('get', `${path}/groups?${groups}&${figures}`);
        const byDay = encodeURIComponent(JSON.stringify([{ fk_column_id: day, direction: 'asc' }]));
        if (path.endsWith('/Customer')) await ask('get', `${path}/groups?groupArrJson=${byDay}&${figures}`);
      }
    }
    expect([...answered].filter(([, times]) => times === 0)).toEqual([]);
  });

  test('is asked for rows in the order of columns of every kind, lists of links and of looked-up values among them', async () => {
    for (const { id, path } of everyColumn())
      for (const direction of ['asc', 'desc']) {
        const order = encodeURIComponent(JSON.stringify([{ fk_column_id: id, direction }]));
        for (const page of ['', '&offset=5000'])
          await ask('get', `${path}?sortArrJson=${order}&limit=2${page}`);
      }
    const nested = 'nested[Invoice List][where]=(Total,gt,1)&nested[Invoice List][sort]=-Note';
    await ask('get', `${data}/Customer?${nested}&nested[Invoice List][limit]=2`);
    await ask(
      'get',
      `${data}/Tag?nested[Customer List][where]=(Invoices sum,gt,1)&nested[Customer List][sort]=-Totals`,
    );
    expect(failures).toEqual([]);
  });

  test('is told of copies of rows, of columns that are copied, tried and made anew, and of what is taken back', async () => {
    const operations: string[] = [];
    const note = ({ headers }: { readonly headers: Headers }) => {
      const operation = headers.get('x-trellis-operation');
      if (operation !== null) operations.push(operation);
    };
    note(await ask('post', `${bulk}/Customer/copies`, [{ of: '1', values: row }]));
    note(await ask('post', `${bulk}/Customer`, [row, { ...row, Name: null }]));
    note(await ask('patch', `${data}/Customer/1`, { Name: 'Eve', Day: null }));
    note(await ask('delete', `${data}/Customer/1`));
    note(await ask('put', `${bulk}/Customer/links/Tag List`, [{ row: '1', rows: ['1', '2'] }]));
    note(await ask('put', `${bulk}/Customer/links/Invoice List`, [{ row: '1', rows: [] }]));
    note(await ask('put', `${bulk}/Invoice/links/Customer`, [{ row: '1', rows: ['1'] }]));
    expect(operations.length).toBeGreaterThan(0);
    for (const operation of operations.toReversed())
      await ask('post', `/api/v1/db/data/operations/Shop/${operation}/undo`);
    for (const { id, title } of table('Customer')?.columns ?? []) {
      await ask('post', `${meta}/columns/${id}/duplicate`, { title: `${title} again` });
      for (const uidt of ['LongText', 'Number', 'Checkbox', 'Date', 'SingleSelect'])
        await ask('post', `${meta}/columns/${id}/trial`, { title, uidt });
      await ask('get', `${meta}/columns/${id}/uses`);
    }
    for (const title of ['Shout', 'Double', 'Later', 'Totals', 'Invoices sum'])
      await ask('post', `${meta}/columns/${column('Customer', title)}/duplicate`, {
        title: `${title} kept`,
        values_as: 'SingleLineText',
      });
    const tasks = () =>
      ask<{ list: readonly { state: string }[] }>('get', `/api/v1/tasks?project=${project.id}`);
    await askUntil(tasks, ({ body }) =>
      body.list.every(({ state }) => state !== 'running' && state !== 'waiting'),
    );
    await readTables();
  });

  test('is asked by every route about a table, a view, a column or a database', async () => {
    const view = table('Customer')?.views?.[0]?.id ?? '';
    const ids: Ids = {
      ...unissued,
      project: project.id,
      base: project.bases?.[0]?.id ?? '',
      table: table('Customer')?.id ?? '',
      column: column('Customer', 'Name'),
      view,
    };
    const query = `?${new URLSearchParams({
      where: '(Name,like,A)',
      sort: '-Total,Name',
      column_name: 'name',
      search: 'ad',
      q: 'ad',
      by: column('Customer', 'Paid'),
      limit: '5',
      offset: '1',
      fk_model_id: ids.table,
    }).toString()}`;
    const routes = servedRoutes(server).filter(({ method }) => method === 'GET');
    const paths = routes.flatMap((route) => pathWith(route, ids) ?? []);
    expect(paths.length).toBeGreaterThan(60);
    for (const path of paths) {
      await ask('get', path);
      await ask('get', path + query);
    }
  });

  test('is compared with what is known of it after somebody changed its tables', async () => {
    const path = `${meta}/projects/${project.id}/meta-diff`;
    recorded.setTables(
      shop.map((one) =>
        one.name === 'tag' ? { ...one, columns: [key, ['label', 'nvarchar'], ['points', 'int']] } : one,
      ),
    );
    expect(await ask('get', path)).toMatchObject({ status: 200 });
    await ask('post', path);
  });

  test('has columns of each type made those of each other one', async () => {
    const types = [
      'SingleLineText',
      'LongText',
      'Number',
      'Decimal',
      'Checkbox',
      'Date',
      'DateTime',
      'Time',
      'JSON',
      'SingleSelect',
      'MultiSelect',
      'Rating',
      'Duration',
      'Percent',
      'Year',
    ];
    const options = { colOptions: { options: [{ title: 'a' }, { title: 'b' }] } };
    const refused: unknown[] = [];
    let changed = 0;
    for (const { id, title } of table('Mixed')?.columns?.slice(1) ?? [])
      for (const uidt of types) {
        const patch = { title, uidt, ...(uidt.endsWith('Select') && options), meta: { acceptLoss: true } };
        const { status, body } = await ask('patch', `${meta}/columns/${id}`, patch);
        if (status === 200) changed += 1;
        else refused.push([title, uidt, status, body]);
      }
    expect([changed > 60, refused.slice(0, 5)]).toEqual([true, expect.any(Array)]);
  });

  test('is asked in T-SQL alone, whoever asks', () => {
    expect(failures).toEqual([]);
    const statements = recorded.statements();
    expect(statements.length).toBeGreaterThan(300);
    const wrong = statements.flatMap((sql) => {
      const problems = tsqlProblems(sql);
      return problems.length === 0 ? [] : [{ sql, problems }];
    });
    expect(wrong).toEqual([]);
  });

  test('is asked everything that the dialect can say of tables, rows and the catalogue', () => {
    // For these SQL Server has no statement, but for `objects.read`, whose statements have a test beside them.
    const others = ['keepsBound', 'nextKey', 'endable', 'passKeyCounter'].map((name) => `statements.${name}`);
    const uncalled = observed.uncalled(['statements', 'schema', 'introspection', 'objects']);
    expect(uncalled.filter((name) => ![...others, 'objects.read'].includes(name))).toEqual([]);
  });
});
