import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { writeArchive } from '@trellis/sdk/build/archive/write-archive';
import type { PluginAsks, PluginEntity, PluginProposal } from '@trellis/sdk/shared';
import type { Consent } from './consent.ts';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const store = '/api/v1/app-store';
const nothing: PluginAsks = { halves: [], hooks: [], paths: [], hosts: [], permissions: [], tables: [] };

let dataDir: string;
let server: TestServer;
let owner: TestClient;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trellis-consent-'));
  server = await createTestServer({ dataDir, env: { TRELLIS_PLUGINS_DEV: '1' } });
  owner = await server.signUp();
});
afterEach(async () => {
  await server.dispose();
  await rm(dataDir, { recursive: true, force: true });
});

async function startAgain(
  env: Readonly<Record<string, string>> = {},
  meanwhile = async () => {},
): Promise<void> {
  await server.dispose();
  await meanwhile();
  server = await createTestServer({ dataDir, env });
  owner = server.client.with({ token: owner.token ?? '' });
}

/** A version that asks for something, and answers with its number where it has a server half. */
function filesOf(version: string, asks: Partial<PluginAsks>): ReadonlyMap<string, Buffer> {
  const {
    halves = ['server'],
    hooks = [],
    paths: routes = [],
    hosts = [],
    permissions = [],
    tables = [],
  } = asks;
  const manifest = { id: 'acme', name: 'Acme', version, category: 'app', engines: { trellis: '*' }, sdk: 1 };
  const contributes = { routes, hosts, tables, hooks };
  const route = (path: string) =>
    `{ method: 'GET', path: '${path}', permission: 'public', summary: '', handle: async () => ({ version: '${version}' }) }`;
  const taps = hooks.map((hook) => `ctx.tap('${hook}', () => undefined);`).join(' ');
  const code: Readonly<Record<string, string>> = {
    server: `export default { setup(ctx) { ctx.routes(${['version', ...routes].map(route).join()}); ${taps} } };`,
    web: 'export default { setup() {} };',
  };
  return new Map([
    ['plugin.json', Buffer.from(JSON.stringify({ ...manifest, permissions, contributes }))],
    ...halves.map((half) => [`dist/${half}/index.js`, Buffer.from(code[half] ?? '')] as const),
    ['dist/package.json', Buffer.from('{"type":"module"}')],
  ]);
}

async function copy(
  version: string,
  asks: Partial<PluginAsks>,
  change = (manifest: string) => manifest,
): Promise<void> {
  const folder = join(dataDir, 'plugins/acme', version);
  for (const [path, bytes] of filesOf(version, asks)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), path === 'plugin.json' ? change(bytes.toString()) : bytes);
  }
}

/** As manifests were before they listed hooks. */
function withoutHooks(manifest: string): string {
  return manifest.replace(/,"hooks":\[[^\]]*\]/, '');
}

interface Refusal {
  readonly code?: string;
  readonly params?: { readonly unagreed?: PluginAsks };
}

async function send<Answer>(path: string, version: string, asks: Partial<PluginAsks>, fields: object = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('archive', new Blob([(await writeArchive(filesOf(version, asks))) as BlobPart]), 'acme.tgz');
  const headers = { 'xc-auth': owner.token ?? '' };
  const answer = await fetch(`${owner.url}${store}/${path}`, { method: 'POST', headers, body: form });
  return { status: answer.status, body: (await answer.json()) as Answer & Refusal };
}

const propose = (version: string, asks: Partial<PluginAsks>) =>
  send<PluginProposal>('proposals', version, asks).then(({ body }) => body);
const install = (ticket: string, consent?: Partial<PluginAsks>) =>
  owner.post<Refusal>(`${store}/proposals/${ticket}/install`, { consent });
const enable = (consent?: Partial<PluginAsks>) =>
  owner.post<Refusal>(`${store}/plugins/acme/enable`, { consent });
const use = (version: string, consent?: Partial<PluginAsks>) =>
  owner.post<Refusal>(`${store}/plugins/acme/use`, { version, consent });
const running = async () =>
  (await owner.get<{ version?: string }>('/api/v1/plugins/acme/version')).body.version;
const refusal = (unagreed: Partial<PluginAsks>) => ({
  status: 409,
  body: { code: 'PLUGIN_NEEDS_CONSENT', params: { unagreed: { ...nothing, ...unagreed } } },
});

async function card(): Promise<PluginEntity | undefined> {
  const { body } = await owner.get<{ list: readonly PluginEntity[] }>(`${store}/plugins`);
  return body.list.find(({ id }) => id === 'acme');
}

