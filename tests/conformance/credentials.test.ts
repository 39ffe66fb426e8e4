import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineServerPlugin } from '@trellis/sdk/server';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const projects = '/api/v1/db/meta/projects';

const broken = {
  manifest: {
    id: 'broken-sign-in',
    name: 'Broken sign-in',
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '>=0.1.0' },
    sdk: 1,
    enabledByDefault: true,
    contributes: { credentialResolvers: [{ id: 'broken' }] },
  },
  server: defineServerPlugin({
    setup(ctx) {
      ctx.register('credentialResolvers', {
        id: 'broken',
        order: 1,
        resolve: () => Promise.reject(new Error('no directory server')),
      });
    },
  }),
};

describe('a credential resolver that fails', () => {
  let server: TestServer;
  let admin: TestClient;

  beforeAll(async () => {
    server = await createTestServer({ plugins: [broken] });
    admin = await server.signUp('admin@example.com');
  });

  afterAll(() => server?.dispose());

  test('shuts nobody out whom another one knows, nor who shows no credential', async () => {
    expect((await admin.get(projects)).status).toBe(200);
    expect((await server.client.get('/api/v1/version')).status).toBe(200);
    expect(await server.client.get(projects)).toMatchObject({ status: 401 });
    expect((await server.client.get('/api/v1/auth/user/me')).body).toEqual({ roles: { guest: true } });
  });

  test('makes no guest of somebody whose credential could not be checked', async () => {
    const unchecked = await server.client.with({ token: 'somebody' }).get<{ msg: string }>(projects);
    expect(unchecked).toMatchObject({ status: 503, body: { code: 'CREDENTIALS_NOT_CHECKED' } });
    expect(unchecked.body.msg).not.toMatch(/directory/);
  });

  test('is charged to its plugin, taken out of service, and can be switched off', async () => {
    for (let call = 0; call < 20; call += 1) await admin.get(projects);
    const plugin = server.host.plugins.list().find(({ id }) => id === 'broken-sign-in');
    expect(plugin).toMatchObject({ state: 'degraded' });
    expect(plugin?.errors[0]).toMatchObject({ message: 'no directory server' });
    expect(await server.client.with({ token: 'somebody' }).get(projects)).toMatchObject({ status: 401 });
    await server.host.plugins.disable('broken-sign-in', { cascade: [] });
    expect((await admin.get(projects)).status).toBe(200);
  });
});
