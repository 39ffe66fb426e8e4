import { createServer, connect, type AddressInfo } from 'node:net';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  AccessServiceToken,
  FilesToken,
  MailerToken,
  NotifierToken,
  OperationsToken,
  VariablesToken,
  type MailMessage,
  type RowInput,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { TrellisError, Veto } from '@trellis/sdk/shared';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { createLocalStorage } from './local-storage.ts';

/*
 * One plugin brings an item for each registry, another one uses what stands before it: neither knows the other.
 */

let server: TestServer;
let boss: TestClient;
/** What the plugin that uses the services was given. */
let ctx: ServerPluginContext;

let isConfigured = true;
let isBroken = false;
let sending: (message: MailMessage) => Promise<void>;
const shelf = new Map<string, Buffer>();
const told: unknown[] = [];
let listenerPort = 0;

const provider = testPlugin(
  'provider',
  (own) => {
    own.register('mailAdapters', {
      id: 'pigeon',
      label: 'Pigeon',
      isConfigured: () => isConfigured,
      send: (message) => sending(message),
      verify: () => Promise.reject(new TrellisError('PIGEON_ASLEEP', 'The pigeon sleeps.', { status: 502 })),
    });
    own.register('storageAdapters', {
      id: 'shelf',
      label: 'Shelf',
      isConfigured: () => isConfigured,
      async put(key, content) {
        const parts: Buffer[] = [];
        for await (const part of content as AsyncIterable<Buffer>) parts.push(part);
        shelf.set(key, Buffer.concat(parts));
      },
      get: async (key, { signal }) => addAbortSignal(signal, Readable.from([shelf.get(key) ?? ''])),
      remove: async (key) => void shelf.delete(key),
      url: async (key, { seconds }) => `https://shelf.example/${key}?for=${seconds}`,
    });
    own.register('notificationChannels', {
      id: 'drum',
      label: 'Drum',
      settings: {
        type: 'object',
        required: ['loudness'],
        properties: { loudness: { type: 'integer', maximum: 10 } },
      },
      send: async (settings, notification) => void told.push([settings, notification.title]),
    });
    own.register('operations', {
      id: 'add',
      summary: 'Adds two numbers',
      permission: 'projectCreate',
      input: { type: 'array', items: { type: 'number' }, minItems: 2 },
      run: async ({ input }) => (input as number[]).reduce((sum, of) => sum + of, 0),
    });
    own.register('operations', {
      id: 'break',
      summary: 'Breaks',
      permission: 'projectCreate',
      run: () => Promise.reject(new TypeError('out of order')),
    });
    own.register('variableSources', {
      id: 'basic',
      resolve: async () => ({ city: 'Bern', day: 'Monday', key: { secret: 'pa"ss & öl' } }),
    });
    own.register('variableSources', { id: 'better', order: 1, resolve: async () => ({ day: 'Sunday' }) });
    own.register('listeners', {
      id: 'echo',
      label: 'Echo',
      async start() {
        const listener = createServer((socket) => void socket.end('hello'));
        await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve));
        listenerPort = (listener.address() as AddressInfo).port;
        return {
          port: listenerPort,
          stop: () => new Promise<void>((resolve) => void listener.close(() => resolve())),
        };
      },
    });
    own.register('aggregations', {
      id: 'doubled',
      label: 'Doubled',
      accepts: ['integer', 'bigint'],
      format: 'column',
      build(left) {
        if (isBroken) throw new TypeError('no abacus');
        const right = { kind: 'literal', value: 2, storage: 'integer' } as const;
        return {
          kind: 'aggregate',
          aggregate: 'sum',
          of: { kind: 'arithmetic', operator: 'multiply', left, right },
        };
      },
    });
    own.register('exporters', {
      id: 'json-lines',
      label: 'JSON lines',
      extension: 'jsonl',
      mediaType: 'application/x-ndjson',
      async *write({ batches }) {
        for await (const rows of batches) for (const row of rows) yield `${JSON.stringify(row)}\n`;
      },
    });
    own.register('importers', {
      id: 'json-lines',
      label: 'JSON lines',
      extensions: ['jsonl'],
      mediaTypes: ['application/x-ndjson'],
      async *read(content) {
        for (const line of (await text(content)).trim().split('\n')) {
          if (line === 'broken') throw new TypeError('a leaf is missing');
          yield JSON.parse(line) as RowInput;
        }
      },
    });
  },
  { contributes: { operations: [{ id: 'add' }, { id: 'break' }] } },
);

