import { crc32, inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MailMessage } from '@trellis/sdk/server';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { startReceiver, type Receiver } from '@trellis/sdk/testing/server';
import { keeperOf } from '../../plugins/schedules/testing/scheduled-server.ts';

const mails: MailMessage[] = [];
let canMail = false;
const post = testPlugin('post', (ctx) => {
  ctx.register('mailAdapters', {
    id: 'post',
    label: 'Post',
    isConfigured: () => canMail,
    send: async (message) => void mails.push(message),
    verify: async () => {},
  });
});

let server: TestServer;
let receiver: Receiver;
let ann: TestClient;
let keep: ReturnType<typeof keeperOf>;
let table: {
  readonly id: string;
  readonly columns: readonly { readonly id: string; readonly title: string }[];
};

beforeAll(async () => {
  receiver = await startReceiver();
  server = await createTestServer({ plugins: [post], env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
  ann = await server.signUp('ann@example.com');
  const { id } = (await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body;
  table = (
    await ann.post<typeof table>(`/api/v1/db/meta/projects/${id}/tables`, {
      title: 'Things',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
        { title: 'Secret', uidt: 'SingleLineText' },
      ],
    })
  ).body;
  const names = Array.from({ length: 150 }, (_, index) => ({ Name: `thing ${index + 1}`, Secret: 'hush' }));
  await ann.post('/api/v1/db/data/bulk/v1/Shop/Things', [{ Name: '=1+1', Secret: 'hush' }, ...names]);
  keep = keeperOf(ann, id);
});
afterAll(async () => {
  await server?.dispose();
  await receiver?.close();
});

/** A view that shows the names alone. */
async function viewOfNames(): Promise<string> {
  const { body: view } = await ann.post<{ id: string }>(`/api/v1/db/meta/tables/${table.id}/grids`, {
    title: 'Names',
  });
  const { body: columns } = await ann.get<readonly { id: string; fk_column_id: string }[]>(
    `/api/v1/db/meta/views/${view.id}/columns`,
  );
  const secret = table.columns.find(({ title }) => title === 'Secret')?.id;
  const hidden = columns.find(({ fk_column_id }) => fk_column_id === secret)?.id ?? '';
  await ann.patch(`/api/v1/db/meta/views/${view.id}/columns/${hidden}`, { show: false });
  return view.id;
}

const once = { cron: '0 0 1 1 *', retries: 0 };

async function ran(schedule: { readonly id: string }) {
  await keep.runNow(schedule.id);
  const [run] = await keep.until(schedule.id, ([newest]) => newest !== undefined && newest.ended_at !== null);
  if (run === undefined) throw new Error('it has not run');
  return run;
}

test('a view is exported with what it shows, and the file is kept with the run until the schedule goes', async () => {
  const input = { action: 'schedules.export', table_id: table.id, view_id: await viewOfNames() };
  const schedule = await keep.make({ ...once, ...input });
  const run = await ran(schedule);
  expect(run).toMatchObject({ state: 'done', message: { code: 'SCHEDULE_FILE_KEPT' } });
  expect(run.file?.name).toMatch(/^Names \d{4}-\d\d-\d\d \d{4}\.csv$/);
  const file = `${keep.path}/${schedule.id}/runs/${run.id}/file`;
  const answer = await fetch(`${server.url}${file}`, { headers: { 'xc-auth': ann.token ?? '' } });
  expect(answer.headers.get('content-disposition')).toContain('attachment');
  const text = await answer.text();
  expect(text).toContain("'=1+1");
  expect(text).toContain('thing 150');
  expect(text).not.toContain('hush');
  await ann.delete(`${keep.path}/${schedule.id}`);
  expect((await ann.get(file)).status).toBe(404);
});

/** The files of an archive, by their paths, with its directory as the reader; each is compared with its checksum. */
function unzipped(archive: Buffer): ReadonlyMap<string, string> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [crc, packed, size] = [16, 20, 24].map((field) => archive.readUInt32LE(at + field));
    const name = archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28));
    const start = archive.readUInt32LE(at + 42);
    const from = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
    const content = inflateRawSync(archive.subarray(from, from + Number(packed)));
    expect([name, content.length, crc32(content)]).toEqual([name, size, crc]);
    files.set(name, content.toString('utf8'));
    at += 46 + Buffer.byteLength(name) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}

