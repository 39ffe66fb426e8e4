import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessServiceToken, defineServerPlugin } from '@trellis/sdk/server';
import type { Page, ProjectEntity, ProjectRole, UserEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const projects = '/api/v1/db/meta/projects';

/** Brings a permission of its own, and leaves one account little else. */
const house = {
  manifest: {
    id: 'house',
    name: 'House rules',
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '>=0.1.0' },
    sdk: 1,
    enabledByDefault: true,
    contributes: { scopeRules: [{ id: 'house' }], permissions: [{ id: 'houseClean' }] },
  },
  server: defineServerPlugin({
    setup(ctx) {
      ctx.register('permissions', { id: 'houseClean', label: 'Clean', roles: ['viewer'], scope: 'project' });
      ctx.register('scopeRules', {
        id: 'house',
        narrow: ({ principal, projectId }) =>
          principal.email === 'tidy@example.com' && projectId !== undefined
            ? { permissions: new Set(['projectList', 'projectGet', 'houseClean']) }
            : undefined,
      });
    },
  }),
};

describe('what the server says that a person may do', () => {
  let server: TestServer;
  let owner: TestClient;
  let projectId = '';

  beforeAll(async () => {
    server = await createTestServer({ plugins: [house] });
    owner = await server.signUp('owner@example.com');
    projectId = (await owner.post<ProjectEntity>(projects, { title: 'Shop' })).body.id;
  });
  afterAll(() => server?.dispose());

  async function member(email: string, role: ProjectRole): Promise<TestClient> {
    const client = await server.signUp(email);
    const me = await client.get<UserEntity>('/api/v1/auth/user/me');
    await server.host.container.get(AccessServiceToken).grant(projectId, me.body.id, role);
    return client;
  }

  async function permissionsIn(client: TestClient): Promise<readonly string[]> {
    return (await client.get<ProjectEntity>(`${projects}/${projectId}`)).body.permissions ?? [];
  }

  test('is the same wherever it is said, and what the routes hold it to', async () => {
    const viewer = await member('viewer@example.com', 'viewer');
    const editor = await member('editor@example.com', 'editor');
    for (const client of [owner, editor, viewer]) {
      const said = await permissionsIn(client);
      const list = await client.get<Page<ProjectEntity>>(projects);
      expect(list.body.list.map(({ permissions }) => permissions)).toEqual([said]);
      const me = await client.get<UserEntity>(`/api/v1/auth/user/me?project_id=${projectId}`);
      expect(me.body.permissions).toEqual(said);
      const rules = await client.get<{ readonly rules: object }>(`/ui_ability?project_id=${projectId}`);
      expect(Object.keys(rules.body.rules)).toEqual(said);
      const made = await client.post(`${projects}/${projectId}/tables`, {
        title: `T ${said.length}`,
        columns: [],
      });
      expect(made.status).toBe(said.includes('tableCreate') ? 200 : 403);
    }
    expect(await permissionsIn(viewer)).toEqual(expect.arrayContaining(['dataList', 'houseClean']));
    expect(await permissionsIn(viewer)).not.toContain('dataInsert');
    expect(await permissionsIn(editor)).toContain('dataInsert');
  });

  test('follows the rules of plugins', async () => {
    const tidy = await member('tidy@example.com', 'creator');
    expect(await permissionsIn(tidy)).toEqual(['projectGet', 'houseClean']);
  });

  test('says nothing of a project to strangers, and of accounts what accounts may do', async () => {
    const stranger = await server.signUp('stranger@example.com');
    const rules = async (client: TestClient, query = '') =>
      Object.keys((await client.get<{ readonly rules: object }>(`/ui_ability${query}`)).body.rules);
    expect(await rules(stranger, `?project_id=${projectId}`)).toEqual([]);
    expect(await rules(stranger)).not.toContain('projectCreate');
    expect(await rules(owner)).toEqual(
      expect.arrayContaining(['projectList', 'projectCreate', 'databaseOpen']),
    );
    expect(await rules(server.client, `?project_id=${projectId}`)).toEqual([]);
  });
});
