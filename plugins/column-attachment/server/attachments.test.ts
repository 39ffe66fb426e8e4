import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { ColumnTrial, TableEntity, AttachedFile } from '@trellis/sdk/shared';

let server: TestServer;
let owner: TestClient;
let stranger: TestClient;
let table: TableEntity;
let project: string;

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const rowsPath = '/api/v1/db/data/noco/Shop/Products';

interface Sent {
  readonly content: Uint8Array | string;
  readonly name: string;
  readonly type?: string;
}

async function upload(
  client: TestClient,
  files: readonly Sent[],
  path = 'noco/Shop/Products/Files',
  headers: Readonly<Record<string, string>> = {},
): Promise<{
  readonly status: number;
  readonly body: readonly AttachedFile[] & { readonly msg?: string; readonly code?: string };
}> {
  const form = new FormData();
  for (const { content, name, type } of files)
    form.append('files', new Blob([content as BlobPart], { type: type ?? '' }), name);
  form.append('json', '{"api":"xcAttachmentUpload"}');
  const response = await fetch(`${client.url}/api/v1/db/storage/upload?path=${encodeURIComponent(path)}`, {
    method: 'POST',
    headers: { ...headers, ...(client.token !== undefined && { 'xc-auth': client.token }) },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as never };
}

const uploadOne = async (content: Uint8Array | string, name: string): Promise<AttachedFile> => {
  const { body } = await upload(owner, [{ content, name }]);
  if (body[0] === undefined) throw new Error(JSON.stringify(body));
  return body[0];
};

const read = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(server.url + url, { headers });

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp();
  stranger = await server.signUp('stranger@example.com');
  ({
    body: { id: project },
  } = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' }));
  ({ body: table } = await owner.post<TableEntity>(`/api/v1/db/meta/projects/${project}/tables`, {
    title: 'Products',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Files', uidt: 'Attachment' },
      {
        title: 'Photo',
        uidt: 'Attachment',
        meta: { maximumFiles: 1, maximumMegabytes: 1, accept: 'image/*' },
      },
    ],
  }));
  expect(table.columns).toBeDefined();
});
afterAll(() => server.dispose());

