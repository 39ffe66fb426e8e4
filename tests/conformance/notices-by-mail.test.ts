import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import {
  defineRoute,
  InboxToken,
  SecretsToken,
  TasksToken,
  type Inbox,
  type MailMessage,
} from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';
import {
  askUntil,
  createTestServer,
  type TestClient,
  testPlugin,
  type TestServer,
} from '@trellis/sdk/testing/server';
import { MetadataToken } from '../../host-server/metadata/tokens.ts';
import { tableNameOf } from '../../host-server/plugins/plugin-database.ts';
import type { NoticeList, NoticeWishes } from '../../plugins/notification-center/shared/index.ts';
import { keeperOf } from '../../plugins/schedules/testing/scheduled-server.ts';

const mails: MailMessage[] = [];
let canMail = true;
const post = testPlugin('post', (ctx) => {
  ctx.register('mailAdapters', {
    id: 'post',
    label: 'Post',
    isConfigured: () => canMail,
    send: async (message) => void mails.push(message),
    verify: async () => {},
  });
});

const bakeryErrors = defineErrors({ NO_FLOUR: { status: 409, message: 'There is no flour.' } });
/** Bread is in it until this resolves. */
let oven = Promise.resolve();
let hasFlour = false;
const bakery = testPlugin('bakery', (ctx) => {
  ctx.register('noticeKinds', {
    id: 'bakery.burnt',
    label: 'My bread burns',
    text: 'Bread of yours is burnt',
    page: true,
    mail: 'daily',
  });
  ctx.register('taskKinds', {
    id: 'bakery.bake',
    permission: 'tableCreate',
    async run() {
      await oven;
      if (hasFlour) return;
      throw bakeryErrors.create('NO_FLOUR');
    },
  });
  ctx.routes(
    defineRoute({
      method: 'POST',
      path: ':projectId/:bread',
      permission: 'tableCreate',
      object: { kind: 'project', param: 'projectId' },
      summary: 'Bake',
      bodyKind: 'none',
      handle: ({ scope, params }) => {
        const title = `Bake the ${params.bread}`;
        return ctx.get(TasksToken).start(scope, { kind: 'bakery.bake', title, payload: null });
      },
    }),
  );
});

let inbox: () => Inbox | undefined;
const teller = testPlugin('teller', (ctx) => {
  inbox = () => ctx.find(InboxToken);
});

let server: TestServer;
let ann: TestClient;
let bob: TestClient;
let keep: ReturnType<typeof keeperOf>;
let projectId = '';
let tableId = '';

const base = '/api/v1/plugins/notification-center';
const told = async (client: TestClient) => (await client.get<NoticeList>(`${base}/notices`)).body.list;
const wish = (client: TestClient, kind: string, mail: string, page = true) =>
  client.put<NoticeWishes>(`${base}/wishes`, { kind, page, mail });

