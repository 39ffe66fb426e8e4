import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Veto } from '@trellis/sdk/shared';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

/* What a plugin of somebody else adds to tables, columns and databases, and what it refuses. */

const meta = '/api/v1/db/meta';

const rules = testPlugin(
  'rules',
  (ctx) => {
    ctx.tap('tables.willCreate', (table) => {
      if (table.title === 'Secrets') throw new Veto('NO_SECRETS', 'Secrets are kept elsewhere.');
      return { ...table, columns: [...table.columns, { title: 'Owner', type: 'SingleLineText' }] };
    });
    ctx.tap('columns.willCreate', (column, { table }) => {
      if (column.title === 'Password') throw new Veto('NO_PASSWORDS', `'${table.title}' holds no passwords.`);
      return { ...column, title: `${column.title ?? ''} (new)` };
    });
    ctx.tap('tables.willDelete', ({ table }) => {
      if (table.title === 'Ledger') throw new Veto('LEDGER_STAYS', 'The ledger stays.');
    });
    ctx.tap('plugins.willEnable', ({ id }) => {
      if (id === 'view-kanban') throw new Veto('NO_BOARDS', 'Nobody wants boards here.');
    });
    ctx.register('baseKinds', {
      id: 'acme-lake',
      label: 'Lake of Acme',
      settings: { type: 'object', properties: { address: { type: 'string', title: 'Address' } } },
      fromConfig: () => ({}),
      target: () => {
        throw new Error('The lake is dry.');
      },
    });
  },
  {
    contributes: {
      hooks: ['tables.willCreate', 'columns.willCreate', 'tables.willDelete', 'plugins.willEnable'],
    },
  },
);

interface Table {
  readonly id: string;
  readonly columns: readonly { readonly title: string }[];
}

let server: TestServer;
let owner: TestClient;
let project: string;

beforeAll(async () => {
  server = await createTestServer({ plugins: [rules] });
  owner = await server.signUp();
  project = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Bank' })).body.id;
});
afterAll(() => server.dispose());

const createTable = (title: string) =>
  owner.post<Table>(`${meta}/projects/${project}/tables`, {
    title,
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      { title: 'Name', uidt: 'SingleLineText' },
    ],
  });
const titles = ({ columns }: Table) => columns.map(({ title }) => title);

test('tables and columns are made as a hook wants them, or not at all, and a table stays that a hook keeps', async () => {
  const { body: ledger } = await createTable('Ledger');
  expect(titles(ledger)).toEqual(expect.arrayContaining(['Name', 'Owner']));
  expect(await createTable('Secrets')).toMatchObject({ status: 400, body: { code: 'NO_SECRETS' } });
  const addColumn = (title: string) =>
    owner.post<Table & { code?: string }>(`${meta}/tables/${ledger.id}/columns`, {
      title,
      uidt: 'SingleLineText',
    });
  expect(await addColumn('Password')).toMatchObject({ status: 400, body: { code: 'NO_PASSWORDS' } });
  expect((await addColumn('Note')).status).toBe(200);
  expect(titles((await owner.get<Table>(`${meta}/tables/${ledger.id}`)).body)).toContain('Note (new)');
  expect(await owner.delete(`${meta}/tables/${ledger.id}`)).toMatchObject({
    status: 400,
    body: { code: 'LEDGER_STAYS' },
  });
  expect((await owner.get(`${meta}/tables/${ledger.id}`)).status).toBe(200);
});

test('a plugin stays off that a hook keeps off', async () => {
  const call = (what: string) => owner.post(`/api/v1/app-store/plugins/view-kanban/${what}`, {});
  expect((await call('disable')).status).toBe(200);
  expect(await call('enable')).toMatchObject({
    body: { msg: expect.stringContaining('Nobody wants boards') },
  });
  const { state, reason } = server.host.plugins.list().find(({ id }) => id === 'view-kanban') ?? {};
  expect([state, reason]).toEqual(['failed', expect.stringContaining('Nobody wants boards')]);
});

test('a kind of database is offered that a plugin adds', async () => {
  const { body } = await owner.get(`${meta}/base-kinds`);
  expect(JSON.stringify(body)).toContain('Lake of Acme');
});
