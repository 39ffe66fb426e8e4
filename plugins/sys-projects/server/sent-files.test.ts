import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { fileRows, sqliteFile } from '../testing/sqlite-file.ts';

const path = '/api/v1/db/meta/sqlite-files';
const projects = '/api/v1/db/meta/projects';

let server: TestServer;
let owner: TestClient;

beforeAll(async () => {
  server = await createTestServer({ env: { TRELLIS_SQLITE_UPLOAD_MB: '1' } });
  owner = await server.signUp();
});
afterAll(() => server?.dispose());

interface Sent {
  readonly status: number;
  readonly body: {
    readonly file: string;
    readonly bytes: number;
    readonly code?: string;
    readonly msg?: string;
  };
}

/** Sends a file as the page does: nothing but its bytes. */
async function send(content: Uint8Array, name = 'Pet shop.db', by = owner): Promise<Sent> {
  const response = await fetch(`${server.url}${path}?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { 'xc-auth': by.token ?? '', 'content-type': 'application/octet-stream' },
    body: new Blob([new Uint8Array(content)]),
  });
  return { status: response.status, body: (await response.json()) as Sent['body'] };
}

function open(title: string, file: string) {
  const bases = [{ type: 'sqlite3', settings: { file } }];
  return owner.post<{ id: string; bases: { id: string }[]; code?: string }>(projects, {
    title,
    external: true,
    bases,
  });
}

const kept = () =>
  readdir(join(server.dataDir, 'sqlite', 'uploads')).then(
    (names) => names.toSorted(),
    () => [],
  );

test('a file that is sent can be opened, and goes with its project', async () => {
  const content = sqliteFile();
  const { status, body } = await send(content);
  expect(status).toBe(200);
  expect(body).toEqual({
    file: expect.stringMatching(/^uploads\/Pet-shop-\w{8}\.sqlite$/),
    bytes: content.length,
  });

  const { body: project } = await open('Pets', body.file);
  const rows = await owner.get<{ list: object[] }>('/api/v1/db/data/noco/Pets/Pet');
  expect(rows.body.list).toMatchObject(fileRows);
  await owner.patch('/api/v1/db/data/noco/Pets/Pet/1', { Name: 'Tiger' });
  // Whoever looks for more than its name finds nothing: the list is of the files of the operator.
  expect((await owner.get<{ list: object[] }>(path)).body).toEqual({
    list: [],
    upload: { limit: 1024 * 1024 },
  });
  expect(await owner.delete(`${path}/${encodeURIComponent(body.file)}`)).toMatchObject({
    status: 409,
    body: { code: 'FILE_IN_USE' },
  });

  await owner.delete(`${projects}/${project.id}`);
  expect(await kept()).toContain(body.file.slice('uploads/'.length));
  await owner.post(`/api/v1/db/meta/deleted-projects/${project.id}/restore`);
  expect((await owner.get<{ list: object[] }>('/api/v1/db/data/noco/Pets/Pet')).body.list[0]).toMatchObject({
    Name: 'Tiger',
  });
  await owner.delete(`${projects}/${project.id}`);
  expect(await owner.delete(`/api/v1/db/meta/deleted-projects/${project.id}`)).toMatchObject({ status: 200 });
  expect(await kept()).toEqual([]);
});

test('a file goes with the base when that is taken out of its project, and no other file does', async () => {
  const [one, other] = [(await send(sqliteFile())).body, (await send(sqliteFile())).body];
  const { body: project } = await open('Two', one.file);
  const added = await owner.post<{ id: string }>(`${projects}/${project.id}/bases`, {
    type: 'sqlite3',
    settings: { file: other.file },
  });
  expect(added.status).toBe(200);
  expect(await owner.delete(`${projects}/${project.id}/bases/${added.body.id}`)).toMatchObject({
    status: 200,
  });
  expect((await kept()).filter((name) => name.endsWith('.sqlite'))).toEqual([
    one.file.slice('uploads/'.length),
  ]);
});

test('what was sent and not opened can be given back', async () => {
  const { body: first } = await send(sqliteFile(), 'first.sqlite');
  expect(await owner.delete(`${path}/${encodeURIComponent(first.file)}`)).toMatchObject({ status: 200 });
  expect((await kept()).some((name) => name.startsWith('first'))).toBe(false);
});

test('what is no sound SQLite database is refused in words, and nothing of it stays', async () => {
  const before = await kept();
  const text = Buffer.from('id,name\n1,Cat\n'.repeat(500));
  expect(await send(text)).toMatchObject({ status: 400, body: { code: 'FILE_UPLOAD_NOT_SQLITE' } });
  expect(await send(Buffer.alloc(0))).toMatchObject({
    status: 400,
    body: { code: 'FILE_UPLOAD_NOT_SQLITE' },
  });
  const damaged = Buffer.from(sqliteFile());
  damaged.fill(0xab, 4096 + 8, 4096 + 200);
  expect(await send(damaged)).toMatchObject({ status: 400, body: { code: 'FILE_UPLOAD_DAMAGED' } });
  const cut = sqliteFile().subarray(0, 4096);
  expect((await send(cut)).status).toBe(400);
  expect(await send(Buffer.concat([sqliteFile(), Buffer.alloc(1024 * 1024)]))).toMatchObject({
    status: 413,
    body: { code: 'FILE_UPLOAD_LARGE', msg: 'The file is larger than 1 MB.' },
  });
  expect(await kept()).toEqual(before);
});

test('a file whose sender goes away leaves nothing', async () => {
  const before = await kept();
  const content = sqliteFile();
  const call = request(`${server.url}${path}?name=half.db`, {
    method: 'POST',
    headers: { 'xc-auth': owner.token ?? '', 'content-length': String(content.length) },
  });
  call.on('error', () => undefined);
  call.write(content.subarray(0, 5000));
  while ((await kept()).length === before.length) await new Promise(setImmediate);
  call.destroy();
  while ((await kept()).length > before.length) await new Promise(setImmediate);
  expect(await kept()).toEqual(before);
});

test('only super admins send files, and no name leads out of the folder', async () => {
  const other = await server.signUp();
  expect(await send(sqliteFile(), 'mine.db', other)).toMatchObject({ status: 403 });
  const { body } = await send(sqliteFile(), '../../../etc/pass wd\0.db');
  expect(body.file).toMatch(/^uploads\/pass-wd-\w{8}\.sqlite$/);
  for (const name of ['../trellis.db', 'uploads/../../trellis.db', '/etc/hostname'])
    expect(await owner.delete(`${path}/${encodeURIComponent(name)}`)).toMatchObject({
      status: 404,
      body: { code: 'FILE_UPLOAD_GONE' },
    });
  expect((await readFile(join(server.dataDir, 'sqlite', body.file))).length).toBeGreaterThan(0);
});