describe('an uploaded file', () => {
  test('is kept, and read by its address as it was sent', async () => {
    const { status, body } = await upload(owner, [
      { content: png, name: 'Tea pot.png', type: 'image/png' },
      { content: 'a,b\n', name: 'Preise für März.csv', type: 'text/csv' },
    ]);
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        url: expect.stringMatching(/^\/download\/noco\/Shop\/Products\/Files\/[\w-]{22}\.png$/),
        title: 'Tea pot.png',
        mimetype: 'image/png',
        size: png.length,
      },
      expect.objectContaining({ title: 'Preise für März.csv', mimetype: 'text/csv', size: 4 }),
    ]);
    const answer = await read(body[0]?.url ?? '');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(png);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'content-disposition': `inline; filename="Tea pot.png"; filename*=UTF-8''Tea%20pot.png`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'private, max-age=31536000, immutable',
    });
    expect((await read(body[1]?.url ?? '')).headers.get('content-disposition')).toBe(
      `attachment; filename="Preise f_r M_rz.csv"; filename*=UTF-8''Preise%20f%C3%BCr%20M%C3%A4rz.csv`,
    );
  });

  test('is read in parts, and not again by who has it', async () => {
    const { url } = await uploadOne('0123456789', 'digits.txt');
    const part = async (range: string) => {
      const answer = await read(url, { range });
      return [answer.status, await answer.text(), answer.headers.get('content-range')];
    };
    expect(await part('bytes=2-4')).toEqual([206, '234', 'bytes 2-4/10']);
    expect(await part('bytes=7-')).toEqual([206, '789', 'bytes 7-9/10']);
    expect(await part('bytes=-2')).toEqual([206, '89', 'bytes 8-9/10']);
    expect(await part('bytes=5-500')).toEqual([206, '56789', 'bytes 5-9/10']);
    expect(await part('bytes=10-')).toEqual([416, '', 'bytes */10']);
    expect(await part('bytes=4-2')).toEqual([200, '0123456789', null]);
    expect(await part('bytes=0-1,4-5')).toEqual([200, '0123456789', null]);
    const whole = await read(url);
    const etag = whole.headers.get('etag') ?? '';
    expect((await read(url, { 'if-none-match': etag })).status).toBe(304);
    expect((await read(url, { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    expect((await read(url, { range: 'bytes=0-1', 'if-range': '"another"' })).status).toBe(200);
    const head = await fetch(server.url + url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10']);
  });

  test('names an icon for clients of the v1 API where it is an office file', async () => {
    expect(await uploadOne('%PDF-1.7', 'a.pdf')).toMatchObject({
      icon: 'mdi-pdf-box',
      mimetype: 'application/pdf',
    });
    expect(await uploadOne('PK\u0003\u0004', 'a.docx')).toMatchObject({ icon: 'mdi-file-word-outline' });
  });

  test('may be empty', async () => {
    const { url, size } = await uploadOne('', 'nothing.txt');
    expect([size, await (await read(url)).text()]).toEqual([0, '']);
  });
});

describe('a cell', () => {
  const create = (body: unknown) => owner.post<Record<string, string>>(rowsPath, body);

  test('holds files as JSON text in which only the titles are the sender’s', async () => {
    const file = await uploadOne(png, 'pot.png');
    const claimed = { ...file, title: 'Teapot', size: 1, mimetype: 'text/html', signedUrl: 'x' };
    const { status, body } = await create({ Files: [claimed] });
    expect(status).toBe(200);
    expect(JSON.parse(body.Files ?? '')).toEqual([{ ...file, title: 'Teapot' }]);
    const url = `https://old.example.com${file.url}`;
    const { body: again } = await owner.patch<Record<string, string>>(`${rowsPath}/${body.Id}`, {
      Files: JSON.stringify([{ url, title: 'Pot' }]),
    });
    expect(JSON.parse(again.Files ?? '')).toEqual([{ ...file, title: 'Pot' }]);
  });

  test('is exported as title(url), and takes that back', async () => {
    await owner.delete('/api/v1/db/data/bulk/noco/Shop/Products/all?confirm=all');
    const file = await uploadOne(png, 'A, b (2).png');
    await create({ Files: [file] });
    const csv = await owner.get<string>(`${rowsPath}/export/csv?fields=Files`);
    expect(csv.body).toContain(`A, b (2).png(${file.url})`);
    const { body } = await create({ Files: `A, b (2).png(${file.url})` });
    expect(JSON.parse(body.Files ?? '')).toEqual([file]);
  });

  test('keeps its files through undo, and shows who has some', async () => {
    await owner.delete('/api/v1/db/data/bulk/noco/Shop/Products/all?confirm=all');
    const file = await uploadOne(png, 'pot.png');
    const { body } = await create({ Files: [file] });
    await create({});
    const where = (text: string) =>
      owner.get<{ list: readonly { Id: number }[] }>(`${rowsPath}?where=${text}`);
    expect((await where('(Files,notnull)')).body.list.map((row) => row.Id)).toEqual([body.Id]);
    expect((await where('(Files,null)')).body.list).toHaveLength(1);
    const { headers } = await owner.patch(`${rowsPath}/${body.Id}`, { Files: null });
    const operation = headers.get('x-trellis-operation');
    expect(operation).toBeTruthy();
    const undone = await owner.post(`/api/v1/db/data/operations/Shop/${operation}/undo`);
    expect(undone.status).toBe(200);
    const { body: row } = await owner.get<Record<string, string>>(`${rowsPath}/${body.Id}`);
    expect(JSON.parse(row.Files ?? '')).toEqual([file]);
  });

  test('takes several rows at once, and the same files into all rows of a question', async () => {
    const file = await uploadOne(png, 'pot.png');
    const bulk = '/api/v1/db/data/bulk/noco/Shop/Products';
    expect((await owner.post(bulk, [{ Files: [file] }, { Photo: [file] }, {}])).status).toBe(200);
    expect((await owner.patch(`${bulk}/all?where=(Id,gt,0)`, { Files: [file] })).status).toBe(200);
    const { body } = await owner.get<{ list: readonly Record<string, string>[] }>(rowsPath);
    expect(body.list.every((row) => row.Files === JSON.stringify([file]))).toBe(true);
  });

  test.each([
    ['an address that was never given', [{ url: `/download/${'A'.repeat(22)}.png`, title: 'x' }]],
    ['a path of the disk', [{ url: '/download/../../etc/passwd', title: 'x' }]],
    // oxlint-disable-next-line no-script-url -- what must be refused
    ['a script', [{ url: 'javascript:alert(1)', title: 'x' }]],
    ['no file', ['x']],
  ])('refuses %s', async (_, Files) => {
    expect((await create({ Files })).status).toBe(400);
  });

  test('keeps to what its column allows, whatever the sender claims of a file', async () => {
    const text = await uploadOne('hello', 'a.txt');
    const [photo, other] = [await uploadOne(png, 'a.png'), await uploadOne(png, 'b.png')];
    expect(
      (await create({ Photo: [{ ...text, mimetype: 'image/png', title: 'a.png' }] })).body,
    ).toMatchObject({
      code: 'FILE_REFUSED',
      msg: "'a.png' cannot be kept in 'Photo': it is none of image/*.",
    });
    expect((await create({ Photo: [photo, other] })).body).toMatchObject({
      msg: expect.stringContaining('must hold at most 1 files'),
      params: { problemMessage: 'must hold at most {{most}} files', problemParams: { most: 1 } },
    });
    expect((await create({ Photo: [photo] })).status).toBe(200);
    const path = 'noco/Shop/Products/Photo';
    expect((await upload(owner, [{ content: 'hello', name: 'a.png' }], path)).body.code).toBe('FILE_REFUSED');
    const large = Buffer.concat([png, Buffer.alloc(1024 * 1024)]);
    expect(await upload(owner, [{ content: large, name: 'a.png' }], path)).toMatchObject({
      status: 413,
      body: { code: 'FILE_OVERSIZED', msg: "'a.png' is larger than 1 MB." },
    });
  });

  test('takes no file of another project', async () => {
    await owner.post('/api/v1/db/meta/projects', { title: 'Other' });
    const { body } = await upload(owner, [{ content: png, name: 'a.png' }], 'noco/Other');
    expect((await create({ Files: body })).body).toMatchObject({ code: 'FILE_NOT_HERE' });
  });

  test('takes a file that was uploaded for no project from its uploader, and the file then stays in that project', async () => {
    const { body } = await upload(owner, [{ content: png, name: 'a.png' }], 'my/folder');
    expect(body[0]?.url).toMatch(/^\/download\/my\/folder\//);
    const own = await stranger.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Mine' });
    expect([403, 200]).toContain(own.status);
    expect((await create({ Files: body })).status).toBe(200);
    await owner.post('/api/v1/db/meta/projects', { title: 'Third' });
    const third = await owner.get<{ list: readonly { id: string; title: string }[] }>(
      '/api/v1/db/meta/projects',
    );
    const id = third.body.list.find(({ title }) => title === 'Third')?.id ?? '';
    await owner.post(`/api/v1/db/meta/projects/${id}/tables`, {
      title: 'T',
      columns: [
        { title: 'Id', uidt: 'ID' },
        { title: 'Files', uidt: 'Attachment' },
      ],
    });
    expect((await owner.post('/api/v1/db/data/noco/Third/T', { Files: body })).body).toMatchObject({
      code: 'FILE_NOT_HERE',
    });
  });

  test('keeps links to elsewhere as links: address and title alone', async () => {
    const { body } = await create({
      Files: [{ url: 'https://example.com/a b.png', title: 'A', mimetype: 'image/png', size: 5 }],
    });
    expect(JSON.parse(body.Files ?? '')).toEqual([{ url: 'https://example.com/a%20b.png', title: 'A' }]);
  });
});

describe('an address that looks like one of ours', () => {
  const create = (body: unknown) => owner.post<Record<string, string>>(rowsPath, body);

  test.each(['product-brochure-2024x', 'A'.repeat(22)])(
    'is a link where another site has it: %s',
    async (name) => {
      const url = `https://example.com/download/${name}.pdf`;
      const { status, body } = await create({ Files: [{ url, title: 'a.pdf', size: 5 }] });
      expect([status, JSON.parse(body.Files ?? '')]).toEqual([200, [{ url, title: 'a.pdf' }]]);
    },
  );
});

describe('an upload that is sent again', () => {
  test('under its key is the same upload, and another file under that key is refused', async () => {
    const send = (content: string) =>
      upload(owner, [{ content, name: 'a.txt' }], undefined, { 'idempotency-key': 'one-file' });
    const first = await send('one');
    expect(first.status).toBe(200);
    expect(await send('one')).toEqual(first);
    expect((await send('two')).status).toBe(422);
  });
});

describe('who may upload', () => {
  test('is nobody without an account, and nobody to a project of others', async () => {
    const send = (client: TestClient, path?: string) =>
      upload(client, [{ content: png, name: 'a.png' }], path);
    expect(await send(server.client)).toMatchObject({ status: 401, body: { msg: 'Unauthorized access' } });
    const refused = await send(stranger);
    expect([403, 404]).toContain(refused.status);
    expect(await send(stranger, 'noco/No such project')).toEqual(refused);
    expect((await send(stranger, 'my/folder')).body.code).toBe('UPLOAD_NEEDS_PROJECT');
    expect((await send(owner, '')).status).toBe(400);
    const own = await owner.post('/api/v1/db/storage/upload?path=a', { url: 'x' });
    expect(own.status).toBe(415);
    expect((await upload(owner, [])).body.code).toBe('NO_FILES');
  });

  test('is told before the files are sent', async () => {
    const address = new URL(`${server.url}/api/v1/db/storage/upload?path=noco/Shop/Products/Files`);
    const asking = request(address, {
      method: 'POST',
      headers: {
        'xc-auth': stranger.token,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': 40_000_000,
      },
    });
    // A part of the body, and never the rest.
    asking.write('--b\r\n');
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    expect([403, 404]).toContain(answer.statusCode);
    asking.destroy();
  });

  test('into no project is nobody whose credential is limited to some projects, or to a role that only reads', async () => {
    const { body: me } = await owner.get<{ id: string }>('/api/v1/auth/user/me');
    const principal = { kind: 'token', id: me.id, email: '', accountRoles: ['super'] } as const;
    const limits = [
      { onlyProjects: [project] },
      { maximumRole: 'viewer' },
      { scopeRules: ['r'] },
      {},
    ] as const;
    const answers = limits.map(async (limit, at) => {
      const resolver = { id: `limited-${at}`, order: 1 };
      const registered = server.host.registries.get('credentialResolvers').register(
        {
          ...resolver,
          resolve: ({ headers }) =>
            Promise.resolve(headers['x-limited'] === String(at) ? { ...principal, ...limit } : undefined),
        },
        'limited',
      );
      const form = new FormData();
      form.append('files', new Blob(['a']), 'a.txt');
      const { status } = await fetch(`${server.url}/api/v1/db/storage/upload?path=my/folder`, {
        method: 'POST',
        headers: { 'x-limited': String(at) },
        body: form,
      });
      await registered.dispose();
      return status;
    });
    expect(await Promise.all(answers)).toEqual([403, 403, 403, 200]);
  });
});

describe('a column of files that gets another type', () => {
  test('says beforehand that its files go once no cell holds them, and when', async () => {
    const id = table.columns?.find(({ title }) => title === 'Photo')?.id;
    const trial = (body: object) =>
      owner.post<ColumnTrial>(`/api/v1/db/meta/columns/${id}/trial`, { title: 'Photo', ...body });
    const msg = expect.stringContaining('after 91 days');
    expect(await trial({ uidt: 'SingleLineText' })).toMatchObject({
      status: 200,
      body: { converts: true, notices: [{ code: 'FILES_LEFT', params: { days: 91 }, msg }] },
    });
    const other = await trial({ uidt: 'Attachment', meta: { maximumFiles: 2 } });
    expect(other.body).not.toHaveProperty('notices');
  });
});