/** Another one says where files and mails go. */
let choose: () => unknown;
const chooser = testPlugin(
  'chooser',
  (own) => {
    own.tap('files.willPut', () => choose() as never);
    own.tap('mail.willSend', () => choose() as never);
  },
  { contributes: { hooks: ['files.willPut', 'mail.willSend'] } },
);

beforeAll(async () => {
  const user = testPlugin('user', (own) => {
    ctx = own;
  });
  server = await createTestServer({ plugins: [provider, chooser, user] });
  boss = await server.signUp();
});
afterAll(() => server.dispose());
beforeEach(() => {
  isConfigured = true;
  sending = () => Promise.resolve();
  choose = () => undefined;
});

const errorsOf = (id: string) => server.host.plugins.list().find((of) => of.id === id)?.errors ?? [];
const scope = () => ctx.get(AccessServiceToken).systemScope(undefined, 'test');

async function withoutProvider(work: () => Promise<void>): Promise<void> {
  await server.host.plugins.disable('provider', { cascade: [] });
  try {
    await work();
  } finally {
    await server.host.plugins.enable('provider');
  }
}

describe('mail', () => {
  const message = { to: ['ann@example.com'], subject: 'Hello', text: 'How are you?' };

  test('goes through the adapter that is set up, and through none where there is none', async () => {
    const sent: MailMessage[] = [];
    sending = async (of) => void sent.push(of);
    const mailer = ctx.get(MailerToken);
    expect(mailer.isConfigured()).toBe(true);
    await mailer.send(message);
    expect(sent).toEqual([message]);
    await expect(mailer.verify()).rejects.toMatchObject({ code: 'PIGEON_ASLEEP' });
    isConfigured = false;
    await expect(mailer.send(message)).rejects.toMatchObject({ status: 503, code: 'MAIL_NOT_CONFIGURED' });
    isConfigured = true;
    await withoutProvider(async () => {
      expect(mailer.isConfigured()).toBe(false);
      await expect(mailer.send(message)).rejects.toMatchObject({ code: 'MAIL_NOT_CONFIGURED' });
    });
    await mailer.send(message);
    expect(sent).toHaveLength(2);
  });

  test('that breaks is an error of the adapter, by name', async () => {
    sending = () => Promise.reject(new TypeError('no wings'));
    await expect(ctx.get(MailerToken).send(message)).rejects.toMatchObject({
      status: 502,
      code: 'ADAPTER_FAILED',
      params: { plugin: 'The provider' },
    });
    expect(errorsOf('provider')[0]).toMatchObject({ where: 'send mail', message: 'no wings' });
  });

  test.each([
    { ...message, to: ['ann@example.com\r\nBcc: all@example.com'] },
    { ...message, to: [] },
    { ...message, subject: 'Hello\r\nBcc: all@example.com' },
    { ...message, replyTo: 'a, b@example.com' },
  ])('lets nobody add a header: %j', async (hostile) => {
    await expect(ctx.get(MailerToken).send(hostile)).rejects.toMatchObject({
      code: 'MAIL_INVALID',
      params: { final: 'message' },
    });
  });
});