beforeAll(async () => {
  server = await createTestServer({
    plugins: [post, bakery, teller],
    env: { TRELLIS_SITE_URL: 'https://tables.example.com' },
  });
  ann = await server.signUp('ann@example.com');
  bob = await server.signUp('bob@example.com');
  projectId = (await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body.id;
  const table = await ann.post<{ id: string }>(`/api/v1/db/meta/projects/${projectId}/tables`, {
    title: 'Things',
    columns: [{ title: 'Id', uidt: 'ID', pk: true, ai: true }],
  });
  tableId = table.body.id;
  await ann.post('/api/v1/db/data/v1/Shop/Things', {});
  keep = keeperOf(ann, projectId);
});
afterAll(() => server?.dispose());

/** A schedule whose runs fail: nothing has the name of its address. Each has a cause of its own. */
async function failing(title: string) {
  const settings = { address: 'http://nothing.invalid/in' };
  const input = { cron: '0 0 1 1 *', retries: 0, action: 'schedules.call', table_id: tableId, settings };
  const schedule = await keep.make({ ...input, title });
  const fail = async (times: number) => {
    await keep.runNow(schedule.id);
    await keep.until(
      schedule.id,
      (list) => list.length === times && list.every(({ state }) => state === 'failed'),
    );
  };
  await fail(1);
  return { ...schedule, fail };
}

/** What a person was told, once it is so much. */
function until(client: TestClient, count: number) {
  return askUntil(
    () => told(client),
    (list) => list.length >= count,
  );
}
/** The mails of a subject, once there is one. */
function mailOf(subject: string): Promise<readonly MailMessage[]> {
  return askUntil(
    async () => mails.filter((mail) => mail.subject === subject),
    (found) => found.length > 0,
  );
}

test('whoever set a schedule hears of its failure in the page and by mail, once a day', async () => {
  const nightly = await failing('Nightly');
  const [notice] = await until(ann, 1);
  expect(notice).toMatchObject({
    kind: 'schedule-failed',
    project: { title: 'Shop' },
    table: null,
    title: 'Nightly',
    reason: { code: 'OUTBOUND_HOST_UNKNOWN' },
    is_read: false,
  });
  const [mail] = await mailOf('The schedule Nightly failed');
  expect(mail).toMatchObject({ to: ['ann@example.com'] });
  expect(mail?.text).toContain('in Shop failed');
  await nightly.fail(2);
  await failing('Weekly');
  await until(ann, 2);
  expect((await mailOf('The schedule Weekly failed')).length).toBe(1);
  expect(mails.filter(({ subject }) => subject.includes('Nightly'))).toHaveLength(1);
  expect(await told(ann)).toHaveLength(2);
  expect(await told(bob)).toEqual([]);
});

test('each person says what they want of each kind', async () => {
  const { body } = await ann.get<NoticeWishes>(`${base}/wishes`);
  expect(body).toMatchObject({
    can_mail: true,
    list: expect.arrayContaining([
      expect.objectContaining({ kind: 'mention', page: true, mail: 'off' }),
      expect.objectContaining({ kind: 'schedule-failed', page: true, mail: 'now' }),
    ]),
  });
  expect((await wish(ann, 'schedule-failed', 'off', false)).status).toBe(200);
  const before = [(await told(ann)).length, mails.length];
  await failing('Silent');
  await wish(ann, 'schedule-failed', 'now');
  await failing('Loud');
  await mailOf('The schedule Loud failed');
  expect((await told(ann)).length).toBe(Number(before[0]) + 1);
  expect(mails.length).toBe(Number(before[1]) + 1);
  expect((await wish(ann, 'schedule-failed', 'hourly')).status).toBe(400);
  expect((await wish(ann, 'pigeons', 'now')).status).toBe(400);
  // What one person wants is nothing to another.
  expect((await bob.get<NoticeWishes>(`${base}/wishes`)).body.list).toContainEqual(
    expect.objectContaining({ kind: 'schedule-failed', page: true, mail: 'now' }),
  );
  expect((await server.client.get(`${base}/wishes`)).status).toBe(401);
});

test('one letter that cannot be kept keeps no other one of the same news back', async () => {
  const ids = await Promise.all(
    [bob, ann].map(async (client) => (await client.get<{ id: string }>('/api/v1/auth/user/me')).body.id),
  );
  const secrets = server.host.container.get(SecretsToken);
  const encrypt = secrets.encrypt.bind(secrets);
  const sealed = jest.spyOn(secrets, 'encrypt').mockImplementation((purpose, text) => {
    if (text.includes('bob@example.com')) throw new Error('full');
    return encrypt(purpose, text);
  });
  const about = { kind: 'schedule-failed', projectId, title: 'Oven', actor: '', requestId: 'test' };
  const letter = { subject: 'The oven failed', paragraphs: ['It is cold.'] };
  await inbox()?.tell(ids.map((accountId) => ({ ...about, accountId, letter })));
  sealed.mockRestore();
  expect(mails.filter(({ subject }) => subject === letter.subject).map(({ to }) => to)).toEqual([
    ['ann@example.com'],
  ]);
});

test('news of a day come in one mail, once', async () => {
  await ann.put('/api/v1/app-store/plugins/notification-center/settings', { input: { digestHour: 0 } });
  await wish(ann, 'schedule-failed', 'daily');
  const shown = (await told(ann)).length;
  await failing('First');
  await failing('Second');
  await until(ann, shown + 2);
  // What nobody can read any more keeps no one else's mail back.
  const { database } = server.host.container.get(MetadataToken);
  const unreadable = { id: 'nt_unreadable', account_id: 'a', sealed: 'gone', at: Date.now() };
  await database.write((unit) =>
    unit.run(unit.knex(tableNameOf('notification-center', 'digest')).insert(unreadable)),
  );
  const logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };
  const job = server.host.registries.get('jobs').get('notification-center.digest');
  const run = () => job?.run({ signal: new AbortController().signal, logger });
  // Nor are news lost that are due while no mail can be sent.
  canMail = false;
  await run();
  canMail = true;
  await run();
  const [mail] = await mailOf('2 pieces of news');
  expect(mail).toMatchObject({ to: ['ann@example.com'] });
  expect(mail?.text).toContain('The schedule First failed');
  expect(mail?.text).toContain('The schedule Second failed');
  await run();
  expect(mails.filter(({ subject }) => /news/.test(subject))).toHaveLength(1);
});

