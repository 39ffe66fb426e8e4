import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

/** What the oldest pages of the v1 API call beside its client, a test for each, with the answers that they read. */
describe('the calls of the oldest pages', () => {
  let server: TestServer;
  let ann: TestClient;
  let projectId = '';
  const meta = '/api/v1/db/meta';

  beforeAll(async () => {
    server = await createTestServer();
    ann = await server.signUp('ann@example.com');
    projectId = (await ann.post<{ id: string }>(`${meta}/projects`, { title: 'Atlas' })).body.id;
  });
  afterAll(() => server?.dispose());

  test('sign in and out of the paths before version 1, and keep the session by its cookie alone', async () => {
    const person = { email: 'ann@example.com', password: 'wrong' };
    expect(await server.client.post('/auth/user/signin', person)).toMatchObject({ status: 400 });
    const account = { email: 'bob@example.com', password: 'Password-1' };
    const signed = await server.client.post<{ token: string }>('/auth/user/signup', account);
    expect(signed.body).toMatchObject({ token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) });
    const cookie = signed.headers.get('set-cookie')?.split(';')[0] ?? '';
    const back = server.client.with({ headers: { cookie } });
    const renewed = await back.post<{ token: string }>('/auth/refresh-token');
    expect(renewed).toMatchObject({ status: 200, body: { token: expect.any(String) } });
    const bob = server.client.with({ token: renewed.body.token });
    for (const path of ['/auth/user/me', '/api/v1/auth/user/me', '/api/v1/db/auth/user/me'])
      expect((await bob.get(path)).body).toMatchObject({ email: 'bob@example.com' });
    expect((await bob.get('/user/me')).status).toBe(404);
  });

  test('sign in by Google or GitHub where somebody has set that up, and are refused where nobody has', async () => {
    for (const provider of ['google', 'github'])
      expect(await server.client.post(`/auth/${provider}/genTokenByCode?code=1&state=2`)).toMatchObject({
        status: 400,
        body: { msg: expect.any(String) },
      });
  });

  test('ask for the version, the form for feedback, what somebody may do and whence people come', async () => {
    expect((await server.client.get('/api/v1/version')).body).toMatchObject({
      currentVersion: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    expect(await server.client.get('/api/v1/feedback_form')).toMatchObject({ status: 200, body: {} });
    expect(await server.client.post('/referral', { from: 'a friend' })).toMatchObject({ status: 200 });
    const stranger = await server.client.get<{ rules: object }>('/ui_ability');
    expect(stranger).toMatchObject({ status: 200, body: { rules: {} } });
    const of = await ann.get<{ rules: Record<string, boolean> }>(`/ui_ability?project_id=${projectId}`);
    expect(of.body.rules).toMatchObject({ tableCreate: true });
  });

  test('read a project by its id, and take headers that say what page asks', async () => {
    const token = ann.token ?? '';
    const headers = { 'xc-gui': 'true', authorization: `Bearer ${token}` };
    const gui = server.client.with({ token, headers });
    expect((await gui.get(`${meta}/projects/${projectId}`)).body).toMatchObject({ title: 'Atlas' });
  });

  test('share a project, say anew what its link may do, and take the link back', async () => {
    const path = `${meta}/projects/${projectId}/shared`;
    const made = await ann.post<{ uuid: string }>(path, { roles: 'viewer' });
    expect(made.body).toMatchObject({ uuid: expect.any(String) });
    expect((await ann.get(path)).body).toMatchObject({ uuid: made.body.uuid, roles: 'viewer' });
    expect((await ann.patch(path, { roles: 'editor' })).body).toMatchObject({ roles: 'editor' });
    const visitor = server.client.with({ headers: { 'xc-shared-base-id': made.body.uuid } });
    expect((await visitor.get(`${meta}/projects/${projectId}/tables`)).status).toBe(200);
    expect((await ann.delete(path)).status).toBe(200);
    expect((await visitor.get(`${meta}/projects/${projectId}/tables`)).status).toBe(403);
  });

  test('upload files beside a field that says what they are for', async () => {
    const form = new FormData();
    form.set('json', JSON.stringify({ project: projectId }));
    form.set('files', new File(['a,b'], 'cities.csv', { type: 'text/csv' }));
    const answer = await fetch(`${server.url}/api/v1/db/storage/upload?path=my/folder`, {
      method: 'POST',
      headers: { 'xc-auth': ann.token ?? '' },
      body: form,
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject([{ title: 'cities.csv', size: 3, url: expect.any(String) }]);
  });

  test('ask whether a plugin is on by its title, and open the documents of a project', async () => {
    expect((await ann.get(`${meta}/plugins/SMTP/status`)).body).toBe(true);
    expect((await ann.get(`${meta}/plugins/Branding/status`)).body).toBe(false);
    for (const page of ['swagger', 'redoc']) {
      const answer = await ann.get(`${meta}/projects/${projectId}/${page}`);
      // They are a page of the product, to which this leads.
      expect(answer.status).toBe(302);
      expect(answer.headers.get('location')).toContain(projectId);
    }
  });
});
