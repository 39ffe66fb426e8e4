import { generateKeyPairSync, sign } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { writeArchive, type ArchiveSigner } from '@trellis/sdk/build/archive/write-archive';
import type { PluginAsks, PluginEntity, PluginProposal, PluginSettingsForm } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

let dataDir: string;
let server: TestServer;
let owner: TestClient;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trellis-install-'));
  server = await createTestServer({ dataDir });
  owner = await server.signUp();
});
afterEach(async () => {
  await server.dispose();
  await rm(dataDir, { recursive: true, force: true });
});

interface Made {
  readonly id?: string;
  readonly version?: string;
  readonly manifest?: object;
  /** The code of its setup; without one it answers with its version. */
  readonly setup?: string;
  readonly migrations?: string;
  readonly sign?: ArchiveSigner;
}

function archiveOf({
  id = 'acme',
  version = '1.0.0',
  manifest,
  setup,
  migrations = '',
  sign: signer,
}: Made = {}) {
  const route = `{ method: 'GET', path: 'version', permission: 'public', summary: '', handle: async () => ({ version: '${version}' }) }`;
  const code = `export default { ${migrations} setup(ctx) { ${setup ?? `ctx.routes(${route});`} } };`;
  const json = { id, name: 'Acme', version, category: 'app', engines: { trellis: '*' }, sdk: 1, ...manifest };
  const files = new Map([
    ['plugin.json', Buffer.from(JSON.stringify({ ...json, enabledByDefault: true }))],
    ['dist/server/index.js', Buffer.from(code)],
    ['dist/package.json', Buffer.from('{"type":"module"}')],
  ]);
  return writeArchive(files, signer);
}

function newSigner(): { readonly key: string; readonly signer: ArchiveSigner } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
  return {
    key,
    signer: (bytes) => ({
      algorithm: 'ed25519',
      publicKey: key,
      signature: sign(null, bytes, privateKey).toString('base64'),
    }),
  };
}

type Brought = PluginProposal & {
  code?: string;
  publisher?: string;
  isRefused?: boolean;
  isOlder?: boolean;
};

async function bring(archive: Buffer, client = owner): Promise<{ status: number; body: Brought }> {
  const form = new FormData();
  form.append('archive', new Blob([archive as BlobPart]), 'acme.tgz');
  const answer = await fetch(`${client.url}/api/v1/app-store/proposals`, {
    method: 'POST',
    headers: { 'xc-auth': client.token ?? '' },
    body: form,
  });
  return { status: answer.status, body: (await answer.json()) as Brought };
}

const install = (ticket: string, consent: Partial<PluginAsks> = {}, formerSigner?: string) =>
  owner.post<{ code?: string; msg?: string }>(`/api/v1/app-store/proposals/${ticket}/install`, {
    consent,
    formerSigner,
  });
const enable = (body: object = {}) =>
  owner.post<{ code?: string }>('/api/v1/app-store/plugins/acme/enable', body);

async function installed(made: Made = {}) {
  const { body } = await bring(await archiveOf(made));
  return install(body.ticket, body.unagreed);
}

async function card(id = 'acme'): Promise<PluginEntity | undefined> {
  const { body } = await owner.get<{ list: readonly PluginEntity[] }>('/api/v1/app-store/plugins');
  return body.list.find((of) => of.id === id);
}

const running = async () =>
  (await server.client.get<{ version?: string }>('/api/v1/plugins/acme/version')).body.version;
const folders = async (...at: string[]) => (await readdir(join(dataDir, 'plugins', ...at))).toSorted();

