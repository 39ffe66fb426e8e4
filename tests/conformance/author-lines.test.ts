import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { PluginEntity } from '@trellis/sdk/shared';
import { buildAndInstall, type PluginSources } from '../e2e/outside-plugins.ts';

/* What goes wrong in an installed plugin is told with the file and the line that its author wrote, wherever the product runs. */

const manifest = { version: '1.0.0', category: 'app', engines: { trellis: '*' }, sdk: 1 };

/** A plugin whose `setup` calls what `parts/work.ts` exports. */
function plugin(id: string, work: string): PluginSources {
  return {
    'plugin.json': JSON.stringify({ id, name: id, ...manifest }),
    // Jest cannot give it the SDK as the product does.
    'server/index.ts': `import { work } from './parts/work.ts';

export default { setup: work };
`,
    'server/parts/work.ts': `import type { ServerPluginContext } from '@trellis/sdk/server';

interface Loaf {
  readonly crumbs: number;
}

export function work(ctx: ServerPluginContext): void {
  const loaf: Loaf | undefined = undefined as Loaf | undefined;
  ctx.logger.debug('Begins', { loaf });
${work}
}
`,
  };
}

const plugins: readonly (readonly [id: string, work: string, says: RegExp])[] = [
  [
    'acme-throws',
    "  if (loaf === undefined) throw new Error('no bread');",
    /no bread \(server\/parts\/work\.ts:10:33\)/,
  ],
  ['acme-reads', '  ctx.logger.info(String(loaf!.crumbs));', /crumbs.* \(server\/parts\/work\.ts:10:32\)/],
  [
    'acme-misspells',
    "  ctx.register('job' as 'jobs', { id: 'x', every: 60, run: async () => undefined });",
    /'job'.* \(server\/parts\/work\.ts:10:7\)/,
  ],
  [
    'acme-twice',
    `  const job = { id: 'acme.twice', every: 60, run: async () => undefined };
  ctx.register('jobs', job);
  ctx.register('jobs', job);`,
    /acme\.twice.* \(server\/parts\/work\.ts:12:7\)/,
  ],
  [
    'acme-sly',
    "  ctx.tap('rows.willCreate', () => undefined);",
    /contributes\.hooks\. \(server\/parts\/work\.ts:10:7\)/,
  ],
];

let dataDir: string;
let server: TestServer;
let owner: TestClient;
const path = '/api/v1/app-store/plugins';

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trellis-lines-'));
  for (const [id, work] of plugins) buildAndInstall(id, plugin(id, work), dataDir);
  const asked = `  ctx.routes({
    method: 'GET',
    path: 'ask',
    permission: 'public',
    summary: 'Fails',
    handle: async () => Promise.reject(new Error('no butter')),
  });`;
  buildAndInstall('acme-asked', plugin('acme-asked', asked), dataDir);
  server = await createTestServer({ dataDir });
  owner = await server.signUp();
});
afterAll(async () => {
  await server?.dispose();
  await rm(dataDir, { recursive: true, force: true });
});

async function card(id: string): Promise<PluginEntity | undefined> {
  const { body } = await owner.get<{ list: readonly PluginEntity[] }>(path);
  return body.list.find((plugin) => plugin.id === id);
}

test.each(plugins)('of %s, in the answer and on its card', async (id, _work, says) => {
  const { body } = await owner.post<{ msg: string }>(`${path}/${id}/enable`, {});
  expect(body.msg).toMatch(says);
  expect(await card(id)).toMatchObject({ state: 'failed', reason: expect.stringMatching(says) });
  expect(body.msg).not.toContain(dataDir);
});

test('of what fails while it runs', async () => {
  expect((await owner.post(`${path}/acme-asked/enable`, {})).status).toBe(200);
  expect((await owner.get('/api/v1/plugins/acme-asked/ask')).status).toBe(500);
  expect((await card('acme-asked'))?.errors).toMatchObject([
    { message: 'no butter (server/parts/work.ts:15:40)' },
  ]);
});
