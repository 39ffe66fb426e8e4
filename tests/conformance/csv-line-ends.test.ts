import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { keeperOf } from '../../plugins/schedules/testing/scheduled-server.ts';

const meta = '/api/v1/db/meta';
const rows = '/api/v1/db/data/noco/Shop/Things';
/** What is written, and the cell that a spreadsheet reads as one and takes for no formula. */
const cells = [
  ['a\nb', '"a\nb"'],
  ['a\rb', '"a\rb"'],
  ['\n=1+1', `"'\n=1+1"`],
  ['\r=1+1', `"'\r=1+1"`],
  ['\r\n@x', `"'\r\n@x"`],
  ['\t-1', `'\t-1`],
] as const;
const file = `Name\r\n${cells.map(([, cell]) => `${cell}\r\n`).join('')}`;

let server: TestServer;
let ann: TestClient;
let project = '';
let table = '';
let view = '';

beforeAll(async () => {
  server = await createTestServer();
  ann = await server.signUp('ann@example.com');
  project = (await ann.post<{ id: string }>(`${meta}/projects`, { title: 'Shop' })).body.id;
  const columns = [
    { title: 'Id', uidt: 'ID' },
    { title: 'Name', uidt: 'SingleLineText', pv: true },
  ];
  const made = await ann.post<{ id: string }>(`${meta}/projects/${project}/tables`, {
    title: 'Things',
    columns,
  });
  table = made.body.id;
  await ann.post(
    rows.replace('/data/', '/data/bulk/'),
    cells.map(([Name]) => ({ Name })),
  );
  view = (await ann.post<{ id: string }>(`${meta}/tables/${table}/grids`, { title: 'Names' })).body.id;
});
afterAll(() => server?.dispose());

/** The file of a run of a schedule. */
async function scheduled(): Promise<string> {
  const keep = keeperOf(ann, project);
  const action = { action: 'schedules.export', table_id: table, view_id: view };
  const schedule = await keep.make({ cron: '0 0 1 1 *', retries: 0, ...action });
  await keep.runNow(schedule.id);
  const [run] = await keep.until(schedule.id, ([newest]) => newest !== undefined && newest.ended_at !== null);
  return got(ann, `${keep.path}/${schedule.id}/runs/${run?.id}/file`);
}

async function shared(): Promise<string> {
  const { uuid } = (await ann.post<{ uuid: string }>(`${meta}/views/${view}/share`, {})).body;
  return got(server.client, `/api/v1/db/public/shared-view/${uuid}/rows/export/csv`);
}

async function got(client: TestClient, path: string): Promise<string> {
  const headers = new Headers(client.token === undefined ? {} : { 'xc-auth': client.token });
  const answer = await fetch(`${server.url}${path}`, { headers });
  expect(answer.status).toBe(200);
  return answer.text();
}

test.each([
  ['the table', () => got(ann, `${rows}/export/csv?fields=Name`)],
  ['a view', () => got(ann, `${rows}/views/Names/export/csv?fields=Name`)],
  ['a link to a view', shared],
  ['a schedule', scheduled],
])(
  'a lone line feed or carriage return stays in its cell, and hides no formula, in the CSV of %s',
  async (_, csv) => {
    expect(await csv()).toBe(file);
  },
);