describe('files', () => {
  const facts = { name: '../../etc/passwd', type: 'text/plain' };
  const limit = 100;

  // Nothing goes back by itself to a storage that was away.
  beforeEach(async () => {
    expect((await boss.put('/api/v1/storage/default', { place: 'shelf' })).status).toBe(200);
  });

  test('are kept by the adapter that is set up, and read by the one that wrote them', async () => {
    const files = ctx.get(FilesToken);
    const kept = await files.put(Buffer.from('on the shelf'), facts, { limit });
    expect(kept).toMatchObject({ ref: expect.stringMatching(/^shelf:/), size: 12, name: facts.name });
    isConfigured = false;
    const local = await files.put(Readable.from(['in the ', 'folder']), facts, { limit });
    expect(local).toMatchObject({
      ref: expect.stringMatching(/^local:[0-9a-f]{2}\/[0-9a-f]{38}$/),
      size: 13,
    });
    await expect(files.read(kept.ref)).rejects.toMatchObject({ status: 503, code: 'STORAGE_ABSENT' });
    isConfigured = true;
    expect(await text(await files.read(kept.ref))).toBe('on the shelf');
    expect(await text(await files.read(local.ref))).toBe('in the folder');
    expect(await files.url(kept.ref, { ...facts, seconds: 60 })).toMatch(
      /^https:\/\/shelf\.example\/.*for=60$/,
    );
    expect(await files.url(local.ref, { ...facts, seconds: 60 })).toBeUndefined();
    await files.remove(local.ref);
    await files.remove(local.ref);
    await expect(files.read(local.ref)).rejects.toMatchObject({ status: 404, code: 'FILE_UNKNOWN' });
  });

  test('are read in part, from adapters that only give whole files too', async () => {
    const files = ctx.get(FilesToken);
    const part = { start: 3, end: 8 };
    const kept = await files.put(Buffer.from('on the shelf'), facts, { limit });
    isConfigured = false;
    const local = await files.put(Readable.from(['in the ', 'folder']), facts, { limit });
    isConfigured = true;
    expect(await text(await files.read(kept.ref, { part }))).toBe('the sh');
    expect(await text(await files.read(local.ref, { part }))).toBe('the fo');
    await files.remove(local.ref);
  });

  test.each(['shelf', 'local'])('are no longer read once their reader has gone: %s', async (place) => {
    const files = ctx.get(FilesToken);
    isConfigured = place === 'shelf';
    const { ref } = await files.put(Buffer.from('not for long'), facts, { limit });
    expect(ref).toMatch(new RegExp(`^${place}:`));
    const reader = new AbortController();
    const content = await files.read(ref, { signal: reader.signal });
    reader.abort();
    await expect(text(content)).rejects.toMatchObject({ name: 'AbortError' });
    await files.remove(ref);
  });

  test('that are too large leave nothing behind', async () => {
    isConfigured = false;
    const large = Readable.from([Buffer.alloc(60), Buffer.alloc(60)]);
    const put = ctx.get(FilesToken).put(large, facts, { limit });
    await expect(put).rejects.toMatchObject({ status: 413, code: 'FILE_TOO_LARGE' });
    const left = await readdir(join(server.dataDir, 'files'), { recursive: true });
    expect(left.filter((name) => name.length > 2)).toEqual(['.unfinished']);
  });

  test('that a killed server left unfinished go with the first new one, and those on their way stay', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-storage-'));
    const unfinished = join(folder, 'files', '.unfinished');
    await mkdir(unfinished, { recursive: true });
    // What is no file of ours keeps nobody from adding files.
    await mkdir(join(unfinished, 'folder'));
    for (const name of ['old', 'new']) await writeFile(join(unfinished, name), 'half of ');
    const before = new Date(Date.now() - 2 * 60 * 60 * 1000);
    for (const name of ['old', 'folder']) await utimes(join(unfinished, name), before, before);
    const storage = createLocalStorage(join(folder, 'files'));
    const { signal } = new AbortController();
    await storage.put('ab/cd', Readable.from(['whole']), facts, { signal });
    expect((await readdir(unfinished)).toSorted()).toEqual(['folder', 'new']);
    expect(await text(await storage.get('ab/cd', { signal }))).toBe('whole');
    await rm(folder, { recursive: true });
  });

  test('that older versions left unfinished beside the whole ones go as well', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-storage-'));
    await mkdir(join(folder, 'files', 'ab'), { recursive: true });
    await writeFile(join(folder, 'files', 'ab', 'whole'), 'whole');
    const before = new Date(Date.now() - 2 * 60 * 60 * 1000);
    for (const name of ['old.part', 'new.part'])
      await writeFile(join(folder, 'files', 'ab', name), 'half of ');
    await utimes(join(folder, 'files', 'ab', 'old.part'), before, before);
    const storage = createLocalStorage(join(folder, 'files'));
    await storage.put('ab/cd', Readable.from(['new']), facts, { signal: new AbortController().signal });
    expect((await readdir(join(folder, 'files', 'ab'))).toSorted()).toEqual(['cd', 'whole']);
    expect(await readdir(join(folder, 'files', '.unfinished'))).toEqual(['new.part']);
    await rm(folder, { recursive: true });
  });

  test.each(['local:../../trellis.db', 'local:ab/../../../x', '/etc/passwd', '', 'LOCAL:ab/cd'])(
    'are found by what was given for them alone, not by %j',
    async (ref) => {
      await expect(ctx.get(FilesToken).read(ref)).rejects.toMatchObject({ code: 'FILE_UNKNOWN' });
    },
  );
});

