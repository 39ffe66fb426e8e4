import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MailMessage } from '@trellis/sdk/server';
import {
  askUntil,
  createTestServer,
  testPlugin,
  type TestClient,
  type TestServer,
} from '@trellis/sdk/testing/server';
import type { AuditEntity } from '../../plugins/sys-audit/shared/index.ts';

const auth = '/api/v1/auth';
const meta = '/api/v1/db/meta';
const serverAudit = '/api/v1/plugins/sys-audit/audits';
const password = 'Password-1';

describe('the audit has all operations that the v1 API names', () => {
  const post = new EventEmitter<{ mail: [MailMessage] }>();
  let server: TestServer;
  let boss: TestClient;

  beforeAll(async () => {
    const mail = testPlugin('post', (ctx) => {
      ctx.register('mailAdapters', {
        id: 'post',
        label: 'Post',
        isConfigured: () => true,
        send: (message) => Promise.resolve(void post.emit('mail', message)),
        verify: () => Promise.resolve(),
      });
    });
    const env = { TRELLIS_SITE_URL: 'https://tables.example.com' };
    server = await createTestServer({ plugins: [mail], env });
  });
  afterAll(() => server?.dispose());

  /** What a link ends in that is mailed to somebody because of this. */
  async function mailed(to: string, page: string, work: () => Promise<unknown>): Promise<string> {
    const link = new RegExp(`/#${page}/([0-9a-f-]{36})`);
    const found = new Promise<string>((resolve) => {
      post.on('mail', function look(mail) {
        const [, token] = link.exec(String(mail.to) === to ? mail.text : '') ?? [];
        if (token === undefined) return;
        post.off('mail', look);
        resolve(token);
      });
    });
    await work();
    return found;
  }

  async function lines(path: string, client = boss): Promise<readonly AuditEntity[]> {
    return (await client.get<{ list: readonly AuditEntity[] }>(`${path}?limit=200`)).body.list;
  }
  const operations = (list: readonly AuditEntity[]) =>
    new Set(list.map(({ op_type: type, op_sub_type: subType }) => `${type} ${subType}`));

  test('of accounts, which are told to super admins alone', async () => {
    const guest = server.client;
    const address = 'boss@example.com';
    const signIn = async (secret: string) => {
      const credentials = { email: address, password: secret };
      const { body } = await guest.post<{ token: string }>(`${auth}/user/signin`, credentials);
      return guest.with({ token: body.token });
    };
    const confirm = await mailed(address, '/user/email/validate', () => server.signUp(address));
    await guest.post(`${auth}/email/validate/${confirm}`);
    const reset = await mailed(address, '/user/password/reset/form', () =>
      guest.post(`${auth}/password/forgot`, { email: address }),
    );
    await guest.post(`${auth}/password/reset/${reset}`, { password: 'Password-2' });
    const passwords = { currentPassword: 'Password-2', newPassword: password };
    await (await signIn('Password-2')).post(`${auth}/password/change`, passwords);
    boss = await signIn(password);
    await boss.post('/api/v1/user-invitations', { email: 'ivy@example.com' });
    const invited = await boss.get<{ list: readonly { id: string }[] }>('/api/v1/user-invitations');
    await boss.post(`/api/v1/user-invitations/${invited.body.list[0]?.id ?? ''}/renew`);
    const ann = await server.signUp('ann@example.com');
    const { id } = (await ann.get<{ id: string }>(`${auth}/user/me`)).body;
    await boss.patch(`/api/v1/users/${id}`, { is_super: true });
    await boss.patch(`/api/v1/users/${id}`, { is_super: false });

    // That somebody asked for a new password is written after the answer.
    const list = await askUntil(
      () => lines(serverAudit),
      (found) => operations(found).has('AUTHENTICATION PASSWORD_FORGOT'),
    );
    expect(operations(list)).toEqual(
      new Set(
        [
          'SIGNUP',
          'SIGNIN',
          'PASSWORD_FORGOT',
          'PASSWORD_RESET',
          'PASSWORD_CHANGE',
          'EMAIL_VERIFICATION',
          'INVITE',
          'RESEND_INVITE',
          'ROLES_MANAGEMENT',
        ].map((operation) => `AUTHENTICATION ${operation}`),
      ),
    );
    expect(list.find(({ user }) => user === 'ann@example.com')).toMatchObject({
      op_sub_type: 'SIGNUP',
      ip: expect.stringContaining('127.0.0.1'),
      project_id: null,
      description: 'ann@example.com signed up',
      said: { text: '{{person}} signed up' },
    });
    expect((await ann.get(serverAudit)).status).toBe(403);
    expect((await guest.get(serverAudit)).status).toBe(401);
    const found = await boss.get<{ pageInfo: { totalRows: number }; list: readonly AuditEntity[] }>(
      `${serverAudit}?user=ann@example.com&op_type=AUTHENTICATION&limit=1`,
    );
    expect(found.body).toMatchObject({ list: [{ op_sub_type: 'SIGNUP' }], pageInfo: { totalRows: 1 } });
  });

  test('of a project, and nothing of it is told as being of the server', async () => {
    const { id: project } = (await boss.post<{ id: string }>(`${meta}/projects`, { title: 'Atlas' })).body;
    const make = async (title: string) => {
      const columns = [
        { title: 'Id', uidt: 'ID' },
        { title: 'Name', uidt: 'SingleLineText' },
      ];
      const path = `${meta}/projects/${project}/tables`;
      return (await boss.post<{ id: string }>(path, { title, columns })).body.id;
    };
    const [city, river, gone] = [await make('City'), await make('River'), await make('Gone')];
    await boss.post(`${meta}/tables/${city}/reorder`, { order: 9 });
    await boss.delete(`${meta}/tables/${gone}`);
    const added = await boss.post<{ columns: readonly { id: string; title: string }[] }>(
      `${meta}/tables/${city}/columns`,
      { title: 'Note', uidt: 'SingleLineText' },
    );
    const note = `${meta}/columns/${added.body.columns.find(({ title }) => title === 'Note')?.id ?? ''}`;
    await boss.patch(note, { title: 'Remark', uidt: 'SingleLineText' });
    await boss.delete(note);
    const link = { uidt: 'LinkToAnotherRecord', title: 'Rivers', parentId: city, childId: river, type: 'mm' };
    await boss.post(`${meta}/tables/${city}/columns`, link);

    const rows = '/api/v1/db/data/noco/Atlas/City';
    const bulk = '/api/v1/db/data/bulk/noco/Atlas/City';
    await boss.post(rows, { Name: 'Oslo' });
    await boss.patch(`${rows}/1`, { Name: 'Kristiania' });
    await boss.post('/api/v1/db/data/noco/Atlas/River', { Name: 'Akerselva' });
    await boss.post(`${rows}/1/mm/Rivers/1`);
    await boss.delete(`${rows}/1/mm/Rivers/1`);
    await boss.post(`${meta}/audits/comments`, { fk_model_id: city, row_id: '1', description: 'Hm' });
    await boss.delete(`${rows}/1`);
    await boss.post(bulk, [{ Name: 'Bern' }, { Name: 'Lima' }]);
    await boss.patch(
      bulk,
      [2, 3].map((Id) => ({ Id, Name: 'Rome' })),
    );
    await boss.delete(
      bulk,
      [2, 3].map((Id) => ({ Id })),
    );

    const users = `${meta}/projects/${project}/users`;
    await boss.post(users, { email: 'joe@example.com', roles: 'editor' });
    const { list } = (await boss.get<{ users: { list: readonly { id: string }[] } }>(`${users}?query=joe`))
      .body.users;
    await boss.post(`${users}/${list[0]?.id ?? ''}/resend-invite`);
    await boss.patch(`${users}/${list[0]?.id ?? ''}`, { roles: 'viewer', project_id: project });

    const dataOf = (...kinds: readonly string[]) => kinds.map((kind) => `DATA ${kind}`);
    const changes = ['CREATED', 'UPDATED', 'DELETED'];
    expect([...operations(await lines(`${meta}/projects/${project}/audits`))]).toEqual(
      expect.arrayContaining([
        'COMMENT null',
        'PROJECT CREATED',
        ...dataOf('INSERT', 'UPDATE', 'DELETE', 'BULK_INSERT', 'BULK_UPDATE', 'BULK_DELETE'),
        ...dataOf('LINK_RECORD', 'UNLINK_RECORD'),
        ...['TABLE', 'TABLE_COLUMN'].flatMap((type) => changes.map((change) => `${type} ${change}`)),
        ...['INVITE', 'RESEND_INVITE', 'ROLES_MANAGEMENT'].map((kind) => `AUTHENTICATION ${kind}`),
      ]),
    );
    const ofServer = await lines(serverAudit);
    expect(ofServer.filter(({ project_id: of }) => of !== null)).toEqual([]);
    expect(ofServer.filter(({ op_type: type }) => type !== 'AUTHENTICATION')).toEqual([]);
  });

  test('that somebody came is told in the project, with a new account and with one that was there', async () => {
    const { id } = (await boss.post<{ id: string }>(`${meta}/projects`, { title: 'Guests' })).body;
    const invite = (email: string) =>
      mailed(email, '/user/authentication/signup', () =>
        boss.post(`${meta}/projects/${id}/users`, { email, roles: 'editor' }),
      );
    const signUp = (email: string, token?: string) =>
      server.client.post<{ token: string }>(`${auth}/user/signup`, { email, password, token });
    await signUp('kim@example.com', await invite('kim@example.com'));
    const token = await invite('lea@example.com');
    const lea = await signUp('lea@example.com');
    await server.client.with({ token: lea.body.token }).post(`${auth}/invitation/accept`, { token });
    expect((await lines(`${meta}/projects/${id}/audits`)).slice(0, 3)).toMatchObject([
      { user: 'lea@example.com', description: 'lea@example.com accepted the invitation' },
      { user: 'boss@example.com', op_sub_type: 'INVITE' },
      { user: 'kim@example.com', description: 'kim@example.com accepted the invitation' },
    ]);
  });
});
