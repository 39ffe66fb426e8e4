import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestClient } from '@trellis/sdk/testing/server';
import { describeEachExistingDatabase } from '../../../host-server/databases/testing.ts';
import { connectDatabase, type ConnectedDatabase } from '../connected-database.ts';

type Row = Readonly<Record<string, unknown>>;
interface History {
  readonly list: readonly { readonly cells: readonly Row[] }[];
}

/** Places have keys of two columns, which visits name in the other order, and tickets in the same. */
const statements = [
  `create table place (region varchar(10), code varchar(10), note varchar(10), primary key (region, code),
    constraint turned unique (code, region))`,
  `create table visit (id int primary key, code varchar(10), region varchar(10),
    constraint visited foreign key (code, region) references place (code, region))`,
  `create table ticket (id int primary key, region varchar(10), code varchar(10),
    constraint valid_in foreign key (region, code) references place (region, code))`,
  "insert into place values ('a', 'b', 'gone'), ('b', 'a', 'kept'), ('c', 'c', 'other')",
  "insert into visit values (1, 'c', 'c'), (2, 'c', 'c')",
  "insert into ticket values (1, 'c', 'c'), (2, 'c', 'c')",
];

describeEachExistingDatabase('links to rows with keys of several columns', (dialect) => {
  let there: ConnectedDatabase;
  let owner: TestClient;

  beforeAll(async () => {
    there = await connectDatabase(dialect, { title: 'Trips', statements });
    ({ owner } = there);
  });
  afterAll(() => there?.dispose());

  const data = (path: string) => `/api/v1/db/data/noco/Trips/${path}`;
  /** How many events of a row tell of rows that were linked to it. */
  async function linksTold(place: string): Promise<number> {
    const { body } = await owner.get<History>(data(`Place/${place}/history`));
    const isLink = ({ before, after }: Row) => Array.isArray(before ?? after);
    return body.list.filter(({ cells }) => cells.some(isLink)).length;
  }
  const lead = async (row: string, Region: string, Code: string) =>
    expect((await owner.patch(data(row), { Region, Code })).status).toBe(200);

  test('are told no more of a row that is deleted for good, in whichever order foreign keys name it, and of others still', async () => {
    for (const [row, region, code] of [
      ['Visit/1', 'a', 'b'],
      ['Visit/1', 'c', 'c'],
      ['Ticket/1', 'a', 'b'],
      ['Ticket/1', 'c', 'c'],
      // Named by visits and tickets as the other row is named by tickets and visits.
      ['Visit/2', 'b', 'a'],
      ['Ticket/2', 'b', 'a'],
    ] as const)
      await lead(row, region, code);
    expect([await linksTold('a___b'), await linksTold('b___a')]).toEqual([4, 2]);

    const { headers } = await owner.delete(data('Place/a___b'));
    const operation = headers.get('x-trellis-operation') ?? '';
    const purge = `/api/v1/db/data/operations/Trips/deletions/${operation}`;
    expect(await owner.delete(purge)).toMatchObject({ status: 200, body: { rows: 1 } });
    expect([await linksTold('a___b'), await linksTold('b___a')]).toEqual([0, 2]);
  });
});