describe('a plugin that says where files and mails go', () => {
  const failures: readonly (readonly [string, () => unknown, string, string])[] = [
    ['breaks', () => Promise.reject(new TypeError('no map')), 'HOOK_FAILED', 'no map'],
    ['names a place alone', () => 'shelf', 'HOOK_FAILED', 'returned a string'],
    ['names what is no id', () => ({ place: 7, by: 7 }), 'HOOK_FAILED', 'returned a number as'],
    ['never answers', () => new Promise(() => {}), 'HOOK_TIMEOUT', 'took longer than'],
  ];

  /** Keeps a file and sends a mail at the same time. @returns why either was refused, and what went out nevertheless */
  async function keepAndSend() {
    const before = shelf.size;
    const sent: MailMessage[] = [];
    sending = async (message) => void sent.push(message);
    const facts = { name: 'plan.txt', type: 'text/plain' };
    const outcomes = await Promise.allSettled([
      ctx.get(FilesToken).put(Buffer.from('secret'), facts, { limit: 100 }),
      ctx.get(MailerToken).send({ to: ['ann@example.com'], subject: 'Secret', text: 'secret' }),
    ]);
    const reasons = outcomes.map((of) =>
      of.status === 'rejected' ? (of.reason as TrellisError) : undefined,
    );
    return { reasons, out: [shelf.size - before, sent.length] };
  }

  test.each(failures)('lets nothing go to the usual place when it %s', async (_, does, code, why) => {
    choose = does;
    const { reasons, out } = await keepAndSend();
    const refused = { code, message: expect.stringContaining('The chooser') };
    expect([reasons, out]).toEqual([
      [expect.objectContaining(refused), expect.objectContaining(refused)],
      [0, 0],
    ]);
    for (const hook of ['files.willPut', 'mail.willSend'])
      expect(errorsOf('chooser').find(({ where }) => where === hook)?.message).toContain(why);
  });

  test('may refuse them', async () => {
    choose = () => {
      throw new Veto('TOO_SECRET', 'This is too secret.');
    };
    const refused = expect.objectContaining({ code: 'TOO_SECRET', status: 400 });
    expect(await keepAndSend()).toEqual({ reasons: [refused, refused], out: [0, 0] });
  });
});

