import { once, EventEmitter } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AccessServiceToken, AuditLogToken, type MailMessage } from '@trellis/sdk/server';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { MadeLink, ServerInvitationEntity, ServerUserEntity, ServerUserList } from '../shared/index.ts';

const auth = '/api/v1/auth';
const users = '/api/v1/users';
const invitations = '/api/v1/user-invitations';
const projects = '/api/v1/db/meta/projects';
const post = new EventEmitter<{ mail: [MailMessage] }>();
let isConfigured = false;

const mailPlugin = testPlugin('post', (ctx) => {
  ctx.register('mailAdapters', {
    id: 'post',
    label: 'Post',
    isConfigured: () => isConfigured,
    send: (message) => Promise.resolve(void post.emit('mail', message)),
    verify: () => Promise.resolve(),
  });
});

describe('the users of a server', () => {
  let server: TestServer;
  let ann: TestClient;
  let guest: TestClient;

  beforeAll(async () => {
    const env = { TRELLIS_SITE_URL: 'https://tables.example.com' };
    server = await createTestServer({ plugins: [mailPlugin], env });
    guest = server.client;
    ann = await server.signUp('ann@example.com');
  });
  beforeEach(() => {
    isConfigured = false;
  });
  afterAll(() => server?.dispose());

  async function userNamed(email: string): Promise<ServerUserEntity> {
    const { body } = await ann.get<ServerUserList>(`${users}?query=${encodeURIComponent(email)}`);
    const found = body.list.find((user) => user.email === email);
    if (found === undefined) throw new Error(`${email} is not listed`);
    return found;
  }
  const signIn = (email: string, password = 'Password-1') =>
    guest.post(`${auth}/user/signin`, { email, password });
  async function told(): Promise<readonly string[]> {
    const scope = server.host.container.get(AccessServiceToken).systemScope(undefined, 'test');
    const lines = await server.host.container.get(AuditLogToken).list(scope, { limit: 20, offset: 0 });
    return lines.map(({ description }) => description);
  }

  test('are listed for the super admin alone, in pages', async () => {
    const bob = await server.signUp('bob@example.com');
    const { body } = await ann.get<ServerUserList>(`${users}?limit=1&offset=1`);
    expect(body).toMatchObject({
      list: [{ email: 'bob@example.com', is_super: false, is_disabled: false }],
      pageInfo: { totalRows: 2, page: 2, isLastPage: true },
    });
    const { id } = await userNamed('ann@example.com');
    const calls = [
      bob.get(users),
      bob.patch(`${users}/${id}`, { is_disabled: true }),
      bob.delete(`${users}/${id}`),
      bob.post(`${users}/${id}/reset-link`),
      bob.get(invitations),
      bob.post(invitations, { email: 'eve@example.com' }),
    ];
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 403));
    expect((await guest.get(users)).status).toBe(401);
  });

  test('who are disabled are out at once, with every credential, and told so when they sign in', async () => {
    const cid = await server.signUp('cid@example.com');
    const token = await cid.post<{ token: string }>(`${auth.replace('auth', 'db/meta')}/api-tokens`, {
      description: 'script',
      permissions: 'editor',
    });
    const script = guest.with({ headers: { 'xc-token': token.body.token } });
    expect([(await cid.get(projects)).status, (await script.get(projects)).status]).toEqual([200, 200]);
    const { id } = await userNamed('cid@example.com');
    expect((await ann.patch(`${users}/${id}`, { is_disabled: true })).body).toMatchObject({
      is_disabled: true,
    });
    expect([(await cid.get(projects)).status, (await script.get(projects)).status]).toEqual([401, 401]);
    expect(await signIn('cid@example.com')).toMatchObject({
      status: 403,
      body: { code: 'ACCOUNT_DISABLED' },
    });
    expect(await signIn('cid@example.com', 'Wrong-1234')).toMatchObject({ body: { code: 'SIGN_IN_FAILED' } });
    expect(await ann.post(`${users}/${id}/reset-link`)).toMatchObject({
      body: { code: 'RESET_OF_DISABLED' },
    });
    expect((await ann.patch(`${users}/${id}`, { is_disabled: false })).status).toBe(200);
    expect((await signIn('cid@example.com')).status).toBe(200);
    expect((await cid.get(projects)).status).toBe(401);
    expect((await script.get(projects)).status).toBe(200);
    expect(await told()).toEqual(
      expect.arrayContaining([
        'The account cid@example.com was disabled',
        'The account cid@example.com was enabled',
      ]),
    );
  });

  test('become super admins and people like others again, and nobody does it to the own account', async () => {
    const dot = await server.signUp('dot@example.com');
    const [own, other] = [await userNamed('ann@example.com'), await userNamed('dot@example.com')];
    expect((await ann.patch(`${users}/${other.id}`, { is_super: true })).body).toMatchObject({
      is_super: true,
    });
    expect((await dot.get(users)).status).toBe(200);
    for (const call of [
      ann.patch(`${users}/${own.id}`, { is_super: false }),
      ann.patch(`${users}/${own.id}`, { is_disabled: true }),
      ann.delete(`${users}/${own.id}`),
    ])
      expect(await call).toMatchObject({ status: 400, body: { code: 'ACCOUNT_OWN' } });
    expect((await ann.patch(`${users}/${other.id}`, { is_super: false })).status).toBe(200);
    expect((await dot.get(users)).status).toBe(403);
    expect(await ann.patch(`${users}/${other.id}`, {})).toMatchObject({
      body: { code: 'NOTHING_TO_CHANGE' },
    });
    expect(await ann.patch(`${users}/us_none`, { is_super: true })).toMatchObject({
      status: 400,
      body: { code: 'ACCOUNT_UNKNOWN' },
    });
  });

  test('who are deleted leave nothing behind with which they could sign in, and may sign up anew', async () => {
    const fay = await server.signUp('fay@example.com');
    const { id } = await userNamed('fay@example.com');
    expect((await ann.delete(`${users}/${id}`)).status).toBe(200);
    expect((await fay.get(projects)).status).toBe(401);
    expect(await signIn('fay@example.com')).toMatchObject({ body: { code: 'SIGN_IN_FAILED' } });
    const again = await server.signUp('fay@example.com');
    expect((await again.get<ServerUserEntity>(`${auth}/user/me`)).body.id).not.toBe(id);
    expect(await told()).toContain('The account fay@example.com was deleted');
  });

  test('get a link for a new password: to hand over without mail, else by mail, and the newest alone works', async () => {
    await server.signUp('gus@example.com');
    const { id } = await userNamed('gus@example.com');
    const make = async () => (await ann.post<MadeLink>(`${users}/${id}/reset-link`)).body;
    const first = await make();
    expect(first).toMatchObject({ email: 'gus@example.com', mail: 'off' });
    isConfigured = true;
    const mailed = once(post, 'mail') as Promise<[MailMessage]>;
    expect(await make()).toEqual({ email: 'gus@example.com', mail: 'sent', token: null });
    const [{ to, text }] = await mailed;
    expect(to).toEqual(['gus@example.com']);
    const second = /reset\/form\/([0-9a-f-]{36})/.exec(text)?.[1] ?? '';
    const reset = (token: string | null) =>
      guest.post(`${auth}/password/reset/${token}`, { password: 'New-Password-1' });
    expect(await reset(first.token)).toMatchObject({ body: { code: 'RESET_LINK_INVALID' } });
    expect((await reset(second)).status).toBe(200);
    const signedIn = await signIn('gus@example.com', 'New-Password-1');
    expect(signedIn.status).toBe(200);
    const gus = guest.with({ token: (signedIn.body as { token: string }).token });
    // An administrator's link may have come another way than to the address.
    expect((await gus.get(`${auth}/user/me`)).body).toMatchObject({ email_verified: false });
  });

  test('are invited without a project, by a link that may be renewed and taken back', async () => {
    const invited = await ann.post<MadeLink>(invitations, { email: ' Hal@Example.com ' });
    expect(invited.body).toMatchObject({ email: 'hal@example.com', mail: 'off' });
    const [listed] = (await ann.get<{ list: ServerInvitationEntity[] }>(invitations)).body.list;
    expect(listed).toMatchObject({ email: 'hal@example.com' });
    const renewed = await ann.post<MadeLink>(`${invitations}/${listed?.id}/renew`);
    const read = (token: string | null) => guest.post(`${auth}/invitation/read`, { token });
    expect(await read(invited.body.token)).toMatchObject({ body: { code: 'INVITATION_UNKNOWN' } });
    expect((await read(renewed.body.token)).body).toMatchObject({ email: 'hal@example.com', project: null });
    expect((await ann.delete(`${invitations}/${listed?.id}`)).status).toBe(200);
    expect((await read(renewed.body.token)).status).toBe(400);
    expect(await ann.post(invitations, { email: 'BOB@example.com' })).toMatchObject({
      status: 400,
      body: { code: 'INVITED_HERE' },
    });
    expect(await ann.post(invitations, { email: 'nobody' })).toMatchObject({
      body: { code: 'INVALID_ADDRESS' },
    });
  });
});
