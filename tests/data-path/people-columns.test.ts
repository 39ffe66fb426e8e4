import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessServiceToken } from '@trellis/sdk/server';
import type { Row, TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

type List = { readonly list: readonly Row[] };

/** A project of three people with a table of tasks; a fourth person is a stranger. */
function describePeople(name: string, start: () => Promise<TestServer>): void {
  describe(`people of a project in cells on ${name}`, () => {
    let server: TestServer;
    let ada: TestClient;
    let bob: TestClient;
    let stranger: TestClient;
    let project: string;
    let table: TableEntity;
    const ids = new Map<string, string>();
    const rows = '/api/v1/db/data/noco/Tasks/Tasks';
    const bulk = '/api/v1/db/data/bulk/noco/Tasks/Tasks';

    const access = () => server.host.container.get(AccessServiceToken);
    const leave = (email: string) => access().revoke(project, ids.get(email) ?? '');
    const join = (email: string) => access().grant(project, ids.get(email) ?? '', 'editor');
    const who = () => table.columns?.find(({ title }) => title === 'Who')?.id ?? '';

    async function signUp(email: string): Promise<TestClient> {
      const client = await server.signUp(email);
      ids.set(email, (await client.get<{ id: string }>('/api/v1/auth/user/me')).body.id);
      return client;
    }

    async function titles(client: TestClient, operator: string, value: unknown): Promise<unknown[]> {
      const filter = [{ fk_column_id: who(), comparison_op: operator, value }];
      const query = encodeURIComponent(JSON.stringify(filter));
      const answer = await client.get<List>(`${rows}?sort=Title&filterArrJson=${query}`);
      expect(answer.status).toBe(200);
      return answer.body.list.map(({ Title }) => Title);
    }

    const make = (title: string, people: unknown) => ada.post<Row>(rows, { Title: title, Who: people });

    beforeAll(async () => {
      server = await start();
      ada = await signUp('ada@example.com');
      bob = await signUp('bob@example.com');
      await signUp('eve@example.com');
      stranger = await signUp('stranger@example.com');
      project = (await ada.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Tasks' })).body.id;
      await join('bob@example.com');
      await join('eve@example.com');
      const made = await ada.post<TableEntity>(`/api/v1/db/meta/projects/${project}/tables`, {
        title: 'Tasks',
        table_name: 'tasks',
        columns: [
          { title: 'Id', column_name: 'id', uidt: 'ID' },
          { title: 'Title', column_name: 'title', uidt: 'SingleLineText' },
          { title: 'Who', column_name: 'who', uidt: 'Collaborator' },
        ],
      });
      table = made.body;
      await make('1 Ada', 'ada@example.com');
      await make('2 both', ['Bob@example.com', { email: 'ada@example.com' }]);
      await make('3 Bob', 'bob@example.com');
      await make('4 nobody', null);
    });
    afterAll(() => server?.dispose());

    test('are kept as addresses joined by commas', async () => {
      const { body } = await ada.get<List>(`${rows}?sort=Title`);
      expect(body.list.map(({ Who }) => Who)).toEqual([
        'ada@example.com',
        'bob@example.com,ada@example.com',
        'bob@example.com',
        null,
      ]);
    });

    test('are found by any, all and none of them, and by "me" for each reader', async () => {
      expect(await titles(ada, 'anyof', 'ada@example.com,bob@example.com')).toEqual([
        '1 Ada',
        '2 both',
        '3 Bob',
      ]);
      expect(await titles(ada, 'allof', 'ada@example.com,bob@example.com')).toEqual(['2 both']);
      expect(await titles(ada, 'noneof', 'ada@example.com')).toEqual(['3 Bob', '4 nobody']);
      expect(await titles(ada, 'anyof', '@me')).toEqual(['1 Ada', '2 both']);
      expect(await titles(bob, 'anyof', ['@me'])).toEqual(['2 both', '3 Bob']);
      expect(await titles(bob, 'noneof', '@me')).toEqual(['1 Ada', '4 nobody']);
      // The count is remembered by what is asked: it must not be the one of somebody else.
      const counted = async (client: TestClient) => {
        const where = encodeURIComponent('(Who,allof,@me)~and(Title,like,%3%)');
        return (await client.get<{ count: number }>(`${rows}/count?where=${where}`)).body.count;
      };
      expect([Number(await counted(ada)), Number(await counted(bob))]).toEqual([0, 1]);
    });

    test('are looked for by words, which "me" is none of', async () => {
      expect(await titles(ada, 'like', 'ada@')).toEqual(['1 Ada', '2 both']);
      // The words that begin an address after its name may be "me" and more.
      await signUp('ada@media.com');
      await join('ada@media.com');
      const made = await make('5 media', 'ada@media.com');
      expect(await titles(ada, 'like', '@media.com')).toEqual(['5 media']);
      expect(await titles(ada, 'like', 'ada@me')).toEqual(['5 media']);
      expect(await titles(ada, 'like', '@me')).toEqual(['5 media']);
      expect(await titles(ada, 'nlike', '@media.com')).not.toContain('5 media');
      expect(await titles(ada, 'anyof', 'ada@media.com, @me')).toEqual(['1 Ada', '2 both', '5 media']);
      await ada.delete(`${rows}/${String(made.body.Id as number)}`);
      await leave('ada@media.com');
    });

    test('are refused where they are no members, on every way in, and nothing is written', async () => {
      const some = await make('5 some', 'ada@example.com');
      const path = `${rows}/${String(some.body.Id as number)}`;
      const given = { Who: 'stranger@example.com' };
      const refused = [
        [
          await make('6 no', 'stranger@example.com'),
          "'Who' names stranger@example.com, who is no member of this project.",
        ],
        [await ada.patch(path, given), "'Who' names stranger@example.com"],
        [
          await ada.post(bulk, [{ Title: '6 no' }, { Title: '6 no', ...given }]),
          "Row 2: 'Who' names stranger@example.com",
        ],
        [await ada.patch(bulk, [{ Id: some.body.Id, ...given }]), "'Who' names stranger@example.com"],
        [await ada.patch(`${bulk}/all?where=(Title,like,5%)`, given), "'Who' names stranger@example.com"],
      ] as const;
      for (const [answer, message] of refused)
        expect(answer).toMatchObject({ status: 400, body: { msg: expect.stringContaining(message) } });
      expect(await titles(ada, 'like', 'stranger')).toEqual([]);
      const { body } = await ada.get<List>(`${rows}?where=(Title,like,6%)`);
      expect(body.list).toEqual([]);
      await ada.delete(path);
    });

    test('stay where they were after they left, and cannot be put anywhere else', async () => {
      const made = await make('7 Eve', 'eve@example.com');
      const path = `${rows}/${String(made.body.Id as number)}`;
      await leave('eve@example.com');
      expect((await ada.get<Row>(path)).body.Who).toBe('eve@example.com');
      expect(await ada.patch<Row>(path, { ...made.body, Title: '7 Eve again' })).toMatchObject({
        status: 200,
      });
      const both = await ada.patch<Row>(path, { Who: 'eve@example.com,bob@example.com' });
      expect(both).toMatchObject({ status: 200, body: { Who: 'eve@example.com,bob@example.com' } });
      const values = { Title: '8 copy', Who: 'eve@example.com' };
      expect(await ada.post(bulk, [values])).toMatchObject({ status: 400 });
      const of = String(made.body.Id as number);
      expect(await ada.post(`${bulk}/copies`, [{ of, values }])).toMatchObject({ status: 200 });
      expect(await titles(ada, 'eq', 'eve@example.com')).toEqual(['8 copy']);
      const invented = { ...values, Who: 'eve@example.com,stranger@example.com' };
      for (const copy of [
        { of, values: invented },
        { of: '999999', values },
      ])
        expect(await ada.post(`${bulk}/copies`, [copy])).toMatchObject({ status: 400 });
      expect(await ada.post(`${bulk}/copies`, [values])).toMatchObject({
        status: 400,
        body: { code: 'BODY_NOT_COPIES' },
      });
      expect(await ada.patch(path, { Who: 'bob@example.com' })).toMatchObject({ status: 200 });
      expect(await ada.patch(path, { Who: 'eve@example.com' })).toMatchObject({ status: 400 });
      await ada.delete(path);
      await ada.delete(`${bulk}/all?where=(Title,eq,8 copy)`);
    });

    test('are listed with their names for members, and for nobody else', async () => {
      const path = `/api/v1/plugins/columns-people/projects/${project}/people`;
      expect((await bob.get(path)).body).toEqual({
        list: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }],
      });
      expect((await stranger.get(path)).status).toBeGreaterThanOrEqual(403);
      expect((await server.client.get(path)).status).toBe(401);
    });

    test('are read out of texts when a text column becomes one of people, and what is no address is told', async () => {
      const path = `/api/v1/db/meta/projects/${project}/tables`;
      const { body: made } = await ada.post<TableEntity>(path, {
        title: 'Letters',
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'To', uidt: 'SingleLineText' },
        ],
      });
      const letters = '/api/v1/db/data/noco/Tasks/Letters';
      const texts = [
        'ADA@example.com',
        'Bob <bob@example.com>',
        'not a person',
        'bob@example.com; ada@example.com',
        'bob@example.com, stranger@example.com',
        'stranger@example.com',
      ];
      for (const To of texts) await ada.post(letters, { To });
      const column = `/api/v1/db/meta/columns/${made.columns?.find(({ title }) => title === 'To')?.id ?? ''}`;
      const patch = { title: 'To', uidt: 'Collaborator' };
      expect((await ada.post(`${column}/trial`, patch)).body).toMatchObject({
        converts: true,
        seen: 6,
        lost: 3,
        samples: expect.arrayContaining([
          { from: 'not a person', to: null, lost: true },
          { from: 'bob@example.com, stranger@example.com', to: 'bob@example.com', lost: true },
          { from: 'stranger@example.com', to: null, lost: true },
        ]),
      });
      expect(await ada.patch(column, patch)).toMatchObject({
        status: 409,
        body: { code: 'RETYPE_LOSES_VALUES' },
      });
      expect(await ada.patch(column, { ...patch, meta: { acceptLoss: true } })).toMatchObject({
        status: 200,
      });
      const { body } = await ada.get<List>(`${letters}?sort=Id`);
      expect(body.list.map(({ To }) => To)).toEqual([
        'ada@example.com',
        'bob@example.com',
        null,
        'bob@example.com,ada@example.com',
        'bob@example.com',
        null,
      ]);
      // Back to text nothing has to be read again.
      const back = { title: 'To', uidt: 'SingleLineText' };
      expect((await ada.post(`${column}/trial`, back)).body).toMatchObject({ converts: false });
    });

    test('can be limited to one for each cell, after a question where there are more', async () => {
      const column = `/api/v1/db/meta/columns/${who()}`;
      const patch = { title: 'Who', uidt: 'Collaborator', meta: { multiple: false } };
      expect(await ada.patch(column, patch)).toMatchObject({ status: 409 });
      expect(await make('8 two', 'ada@example.com,bob@example.com')).toMatchObject({ status: 200 });
    });
  });
}

describePeople('sqlite', () => createTestServer());

describeEachServer('on a server', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describePeople(dialect, () => createTestServer({ database: databases }));
});