test('a notification channel gets settings that fit, and is paused with a reason without its plugin', async () => {
  const notifier = ctx.get(NotifierToken);
  expect(notifier.channels()).toMatchObject([{ id: 'drum', label: 'Drum', isReady: true }]);
  await notifier.send('drum', { loudness: 3 }, { title: 'A row', text: 'came' });
  expect(told).toEqual([[{ loudness: 3 }, 'A row']]);
  await expect(
    notifier.send('drum', { loudness: 11 }, { title: 'A row', text: 'came' }),
  ).rejects.toMatchObject({
    code: 'CHANNEL_SETTINGS',
    params: { problems: { '/loudness': expect.any(String) } },
  });
  await withoutProvider(async () => {
    await expect(notifier.send('drum', {}, { title: '', text: '' })).rejects.toMatchObject({
      status: 409,
      code: 'CHANNEL_DISABLED',
    });
  });
});

test('an operation runs for whoever may run it, and says which plugin is missing', async () => {
  const operations = ctx.get(OperationsToken);
  const { signal } = new AbortController();
  const run = (id: string, input: unknown) => operations.run(id, { scope: scope(), input, signal });
  expect(operations.list(scope()).map(({ id }) => id)).toEqual([
    'automations.run',
    'webhooks.send',
    'add',
    'break',
  ]);
  expect(await run('add', [1, 2, 3])).toBe(6);
  await expect(run('add', ['1'])).rejects.toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  await expect(run('break', [])).rejects.toThrow('out of order');
  expect(errorsOf('provider')[0]).toMatchObject({ where: 'operation break' });
  await expect(run('fly', [])).rejects.toMatchObject({ status: 501, code: 'OPERATION_ABSENT' });
  const principal = { kind: 'guest', id: '', email: '', accountRoles: [] } as const;
  const guest = await ctx.get(AccessServiceToken).scopeFor(principal, undefined, 'test');
  await expect(operations.run('add', { scope: guest, input: [1, 2], signal })).rejects.toMatchObject({
    status: 401,
  });
  await withoutProvider(async () => {
    await expect(run('add', [1, 2])).rejects.toMatchObject({
      status: 501,
      code: 'PLUGIN_DISABLED',
      params: { plugin: 'The provider' },
    });
  });
});

test('variables that settings name are given, the later source wins, and one without a value is named', async () => {
  const variables = ctx.get(VariablesToken);
  const { env } = await variables.usedIn({ body: ['{{ env.city }} on {{json env.day}}', 7] }, scope());
  expect(env).toEqual({ city: 'Bern', day: 'Sunday' });
  expect((await variables.usedIn('nothing but {{row.env}}', scope())).env).toEqual({});
  for (const [text, name] of [
    ['{{env.country}}', 'country'],
    ['{{env.constructor}}', 'constructor'],
    ['{{env.PATH}}', 'PATH'],
    ['{{json env}}', '{{json env}}'],
  ])
    await expect(variables.usedIn([text], scope())).rejects.toMatchObject({
      code: 'VARIABLE_UNKNOWN',
      params: { name },
    });
});

test('the values of secret variables are masked, however addresses, JSON and headers write them', async () => {
  const { env, mask } = await ctx.get(VariablesToken).usedIn('{{env.key}} {{env.city}}', scope());
  const { key = '' } = env;
  expect(key).toBe('pa"ss & öl');
  const url = new URL(`https://example.com/${encodeURIComponent(key)}`);
  url.searchParams.append('key', key);
  expect(
    mask({
      url: url.href,
      body: JSON.stringify({ key }),
      headers: { 'x-key': `Key ${key}` },
      city: ['Bern', 1],
    }),
  ).toEqual({
    url: 'https://example.com/•••?key=•••',
    body: '{"key":"•••"}',
    headers: { 'x-key': 'Key •••' },
    city: ['Bern', 1],
  });
  // What {{json env.key}} leaves in the text of a JSON body, in a path and in a parameter.
  const json = JSON.stringify(key);
  const quoted = new URL(`https://example.com/${encodeURIComponent(json)}`);
  quoted.searchParams.append('key', json);
  expect(mask({ url: quoted.href, body: JSON.stringify({ key: json }) })).toEqual({
    url: 'https://example.com/%22•••%22?key=%22•••%22',
    body: '{"key":"\\"•••\\""}',
  });
});

