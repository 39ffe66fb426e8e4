import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestServer, testPlugin, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { BusToken, type MailMessage } from '@trellis/sdk/server';
import type { MemberList } from '../shared/index.ts';

const password = 'Password-1';
const mails: MailMessage[] = [];
let mail: 'off' | 'on' | 'away' = 'off';

const post = testPlugin('post', (ctx) => {
  ctx.register('mailAdapters', {
    id: 'post',
    label: 'Post',
    isConfigured: () => mail !== 'off',
    send(message) {
      if (mail === 'away') return Promise.reject(new Error('connect ECONNREFUSED'));
      mails.push(message);
      return Promise.resolve();
    },
    verify: () => Promise.resolve(),
  });
});

describe('the members of a project over the API', () => {
  let server: TestServer;
  let ann: TestClient;
  let projectId = '';
  let users = '';

  beforeAll(async () => {
    server = await createTestServer({
      plugins: [post],
      env: { TRELLIS_SITE_URL: 'https://tables.example.com' },
    });
    ann = await server.signUp('ann@example.com');
    const project = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Atlas' });
    projectId = project.body.id;
    users = `/api/v1/db/meta/projects/${projectId}/users`;
  });
  afterAll(() => server?.dispose());

  const listed = async (query = '') => (await ann.get<MemberList>(`${users}${query}`)).body.users;
  const idOf = async (email: string) => (await listed()).list.find((of) => of.email === email)?.id ?? '';
  const add = (email: string, roles?: string, by = ann) =>
    by.post<{ invite_token: string; email: string }>(users, { email, roles });
  const signUp = (email: string, token: string) =>
    server.client.post<{ token: string }>('/api/v1/auth/user/signup', { email, password, token });
  const tokenOf = ({ text }: MailMessage) => /signup\/([0-9a-f-]{36})/.exec(text)?.[1] ?? '';

  test('somebody with an account is a member at once, and somebody without is invited by a link', async () => {
    await server.signUp('bob@example.com');
    expect((await add('bob@example.com', 'viewer')).body).toMatchObject({ msg: 'success' });
    const again = await add('bob@example.com', 'editor');
    expect(again).toMatchObject({
      status: 400,
      body: { msg: 'bob@example.com with role viewer already exists in this project' },
    });
    const { body } = await add('Cid@Example.com ');
    expect(body).toMatchObject({ email: 'cid@example.com', invite_token: expect.any(String) });
    expect(await listed('?limit=2&offset=1')).toMatchObject({
      list: [
        { email: 'bob@example.com', roles: 'viewer', main_roles: 'user', invited_until: null },
        { email: 'cid@example.com', roles: 'editor', invite_token: null, main_roles: '' },
      ],
      pageInfo: { totalRows: 3, isLastPage: false },
    });
    expect((await listed('?query=CID')).list.map(({ email }) => email)).toEqual(['cid@example.com']);
    const cid = await signUp('cid@example.com', body.invite_token);
    expect(cid.status).toBe(200);
    const client = server.client.with({ token: cid.body.token });
    expect((await client.get(`/api/v1/db/meta/projects/${projectId}`)).body).toMatchObject({
      role: 'editor',
    });
    // It works once.
    expect(await signUp('dan@example.com', body.invite_token)).toMatchObject({
      status: 400,
      body: { msg: 'Invalid invite url' },
    });
  });

  test('open pages are told of invitations that are made, changed, renewed and taken back', async () => {
    const told: string[] = [];
    const listening = server.host.container.get(BusToken).subscribe('objects.changed', {
      message({ objectKind, projectId: of }) {
        if (objectKind === 'team') told.push(of);
      },
      gap() {},
    });
    try {
      await add('fay@example.com, gil@example.com');
      // Pages read it once for all of them.
      expect(told.splice(0)).toEqual([projectId]);
      const path = `${users}/${await idOf('fay@example.com')}`;
      await ann.patch(path, { roles: 'viewer', project_id: projectId });
      expect(told.splice(0)).toEqual([projectId]);
      const link = `/api/v1/plugins/sys-members/projects/${projectId}/invitations/${await idOf('fay@example.com')}/link`;
      expect((await ann.post(link, {})).status).toBe(200);
      expect(told.splice(0)).toEqual([projectId]);
      for (const email of ['fay@example.com', 'gil@example.com']) {
        await ann.delete(`${users}/${await idOf(email)}`);
        expect(told.splice(0)).toEqual([projectId]);
      }
    } finally {
      await listening.dispose();
    }
  });

  test('several are added at once, each told of by name, and none where one is no address', async () => {
    const wrong = await add('eve@example.com, bad');
    expect(wrong).toMatchObject({ status: 400, body: { msg: 'Invalid email address : bad' } });
    const { body } = await add('eve@example.com, fay@example.com,bob@example.com', 'commenter');
    expect(body).toMatchObject({
      emails: ['eve@example.com', 'fay@example.com'],
      error: [{ email: 'bob@example.com', code: 'MEMBER_EXISTS' }],
      people: [{ outcome: 'link' }, { outcome: 'link' }],
    });
  });

  test('a link is for one address, and dies with its invitation and with the next link', async () => {
    const first = (await add('gus@example.com', 'viewer')).body.invite_token;
    expect(await signUp('hal@example.com', first)).toMatchObject({
      status: 403,
      body: { code: 'INVITATION_OF_OTHER' },
    });
    expect(
      (await server.client.post('/api/v1/auth/user/signin', { email: 'hal@example.com', password })).status,
    ).toBe(400);
    const id = await idOf('gus@example.com');
    const path = `/api/v1/plugins/sys-members/projects/${projectId}/invitations/${id}/link`;
    const second = (await ann.post<{ invite_token: string }>(path)).body.invite_token;
    expect(await signUp('gus@example.com', first)).toMatchObject({
      status: 400,
      body: { msg: 'Invalid invite url' },
    });
    expect((await ann.delete(`${users}/${id}`)).body).toEqual({ msg: 'success' });
    expect(await signUp('gus@example.com', second)).toMatchObject({
      status: 400,
      body: { msg: 'Invalid invite url' },
    });
  });

  test('who signed up meanwhile without the link is no member, and accepts with that account', async () => {
    const token = (await add('ida@example.com', 'viewer')).body.invite_token;
    const ida = await server.signUp('ida@example.com');
    const thief = await server.signUp('thief@example.com');
    expect((await ida.get(`/api/v1/db/meta/projects/${projectId}`)).status).toBe(403);
    const read = await server.client.post('/api/v1/auth/invitation/read', { token });
    expect(read.body).toEqual({
      email: 'ida@example.com',
      project: { id: projectId, title: 'Atlas' },
      role: 'viewer',
      has_account: true,
    });
    const accept = '/api/v1/auth/invitation/accept';
    expect(await thief.post(accept, { token })).toMatchObject({ status: 403 });
    const both = await Promise.all([ida.post(accept, { token }), ida.post(accept, { token })]);
    expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 400]));
    expect((await ida.get(`/api/v1/db/meta/projects/${projectId}`)).status).toBe(200);
  });

  test('an invitation stands no longer than the rights of whoever made it', async () => {
    const kim = await server.signUp('kim@example.com');
    expect((await add('kim@example.com', 'creator')).status).toBe(200);
    const token = (await add('liv@example.com', 'creator', kim)).body.invite_token;
    const raised = (await add('max@example.com', 'viewer', kim)).body.invite_token;
    const setRole = async (email: string, roles: string) =>
      ann.patch(`${users}/${await idOf(email)}`, { roles, project_id: projectId });
    expect((await setRole('max@example.com', 'editor')).status).toBe(200);
    expect((await setRole('kim@example.com', 'editor')).status).toBe(200);
    const lapsed = { status: 403, body: { code: 'INVITATION_LAPSED' } };
    expect(await signUp('liv@example.com', token)).toMatchObject(lapsed);
    const liv = await server.signUp('liv@example.com');
    expect(await liv.post('/api/v1/auth/invitation/accept', { token })).toMatchObject(lapsed);
    expect((await liv.get(`/api/v1/db/meta/projects/${projectId}`)).status).toBe(403);
    // Whoever changed the role of an invitation made it theirs.
    expect((await signUp('max@example.com', raised)).status).toBe(200);
  });

  test('an invitation of a disabled account opens nothing', async () => {
    const uma = await server.signUp('uma@example.com');
    await add('uma@example.com', 'creator');
    const token = (await add('vic@example.com', 'creator', uma)).body.invite_token;
    const { body: me } = await uma.get<{ id: string }>('/api/v1/auth/user/me');
    expect((await ann.patch(`/api/v1/users/${me.id}`, { is_disabled: true })).status).toBe(200);
    expect(await signUp('vic@example.com', token)).toMatchObject({
      status: 403,
      body: { code: 'INVITATION_LAPSED' },
    });
  });

  test('an invitation to a role above the own is not replaced, and the other people are invited all the same', async () => {
    const pat = await server.signUp('pat@example.com');
    await add('pat@example.com', 'creator');
    await add('qui@example.com', 'viewer');
    const id = await idOf('qui@example.com');
    await ann.patch(`${users}/${id}`, { roles: 'owner', project_id: projectId });
    expect(await add('qui@example.com', 'viewer', pat)).toMatchObject({
      status: 409,
      body: { code: 'INVITATION_ABOVE_OWN' },
    });
    expect((await add('ron@example.com,qui@example.com', 'viewer', pat)).body).toMatchObject({
      people: [{ email: 'ron@example.com', outcome: 'link' }],
      error: [{ email: 'qui@example.com', code: 'INVITATION_ABOVE_OWN' }],
    });
    expect((await ann.delete(`${users}/${id}`)).status).toBe(200);
  });

  test('the roles of accounts on the server are shown to the super admin alone', async () => {
    const tom = await server.signUp('tom@example.com');
    await add('tom@example.com', 'creator');
    const rolesFor = async (client: TestClient) =>
      (await client.get<MemberList>(users)).body.users.list.find(({ email }) => email === 'ann@example.com')
        ?.main_roles;
    expect([await rolesFor(ann), await rolesFor(tom)]).toEqual([expect.stringContaining('super'), '']);
  });

  test('a link for one address answers the same for every other, whether somebody has it or not', async () => {
    const token = (await add('ned@example.com', 'viewer')).body.invite_token;
    const [known, unknown] = [
      await signUp('ann@example.com', token),
      await signUp('nobody@example.com', token),
    ];
    expect(known).toMatchObject({ status: 403, body: { code: 'INVITATION_OF_OTHER' } });
    expect(known.body).toEqual(unknown.body);
  });

  test('roles are changed and members removed by the calls of the v1 API, and rights end at once', async () => {
    const bob = await idOf('bob@example.com');
    const patch = (body: object, by = ann) => by.patch(`${users}/${bob}`, body);
    expect(await patch({ roles: 'editor' })).toMatchObject({
      status: 400,
      body: { msg: 'Missing project id in request body.' },
    });
    expect(await patch({ roles: 'king', project_id: projectId })).toMatchObject({
      status: 400,
      body: { msg: 'invalid user role' },
    });
    expect(await patch({ roles: 'creator', project_id: projectId, super: true })).toMatchObject({
      status: 400,
    });
    expect((await patch({ roles: 'creator', project_id: projectId })).body).toEqual({
      msg: 'User details updated successfully',
    });
    const token = (
      await server.client.post<{ token: string }>('/api/v1/auth/user/signin', {
        email: 'bob@example.com',
        password: 'Password-1',
      })
    ).body.token;
    const client = server.client.with({ token });
    expect(await add('zoe@example.com', 'owner', client)).toMatchObject({ status: 400 });
    expect(
      await client.patch(`${users}/${await idOf('ann@example.com')}`, {
        roles: 'viewer',
        project_id: projectId,
      }),
    ).toMatchObject({
      status: 403,
      body: { code: 'ROLE_ABOVE_OWN' },
    });
    expect(await client.delete(`${users}/${bob}`)).toMatchObject({
      status: 400,
      body: { msg: "Admin can't delete themselves!" },
    });
    expect((await ann.delete(`${users}/${bob}`)).body).toEqual({ msg: 'success' });
    expect((await client.get(`/api/v1/db/meta/projects/${projectId}`)).status).toBe(403);
    const unknown = await ann.delete(`${users}/us_00000000000000`);
    expect(unknown).toMatchObject({
      status: 400,
      body: { msg: "User with id 'us_00000000000000' doesn't exist" },
    });
  });

  test('an invitation of another project is none', async () => {
    await add('kim@example.com', 'viewer');
    const other = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Other' });
    const path = `/api/v1/db/meta/projects/${other.body.id}/users/${await idOf('kim@example.com')}`;
    expect((await ann.delete(path)).status).toBe(400);
    expect((await ann.patch(path, { roles: 'editor', project_id: other.body.id })).status).toBe(400);
    expect(await idOf('kim@example.com')).not.toBe('');
  });

  test('without mail nothing can be sent again, and the link that is out stays good', async () => {
    const token = (await add('lea@example.com', 'viewer')).body.invite_token;
    const resend = await ann.post(`${users}/${await idOf('lea@example.com')}/resend-invite`, {});
    expect(resend).toMatchObject({ status: 400, body: { code: 'NO_MAIL_TO_RESEND' } });
    expect((await signUp('lea@example.com', token)).status).toBe(200);
  });

  test('with mail the link goes to the person alone, in the language of whoever invites', async () => {
    mail = 'on';
    const german = ann.with({ headers: { 'accept-language': 'de-DE,de;q=0.9' } });
    expect((await add('mia@example.com', 'editor', german)).body).toEqual({
      msg: 'success',
      people: [{ email: 'mia@example.com', invite_token: null, outcome: 'mailed' }],
    });
    const [letter] = mails.splice(0);
    expect(letter).toMatchObject({
      to: ['mia@example.com'],
      subject: 'ann@example.com lädt Sie zu Atlas ein',
    });
    expect(letter?.text).toContain('https://tables.example.com/#/user/authentication/signup/');
    const resend = await ann.post(`${users}/${await idOf('mia@example.com')}/resend-invite`, {});
    expect(resend.body).toEqual({ msg: 'success', invite_token: null });
    const [second] = mails.splice(0);
    expect((await signUp('mia@example.com', tokenOf(letter as MailMessage))).status).toBe(400);
    expect((await signUp('mia@example.com', tokenOf(second as MailMessage))).status).toBe(200);
  });

  test('a mail server that is away stops nothing: the link is shown, and the mail goes out later', async () => {
    mail = 'away';
    const { body } = await add('ned@example.com', 'editor');
    expect(body).toMatchObject({ invite_token: expect.any(String), people: [{ outcome: 'waiting' }] });
    expect((await signUp('ned@example.com', body.invite_token)).status).toBe(200);
    mail = 'on';
  });

  test('a project title is text in every part of a mail', async () => {
    await ann.patch(`/api/v1/db/meta/projects/${projectId}`, { title: '<b>At\u0009las</b>' });
    await add('ona@example.com');
    const [letter] = mails.splice(0);
    expect(letter?.html).not.toContain('<b>');
    expect(letter?.subject).not.toMatch(/[\r\n\t]/);
  });

  test('people leave, but not as the last owner', async () => {
    const pia = await server.signUp('pia@example.com');
    await add('pia@example.com', 'viewer');
    const leave = `/api/v1/plugins/sys-members/projects/${projectId}/leave`;
    expect(await ann.post(leave)).toMatchObject({ status: 400, body: { code: 'LAST_OWNER' } });
    expect((await pia.post(leave)).status).toBe(200);
    expect((await pia.get(`/api/v1/db/meta/projects/${projectId}`)).status).toBe(403);
  });

  test('only owners and creators see who is there', async () => {
    const rob = await server.signUp('rob@example.com');
    await add('rob@example.com', 'editor');
    expect((await rob.get(users)).status).toBe(403);
    expect((await add('sam@example.com', 'viewer', rob)).status).toBe(403);
    expect((await server.client.get(users)).status).toBe(401);
  });

  test('a project is handed over to a member, who is its owner from then on', async () => {
    const made = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Given' });
    const of = `/api/v1/db/meta/projects/${made.body.id}/users`;
    const path = `/api/v1/plugins/sys-members/projects/${made.body.id}/hand-over`;
    const [gus, hans] = [await server.signUp('gus@example.com'), await server.signUp('hans@example.com')];
    const idOfClient = async (client: TestClient) =>
      (await client.get<{ id: string }>('/api/v1/auth/user/me')).body.id;
    const [gusId, hansId, annId] = [await idOfClient(gus), await idOfClient(hans), await idOfClient(ann)];
    await ann.post(of, { email: 'gus@example.com', roles: 'editor' });
    expect(await ann.post(path, { user_id: hansId })).toMatchObject({ status: 400 });
    expect(await ann.post(path, { user_id: annId })).toMatchObject({ body: { code: 'HAND_OVER_SELF' } });
    expect((await gus.post(path, { user_id: gusId })).status).toBe(403);
    expect((await hans.post(path, { user_id: hansId })).status).toBe(403);
    const asked = { permissions: 'creator' };
    const token = await ann.post<{ token: string }>('/api/v1/db/meta/api-tokens', asked);
    const script = server.client.with({ headers: { 'xc-token': token.body.token } });
    expect((await script.post(path, { user_id: gusId })).status).toBe(403);

    await ann.post(of, { email: 'hans@example.com', roles: 'viewer' });
    expect((await ann.patch(`/api/v1/users/${hansId}`, { is_disabled: true })).status).toBe(200);
    expect(await ann.post(path, { user_id: hansId })).toMatchObject({ body: { code: 'HAND_OVER_DISABLED' } });

    expect(await ann.post(path, { user_id: gusId })).toMatchObject({ status: 200 });
    const roleOf = async (email: string) =>
      (await gus.get<MemberList>(of)).body.users.list.find((member) => member.email === email)?.roles;
    expect([await roleOf('gus@example.com'), await roleOf('ann@example.com')]).toEqual(['owner', 'creator']);
    // A creator takes nothing back.
    expect((await ann.post(path, { user_id: annId })).status).toBe(403);
    const mine = { roles: 'owner', project_id: made.body.id };
    expect((await ann.patch(`${of}/${annId}`, mine)).status).toBe(403);
    expect((await gus.post(`/api/v1/plugins/sys-members/projects/${made.body.id}/leave`)).status).toBe(400);
  });
});

test('an invitation says that mail lacks the address of the site alone', async () => {
  mail = 'on';
  const server = await createTestServer({ plugins: [post] });
  const eve = await server.signUp('eve@example.com');
  const { body: project } = await eve.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Atlas' });
  const path = `/api/v1/db/meta/projects/${project.id}/users`;
  const { body } = await eve.post(path, { email: 'fay@example.com', roles: 'editor' });
  expect(body).toMatchObject({ mail_lacks: 'address', people: [{ outcome: 'link' }] });
  mail = 'off';
  const without = await eve.post(path, { email: 'gus@example.com', roles: 'editor' });
  expect(without.body).not.toHaveProperty('mail_lacks');
  await server.dispose();
});
