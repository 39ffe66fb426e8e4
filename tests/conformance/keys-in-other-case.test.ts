import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessServiceToken, AccountStoreToken } from '@trellis/sdk/server';
import type { TableEntity } from '@trellis/sdk/shared';
import type { TestClient } from '@trellis/sdk/testing/server';
import { describeEachExistingDatabase } from '../../host-server/databases/testing.ts';
import { connectDatabase, type ConnectedDatabase } from './connected-database.ts';

type Row = Readonly<Record<string, unknown>>;

const meta = '/api/v1/db/meta';

interface Compares {
  /** What makes its texts compare so, where it is made first. */
  readonly before?: readonly string[];
  /** The type of a key. */
  readonly key: string;
  /** A number that counts by itself. */
  readonly counted: string;
  /** A text that is to it the same as `ärger`, and one that is the same as `bonap`. */
  readonly alike: readonly [string, string];
}

/** How each database is told to compare keys: without regard to case, and further to accents and blanks behind them where it can. */
const compares: Readonly<Record<string, Compares>> = {
  mysql: {
    key: 'varchar(10) collate utf8mb4_general_ci',
    counted: 'int auto_increment',
    alike: ['arger', 'BONAP '],
  },
  mssql: {
    key: 'varchar(10) collate Latin1_General_CI_AI',
    counted: 'int identity',
    alike: ['arger', 'BONAP '],
  },
  postgres: {
    before: ["create collation letters (provider = icu, locale = 'und-u-ks-level1', deterministic = false)"],
    key: 'varchar(10) collate letters',
    counted: 'serial',
    alike: ['arger', 'BONAP'],
  },
  sqlite: { key: 'varchar(10) collate nocase', counted: 'integer', alike: ['äRGER', 'BONAP'] },
};

/** Rows of a junction table that all link the same two rows. */
const alikeRows = 120;

/** A shop whose keys are texts that its database compares so. */
const shop = ({ before = [], key, counted, alike: [arger, bonap] }: Compares) => [
  ...before,
  `create table customer (code ${key} primary key, name varchar(40))`,
  `create table invoice (invoice_id int primary key, customer_code ${key}, total int,
    constraint of_customer foreign key (customer_code) references customer (code))`,
  `create table tag (word ${key} primary key)`,
  `create table customer_tag (code ${key}, word ${key},
    primary key (code, word), constraint tagged foreign key (code) references customer (code),
    constraint tagging foreign key (word) references tag (word))`,
  `create table region (region_name ${key} primary key)`,
  `create table customer_region (id ${counted} primary key, code ${key}, region_name ${key},
    constraint in_region foreign key (code) references customer (code),
    constraint of_region foreign key (region_name) references region (region_name))`,
  "insert into customer values ('alfki', 'Alfreds'), ('bonap', 'Bon app'), ('ärger', 'Arger'), ('zero', 'Nobody')",
  `insert into invoice values (1, 'ALFKI', 10), (2, 'alfki', 20), (3, 'Bonap', 5), (4, '${arger}', 7), (5, null, 1),
    (6, '${bonap}', 6)`,
  "insert into tag values ('Good'), ('late')",
  "insert into customer_tag values ('ALFKI', 'good'), ('bonap', 'LATE')",
  "insert into region values ('North'), ('South')",
  `insert into customer_region (code, region_name) values ${Array.from({ length: alikeRows }, (_, index) =>
    index < 110 ? "('alfki', 'NORTH')" : "('Alfki', 'north')",
  ).join(', ')}, ('alfki', 'South')`,
];

