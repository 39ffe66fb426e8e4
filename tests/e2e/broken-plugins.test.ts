import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PluginEntity } from '@trellis/sdk/shared';
import { TestClient } from '@trellis/sdk/testing/server';
import { badArchives, toArchive } from './broken/bad-archives.ts';
import { badBehaviour } from './broken/bad-behaviour.ts';
import { badCode } from './broken/bad-code.ts';
import { badManifests } from './broken/bad-manifests.ts';
import { half, type BrokenPlugin } from './broken/broken-plugin.ts';
import { shipToNewFolder, startBuiltServer, type BuiltServer, type ShippedPlugin } from './built-product.ts';

const atStart: readonly BrokenPlugin[] = [...badManifests, ...badCode];
const secret = 'tulip-4711-carnation';

/** Leaves an interval behind when it is switched off. */
const ticking: ShippedPlugin = {
  id: 'ticks-on',
  name: 'Ticks on',
  manifest: { settings: { type: 'object', properties: { isLoud: { type: 'boolean', default: false } } } },
  server: half("if (ctx.settings.current.isLoud) setInterval(() => { throw new Error('no rest'); }, 100);"),
};

let dataDir = '';
let server: BuiltServer;
let boss: TestClient;
let table = '';

async function cards(): Promise<ReadonlyMap<string, PluginEntity>> {
  const { body } = await boss.get<{ list: readonly PluginEntity[] }>('/api/v1/app-store/plugins');

  return new Map(body.list.map((card) => [card.id, card]));
}

/** All that a card says of what is wrong. */
function saidBy(card: PluginEntity | undefined): string {
  const errors = card?.errors.map(({ where, message }) => `${where}: ${message}`) ?? [];
  return [card?.reason, ...(card?.notices ?? []), ...errors].filter(Boolean).join('\n');
}

const addRow = (name = 'calm') =>
  boss.post<{ code?: string; msg?: string }>(`/api/v1/db/data/noco/Calm/${table}`, { Name: name });

/** The card once it says so in that state: late errors come when they come, and after some the plugin is set up anew. */
async function cardThatSays(id: string, says: RegExp, state: string): Promise<PluginEntity | undefined> {
  const until = Date.now() + 120_000;
  let card = (await cards()).get(id);
  const isSaid = () => says.test(saidBy(card)) && card?.state === state;
  while (!isSaid() && Date.now() < until) card = (await cards()).get(id);
  return card;
}

beforeAll(async () => {
  const all: readonly (ShippedPlugin & Pick<BrokenPlugin, 'files'>)[] = [
    ...atStart,
    ...badBehaviour,
    ticking,
  ];
  dataDir = await shipToNewFolder(all);
  for (const { id, files = {} } of all)
    for (const [path, text] of Object.entries(files)) {
      const file = join(dataDir, 'plugins', id, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  server = startBuiltServer(dataDir);
  const client = new TestClient(await server.listening());
  const account = { email: 'boss@example.com', password: 'Password-1' };
  const { status, body } = await client.post<{ token: string }>('/api/v1/auth/user/signup', account);
  if (status !== 200) throw new Error(`Nobody can sign up (${JSON.stringify(body)}):\n${server.text()}`);
  boss = client.with({ token: body.token });
  // The server listens before slow plugins have started, or have failed to.
  const isStarting = ({ state }: PluginEntity) => state === 'starting';
  while ([...(await cards()).values()].some(isStarting));
  const project = await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Calm' });
  const columns = [
    { title: 'Id', uidt: 'ID', pk: true, ai: true },
    { title: 'Name', uidt: 'SingleLineText' },
  ];
  const made = await boss.post<{ id: string }>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
    title: 'Rows',
    columns,
  });
  table = made.body.id;
});