/** Installs and switches on, agreeing to all. */
async function install1(asks: Partial<PluginAsks>): Promise<void> {
  expect((await install((await propose('1.0.0', asks)).ticket, asks)).status).toBe(200);
  expect((await enable()).status).toBe(200);
}

const noteFile = () => join(dataDir, 'plugins/acme/install.json');
async function note(): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(noteFile(), 'utf8')) as Record<string, unknown>;
}

describe.each([
  { kind: 'paths', former: '/api/v1/sun', further: '/api/v1/weather' },
  { kind: 'hosts', former: 'a.test', further: 'b.test' },
  { kind: 'permissions', former: 'network', further: 'database' },
  { kind: 'tables', former: 'moods', further: 'days' },
  { kind: 'hooks', former: 'rows.willCreate', further: 'rows.willDelete' },
] as const)('a version that asks for more $kind waits until somebody agrees', ({ kind, former, further }) => {
  const before = { [kind]: [former] };
  const after = { [kind]: [former, further] };
  const more = { [kind]: [further] };

  test('when it comes in an archive, when it is put into use, and as a build of its author', async () => {
    const first = await propose('1.0.0', before);
    expect(first.unagreed).toEqual({ ...nothing, ...before });
    expect(await install(first.ticket)).toMatchObject(refusal(before));
    expect((await install(first.ticket, before)).status).toBe(200);
    expect((await enable()).status).toBe(200);

    const { ticket, unagreed } = await propose('1.1.0', after);
    expect(unagreed).toEqual({ ...nothing, ...more });
    expect(await install(ticket)).toMatchObject(refusal(more));
    expect(await install(ticket, before)).toMatchObject(refusal(more));
    expect(await running()).toBe('1.0.0');

    expect(await send('dev', '1.2.0-dev.1', after)).toMatchObject({
      status: 409,
      body: { code: 'PLUGIN_DEV_CONSENT' },
    });

    await copy('1.3.0', after);
    expect(await use('1.3.0')).toMatchObject(refusal(more));
    expect(await running()).toBe('1.0.0');
    expect((await use('1.3.0', more)).status).toBe(200);
    expect(await running()).toBe('1.3.0');

    // What was agreed to once needs no second consent, nor does what asks for less.
    expect((await use('1.0.0')).status).toBe(200);
    expect((await install(ticket)).status).toBe(200);
    expect(await running()).toBe('1.1.0');
  });

  test('as a build of its author that agrees to all of it', async () => {
    expect(await send('dev', '1.0.0-dev.1', after, { agree: 'all' })).toMatchObject({ status: 200 });
    expect(await card()).toMatchObject({ unagreed: nothing });
  });

  test('when its folder is copied, also over a start of the server, and in the place of one that was gone', async () => {
    await copy('1.0.0', before);
    await owner.post(`${store}/rescan`);
    expect(await card()).toMatchObject({ state: 'discovered', unagreed: { ...nothing, ...before } });
    expect(await enable()).toMatchObject(refusal(before));
    expect((await enable(before)).status).toBe(200);

    await copy('1.1.0', after);
    expect((await owner.post(`${store}/rescan`)).body).toMatchObject({
      failed: [{ id: 'acme', reason: expect.stringContaining(further) }],
    });
    expect(await running()).toBe('1.0.0');
    await startAgain();
    expect(await card()).toMatchObject({
      state: 'disabled',
      version: '1.1.0',
      unagreed: { ...nothing, ...more },
    });
    // Decisions about other plugins are followed, and do not start this one.
    for (const call of ['disable', 'enable'])
      expect((await owner.post(`${store}/plugins/column-rating/${call}`, {})).status).toBe(200);
    await owner.post(`${store}/rescan`);
    expect(await card()).toMatchObject({ state: 'disabled' });
    expect(await enable()).toMatchObject(refusal(more));
    expect((await enable(more)).status).toBe(200);
    await startAgain();
    expect(await running()).toBe('1.1.0');

    await rm(join(dataDir, 'plugins/acme'), { recursive: true });
    await owner.post(`${store}/rescan`);
    expect(await card()).toMatchObject({ state: 'missing' });
    await copy('1.1.0', after);
    expect((await owner.post(`${store}/rescan`)).body).toMatchObject({ added: ['acme'] });
    expect(await card()).toMatchObject({ state: 'disabled', unagreed: { ...nothing, ...after } });
  });
});