test('a project is backed up as an archive, of which the newest stay', async () => {
  const input = { ...once, title: 'Backup', time_zone: 'UTC', action: 'schedules.backup' };
  for (const wrong of [0, 1.5, 'two', 201])
    expect(await ann.post(keep.path, { ...input, settings: { keep: wrong } })).toMatchObject({
      status: 400,
      body: { params: { problems: { '/settings/keep': expect.any(String) } } },
    });
  const schedule = await keep.make({ ...input, settings: { keep: 2 } });
  const fileOf = (run: { readonly id: string }) =>
    fetch(`${server.url}${keep.path}/${schedule.id}/runs/${run.id}/file`, {
      headers: { 'xc-auth': ann.token ?? '' },
    });
  const first = await ran(schedule);
  expect(first).toMatchObject({ state: 'done', message: { code: 'SCHEDULE_FILE_KEPT' } });
  expect(first.file?.name).toMatch(/^Shop \d{4}-\d\d-\d\d \d{4}\.zip$/);
  const files = unzipped(Buffer.from(await (await fileOf(first)).arrayBuffer()));
  expect([...files.keys()]).toEqual(['rows/001 Things.jsonl', 'trellis.json']);
  const lines = files.get('rows/001 Things.jsonl')?.trim().split('\n') ?? [];
  // What looks like a formula is data here, not something for a spreadsheet.
  expect(JSON.parse(lines[0] ?? '')).toEqual([1, '=1+1', 'hush']);
  expect(lines[150]).toContain('thing 150');
  expect(JSON.parse(files.get('trellis.json') ?? '')).toMatchObject({
    format: 'trellis-backup',
    project: { title: 'Shop' },
    left_out: 0,
    tables: [{ title: 'Things', rows: { file: 'rows/001 Things.jsonl', count: 151 } }],
  });
  await ran(schedule);
  await ran(schedule);
  const log = await keep.log(schedule.id);
  expect(log.map(({ file }) => file !== null)).toEqual([true, true, false]);
  expect((await fileOf(first)).status).toBe(404);
  await ann.delete(`${keep.path}/${schedule.id}`);
});

test('an export is written in no format that only programs can read', async () => {
  const input = { ...once, title: 'Names', action: 'schedules.export', table_id: table.id, time_zone: 'UTC' };
  const withFormat = (format: string) =>
    ann.post<{ id: string; params: { problems: object } }>(keep.path, { ...input, settings: { format } });
  const { body: offered } = await ann.get<{ list: readonly { id: string; settings: object }[] }>(
    keep.path.replace(/schedules$/, 'actions'),
  );
  expect(offered.list.find(({ id }) => id === input.action)?.settings).toMatchObject({
    properties: { format: { enum: ['csv', 'xlsx'], 'x-ui': { labels: ['CSV', 'Excel'] } } },
  });
  const { status, body } = await withFormat('excel');
  expect(status).toBe(400);
  expect(Object.keys(body.params.problems)).toEqual(['/settings/format']);
  const taken = await withFormat('xlsx');
  expect(taken.status).toBe(200);
  await ann.delete(`${keep.path}/${taken.body.id}`);
});

test('an export is mailed to whoever is named, once the server sends mail', async () => {
  const to = { to: 'bob@example.com, cleo@example.com' };
  const input = { ...once, title: 'Names', action: 'schedules.export', table_id: table.id, settings: to };
  const refused = await ann.post<{ params: { problems: object } }>(keep.path, { ...input, time_zone: 'UTC' });
  expect(refused.body.params.problems).toEqual({
    '/settings/to': expect.stringContaining('This server sends no mail'),
  });
  canMail = true;
  const run = await ran(await keep.make(input));
  expect(run).toMatchObject({
    state: 'done',
    message: {
      code: 'SCHEDULE_FILE_MAILED_TO',
      msg: 'The file was mailed to bob@example.com, cleo@example.com, and is kept with the run.',
    },
  });
  const [mail] = mails;
  expect(mail?.to).toEqual(['bob@example.com', 'cleo@example.com']);
  expect(Buffer.from(mail?.attachments?.[0]?.content ?? []).toString()).toContain('thing 150');
});

test('rows are sent to an address, some in each request, and what it refuses fails the run', async () => {
  const settings = { address: `${receiver.url}/in` };
  const schedule = await keep.make({ ...once, action: 'schedules.call', table_id: table.id, settings });
  const run = await ran(schedule);
  expect(run).toMatchObject({
    state: 'done',
    message: { code: 'SCHEDULE_ROWS_SENT', params: { count: 151 } },
  });
  const [first, second] = await receiver.until(2);
  expect(first?.headers['x-trellis-event-id']).toBe(`${run.id}-1`);
  expect(second?.headers['x-trellis-event-id']).toBe(`${run.id}-2`);
  const sizes = [first, second].map((got) => (JSON.parse(got?.body ?? '') as { rows: object[] }).rows.length);
  expect(sizes).toEqual([100, 51]);
  receiver.answer((_, response) => void response.writeHead(500).end());
  expect(await ran(schedule)).toMatchObject({
    state: 'failed',
    message: { code: 'SCHEDULE_ANSWER', params: { status: 500 } },
  });
  receiver.answer((_, response) => void response.writeHead(302, { location: '/login' }).end());
  expect(await ran(schedule)).toMatchObject({
    state: 'failed',
    message: { code: 'OUTBOUND_LOST', params: { to: receiver.url } },
  });
  // Nobody reads what it answers.
  receiver.answer((_, response) => void response.end('x'.repeat(300_000)));
  expect(await ran(schedule)).toMatchObject({ state: 'done' });
});

test('an address that could never be called cannot be saved, as in any other part of the product', async () => {
  const input = { ...once, title: 'Call', time_zone: 'UTC', action: 'schedules.call', table_id: table.id };
  const save = (address: string) => ann.post(keep.path, { ...input, settings: { address } });
  for (const address of ['http://169.254.169.254/latest/meta-data', 'http://10.0.0.1/'])
    expect(await save(address)).toMatchObject({ status: 400, body: { code: 'OUTBOUND_REFUSED' } });
  expect(await save('http://me:secret@example.com/')).toMatchObject({
    status: 400,
    body: { code: 'SCHEDULE_INVALID', params: { problems: { '/settings/address': expect.any(String) } } },
  });
});
