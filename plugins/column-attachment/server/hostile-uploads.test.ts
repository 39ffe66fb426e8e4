import type { AttachedFile } from '@trellis/sdk/shared';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

let server: TestServer;
let owner: TestClient;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUp();
});
afterAll(() => server.dispose());

async function send(name: string, content: Uint8Array | string, { type = '', path = 'a' } = {}) {
  const form = new FormData();
  form.append('file', new Blob([content as BlobPart], { type }), name);
  const address = `${server.url}/api/v1/db/storage/upload?path=${encodeURIComponent(path)}`;
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'xc-auth': owner.token ?? '' },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

async function sendOne(...of: Parameters<typeof send>): Promise<AttachedFile> {
  const { body } = await send(...of);
  const [file] = body as readonly AttachedFile[];
  if (file === undefined) throw new Error(JSON.stringify(body));
  return file;
}

const headersOf = async ({ url }: AttachedFile, query = '') =>
  Object.fromEntries((await fetch(server.url + url + query)).headers);

test.each([
  ['../../../etc/passwd', 'passwd'],
  ['..\\..\\windows\\system.ini', 'system.ini'],
  ['/etc/cron.d/evil', 'evil'],
  ['..', 'file'],
  ['a\u202egpj.exe', 'agpj.exe'],
  ['%2e%2e%2fevil.txt', '%2e%2e%2fevil.txt'],
  ['<img src=x onerror=alert(1)>.png', '<img src=x onerror=alert(1)>.png'],
  [`${'a'.repeat(400)}.txt`, 'a'.repeat(255)],
])('a file that is called %j is kept under a name of ours', async (name, title) => {
  const file = await sendOne(name, 'hello');
  expect(file.title).toBe(title);
  expect(file.url).toMatch(/^\/download\/a\/[\w-]{22}(\.[a-z0-9]{1,10})?$/);
  const header = (await headersOf(file))['content-disposition'] ?? '';
  expect(header).toMatch(/^(?:inline|attachment); filename="[^"\\]*"; filename\*=UTF-8''[^"\s;]+$/);
  const found = await readdir(join(server.dataDir, 'files'), { recursive: true });
  // Where files wait until they are whole.
  const kept = found.filter((entry) => entry !== '.unfinished');
  expect(kept.every((entry) => /^[0-9a-f]{2}(?:[/\\][0-9a-f]{38})?$/.test(entry.split(sep).join('/')))).toBe(
    true,
  );
});

test.each([
  '../../x',
  'a/../../b',
  '..%2f..%2f',
  'a\\..\\b',
  '<script>',
  'a?b#c',
  '\u0000',
  '//',
  'x'.repeat(900),
])('a path %j names folders of the address and none of the disk', async (path) => {
  const { status, body } = await send('a.txt', 'hello', { path });
  expect(status).toBe(200);
  expect((body as readonly AttachedFile[])[0]?.url).toMatch(
    /^\/download\/(?:[^./?#<>\\]+\/)*[\w-]{22}\.txt$/,
  );
});

test.each([
  'download/../../../../etc/passwd',
  'download/..%2f..%2f..%2fetc%2fpasswd',
  'download/%2e%2e/%2e%2e/etc/passwd',
  'download/a/%00.png',
  'download/',
  'download/files/secret',
  `download/${'A'.repeat(22)}`,
])('GET /%s finds nothing', async (path) => {
  const answer = await owner.get(`/${path}`);
  expect(answer.status).toBe(404);
  expect(String(answer.body)).not.toContain('root:');
});

describe('what runs in a browser', () => {
  const script = '<script>alert(document.domain)</script>';

  test.each([
    ['page.html', script, 'text/html'],
    ['page.xhtml', `<html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`, 'application/xhtml+xml'],
    ['feed.xml', `<?xml-stylesheet href="x.xsl"?><a/>`, 'text/xml'],
    ['code.js', 'alert(1)', 'text/javascript'],
    ['style.css', '*{display:none}', 'text/css'],
    ['photo.png', script, 'image/png'],
    ['photo', script, 'text/html'],
    ['drawing.svg', script, 'image/svg+xml'],
  ])('is served as a text to be saved: %s', async (name, content, type) => {
    const headers = await headersOf(
      await sendOne(name, content, { type }),
      '?type=text/html&mimetype=text/html',
    );
    expect(headers['content-type']).toMatch(/^(?:text\/plain; charset=utf-8|application\/octet-stream)$/);
    expect(headers).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment;/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    });
  });

  test('may be a picture, which is saved and not opened: a drawing with a script', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`;
    expect(await headersOf(await sendOne('a.svg', svg))).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-disposition': expect.stringMatching(/^attachment;/),
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    });
  });

  test('is not believed to be a picture by its name, nor a page by a claim', async () => {
    expect(await sendOne('a.png', script, { type: 'image/png' })).toMatchObject({
      mimetype: 'application/octet-stream',
    });
    expect(
      await sendOne('a.html', Buffer.from('89504e470d0a1a0a', 'hex'), { type: 'text/html' }),
    ).toMatchObject({
      mimetype: 'image/png',
    });
  });
});

test('a body that is too large is refused before it is read, and one that names no length while it is', async () => {
  const address = `${server.url}/api/v1/db/storage/upload?path=a`;
  await server.host.plugins.saveSettings('column-attachment', { maximumMegabytes: 1, keepDays: 90 });
  const headers = { 'xc-auth': owner.token ?? '', 'content-type': 'multipart/form-data; boundary=b' };
  const start = Buffer.from('--b\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\n');
  const chunk = Buffer.alloc(1024 * 1024);
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(sent === 0 ? start : chunk);
      sent += 1;
      if (sent > 40) controller.close();
    },
  });
  const answer = await fetch(address, { method: 'POST', headers, body, duplex: 'half' } as RequestInit).then(
    ({ status }) => status,
    () => 'cut',
  );
  expect([413, 'cut']).toContain(answer);
  const whole = await send('a.bin', Buffer.alloc(1024 * 1024 + 1)).catch(() => ({ status: 413 }));
  expect(whole.status).toBe(413);
});