describe('what nobody has agreed to waits as well', () => {
  const before = { hosts: ['a.test'] };
  const after = { hosts: ['a.test', 'b.test'] };

  test('when another build of the same version asks for it after the server was down', async () => {
    await copy('1.0.0', {});
    await owner.post(`${store}/rescan`);
    await enable();
    await startAgain({}, () => copy('1.0.0', after));
    expect(await card()).toMatchObject({ state: 'disabled', unagreed: { ...nothing, ...after } });
  });

  test('where the configuration names it, unless that agrees to all of it', async () => {
    await startAgain({ TRELLIS_PLUGINS_ENABLED: 'acme' }, () => copy('1.0.0', before));
    expect(await card()).toMatchObject({
      state: 'disabled',
      notices: [expect.stringMatching(new RegExp(`names it, and it stays off.*a\\.test.*'acme:\\*'`))],
    });
    await startAgain({ TRELLIS_PLUGINS_ENABLED: 'acme:*' });
    expect(await running()).toBe('1.0.0');
    await startAgain({ TRELLIS_PLUGINS_ENABLED: 'acme' }, () => copy('1.1.0', after));
    expect(await card()).toMatchObject({ state: 'disabled', version: '1.1.0' });
  });
});

test('Hosts that an agreed pattern covers are not asked about again', async () => {
  await install1({ hosts: ['*.a.test'] });
  const { unagreed } = await propose('1.1.0', { hosts: ['api.a.test', '*.eu.a.test', 'a.test', '*'] });
  expect(unagreed).toEqual({ ...nothing, hosts: ['a.test', '*'] });
});

describe('a version with a half that the one before had not waits until somebody agrees', () => {
  const page = { halves: ['web'] };
  const both = { halves: ['server', 'web'] };
  const more = { halves: ['server'] };
  const state = async () => (await card())?.state;

  test('when it comes in an archive, when it is put into use, and as a build of its author', async () => {
    const first = await propose('1.0.0', page);
    expect(first).toMatchObject({ halves: ['web'], unagreed: nothing });
    expect((await install(first.ticket)).status).toBe(200);
    expect((await enable()).status).toBe(200);

    const { ticket, unagreed } = await propose('1.1.0', both);
    expect(unagreed).toEqual({ ...nothing, ...more });
    expect(await install(ticket)).toMatchObject(refusal(more));
    expect(await send('dev', '1.2.0-dev.1', both)).toMatchObject({ body: { code: 'PLUGIN_DEV_CONSENT' } });
    await copy('1.3.0', both);
    expect(await use('1.3.0')).toMatchObject(refusal(more));
    expect(await running()).toBeUndefined();
    expect((await use('1.3.0', more)).status).toBe(200);
    expect(await running()).toBe('1.3.0');

    expect((await use('1.0.0')).status).toBe(200);
    expect((await install(ticket)).status).toBe(200);
    expect(await running()).toBe('1.1.0');
  });

  test('when its folder changes while it runs, and while the server is down', async () => {
    await copy('1.0.0', page);
    await owner.post(`${store}/rescan`);
    expect((await enable()).status).toBe(200);
    await copy('1.1.0', both);
    expect((await owner.post(`${store}/rescan`)).body).toMatchObject({
      failed: [{ id: 'acme', reason: expect.stringContaining('its server half') }],
    });
    expect(await card()).toMatchObject({ version: '1.0.0', state: 'enabled' });
    await startAgain({}, () => copy('1.0.0', both));
    expect(await card()).toMatchObject({ version: '1.1.0', unagreed: { ...nothing, ...more } });
    expect(await state()).toBe('disabled');
    expect(await enable()).toMatchObject(refusal(more));
    expect((await enable(more)).status).toBe(200);
    expect(await running()).toBe('1.1.0');
  });

  test('where it was there before halves were asked about', async () => {
    await install1(page);
    await startAgain({}, async () => {
      const { consent, ...others } = (await note()) as { readonly consent?: Consent };
      const former = { ...consent, halves: undefined, hooks: undefined };
      await writeFile(noteFile(), JSON.stringify({ ...others, consent: former }));
    });
    expect(await state()).toBe('enabled');
    expect((await note())['consent']).toEqual({ ...nothing, ...page });
    expect((await propose('1.1.0', both)).unagreed).toEqual({ ...nothing, ...more });
  });
});

