import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeArchive } from '@trellis/sdk/build/archive/write-archive';
import type { PluginWords } from '@trellis/sdk/server';
import type { PluginProposal } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

let dataDir: string;
let server: TestServer;
let admin: TestClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trellis-words-'));
  server = await createTestServer({ dataDir });
  admin = await server.signUp();
});
afterAll(async () => {
  await server?.dispose();
  await rm(dataDir, { recursive: true, force: true });
});

async function wordsIn(locale: string): Promise<PluginWords> {
  const { body } = await admin.get<{ words: PluginWords }>(`/api/v1/app-store/words?locale=${locale}`);
  return body.words;
}

const manifest = { id: 'acme-jam', name: 'Jam', category: 'app', engines: { trellis: '*' }, sdk: 1 };
const filesOf = (version: string, words: string): readonly (readonly [path: string, text: string])[] => [
  ['plugin.json', JSON.stringify({ ...manifest, version })],
  ['dist/web/index.js', 'export default { setup() {} };'],
  ['messages/de.json', words],
];

test('words are read once, and anew when somebody looks at the folders again', async () => {
  const folder = join(dataDir, 'plugins/acme-jam/1.0.0');
  const copy = async (words: string) => {
    for (const [path, text] of filesOf('1.0.0', words)) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  };
  await copy('{"Jam":"Marmelade"}');
  await admin.post('/api/v1/app-store/rescan');
  expect((await wordsIn('de'))['acme-jam']).toEqual({ Jam: 'Marmelade' });
  await writeFile(join(folder, 'messages/de.json'), '{"Jam":"Konfitüre"}');
  expect((await wordsIn('de'))['acme-jam']).toEqual({ Jam: 'Marmelade' });
  await admin.post('/api/v1/app-store/rescan');
  expect((await wordsIn('de'))['acme-jam']).toEqual({ Jam: 'Konfitüre' });
});

test('what was brought says in its own words what it is before it is installed, to the super admin alone', async () => {
  const files = filesOf('1.1.0', '{"Jam":"Gelee"}').map(([path, text]) => [path, Buffer.from(text)] as const);
  const form = new FormData();
  form.append('archive', new Blob([(await writeArchive(new Map(files))) as BlobPart]), 'acme-jam.tgz');
  const answer = await fetch(`${admin.url}/api/v1/app-store/proposals`, {
    method: 'POST',
    headers: { 'xc-auth': admin.token ?? '' },
    body: form,
  });
  const { ticket } = (await answer.json()) as PluginProposal;
  const path = `/api/v1/app-store/proposals/${ticket}/words`;
  expect((await admin.get(`${path}?locale=de`)).body).toEqual({ words: { Jam: 'Gelee' } });
  expect((await admin.get(`${path}?locale=..%2F..%2Fplugin`)).body).toEqual({ words: {} });
  expect((await admin.get(`${path.replace(ticket, 'f'.repeat(32))}?locale=de`)).status).toBe(404);
  const other = await server.signUp();
  expect((await other.get(`${path}?locale=de`)).status).toBe(403);
});