describeEachExistingDatabase('keys that a database compares without regard to case', (dialect) => {
  describe('links by them', () => {
    let there: ConnectedDatabase;
    let owner: TestClient;

    beforeAll(async () => {
      there = await connectDatabase(dialect, {
        title: 'Shop',
        statements: shop(compares[dialect] as Compares),
      });
      ({ owner } = there);
    });
    afterAll(() => there?.dispose());

    const data = (path: string) => `/api/v1/db/data/noco/Shop/${path}`;
    const list = async (path: string) => (await owner.get<{ list: readonly Row[] }>(data(path))).body.list;
    async function table(title: string): Promise<TableEntity> {
      const path = `${meta}/projects/${there.project.id}/tables?includeM2M=true`;
      const { list: tables } = (await owner.get<{ list: readonly TableEntity[] }>(path)).body;
      const id = tables.find((one) => one.title === title)?.id ?? '';
      return (await owner.get<TableEntity>(`${meta}/tables/${id}`)).body;
    }
    const column = async (of: string, title: string) =>
      (await table(of)).columns?.find((one) => one.title === title)?.id;
    const names = (rows: unknown, key: string) => (rows as readonly Row[]).map((row) => row[key]);

    const count = async (of: string) => Number((await there.rows(`select count(*) from ${of}`))[0]?.[0]);
    const set = async (title: string, rows: readonly string[]) => {
      const path = `/api/v1/db/data/bulk/noco/Shop/Customer/links/${title}`;
      const answer = await owner.put(path, [{ row: 'alfki', rows }]);
      expect(answer).toMatchObject({ status: 200, body: { refused: [] } });
    };

    test('lead from each row to the row that the database means', async () => {
      const invoices = await list('Invoice?sort=InvoiceId');
      expect(invoices.map(({ Customer }) => (Customer as Row | null)?.['Code'])).toEqual([
        'alfki',
        'alfki',
        'bonap',
        'ärger',
        undefined,
        'bonap',
      ]);
    });

    test('lead back to all rows, in order, as many as are asked for', async () => {
      const customers = await list('Customer?sort=Name');
      expect(customers.map((row) => [row['Code'], names(row['Invoice List'], 'InvoiceId')])).toEqual([
        ['alfki', [1, 2]],
        ['ärger', [4]],
        ['bonap', [3, 6]],
        ['zero', []],
      ]);
      const first = await list('Customer?sort=Name&nested[Invoice List][limit]=1');
      expect(first.map((row) => names(row['Invoice List'], 'InvoiceId'))).toEqual([[1], [4], [3], []]);
      expect(names(await list('Customer/bonap/hm/Invoice List'), 'InvoiceId')).toEqual([3, 6]);
    });

    test('lead across a junction table', async () => {
      const customers = await list('Customer?sort=Name');
      expect(customers.map((row) => names(row['Tag List'], 'Word'))).toEqual([['Good'], [], ['late'], []]);
      expect(names(await list('Customer/alfki/mm/Tag List'), 'Word')).toEqual(['Good']);
      expect(names(await list('Customer/alfki/mm/Tag List/exclude'), 'Word')).toEqual(['late']);
    });

    test('name the row that the database means, which answers with its own key, is changed and tells its history', async () => {
      const others = ['ALFKI', 'Alfki'];
      for (const key of others) {
        expect(await owner.get(data(`Customer/${key}`))).toMatchObject({
          status: 200,
          body: { Code: 'alfki' },
        });
        expect((await owner.get(data(`Customer/${key}/exist`))).body).toBe(true);
      }
      expect((await owner.get(data('Customer/alfkis'))).status).toBe(404);
      expect(await owner.patch(data('Customer/ALFKI'), { Name: 'Alfred' })).toMatchObject({
        status: 200,
        body: { Code: 'alfki', Name: 'Alfred' },
      });
      expect((await owner.patch(data('Customer/alfki'), { Name: 'Alfreds' })).status).toBe(200);
      expect(await there.rows("select code, name from customer where name like 'Alfred%'")).toEqual([
        ['alfki', 'Alfreds'],
      ]);
      interface History {
        readonly list: readonly { readonly cells: readonly { readonly after: unknown }[] }[];
      }
      for (const key of ['alfki', ...others]) {
        const { body } = await owner.get<History>(data(`Customer/${key}/history`));
        expect([key, body.list.map(({ cells }) => cells.map(({ after }) => after))]).toEqual([
          key,
          [['Alfreds'], ['Alfred']],
        ]);
      }
    });

    test('are taken away one by one and set as a whole', async () => {
      const invoices = async () => names(await list('Customer/bonap/hm/Invoice List'), 'InvoiceId');
      expect((await owner.delete(data('Customer/bonap/hm/Invoice List/3'))).status).toBe(200);
      expect(await invoices()).toEqual([6]);
      await owner.post(data('Customer/bonap/hm/Invoice List/3'));
      expect(await invoices()).toEqual([3, 6]);

      const tags = async () => names(await list('Customer/bonap/mm/Tag List'), 'Word');
      expect((await owner.delete(data('Customer/bonap/mm/Tag List/late'))).status).toBe(200);
      expect(await tags()).toEqual([]);
      await owner.post(data('Customer/bonap/mm/Tag List/late'));
      // The row that says so stands there in other letters.
      expect((await owner.post(data('Customer/alfki/mm/Tag List/Good'))).status).toBe(200);
      expect(await count('customer_tag')).toBe(2);

      await set('Invoice List', ['2', '4']);
      expect(names(await list('Customer/alfki/hm/Invoice List'), 'InvoiceId')).toEqual([2, 4]);
      expect(await list('Customer/ärger/hm/Invoice List')).toEqual([]);
      await set('Invoice List', ['1', '2']);
      await owner.post(data('Customer/ärger/hm/Invoice List/4'));
      await set('Tag List', ['late']);
      expect(names(await list('Customer/alfki/mm/Tag List'), 'Word')).toEqual(['late']);
    });

    test('are taken away by all rows that say so, and by no other', async () => {
      expect((await owner.delete(data('Customer/alfki/mm/Region List/North'))).status).toBe(200);
      expect(await there.rows('select region_name from customer_region')).toEqual([['South']]);
    });

    test('stay as they are written where they are set to what they are', async () => {
      await there.run('alter table customer_region add note varchar(20)');
      await there.run("update customer_region set code = 'ALFKI', region_name = 'SOUTH', note = 'kept'");
      await set('Region List', ['North', 'South']);
      expect(await there.rows('select region_name, note from customer_region order by id')).toEqual([
        ['SOUTH', 'kept'],
        ['North', null],
      ]);
      await set('Region List', ['South']);
      expect(await there.rows('select region_name, note from customer_region')).toEqual([['SOUTH', 'kept']]);
    });

    test('tell apart what is there twice from what does not exist for the caller', async () => {
      const { project, server } = there;
      const ann = await server.signUp('ann@example.com');
      const account = await server.host.container.get(AccountStoreToken).byEmail('ann@example.com');
      await server.host.container.get(AccessServiceToken).grant(project.id, account?.id ?? '', 'editor');
      const { id } = await table('Customer');
      const is = { kind: 'condition', logicalOp: 'and', columnId: await column('Customer', 'Name') };
      const rule = `/api/v1/plugins/row-rules/projects/${project.id}/rules/${id}/editor`;
      const filters = [{ ...is, operator: 'neq', value: 'Nobody' }];
      expect(await owner.put(rule, { filters, limits: 'see' })).toMatchObject({ status: 200 });
      const add = async (...codes: readonly string[]) => {
        const rows = codes.map((CustomerCode, index) => ({ InvoiceId: index === 0 ? 1 : 90, CustomerCode }));
        const { status, body } = await ann.post('/api/v1/db/data/bulk/noco/Shop/Invoice', rows);
        return { status, body };
      };
      const isThere = await add('alfki', 'bonap');
      expect(await add('alfki', 'ALFKI')).toEqual(isThere);
      expect(await add('alfki', 'ZERO')).not.toEqual(isThere);
      expect(await owner.delete(rule)).toMatchObject({ status: 200 });
    });

    test('count in what is looked up, summed and filtered', async () => {
      const add = async (of: string, body: object) =>
        expect(await owner.post(`${meta}/tables/${(await table(of)).id}/columns`, body)).toMatchObject({
          status: 200,
        });
      await add('Customer', {
        title: 'Spent',
        uidt: 'Rollup',
        fk_relation_column_id: await column('Customer', 'Invoice List'),
        fk_rollup_column_id: await column('Invoice', 'Total'),
        rollup_function: 'sum',
      });
      await add('Invoice', {
        title: 'Payer',
        uidt: 'Lookup',
        fk_relation_column_id: await column('Invoice', 'Customer'),
        fk_lookup_column_id: await column('Customer', 'Name'),
      });
      const customers = await list('Customer?sort=-Spent');
      expect(customers.map(({ Code, Spent }) => [Code, Spent === null ? null : Number(Spent)])).toEqual([
        ['alfki', 30],
        ['bonap', 11],
        ['ärger', 7],
        ['zero', null],
      ]);
      expect(names(await list('Invoice?sort=InvoiceId'), 'Payer')).toEqual([
        'Alfreds',
        'Alfreds',
        'Bon app',
        'Arger',
        null,
        'Bon app',
      ]);
      const linked = await list('Invoice?sort=InvoiceId&where=(Customer,linkedto,alfki)');
      expect(names(linked, 'InvoiceId')).toEqual([1, 2]);
      const none = await list('Invoice?sort=InvoiceId&where=(Customer,notlinkedto,alfki)');
      expect(names(none, 'InvoiceId')).toEqual([3, 4, 5, 6]);
      expect(names(await list('Invoice?sort=InvoiceId&where=(Payer,eq,Bon app)'), 'InvoiceId')).toEqual([
        3, 6,
      ]);
    });
  });
});
