import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import type { TestClient } from '@trellis/sdk/testing/server';
import { describeEachExistingServer } from '../../host-server/databases/testing.ts';
import { connectDatabase, type ConnectedDatabase } from './connected-database.ts';

type Row = Readonly<Record<string, unknown>>;

const meta = '/api/v1/db/meta';

/** A shop whose keys are texts that its database compares without regard to case, accents and blanks behind them. */
const shop = (collated: string) => [
  `create table customer (code varchar(10) collate ${collated} primary key, name varchar(40))`,
  `create table invoice (invoice_id int primary key, customer_code varchar(10) collate ${collated}, total int,
    constraint of_customer foreign key (customer_code) references customer (code))`,
  `create table tag (word varchar(10) collate ${collated} primary key)`,
  `create table customer_tag (code varchar(10) collate ${collated}, word varchar(10) collate ${collated},
    primary key (code, word), constraint tagged foreign key (code) references customer (code),
    constraint tagging foreign key (word) references tag (word))`,
  "insert into customer values ('alfki', 'Alfreds'), ('bonap', 'Bon app'), ('ärger', 'Arger'), ('zero', 'Nobody')",
  `insert into invoice values (1, 'ALFKI', 10), (2, 'alfki', 20), (3, 'Bonap', 5), (4, 'arger', 7), (5, null, 1),
    (6, 'BONAP ', 6)`,
  "insert into tag values ('Good'), ('late')",
  "insert into customer_tag values ('ALFKI', 'good'), ('bonap', 'LATE')",
];

const collations = { mysql: 'utf8mb4_general_ci', mssql: 'Latin1_General_CI_AI' } as const;

describeEachExistingServer('keys that a database compares without regard to case', (dialect) => {
  // PostgreSQL compares the keys of its usual collations exactly.
  if (dialect === 'postgres') return;
  describe('links by them', () => {
    let there: ConnectedDatabase;
    let owner: TestClient;

    beforeAll(async () => {
      there = await connectDatabase(dialect, { title: 'Shop', statements: shop(collations[dialect]) });
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
      expect(await there.rows('select count(*) from customer_tag')).toEqual([[2]]);

      const set = async (title: string, rows: readonly string[]) => {
        const path = `/api/v1/db/data/bulk/noco/Shop/Customer/links/${title}`;
        const answer = await owner.put(path, [{ row: 'alfki', rows }]);
        expect(answer).toMatchObject({ status: 200, body: { refused: [] } });
      };
      await set('Invoice List', ['2', '4']);
      expect(names(await list('Customer/alfki/hm/Invoice List'), 'InvoiceId')).toEqual([2, 4]);
      expect(await list('Customer/ärger/hm/Invoice List')).toEqual([]);
      await set('Invoice List', ['1', '2']);
      await owner.post(data('Customer/ärger/hm/Invoice List/4'));
      await set('Tag List', ['late']);
      expect(names(await list('Customer/alfki/mm/Tag List'), 'Word')).toEqual(['late']);
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