test('who lost the project is not shown what was told of it', async () => {
  const carl = await server.signUp('carl@example.com');
  // Where mail is sent, people are invited first.
  canMail = false;
  const added = await ann.post(`/api/v1/db/meta/projects/${projectId}/users`, {
    email: 'carl@example.com',
    roles: 'creator',
  });
  expect(added).toMatchObject({ status: 200 });
  const mine = keeperOf(carl, projectId);
  const schedule = await mine.make({
    title: 'Carl',
    cron: '0 0 1 1 *',
    retries: 0,
    action: 'schedules.call',
    table_id: tableId,
    settings: { address: 'http://nothing.invalid/in' },
  });
  await mine.runNow(schedule.id);
  expect((await until(carl, 2))[0]).toMatchObject({ title: 'Carl' });
  const users = await ann.get<{ users: { list: readonly { id: string; email: string }[] } }>(
    `/api/v1/db/meta/projects/${projectId}/users`,
  );
  const { id = '' } = users.body.users.list.find(({ email }) => email === 'carl@example.com') ?? {};
  // Nor do notices of it stand before those of other projects, however many there are.
  const { body: own } = await carl.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Own' });
  const about = { kind: 'bakery.burnt', actor: '', requestId: 'test', accountId: id };
  await inbox()?.tell([{ ...about, projectId: own.id, title: 'Bread of my own' }]);
  await inbox()?.tell(
    Array.from({ length: 120 }, (_, at) => ({ ...about, projectId, title: `Bread ${String(at)}` })),
  );
  expect(await told(carl)).toHaveLength(50);
  await ann.delete(`/api/v1/db/meta/projects/${projectId}/users/${id}`);
  expect(await told(carl)).toMatchObject([{ title: 'Bread of my own', project: { title: 'Own' } }]);
  expect((await carl.get(`${base}/notices/unread`)).body).toEqual({ unread: 1 });
  // However many more there are, and however many newer ones that were read.
  const { database } = server.host.container.get(MetadataToken);
  const notice = tableNameOf('notification-center', 'notice');
  const told90 = (prefix: string, of: object) =>
    database.write(async (unit) => {
      for (let part = 0; part < 6; part += 1)
        await unit.run(
          unit.knex(notice).insert(
            Array.from({ length: 90 }, (_, at) => ({
              id: `nt_${prefix}_${String(part)}_${String(at)}`,
              account_id: id,
              kind: about.kind,
              table_id: '',
              row_key: '',
              actor: '',
              hidden: false,
              at: Date.now() + 1000,
              ...of,
            })),
          ),
        );
    });
  await told90('left', { project_id: projectId, read_at: null });
  expect(await told(carl)).toMatchObject([{ project: { title: 'Own' } }]);
  expect((await carl.get(`${base}/notices/unread`)).body).toEqual({ unread: 1 });
  await told90('read', { project_id: own.id, read_at: Date.now() });
  expect(await told(carl)).toHaveLength(50);
  expect((await carl.get(`${base}/notices/unread`)).body).toEqual({ unread: 1 });
  expect((await carl.get(`${base}/notices`)).body).toMatchObject({ unread: 1 });
});