describe('a plugin is installed from a file', () => {
  test('after it was shown what it asks for, and runs once somebody switches it on', async () => {
    const manifest = {
      author: 'Ada',
      permissions: ['network'],
      contributes: { columnTypes: [{ id: 'Mood' }], hosts: ['api.acme.test'], tables: ['moods'] },
      settings: {
        type: 'object',
        required: ['key'],
        properties: { key: { type: 'string', title: 'API key' } },
      },
    };
    const { status, body } = await bring(await archiveOf({ manifest }));
    expect([status, body]).toMatchObject([
      200,
      {
        id: 'acme',
        author: 'Ada',
        contributes: { columnTypes: ['Mood'] },
        hosts: ['api.acme.test'],
        tables: ['moods'],
        permissions: ['network'],
        requiredSettings: ['API key'],
        halves: ['server'],
        problems: [],
        isRefused: false,
      },
    ]);
    expect(body.signer).toBeUndefined();
    expect(await card()).toBeUndefined();
    expect((await install(body.ticket, body.unagreed)).status).toBe(200);
    expect(await card()).toMatchObject({
      state: 'disabled',
      versions: ['1.0.0'],
      missingSettings: ['API key'],
    });
    expect(await folders()).toEqual(['.staging', 'acme']);
    expect(await folders('.staging')).toEqual([]);
    expect((await enable()).status).toBe(200);
    expect(await running()).toBe('1.0.0');
    expect((await card())?.work?.calls).toBeGreaterThanOrEqual(2);
    expect((await install(body.ticket)).body.code).toBe('PLUGIN_PROPOSAL_GONE');
  });

  test('or given back, and then nothing of it is left', async () => {
    const { body } = await bring(await archiveOf());
    await owner.delete(`/api/v1/app-store/proposals/${body.ticket}`);
    expect((await install(body.ticket)).body.code).toBe('PLUGIN_PROPOSAL_GONE');
    expect(await folders('.staging')).toEqual([]);
  });

  test('only with consent to the addresses of the product that it serves', async () => {
    const path = '/api/v1/weather';
    const setup = `ctx.routes({ method: 'GET', path: '${path}', permission: 'public', summary: '', handle: async () => ({}) });`;
    const { body } = await bring(await archiveOf({ manifest: { contributes: { routes: [path] } }, setup }));
    expect(body.unagreed.paths).toEqual([path]);
    expect((await install(body.ticket)).body).toMatchObject({
      code: 'PLUGIN_NEEDS_CONSENT',
      msg: expect.stringContaining(path),
    });
    expect(await card()).toBeUndefined();
    expect((await install(body.ticket, { paths: [path] })).status).toBe(200);
    expect(await card()).toMatchObject({ unagreed: { paths: [] } });
    await enable();
    expect((await owner.get(path)).status).toBe(200);
  });

  test('and keeps running through an update and the way back where it serves addresses of the product', async () => {
    const [path, further] = ['/api/v1/weather', '/api/v1/tides'] as const;
    const serving = (version: string, routes: readonly string[]) => {
      const of = (at: string) =>
        `{ method: 'GET', path: '${at}', permission: 'public', summary: '', handle: async () => ({}) }`;
      const setup = `ctx.routes(${routes.map(of).join(', ')});`;
      return archiveOf({ version, manifest: { contributes: { routes } }, setup });
    };
    const first = await bring(await serving('1.0.0', [path]));
    await install(first.body.ticket, { paths: [path] });
    await enable();
    const second = await bring(await serving('2.0.0', [path, further]));
    expect(second.body.unagreed.paths).toEqual([further]);
    expect((await install(second.body.ticket, { paths: [further] })).status).toBe(200);
    expect(await card()).toMatchObject({ version: '2.0.0', state: 'enabled', unagreed: { paths: [] } });
    expect((await owner.get(further)).status).toBe(200);
    expect((await owner.post('/api/v1/app-store/plugins/acme/use', { version: '1.0.0' })).status).toBe(200);
    expect(await card()).toMatchObject({ version: '1.0.0', state: 'enabled' });
    expect((await owner.get(path)).status).toBe(200);
  });

  test('not under the id of a built-in one, not twice in one version, not with nothing to run, and not from what is no archive', async () => {
    expect((await bring(await archiveOf({ id: 'column-rating' }))).body.code).toBe('PLUGIN_IS_BUILT_IN');
    expect((await bring(Buffer.from('no archive'))).body.code).toBe('ARCHIVE_NOT_GZIP');
    expect((await bring(await archiveOf({ manifest: { name: 7 } }))).body.code).toBe(
      'PLUGIN_MANIFEST_INVALID',
    );
    const bare = new Map([
      [
        'plugin.json',
        Buffer.from(
          JSON.stringify({
            id: 'acme',
            name: 'Acme',
            version: '1.0.0',
            category: 'app',
            engines: { trellis: '*' },
            sdk: 1,
          }),
        ),
      ],
    ]);
    expect((await bring(await writeArchive(bare))).body.code).toBe('PLUGIN_NOTHING_TO_RUN');
    await installed();
    expect((await bring(await archiveOf())).body.code).toBe('PLUGIN_VERSION_INSTALLED');
    expect(await folders('.staging')).toEqual([]);
  });

  test('and stays off where it comes in the place of one that was on and is gone', async () => {
    await installed();
    await enable();
    await rm(join(dataDir, 'plugins/acme'), { recursive: true });
    await owner.post('/api/v1/app-store/rescan');
    expect(await card()).toMatchObject({ state: 'missing' });
    expect((await installed({ version: '1.1.0' })).status).toBe(200);
    expect(await card()).toMatchObject({ state: 'disabled', version: '1.1.0' });
    expect(await running()).toBeUndefined();
    await server.dispose();
    server = await createTestServer({ dataDir });
    expect(await running()).toBeUndefined();
  });

  test('not where another folder of its version stands', async () => {
    await mkdir(join(dataDir, 'plugins/acme/1.0.0/dist'), { recursive: true });
    expect((await installed()).body.code).toBe('PLUGIN_VERSION_INSTALLED');
    expect(await folders('acme', '1.0.0')).toEqual(['dist']);
  });

  test('by the super admin alone, and by nobody where the operator has locked the plugins', async () => {
    expect((await bring(await archiveOf(), await server.signUp())).status).toBe(403);
    const locked = await createTestServer({ env: { TRELLIS_PLUGINS: 'locked' } });
    try {
      const answer = await bring(await archiveOf(), await locked.signUp());
      expect([answer.status, answer.body.code]).toEqual([403, 'PLUGINS_LOCKED']);
    } finally {
      await locked.dispose();
    }
  });

  test('with the key that signed it, which the self-hoster may know and may ask for', async () => {
    const { key, signer } = newSigner();
    const archive = await archiveOf({ sign: signer });
    const unknown = (await bring(archive)).body;
    expect(unknown.signer).toEqual({ publicKey: key, fingerprint: expect.stringMatching(/^[0-9a-f]{4} /) });
    expect(unknown.publisher).toBeUndefined();
    const save = (input: object) => owner.put('/api/v1/app-store/plugins/sys-app-store/settings', { input });
    await save({ publishers: '', knownOnly: true });
    expect((await install(unknown.ticket)).body.code).toBe('PLUGIN_PUBLISHER_UNKNOWN');
    await save({ publishers: `${key} Acme Ltd.`, knownOnly: true });
    expect((await bring(archive)).body).toMatchObject({ publisher: 'Acme Ltd.', isRefused: false });
    expect((await install(unknown.ticket)).status).toBe(200);
  });
});