test('A version that ran before manifests listed hooks goes on with those that it taps, and the next one asks', async () => {
  const hooks = ['rows.willCreate'];
  const silent = (version: string) => copy(version, { hooks }, withoutHooks);
  await install1({});
  await startAgain({}, async () => {
    const { consent, ...others } = (await note()) as { readonly consent?: Consent };
    await writeFile(noteFile(), JSON.stringify({ ...others, consent: { ...consent, hooks: undefined } }));
    await silent('1.0.0');
  });
  expect(await card()).toMatchObject({
    state: 'enabled',
    notices: [expect.stringContaining('before manifests listed hooks')],
  });
  expect((await owner.post(`${store}/plugins/acme/disable`, {})).status).toBe(200);
  expect((await enable()).status).toBe(200);

  expect((await propose('1.1.0', { hooks })).unagreed).toEqual({ ...nothing, hooks });
  await silent('1.2.0');
  expect((await use('1.2.0')).body).toMatchObject({ code: 'PLUGIN_FAILED' });
  expect(await running()).toBe('1.0.0');
  await copy('1.3.0', { hooks });
  expect((await use('1.3.0', { hooks })).status).toBe(200);
  expect((await card())?.notices).not.toContainEqual(expect.stringContaining('before manifests listed'));
  expect((await use('1.0.0')).status).toBe(200);
  expect(await running()).toBe('1.0.0');
});

test('A hook by which a plugin could refuse what people write is closed to one whose manifest does not list it', async () => {
  await copy('1.0.0', { hooks: ['rows.willCreate'] }, withoutHooks);
  await owner.post(`${store}/rescan`);
  await enable();
  expect(await card()).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining("taps 'rows.willCreate', which its manifest does not list"),
  });
});

describe('of a plugin that was there before other kinds than addresses were asked about', () => {
  const asks = { paths: ['/api/v1/sun'], hosts: ['a.test'], permissions: ['network'], tables: ['moods'] };
  const more = { ...asks, hosts: ['a.test', 'b.test'] };

  /** A server of now remembers that it has settled the notes. */
  const startFormer = (meanwhile: () => Promise<void>) =>
    startAgain({}, async () => {
      const database = new SqliteFile(join(dataDir, 'trellis.db'));
      database.prepare("DELETE FROM trellis_setting WHERE key = 'plugin-asks-noted'").run();
      database.close();
      await meanwhile();
    });

  /** The note as it was written then. */
  async function writeFormerNote(): Promise<void> {
    await writeFile(noteFile(), JSON.stringify({ ...(await note()), consent: asks.paths }));
  }

  test('what the version in use asked for counts as agreed, and what a newer one asks for besides does not', async () => {
    await install1(asks);
    await startFormer(writeFormerNote);
    expect(await running()).toBe('1.0.0');
    expect((await card())?.unagreed).toEqual(nothing);
    expect((await note())['consent']).toEqual({ ...nothing, ...asks, halves: ['server'] });
    expect((await propose('1.1.0', more)).unagreed).toEqual({ ...nothing, hosts: ['b.test'] });
  });

  test('that holds for one that is off, too', async () => {
    await install1(asks);
    await owner.post(`${store}/plugins/acme/disable`, {});
    await startFormer(writeFormerNote);
    expect((await card())?.unagreed).toEqual(nothing);
    expect((await enable()).status).toBe(200);
  });

  test('and for one that somebody copied and switched on, though not for what was copied over it since', async () => {
    const copied = { ...asks, paths: [] };
    await copy('1.0.0', copied);
    await owner.post(`${store}/rescan`);
    await enable(copied);
    const forget = () => rm(noteFile());
    await startFormer(forget);
    expect(await running()).toBe('1.0.0');
    await startFormer(async () => {
      await forget();
      await copy('1.1.0', { ...copied, hosts: more.hosts });
    });
    expect(await card()).toMatchObject({
      state: 'disabled',
      version: '1.1.0',
      unagreed: { ...nothing, hosts: ['b.test'] },
    });
  });

  test('it counts once: later, a plugin without a note is one that somebody copied since', async () => {
    const copied = { ...asks, paths: [] };
    await copy('1.0.0', copied);
    await owner.post(`${store}/rescan`);
    await enable(copied);
    await startAgain({}, () => rm(noteFile()));
    expect(await card()).toMatchObject({ state: 'disabled', unagreed: { ...nothing, ...copied } });
  });

  test('it does not count for one that nobody switched on', async () => {
    await copy('1.0.0', asks);
    await startAgain();
    expect(await card()).toMatchObject({ state: 'discovered', unagreed: { ...nothing, ...asks } });
  });
});