test('a plugin brings kinds of notices of its own, and whoever is added to a project or has a task that fails is told', async () => {
  const eve = await server.signUp('eve@example.com');
  const { body: wishes } = await eve.get<NoticeWishes>(`${base}/wishes`);
  expect(wishes.list).toContainEqual({
    kind: 'bakery.burnt',
    label: 'My bread burns',
    has_mail: true,
    page: true,
    mail: 'daily',
  });
  expect(wishes.list.find(({ kind }) => kind === 'member-added')).toMatchObject({ has_mail: false });
  expect(await wish(eve, 'bakery.unheard', 'now')).toMatchObject({
    status: 400,
    body: { code: 'NOTICE_KIND_UNKNOWN' },
  });

  await ann.post(`/api/v1/db/meta/projects/${projectId}/users`, {
    email: 'eve@example.com',
    roles: 'creator',
  });
  const [added] = await until(eve, 1);
  expect(added).toMatchObject({
    kind: 'member-added',
    text: '{{person}} added you to a project',
    actor: 'ann@example.com',
    project: { title: 'Shop' },
  });

  await eve.post(`/api/v1/plugins/bakery/${projectId}/bread`);
  const list = await until(eve, 2);
  expect(list[0]).toMatchObject({
    kind: 'task-failed',
    text: 'A task of yours failed',
    title: 'Bake the bread',
    reason: { msg: 'There is no flour.' },
  });
});

test('whoever gets the address of somebody who is gone is told nothing of the tasks of that account', async () => {
  const join = async () => {
    const eva = await server.signUp('eva@example.com');
    await ann.post(`/api/v1/db/meta/projects/${projectId}/users`, {
      email: 'eva@example.com',
      roles: 'creator',
    });
    await until(eva, 1);
    return eva;
  };
  const former = await join();
  let open = () => {};
  oven = new Promise((resolve) => {
    open = resolve;
  });
  const { body: task } = await former.post<{ id: string }>(`/api/v1/plugins/bakery/${projectId}/roll`);
  const { body: account } = await former.get<{ id: string }>('/api/v1/auth/user/me');
  expect((await ann.delete(`/api/v1/users/${account.id}`)).status).toBe(200);
  const eva = await join();
  open();
  for (let state = ''; state !== 'failed';)
    state = (await ann.get<{ state: string }>(`/api/v1/tasks/${task.id}`)).body.state;
  await eva.post(`/api/v1/plugins/bakery/${projectId}/bun`);
  expect(await until(eva, 2)).toMatchObject([
    { kind: 'task-failed', title: 'Bake the bun' },
    { kind: 'member-added' },
  ]);
});

test('whoever waited long for a task hears in the page and by mail that it is done, and nothing of one that was quick', async () => {
  const flo = await server.signUp('flo@example.com');
  // Where mail is sent, people are invited first.
  canMail = false;
  await ann.post(`/api/v1/db/meta/projects/${projectId}/users`, {
    email: 'flo@example.com',
    roles: 'creator',
  });
  await until(flo, 1);
  canMail = true;
  expect((await wish(flo, 'task-ended', 'now')).status).toBe(200);
  hasFlour = true;
  const ended = async (id: string) =>
    askUntil(
      async () => (await flo.get<{ state: string }>(`/api/v1/tasks/${id}`)).body.state,
      (state) => state === 'done',
    );
  const bake = async (bread: string) =>
    (await flo.post<{ id: string }>(`/api/v1/plugins/bakery/${projectId}/${bread}`)).body.id;
  oven = Promise.resolve();
  await ended(await bake('cracker'));
  let open = () => {};
  oven = new Promise((resolve) => {
    open = resolve;
  });
  const slow = await bake('sourdough');
  // A minute goes by for the server, and not for the test.
  const now = Date.now.bind(Date);
  const later = jest.spyOn(Date, 'now').mockImplementation(() => now() + 61_000);
  open();
  await ended(slow);
  later.mockRestore();
  expect((await until(flo, 2))[0]).toMatchObject({
    kind: 'task-ended',
    title: 'Bake the sourdough',
    project: { title: 'Shop' },
    reason: null,
  });
  const [mail] = await mailOf('The task Bake the sourdough is done');
  expect(mail).toMatchObject({ to: ['flo@example.com'] });
  expect(mails.some(({ text }) => text.includes('cracker'))).toBe(false);
  expect(await told(flo)).toHaveLength(2);
  hasFlour = false;
});