describe('another version', () => {
  test('takes the place of the one that runs; the one before is kept, and one step leads back', async () => {
    await installed();
    await enable();
    for (const version of ['1.1.0', '1.2.0']) {
      expect((await bring(await archiveOf({ version }))).body.current).toBe(await running());
      expect((await installed({ version })).status).toBe(200);
      expect(await running()).toBe(version);
    }
    expect(await card()).toMatchObject({ state: 'enabled', versions: ['1.2.0', '1.1.0'] });
    expect((await owner.post('/api/v1/app-store/plugins/acme/use', { version: '1.1.0' })).status).toBe(200);
    expect(await running()).toBe('1.1.0');
    expect((await owner.post('/api/v1/app-store/rescan')).body).toMatchObject({ changed: [] });
    await server.dispose();
    server = await createTestServer({ dataDir });
    expect(await running()).toBe('1.1.0');
  });

  test('that is newer than the one in use is remarked on where nobody chose the older one', async () => {
    const use = (version: string) => owner.post('/api/v1/app-store/plugins/acme/use', { version });
    const notices = async () => (await card())?.notices;
    const copied = async (version: string) => {
      await cp(join(dataDir, 'plugins/acme/1.0.0'), join(dataDir, 'plugins/acme', version), {
        recursive: true,
      });
      const manifest = join(dataDir, 'plugins/acme', version, 'plugin.json');
      await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"1.0.0"', `"${version}"`));
      await owner.post('/api/v1/app-store/rescan');
    };
    await installed();
    await installed({ version: '1.1.0' });
    await use('1.0.0');
    expect(await card()).toMatchObject({ version: '1.0.0', versions: ['1.1.0', '1.0.0'], notices: [] });
    await copied('1.2.0');
    expect(await notices()).toEqual([
      '1.2.0 is there as well, which is newer and not in use; its card puts it into use.',
    ]);
    await use('1.1.0');
    expect(await notices()).toEqual([]);
    await use('1.2.0');
    await copied('1.3.0');
    expect(await notices()).toEqual([expect.stringMatching(/^1\.3\.0 is there as well/)]);
  });

  test('shows who signed the one before where that is somebody else, and which hosts it did not call', async () => {
    const [former, other] = [newSigner(), newSigner()];
    const calling = (...hosts: string[]) => ({ contributes: { hosts } });
    await installed({ sign: former.signer, manifest: calling('a.test') });
    const offer = async (made: Made) => (await bring(await archiveOf({ version: '1.1.0', ...made }))).body;
    const same = await offer({ sign: former.signer, manifest: calling('a.test', 'b.test') });
    expect([same.formerSigner, same.unagreed.hosts]).toEqual([undefined, ['b.test']]);
    expect((await offer({ sign: other.signer })).formerSigner?.publicKey).toBe(former.key);
    expect((await offer({})).formerSigner?.publicKey).toBe(former.key);
  });

  test('that is older than the one in use says so, by whomever it is signed', async () => {
    const { signer } = newSigner();
    await installed({ version: '1.1.0', sign: signer });
    const offer = async (version: string) => (await bring(await archiveOf({ version, sign: signer }))).body;
    expect([(await offer('1.0.0')).isOlder, (await offer('1.2.0')).isOlder]).toEqual([true, false]);
  });

  test('that is older than the one that left its settings and data here says so', async () => {
    const offer = async (version: string) => (await bring(await archiveOf({ version }))).body;
    await installed({ version: '1.1.0' });
    await rm(join(dataDir, 'plugins/acme'), { recursive: true });
    await owner.post('/api/v1/app-store/rescan');
    expect(await offer('1.0.0')).toMatchObject({ isOlder: true, formerVersion: '1.1.0' });
    await owner.post('/api/v1/app-store/plugins/acme/remove', { keepData: true });
    expect(await offer('1.0.0')).toMatchObject({ isOlder: true, formerVersion: '1.1.0' });
    expect(await offer('1.1.0')).toMatchObject({ isOlder: false });
    await installed({ version: '1.1.0' });
    await owner.post('/api/v1/app-store/plugins/acme/remove', {});
    expect(await offer('1.0.0')).toMatchObject({ isOlder: false });
  });

  test('finds what another one left only if the same key signed it, or somebody confirms that', async () => {
    const [former, other] = [newSigner(), newSigner()];
    const settings = { type: 'object', properties: { door: { type: 'string', format: 'secret' } } };
    const made = { manifest: { settings } };
    const next = async (by: ReturnType<typeof newSigner>) =>
      (await bring(await archiveOf({ ...made, version: '1.1.0', sign: by.signer }))).body;
    await installed({ ...made, sign: former.signer });
    await owner.put('/api/v1/app-store/plugins/acme/settings', { input: { door: 'sesame-12345' } });
    // Its folder is gone, and its settings are not.
    await rm(join(dataDir, 'plugins/acme'), { recursive: true });
    await owner.post('/api/v1/app-store/rescan');
    const { ticket, formerSigner } = await next(other);
    expect(formerSigner?.publicKey).toBe(former.key);
    expect((await install(ticket)).body.code).toBe('PLUGIN_SIGNER_CHANGED');
    expect((await next(former)).formerSigner).toBeUndefined();
    expect((await install(ticket, {}, former.key)).status).toBe(200);
    // So for a removal that keeps the data, and not for one that keeps nothing.
    await owner.post('/api/v1/app-store/plugins/acme/remove', { keepData: true });
    expect((await next(former)).formerSigner?.publicKey).toBe(other.key);
    await install((await next(other)).ticket);
    await owner.post('/api/v1/app-store/plugins/acme/remove', {});
    expect((await next(former)).formerSigner).toBeUndefined();
  });

  test('signed by somebody else is taken only from who confirms that, and an unknown publisher is not gone back to', async () => {
    const [former, other] = [newSigner(), newSigner()];
    await installed({ sign: former.signer });
    await enable();
    const { body } = await bring(await archiveOf({ version: '1.1.0', sign: other.signer }));
    for (const key of [undefined, other.key])
      expect((await install(body.ticket, {}, key)).body).toMatchObject({
        code: 'PLUGIN_SIGNER_CHANGED',
        msg: expect.stringContaining(body.formerSigner?.fingerprint ?? 'nobody'),
      });
    expect(await running()).toBe('1.0.0');
    expect((await install(body.ticket, {}, former.key)).status).toBe(200);
    expect(await running()).toBe('1.1.0');
    const input = { publishers: `${other.key} Acme`, knownOnly: true };
    await owner.put('/api/v1/app-store/plugins/sys-app-store/settings', { input });
    const back = () =>
      owner.post<{ code?: string }>('/api/v1/app-store/plugins/acme/use', { version: '1.0.0' });
    expect((await back()).body.code).toBe('PLUGIN_PUBLISHER_UNKNOWN');
    expect(await running()).toBe('1.1.0');
    await owner.put('/api/v1/app-store/plugins/sys-app-store/settings', {
      input: { ...input, knownOnly: false },
    });
    expect((await back()).status).toBe(200);
    expect(await running()).toBe('1.0.0');
  });

  test.each([
    [
      'its setup fails',
      { setup: "throw new Error('out of paper');" },
      'PLUGIN_FAILED',
      /setup.*out of paper/,
    ],
    [
      'its migration fails',
      { migrations: "migrations: [{ id: '1', up: async () => { throw new Error('no ink'); } }]," },
      'PLUGIN_FAILED',
      /migrate.*no ink/,
    ],
    [
      'it is for another product',
      { manifest: { engines: { trellis: '>=99' } } },
      'PLUGIN_INCOMPATIBLE',
      />=99/,
    ],
  ])('is refused and removed when %s, and the one before runs on', async (_why, broken, code, reason) => {
    await installed();
    await enable();
    const { body } = await bring(await archiveOf({ version: '2.0.0', ...broken }));
    expect((await install(body.ticket)).body).toMatchObject({ code, msg: expect.stringMatching(reason) });
    expect(await running()).toBe('1.0.0');
    expect(await card()).toMatchObject({ state: 'enabled', version: '1.0.0', versions: ['1.0.0'] });
    expect(await folders('acme')).toEqual(['1.0.0', 'install.json']);
  });
});

