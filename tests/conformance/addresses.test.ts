import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MailMessage } from '@trellis/sdk/server';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

const password = 'Passw0rd!x';
const meta = '/api/v1/db/meta';

/** One mailbox, as people, programs and keyboards write it; the first is how it is kept. */
const spellings = [
  'ünal+shop@bücher.example',
  'ÜNAL+Shop@BÜCHER.Example',
  'u\u0308nal+shop@bu\u0308cher.example',
  'ünal+shop@xn--bcher-kva.example',
  'ünal+shop@XN--BCHER-KVA.example',
  ' ünal+shop＠bücher。example ',
] as const;
const [kept] = spellings;

/** Each of them another mailbox. */
const others = [
  'unal+shop@bücher.example',
  'ünal@bücher.example',
  'ünal+shop@bucher.example',
  'ünal.shop@bücher.example',
];

type Start = (options: Parameters<typeof createTestServer>[0]) => Promise<TestServer>;

function describeAddresses(start: Start): void {
  const mails: MailMessage[] = [];
  let server: TestServer;
  let boss: TestClient;

  beforeAll(async () => {
    const post = testPlugin('post', (ctx) => {
      ctx.register('mailAdapters', {
        id: 'post',
        label: 'Post',
        isConfigured: () => true,
        send: (message) => Promise.resolve(void mails.push(message)),
        verify: () => Promise.resolve(),
      });
    });
    server = await start({ plugins: [post], env: { TRELLIS_SITE_URL: 'https://tables.example.com' } });
    boss = await server.signUp('boss@example.com');
  });
  afterAll(() => server?.dispose());

  const receivers = () => mails.flatMap(({ to }) => to).filter((to) => to !== 'boss@example.com');
  const signIn = (email: string) =>
    server.client.post<{ token?: string }>('/api/v1/auth/user/signin', { email, password });
  const accounts = async () =>
    (await boss.get<{ list: readonly { email: string }[] }>('/api/v1/users')).body.list.map(
      ({ email }) => email,
    );

  test('an invitation in several spellings is one, in the form that is kept', async () => {
    const project = (await boss.post<{ id: string }>(`${meta}/projects`, { title: 'Atlas' })).body.id;
    const users = `${meta}/projects/${project}/users`;
    const invited = await boss.post<{ people: readonly { email: string }[] }>(users, {
      email: spellings.join(','),
      roles: 'editor',
    });
    expect(invited).toMatchObject({ status: 200 });
    expect(receivers()).toEqual([kept]);
    const [, token] = /signup\/([0-9a-f-]{36})/.exec(mails.at(-1)?.text ?? '') ?? [];
    const signedUp = await server.client.post<{ token: string }>('/api/v1/auth/user/signup', {
      email: spellings[4],
      password,
      token,
    });
    expect(signedUp).toMatchObject({ status: 200, body: { token: expect.any(String) } });
    expect(await accounts()).toEqual(['boss@example.com', kept]);
    for (const spelling of spellings) {
      const again = await boss.post<{ msg: string }>(users, { email: spelling, roles: 'viewer' });
      expect(again).toMatchObject({ status: 400, body: { msg: expect.stringContaining('already exists') } });
    }
  });

  test.each(spellings)('%j is signed in to the one account', async (spelling) => {
    const { token } = (await signIn(spelling)).body;
    const me = await server.client.with({ token }).get('/api/v1/auth/user/me');
    expect(me.body).toMatchObject({ email: kept });
  });

  test('a forgotten password is written about to the form that is kept, however it was asked for', async () => {
    mails.length = 0;
    await server.client.post('/api/v1/auth/password/forgot', { email: spellings[3] });
    while (mails.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(receivers()).toEqual([kept]);
  });

  test('another mailbox is somebody else, with an account of its own', async () => {
    for (const other of others) {
      expect(await signIn(other)).toMatchObject({ status: 400 });
      await server.signUp(other);
    }
    expect(await accounts()).toEqual(expect.arrayContaining(others));
    expect(await accounts()).toHaveLength(2 + others.length);
  });
}

describe('the addresses of people, on SQLite', () => {
  describeAddresses(createTestServer);
});

describeEachServer('the addresses of people', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeAddresses((options) => createTestServer({ ...options, database: databases }));
});