afterAll(async () => {
  await server.end('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

describe('a plugin that cannot be used is listed with the reason, and the others start:', () => {
  test.each(atStart)('one that $does', async ({ id, state, says }) => {
    const card = (await cards()).get(id);
    expect(card?.state).toBe(state);
    expect(saidBy(card)).toMatch(says);
    expect(server.text()).toContain(id);
  });
});

describe('a plugin that goes wrong while it runs is named, and the product goes on:', () => {
  beforeAll(async () => {
    const path = '/api/v1/app-store/plugins/leaks-secret';
    await boss.put(`${path}/settings`, { input: { key: secret } });
    await boss.post(`${path}/disable`, { cascade: [] });
    expect((await boss.post(`${path}/enable`, {})).status).toBe(200);
    // Asks whether mail can be sent.
    expect((await boss.post('/api/v1/auth/password/forgot', { email: 'boss@example.com' })).status).toBe(400);
    expect((await addRow()).status).toBe(200);
    expect(await boss.get('/api/v1/health')).toMatchObject({
      status: 503,
      body: {
        msg: expect.stringMatching(
          /plugin check-throws, plugin check-lies|plugin check-lies, plugin check-throws/,
        ),
      },
    });
    expect(await addRow('hang')).toMatchObject({
      status: 503,
      body: { msg: expect.stringContaining('hook-hangs') },
    });
  });

  test.each(badBehaviour)('one that $does', async ({ id, state, says, ask, row, isSwitched = false }) => {
    if (row !== undefined) expect((await addRow(row)).status).toBe(500);
    if (isSwitched) {
      const path = `/api/v1/app-store/plugins/${id}`;
      await boss.post(`${path}/disable`, { cascade: [] });
      expect((await boss.post(`${path}/enable`, {})).status).toBe(200);
    }
    if (ask !== undefined) expect((await boss.get(`/api/v1/plugins/${id}/${ask[0]}`)).status).toBe(ask[1]);
    const card = await cardThatSays(id, says, state);
    expect(saidBy(card)).toMatch(says);
    expect(card?.state).toBe(state);
  });
});

test('a plugin that was left off runs again once it is mended, though a timer of its former setup goes on throwing', async () => {
  const path = `/api/v1/app-store/plugins/${ticking.id}`;
  const switchOn = async (isLoud: boolean) => {
    await boss.post(`${path}/disable`, { cascade: [] });
    await boss.put(`${path}/settings`, { input: { isLoud } });
    expect((await boss.post(`${path}/enable`, {})).status).toBe(200);
  };
  await switchOn(true);
  const left = await cardThatSays(ticking.id, /left off because/, 'disabled');
  expect(left).toMatchObject({ state: 'disabled' });
  await switchOn(false);
  const since = new Date().toISOString();
  let card: PluginEntity | undefined;
  const later = () => card?.errors.filter(({ at }) => at > since) ?? [];
  do card = (await cards()).get(ticking.id);
  while (later().length < 3);
  expect(card).toMatchObject({ state: 'enabled' });
  expect(later()[0]?.message).toMatch(/^no rest .*only a restart of the server ends it/);
});

describe('an archive is refused, and nothing of it is left, where it holds', () => {
  test.each(badArchives)('$holds', async (bad) => {
    const form = new FormData();
    form.append('archive', new Blob([(await toArchive(bad)) as BlobPart]), 'hostile.tgz');
    const answer = await fetch(`${boss.url}/api/v1/app-store/proposals`, {
      method: 'POST',
      headers: { 'xc-auth': boss.token ?? '' },
      body: form,
    });
    const body = (await answer.json()) as { readonly code: string; readonly msg: string };
    expect(body.code).toBe(bad.code);
    if (bad.says !== undefined) expect(body.msg).toMatch(bad.says);
    expect(body.msg).not.toMatch(/\p{Cf}|[^\P{Cc}\n]/u);
    expect(await readdir(join(dataDir, 'plugins/.staging')).catch(() => [])).toEqual([]);
  });
});

test('after all of it the product works, none of its own plugins is to blame, and no secret was told', async () => {
  expect(server.isRunning()).toBe(true);
  expect((await addRow()).status).toBe(200);
  const ours = [...(await cards()).values()].filter(({ builtIn }) => builtIn);
  const off = ours.filter(({ state }) => state !== 'enabled' && state !== 'discovered');
  expect(off.map(({ id }) => id)).toEqual([]);
  expect(ours.flatMap(({ id, errors }) => errors.map(({ message }) => `${id}: ${message}`))).toEqual([]);
  expect(server.text()).not.toContain(secret);
  expect(JSON.stringify([...(await cards()).values()])).not.toContain(secret);
});
