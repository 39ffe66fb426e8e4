import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { AccessServiceToken, SecretsToken, VariablesToken } from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

function describeVariables(name: string, start: () => Promise<TestServer>): void {
  describe(`variables of a project on ${name}`, () => {
    let server: TestServer;
    let ann: TestClient;
    let editor: TestClient;
    let projectId: string;
    let path: string;
    let names: string;

    beforeAll(async () => {
      server = await start();
      ann = await server.signUp('ann@example.com');
      editor = await server.signUp('ed@example.com');
      const { id } = (await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body;
      const me = await editor.get<{ id: string }>('/api/v1/auth/user/me');
      await server.host.container.get(AccessServiceToken).grant(id, me.body.id, 'editor');
      projectId = id;
      path = `/api/v1/plugins/variables/projects/${id}/variables`;
      names = `/api/v1/db/meta/projects/${id}/variables`;
    });
    afterAll(() => server?.dispose());

    const list = async () => (await ann.get<{ list: readonly object[] }>(path)).body.list;

    test('are kept, changed and deleted, and the value of a secret is read by nobody', async () => {
      expect((await ann.post(path, { name: 'PLACE', value: 'Bern' })).status).toBe(200);
      expect((await ann.post(path, { name: 'KEY', value: 'sk-123456', is_secret: true })).status).toBe(200);
      expect(await list()).toMatchObject([
        { name: 'KEY', is_secret: true, value: null },
        { name: 'PLACE', is_secret: false, value: 'Bern' },
      ]);
      expect((await ann.get(names)).body).toEqual({
        list: [
          { name: 'KEY', is_secret: true },
          { name: 'PLACE', is_secret: false },
        ],
      });
      expect((await ann.patch(`${path}/PLACE`, { value: 'Basel' })).status).toBe(200);
      expect(await list()).toContainEqual(expect.objectContaining({ name: 'PLACE', value: 'Basel' }));
      // A secret is opened only together with another value.
      expect(await ann.patch(`${path}/KEY`, { is_secret: false })).toMatchObject({
        status: 400,
        body: { code: 'VARIABLE_OPENED' },
      });
      expect((await ann.patch(`${path}/PLACE`, { value: 'Geneva', is_secret: true })).status).toBe(200);
      expect(await list()).toContainEqual(expect.objectContaining({ name: 'PLACE', value: null }));
      expect((await ann.delete(`${path}/PLACE`)).status).toBe(200);
      expect((await ann.delete(`${path}/PLACE`)).status).toBe(404);
      expect((await ann.patch(`${path}/PLACE`, { value: 'x' })).status).toBe(404);
    });

    test('stay sealed or open as they are marked, whoever changes them at the same time', async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        const name = `RACE_${turn}`;
        await ann.post(path, { name, value: 'sk-open-1' });
        await Promise.all([
          ann.patch(`${path}/${name}`, { is_secret: true }),
          ann.patch(`${path}/${name}`, { is_secret: false }),
        ]);
        expect(await list()).toContainEqual(expect.objectContaining({ name, is_secret: true, value: null }));
        await ann.delete(`${path}/${name}`);
      }
    });

    test('that cannot be opened end only the messages that name them', async () => {
      await ann.post(path, { name: 'GOOD', value: 'sk-good-1', is_secret: true });
      await ann.post(path, { name: 'BAD', value: 'sk-bad-12', is_secret: true });
      const secrets = server.host.container.get(SecretsToken);
      const decrypt = secrets.decrypt.bind(secrets);
      const opened = jest.spyOn(secrets, 'decrypt').mockImplementation((purpose, sealed) => {
        const plain = decrypt(purpose, sealed);
        if (plain === 'sk-bad-12') throw new TrellisError('SECRET_UNREADABLE', 'It cannot be read.');
        return plain;
      });
      try {
        const scope = server.host.container.get(AccessServiceToken).systemScope(projectId, 'test');
        const variables = server.host.container.get(VariablesToken);
        expect((await variables.usedIn('{{env.GOOD}}', scope)).env).toEqual({ GOOD: 'sk-good-1' });
        await expect(variables.usedIn('{{env.BAD}}', scope)).rejects.toMatchObject({
          code: 'SECRET_UNREADABLE',
        });
      } finally {
        opened.mockRestore();
      }
    });

    test('have names that templates can write, once each, and secrets that can be masked', async () => {
      for (const wrong of ['', '1A', 'A B', 'A.B', 'Ä', '__proto__', 'A'.repeat(65)])
        expect(await ann.post(path, { name: wrong, value: 'x' })).toMatchObject({
          status: 400,
          body: { code: 'VARIABLE_NAME' },
        });
      expect(await ann.post(path, { name: 'KEY', value: 'another' })).toMatchObject({
        status: 409,
        body: { code: 'VARIABLE_EXISTS' },
      });
      expect(await ann.post(path, { name: 'PIN', value: '1234', is_secret: true })).toMatchObject({
        status: 400,
        body: { code: 'VARIABLE_SHORT' },
      });
    });

    test('are nothing for editors and strangers', async () => {
      const stranger = await server.signUp('stranger@example.com');
      for (const who of [editor, stranger, server.client])
        for (const at of [path, names]) expect((await who.get(at)).status).toBeGreaterThanOrEqual(401);
      expect((await editor.post(path, { name: 'MINE', value: 'x' })).status).toBe(403);
      expect((await editor.delete(`${path}/KEY`)).status).toBe(403);
    });
  });
}

describeVariables('sqlite', () => createTestServer());

describeEachServer('on a server', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeVariables(dialect, async () => createTestServer({ database: databases }));
});