test('a listener listens as long as its plugin is on', async () => {
  const ask = () =>
    new Promise<string>((resolve) => {
      const socket = connect(listenerPort, '127.0.0.1');
      socket.on('data', (data) => resolve(data.toString()));
      socket.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? ''));
    });
  expect(await ask()).toBe('hello');
  const former = listenerPort;
  await withoutProvider(async () => {
    let answer = await ask();
    while (answer === 'hello') answer = await ask();
    expect(answer).toBe('ECONNREFUSED');
  });
  while (listenerPort === former) await new Promise(setImmediate);
  expect(await ask()).toBe('hello');
});

test('formats and figures of a plugin read, write and sum up the rows of a table', async () => {
  const project = await boss.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Formats' });
  const table = await boss.post<{ id: string }>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
    title: 'Leaves',
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      { title: 'Name', uidt: 'SingleLineText' },
    ],
  });
  const path = `/api/v1/db/data/noco/Formats/${table.body.id}`;
  const send = (body: string, format = 'json-lines') =>
    fetch(`${server.url}${path}/import/${format}`, {
      method: 'POST',
      headers: { 'xc-auth': boss.token ?? '', 'content-type': 'application/x-ndjson' },
      body,
    });
  const loaded = await send('{"Name":"oak"}\n{"Name":"ash"}\n');
  expect(loaded.status).toBe(200);
  const { id } = (await loaded.json()) as { id: string };
  let state = '';
  while (state !== 'done') {
    const task = await boss.get<{ state: string }>(`/api/v1/tasks/${id}`);
    state = task.body.state;
    expect(['waiting', 'running', 'done']).toContain(state);
  }
  const written = await boss.get<string>(`${path}/export/json-lines`);
  expect(written.headers.get('content-disposition')).toContain('Leaves-export.jsonl');
  expect(written.body).toBe('{"Id":1,"Name":"oak"}\n{"Id":2,"Name":"ash"}\n');
  const asked = ['count', 'doubled'].map((aggregation) => ({ column: 'Id', aggregation }));
  const figures = async () =>
    (
      await boss.get<{ list: readonly { readonly value: unknown }[] }>(
        `${path}/aggregate?aggregations=${encodeURIComponent(JSON.stringify(asked))}`,
      )
    ).body.list.map(({ value }) => (value === null ? null : Number(value)));
  expect(await figures()).toEqual([2, 6]);
  isBroken = true;
  expect(await figures()).toEqual([2, null]);
  expect(errorsOf('provider')[0]).toMatchObject({ message: 'no abacus' });
  await withoutProvider(async () => expect(await figures()).toEqual([2, null]));
  const broken = await send('broken');
  expect([broken.status, await broken.json()]).toEqual([
    500,
    expect.objectContaining({
      code: 'ROUTE_FAILED',
      params: expect.objectContaining({ plugin: 'The provider' }),
    }),
  ]);
  expect(errorsOf('provider')[0]).toMatchObject({
    where: 'import of json-lines',
    message: 'a leaf is missing',
  });
  expect((await send('7')).status).toBe(500);
  expect(errorsOf('provider')[0]?.message).toContain("'read' gave 7 as a row");
  expect(errorsOf('sys-rows')).toEqual([]);
  expect((await boss.get(`${path}/export/papyrus`)).status).toBe(404);
  expect([(await send('', 'papyrus')).status, await (await send('', 'papyrus')).json()]).toEqual([
    404,
    expect.objectContaining({
      msg: "Nothing here reads rows from 'papyrus'. What is read here: json-lines.",
    }),
  ]);
  await withoutProvider(async () =>
    expect(await (await send('')).json()).toMatchObject({ msg: 'No plugin here reads rows from files.' }),
  );
  expect((await boss.get<string>(`${path}/export/csv`)).body).toContain('Id,Name');
});
