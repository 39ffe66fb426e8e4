import { afterAll, expect, test } from '@jest/globals';
import { createTestServer } from '@trellis/sdk/testing/server';
import type { AddAnswer } from '#plugins/sys-members/shared';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { MetadataToken } from '../../host-server/metadata/tokens.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

const meta = '/api/v1/db/meta';

// SQLite has one writer, so no two of them can wait for each other there.
describeEachServer('signing up by an invitation', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());

  test('holds no accounts up while it waits for a change of memberships, which may change accounts next', async () => {
    const server = await createTestServer({ database: databases });
    try {
      const owner = await server.signUp('owner@example.com');
      const project = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Firm' })).body.id;
      const users = `${meta}/projects/${project}/users`;
      const invited = await owner.post<AddAnswer>(users, { email: 'bob@example.com', roles: 'viewer' });
      const token = invited.body.people[0]?.invite_token;
      const signUp = (email: string, more: object = {}) =>
        server.client.post('/api/v1/auth/user/signup', { email, password: 'Password-1', ...more });

      const { database, generations } = server.host.container.get(MetadataToken);
      let joining: ReturnType<typeof signUp> | undefined;
      await database.write(async (unit) => {
        await generations.bump(unit, 'access');
        joining = signUp('bob@example.com', { token });
        // The second one begins when the first is done, by when the invited one waits.
        expect((await signUp('cat@example.com')).status).toBe(200);
        expect((await signUp('dan@example.com')).status).toBe(200);
      });
      expect((await joining)?.status).toBe(200);
      expect((await owner.get<{ users: { list: object[] } }>(users)).body.users.list).toHaveLength(2);
    } finally {
      await server.dispose();
    }
  });
});
