import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';

const here = fileURLToPath(new URL('.', import.meta.url));
const require = createRequire(import.meta.url);
/** Under node_modules, from where the client finds its packages. */
const folder = join(here, '../../node_modules/.cache/trellis/openapi-client', randomUUID());

/** What an integrator writes against the types that were made from the document of the project. */
const client = `
import createClient from 'openapi-fetch';
import type { components, paths } from './shop.d.ts';

const [, , baseUrl, token] = process.argv;
const api = createClient<paths>({ baseUrl: baseUrl ?? '', headers: { 'xc-auth': token ?? '' } });

const first: components['schemas']['CityRequest'] = { Name: 'Zürich', People: 402_762, Since: '0929-04-21' };
const made = await api.POST('/api/v1/db/data/v1/Shop/City', { body: first });
await api.POST('/api/v1/db/data/v1/Shop/City', { body: { Name: 'Basel' } });
const changed = await api.PATCH('/api/v1/db/data/v1/Shop/City/{rowId}', {
  params: { path: { rowId: String(made.data?.Id) } },
  body: { People: 421_878 },
});
const list = await api.GET('/api/v1/db/data/v1/Shop/City', {
  params: { query: { where: '(People,gt,1)', sort: '-People', limit: 5 } },
});
// A number that a double cannot hold comes as text.
const people: number[] = (list.data?.list ?? []).map((row) => Number(row.People));
const gone = await api.GET('/api/v1/db/data/v1/Shop/City/{rowId}', { params: { path: { rowId: '999' } } });

// @ts-expect-error: the table has no such column
export const wrong: components['schemas']['CityRequest'] = { Named: 'Bern' };
// @ts-expect-error: the project has no such table
await api.GET('/api/v1/db/data/v1/Shop/Planet');

console.log(JSON.stringify({ made: made.data, changed: changed.data, people, gone: [gone.response.status, gone.error?.msg] }));
`;

let server: TestServer;
let token: string | undefined;
let project: string;

/** Runs a program of Node to its end; what it printed, with its complaints if it failed. */
function run(file: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [file, ...args], { cwd: folder });
  const printed: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => printed.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const text = Buffer.concat(printed).toString();
      if (code === 0) resolve(text);
      else reject(new Error(`${file} ended with ${code}:\n${text}`));
    });
  });
}

/** A program of a package of this folder. */
const program = (name: string, path: string): string =>
  join(dirname(require.resolve(`${name}/package.json`)), path);

beforeAll(async () => {
  server = await createTestServer();
  const owner = await server.signUp();
  ({ token } = owner);
  const shop = await owner.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
  project = shop.body.id;
  const columns = [
    { title: 'Id', uidt: 'ID' },
    { title: 'Name', uidt: 'SingleLineText' },
    { title: 'People', uidt: 'Number' },
    { title: 'Since', uidt: 'Date' },
  ];
  for (const title of ['City', 'Country'])
    await owner.post(`/api/v1/db/meta/projects/${project}/tables`, { title, columns });
  await mkdir(folder, { recursive: true });
  const { body: described } = await owner.get<object>(`/api/v1/db/meta/projects/${project}/swagger.json`);
  await writeFile(join(folder, 'shop.json'), JSON.stringify(described));
  await writeFile(join(folder, 'client.mts'), client);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});

afterAll(async () => {
  await server?.dispose();
  await rm(folder, { recursive: true, force: true });
});

test('a client that is generated from the document of a project compiles, refuses what the project has not, and works', async () => {
  await run(program('openapi-typescript', 'bin/cli.js'), 'shop.json', '--output', 'shop.d.ts');
  const options = [
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
    '--outDir',
    'out',
  ];
  await run(
    program('typescript', 'bin/tsc'),
    'client.mts',
    '--allowImportingTsExtensions',
    '--rewriteRelativeImportExtensions',
    ...options,
  );
  const printed = await run('out/client.mjs', server.url, token ?? '');
  expect(JSON.parse(printed)).toEqual({
    made: expect.objectContaining({ Id: 1, Name: 'Zürich', Since: '0929-04-21' }),
    changed: expect.objectContaining({ Id: 1, People: 421_878 }),
    people: [421_878],
    gone: [404, 'Not found'],
  });
});
