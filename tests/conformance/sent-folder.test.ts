import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeArchive } from '@trellis/sdk/build/archive/write-archive';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { OfferedProposal } from '#plugins/sys-app-store/shared';

const manifest = {
  id: 'badge',
  name: 'Badge',
  version: '1.0.0',
  category: 'app',
  engines: { trellis: '*' },
  sdk: 1,
  icon: 'pictures/badge.svg',
};
const built = {
  'plugin.json': JSON.stringify(manifest),
  'dist/package.json': '{"type":"module"}',
  'dist/server/index.js': 'export default { setup() {} };',
  'dist/web/empty.css': '',
  'pictures/badge.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};

describe('the folder of a plugin, sent by the page', () => {
  let server: TestServer;
  let admin: TestClient;
  beforeAll(async () => {
    server = await createTestServer();
    admin = await server.signUp();
  });
  afterAll(() => server.dispose());

  async function send(fields: Readonly<Record<string, string>>, content: string | undefined, client = admin) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    if (content !== undefined) form.append('content', new Blob([content]), 'content');
    const answer = await fetch(`${server.url}/api/v1/app-store/folder-proposals`, {
      method: 'POST',
      headers: { 'xc-auth': client.token ?? '' },
      body: form,
    });
    return { status: answer.status, body: (await answer.json()) as OfferedProposal & { code?: string } };
  }
  const sendFiles = (files: Readonly<Record<string, string>>, client = admin) =>
    send(
      {
        files: JSON.stringify(
          Object.entries(files).map(([path, text]) => ({ path, size: Buffer.byteLength(text) })),
        ),
      },
      Object.values(files).join(''),
      client,
    );

  test('is offered as the archive of the same files, without what belongs into none', async () => {
    const archive = await writeArchive(
      new Map(Object.entries(built).map(([path, text]) => [path, Buffer.from(text)])),
    );
    const { status, body } = await sendFiles({ ...built, 'src/index.ts': 'secret', 'notes.txt': 'mine' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 'badge', version: '1.0.0', isRefused: false });
    expect(body.sha256).toBe(createHash('sha256').update(archive).digest('hex'));
    expect((await admin.post(`/api/v1/app-store/proposals/${body.ticket}/install`, {})).status).toBe(200);
    expect((await sendFiles(built)).body.code).toBe('PLUGIN_VERSION_INSTALLED');
  });

  test('is refused like an archive: without a manifest, with a way out, without anything to run', async () => {
    expect((await sendFiles({ 'dist/web/index.js': '' })).body.code).toBe('PLUGIN_FOLDER_NO_MANIFEST');
    expect((await sendFiles({ ...built, 'dist/../../evil.js': '' })).body.code).toBe('PLUGIN_FOLDER_REFUSED');
    expect((await sendFiles({ ...built, 'plugin.json': '{' })).body.code).toBe('ARCHIVE_JSON');
    const unbuilt = Object.fromEntries(
      Object.entries(built).filter(([path]) => path !== 'dist/server/index.js'),
    );
    const other = JSON.stringify({ ...manifest, id: 'other' });
    expect((await sendFiles({ ...unbuilt, 'plugin.json': other })).body.code).toBe('PLUGIN_NOTHING_TO_RUN');
    expect((await sendFiles({ ...built, 'signature.json': '{}', 'plugin.json': other })).status).toBe(400);
  });

  test('is taken of a super admin alone, and where its list fits its bytes', async () => {
    const lists = ['', '{}', '[1]', '[{"path":"plugin.json"}]', '[{"path":"plugin.json","size":3}]'];
    for (const files of [...lists, '[{"path":"a","size":-1},{"path":"b","size":3}]'])
      expect((await send({ files }, 'ab')).body.code).toBe('PLUGIN_NO_FOLDER');
    expect((await send({ files: '[]' }, undefined)).body.code).toBe('PLUGIN_NO_FOLDER');
    expect((await sendFiles(built, await server.signUp())).status).toBe(403);
  });
});