test('A version whose note cannot be written does not run, and the one before runs on', async () => {
  await installed();
  await enable();
  await mkdir(join(dataDir, 'plugins/acme/install.json.new'));
  const { body } = await bring(await archiveOf({ version: '2.0.0' }));
  expect((await install(body.ticket)).status).toBe(500);
  expect(await running()).toBe('1.0.0');
  await rm(join(dataDir, 'plugins/acme/install.json.new'), { recursive: true });
  // What was brought waits for another try.
  expect((await install(body.ticket)).status).toBe(200);
  expect(await running()).toBe('2.0.0');
});

describe('from an index', () => {
  let index: Server;
  let files: Map<string, Buffer>;
  let moved: Map<string, string>;
  beforeEach(async () => {
    files = new Map();
    moved = new Map();
    index = createServer((request, response) => {
      const location = moved.get(request.url ?? '');
      if (location !== undefined) {
        response.writeHead(302, { location }).end();
        return;
      }
      const body = files.get(request.url ?? '');
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    await new Promise<void>((resolve) => void index.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${portOf(index)}/plugins.json`;
    await owner.put('/api/v1/app-store/plugins/sys-app-store/settings', {
      input: { index: address },
    });
  });
  afterEach(async () => {
    index.closeAllConnections();
    await new Promise((resolve) => void index.close(resolve));
  });

  const portOf = (of: Server) => (of.address() as AddressInfo).port;

  async function publish(...versions: readonly string[]): Promise<void> {
    const plugins: object[] = [
      { id: 'broken' },
      { id: 'later', version: '1.0.0', trellis: '>=99', url: 'x', sha256: 'x' },
    ];
    for (const version of versions) {
      const archive = await archiveOf({ version });
      const { sha256 } = await bring(archive).then(({ body }) => body);
      files.set(`/acme-${version}.tgz`, archive);
      plugins.push({
        id: 'acme',
        name: 'Acme',
        version,
        description: 'Moods.',
        url: `acme-${version}.tgz`,
        sha256,
      });
    }
    files.set('/plugins.json', Buffer.from(JSON.stringify({ plugins })));
  }

  const list = async () => (await owner.get('/api/v1/app-store/index')).body;
  const fetchIt = (version: string) =>
    owner.post<PluginProposal & { code?: string }>('/api/v1/app-store/index/proposals', {
      id: 'acme',
      version,
    });

  test('plugins are listed in their newest version, with what is installed, and fetched', async () => {
    await publish('1.0.0', '1.1.0');
    expect(await list()).toMatchObject({
      passedOver: 2,
      list: [{ id: 'acme', version: '1.1.0', isUpdate: false }],
    });
    const { body } = await fetchIt('1.0.0');
    await install(body.ticket);
    await enable();
    expect(await list()).toMatchObject({ list: [{ version: '1.1.0', installed: '1.0.0', isUpdate: true }] });
    await install((await fetchIt('1.1.0')).body.ticket);
    expect(await running()).toBe('1.1.0');
  });

  test('the address that the operator set counts, is shown, and cannot be changed in the page', async () => {
    await publish('1.0.0');
    const fixed = `http://127.0.0.1:${portOf(index)}/plugins.json`;
    const other = await createTestServer({ env: { TRELLIS_PLUGIN_INDEX: fixed } });
    try {
      const admin = await other.signUp();
      const path = '/api/v1/app-store/plugins/sys-app-store/settings';
      expect((await admin.get('/api/v1/app-store/index')).body).toMatchObject({ address: fixed });
      const form = (await admin.get<PluginSettingsForm>(path)).body;
      expect(form.values).toMatchObject({ index: fixed });
      expect(form.schema.properties?.['index']?.['x-ui']).toMatchObject({ locked: true });
      const save = (input: object) => admin.put<{ code?: string }>(path, { input });
      expect((await save({ index: 'https://example.com/mine.json' })).body.code).toBe('PLUGIN_INDEX_FIXED');
      expect(await save({ ...form.values, knownOnly: true })).toMatchObject({
        status: 200,
        body: { values: { index: fixed, knownOnly: true } },
      });
      const contract = '/api/v1/db/meta/plugins/sys-app-store';
      const shown = (await admin.get<{ input: string }>(contract)).body;
      expect(JSON.parse(shown.input)).toMatchObject({ index: fixed });
      const change = (input: object) => admin.patch<{ code?: string }>(contract, { input });
      expect(await change({ index: 'https://example.com/mine.json' })).toMatchObject({
        status: 409,
        body: { code: 'PLUGIN_INDEX_FIXED' },
      });
      expect(await change({ index: fixed, knownOnly: false })).toMatchObject({ status: 200 });
      expect((await admin.get<PluginSettingsForm>(path)).body.values).toMatchObject({ knownOnly: false });
    } finally {
      await other.dispose();
    }
  });

  test('no private address is called that only the index or a redirect names', async () => {
    await publish('1.0.0');
    const elsewhere = `http://localhost:${portOf(index)}/acme-1.0.0.tgz`;
    moved.set('/acme-1.0.0.tgz', elsewhere.replace('acme', 'other'));
    expect((await fetchIt('1.0.0')).body.code).toBe('OUTBOUND_REFUSED');
    moved.clear();
    const listed = String(files.get('/plugins.json'));
    files.set('/plugins.json', Buffer.from(listed.replace('"acme-1.0.0.tgz"', JSON.stringify(elsewhere))));
    expect((await fetchIt('1.0.0')).body.code).toBe('OUTBOUND_REFUSED');
  });

  test('what comes is the plugin that was chosen, whatever the checksum of another one says', async () => {
    await publish('1.0.0');
    const other = await archiveOf({ id: 'bank', version: '9.0.0' });
    const { sha256, ticket } = (await bring(other)).body;
    await owner.delete(`/api/v1/app-store/proposals/${ticket}`);
    const { plugins } = JSON.parse(String(files.get('/plugins.json'))) as { plugins: { version: string }[] };
    const lying = plugins.map((of) => (of.version === '1.0.0' ? { ...of, sha256 } : of));
    files.set('/plugins.json', Buffer.from(JSON.stringify({ plugins: lying })));
    files.set('/acme-1.0.0.tgz', other);
    const before = await folders('.staging');
    const { body } = await fetchIt('1.0.0');
    expect(body).toMatchObject({ code: 'PLUGIN_NOT_AS_LISTED', msg: expect.stringContaining('bank') });
    expect(await folders('.staging')).toEqual(before);
  });

  test('an index of more than any list of plugins is not read, and what it says is shown as people see it', async () => {
    await publish('1.0.0');
    const { plugins } = JSON.parse(String(files.get('/plugins.json'))) as { plugins: object[] };
    const odd = { ...plugins.at(-1), name: 'Good\u202eevil\u0000', bytes: -1e308 };
    files.set('/plugins.json', Buffer.from(JSON.stringify({ plugins: [odd] })));
    const [shown] = ((await list()) as { list: readonly { name: string; bytes?: number }[] }).list;
    expect([shown?.name, shown?.bytes]).toEqual(['Goodevil', undefined]);
    files.set('/plugins.json', Buffer.from(`{"plugins":[${'[],'.repeat(300_000)}0]}`));
    expect(await list()).toMatchObject({ code: 'PLUGIN_INDEX_UNREADABLE' });
  });

  test('what comes is held against the checksum of the index, and an index that cannot be read says why', async () => {
    await publish('1.0.0');
    files.set('/acme-1.0.0.tgz', await archiveOf({ version: '1.0.0', setup: "throw new Error('evil');" }));
    expect((await fetchIt('1.0.0')).body.code).toBe('PLUGIN_DOWNLOAD_CHANGED');
    files.delete('/acme-1.0.0.tgz');
    expect((await fetchIt('1.0.0')).body.code).toBe('PLUGIN_DOWNLOAD_FAILED');
    expect((await fetchIt('9.0.0')).body.code).toBe('PLUGIN_NOT_IN_INDEX');
    files.set('/plugins.json', Buffer.from('<html>'));
    expect(await list()).toMatchObject({ code: 'PLUGIN_INDEX_UNREADABLE' });
  });
});

test('A plugin that was copied into its folder asks for consent when it is switched on', async () => {
  const folder = join(dataDir, 'plugins/acme/1.0.0');
  await mkdir(join(folder, 'dist/server'), { recursive: true });
  const contributes = { routes: ['/api/v1/weather'] };
  const manifest = {
    id: 'acme',
    name: 'Acme',
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '*' },
    sdk: 1,
    contributes,
  };
  await writeFile(join(folder, 'plugin.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'dist/server/index.js'), 'export default { setup() {} };');
  await owner.post('/api/v1/app-store/rescan');
  expect(await card()).toMatchObject({ unagreed: { paths: ['/api/v1/weather'] } });
  expect((await enable()).body.code).toBe('PLUGIN_NEEDS_CONSENT');
  expect((await enable({ consent: { paths: contributes.routes } })).status).toBe(200);
  await owner.post('/api/v1/app-store/plugins/acme/disable', {});
  expect((await enable()).status).toBe(200);
});
