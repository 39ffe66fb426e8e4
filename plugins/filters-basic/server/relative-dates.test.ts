import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

let server: TestServer;
let client: TestClient;
const path = '/api/v1/db/data/noco/Work/Tasks';
const day = 86_400_000;
const dayOf = (offset: number) => new Date(Date.now() + offset * day).toISOString().slice(0, 10);

// Noon all along, so that no test begins on one day and ends on the next.
const noon = Math.floor(Date.now() / day) * day + day / 2;

beforeAll(async () => {
  jest.spyOn(Date, 'now').mockReturnValue(noon);
  server = await createTestServer();
  client = await server.signUp();
  const { body: project } = await client.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Work' });
  const made = await client.post(`/api/v1/db/meta/projects/${project.id}/tables`, {
    title: 'Tasks',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Offset', uidt: 'Number' },
      { title: 'Day', uidt: 'Date' },
      { title: 'Moment', uidt: 'DateTime' },
      { title: 'Made', uidt: 'CreateTime' },
    ],
  });
  expect(made).toMatchObject({ status: 200 });
  const rows = [-40, -8, -7, -1, 0, 1, 7, 8, 40].map((offset) => ({
    Offset: offset,
    Day: dayOf(offset),
    // The last moment of the day.
    Moment: `${dayOf(offset)} 23:59:59`,
  }));
  expect(await client.post('/api/v1/db/data/bulk/noco/Work/Tasks', [...rows, {}])).toMatchObject({
    status: 200,
  });
});
afterAll(() => server?.dispose());

async function found(where: string): Promise<readonly unknown[]> {
  const answer = await client.get<{ list: readonly { Offset: unknown }[] }>(
    `${path}?sort=Offset&limit=100&where=${encodeURIComponent(where)}`,
  );
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.list.map(({ Offset }) => (Offset === null ? null : Number(Offset)));
}

test.each([
  ['within,today', [0]],
  ['within,yesterday', [-1]],
  ['within,tomorrow', [1]],
  ['within,last 7 days', [-7, -1, 0]],
  ['within,next 1 week', [0, 1, 7]],
  ['older,7 days', [-40, -8]],
  ['later,7 days', [8, 40]],
  ['later,0 days', [1, 7, 8, 40]],
  [`within,${dayOf(7)}`, [7]],
])('%s finds days and moments, and no empty cells', async (condition, offsets) => {
  expect(await found(`(Day,${condition})`)).toEqual(offsets);
  expect(await found(`(Moment,${condition})`)).toEqual(offsets);
});

test('the last moment of a day in UTC belongs to the next one further east', async () => {
  expect(await found(`(Moment,within,${dayOf(1)} in Asia/Tokyo)`)).toEqual([0]);
  expect(await found(`(Moment,within,${dayOf(0)} in America/New_York)`)).toEqual([0]);
});

test('the moment at which a row was made is compared like any other', async () => {
  expect(await found('(Made,within,today)')).toHaveLength(10);
  expect(await found('(Made,older,1 day)')).toEqual([]);
});

test.each(['within,someday', 'within,', 'older,today', 'within,today in Mars/Olympus', 'later,9999 years'])(
  '%s is refused with the name of the column',
  async (condition) => {
    const where = encodeURIComponent(`(Day,${condition})`);
    expect(await client.get(`${path}?where=${where}`)).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining('Day') },
    });
  },
);
