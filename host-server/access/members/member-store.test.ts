import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import {
  AccessServiceToken,
  AccountAdministrationToken,
  MembersToken,
  type AccessScope,
  type Members,
} from '@trellis/sdk/server';
import type { ProjectRole } from '@trellis/sdk/shared';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../databases/testing.ts';
import { createStartedDatabases } from '../../testing.ts';

function describeMembers(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let members: Members;
  let projectId = '';

  afterEach(() => server.dispose());

  /** A project of Ann's, and nobody else in it. */
  async function withProject() {
    server = await start();
    members = server.host.container.get(MembersToken);
    const ann = await account('ann@example.com');
    const project = await ann.client.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Atlas' });
    projectId = project.body.id;
    return ann;
  }

  async function account(email: string) {
    const client = await server.signUp(email);
    const { body } = await client.get<{ id: string }>('/api/v1/auth/user/me');
    const scope = async () => {
      const principal = { kind: 'user', id: body.id, email, accountRoles: ['user'] } as const;
      return server.host.container.get(AccessServiceToken).scopeFor(principal, projectId, 'test');
    };
    return { client, id: body.id, scope };
  }

  async function member(of: { scope: () => Promise<AccessScope> }, email: string, role: ProjectRole) {
    const added = await account(email);
    await members.add(await of.scope(), added.id, role);
    return added;
  }

  test('are added by address with a role, and become full accounts', async () => {
    const ann = await withProject();
    const bob = await member(ann, 'bob@example.com', 'viewer');
    expect(await members.list(await ann.scope())).toMatchObject([
      { email: 'ann@example.com', role: 'owner' },
      { email: 'bob@example.com', role: 'viewer', accountRoles: ['user'], userId: bob.id },
    ]);
    expect((await bob.client.post('/api/v1/db/meta/projects', { title: 'Mine' })).status).toBe(200);
    await expect(members.add(await ann.scope(), bob.id, 'editor')).rejects.toMatchObject({
      code: 'MEMBER_EXISTS',
      message: 'bob@example.com with role viewer already exists in this project',
    });
  });

  test('give nobody more than they have, and touch nobody who has more', async () => {
    const ann = await withProject();
    const cid = await member(ann, 'cid@example.com', 'creator');
    const dot = await member(ann, 'dot@example.com', 'viewer');
    expect(members.givable(await cid.scope())).toEqual(['creator', 'editor', 'commenter', 'viewer']);
    const refused = { status: 403, code: 'ROLE_ABOVE_OWN' };
    await expect(members.setRole(await cid.scope(), dot.id, 'owner')).rejects.toMatchObject(refused);
    await expect(members.setRole(await cid.scope(), ann.id, 'viewer')).rejects.toMatchObject(refused);
    await expect(members.remove(await cid.scope(), ann.id)).rejects.toMatchObject(refused);
    await members.setRole(await cid.scope(), dot.id, 'creator');
    expect((await dot.scope()).roles).toEqual(['creator']);
  });

  test('keep an owner, however many leave at once', async () => {
    const ann = await withProject();
    await expect(members.leave(await ann.scope())).rejects.toMatchObject({ code: 'LAST_OWNER' });
    const eve = await member(ann, 'eve@example.com', 'viewer');
    await members.setRole(await ann.scope(), eve.id, 'owner');
    const [ofAnn, ofEve] = [await ann.scope(), await eve.scope()];
    const outcomes = await Promise.allSettled([members.leave(ofAnn), members.leave(ofEve)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const left = outcomes[0]?.status === 'fulfilled' ? eve : ann;
    expect(await members.list(await left.scope())).toMatchObject([{ role: 'owner', userId: left.id }]);
  });

  test('who left or was removed has nothing more to see, and may come back', async () => {
    const ann = await withProject();
    const fay = await member(ann, 'fay@example.com', 'editor');
    expect((await fay.client.get(`/api/v1/db/meta/projects/${projectId}`)).status).toBe(200);
    await members.remove(await ann.scope(), fay.id);
    expect((await fay.client.get(`/api/v1/db/meta/projects/${projectId}`)).status).toBe(403);
    await expect(members.remove(await ann.scope(), fay.id)).rejects.toMatchObject({ code: 'MEMBER_UNKNOWN' });
    await members.add(await ann.scope(), fay.id, 'viewer');
    await members.leave(await fay.scope());
    expect((await fay.client.get(`/api/v1/db/meta/projects/${projectId}`)).status).toBe(403);
  });

  test('personal views of whoever goes pass to an owner: who removes them, else the first one, and to nobody else', async () => {
    const ann = await withProject();
    const gil = await member(ann, 'gil@example.com', 'creator');
    const hugo = await member(ann, 'hugo@example.com', 'creator');
    await members.setRole(await ann.scope(), hugo.id, 'owner');
    const { body: table } = await ann.client.post<{ id: string }>(
      `/api/v1/db/meta/projects/${projectId}/tables`,
      { table_name: 'Things', title: 'Things', columns: [] },
    );
    const views = `/api/v1/db/meta/tables/${table.id}/views`;
    const titles = async ({ client }: Pick<typeof ann, 'client'>) =>
      (await client.get<{ list: { title: string; lock_type: string }[] }>(views)).body.list
        .flatMap((view) => (view.lock_type === 'personal' ? view.title : []))
        .toSorted();
    const leaver = async (email: string) => {
      const one = await member(ann, email, 'editor');
      const view = { title: `Of ${email.slice(0, 3)}`, type: 'grid', lock_type: 'personal' };
      expect((await one.client.post(views, view)).status).toBe(200);
      return one;
    };
    const ida = await leaver('ida@example.com');
    expect([await titles(ida), await titles(ann)]).toEqual([['Of ida'], []]);
    await members.remove(await hugo.scope(), ida.id);
    await members.leave(await (await leaver('jon@example.com')).scope());
    const kai = await leaver('kai@example.com');
    await members.remove(await gil.scope(), kai.id);
    const administrator = server.host.container.get(AccountAdministrationToken);
    const system = await server.host.container
      .get(AccessServiceToken)
      .scopeFor({ kind: 'system', id: '', email: '', accountRoles: [] }, undefined, 'test');
    await administrator.remove(system, (await leaver('leo@example.com')).id);
    await server.host.container
      .get(AccessServiceToken)
      .revoke(projectId, (await leaver('mia@example.com')).id);
    expect(await titles(hugo)).toEqual(['Of ida']);
    expect(await titles(ann)).toEqual(['Of jon', 'Of kai', 'Of leo', 'Of mia']);
    expect(await titles(gil)).toEqual([]);
    // Who comes back begins anew.
    await members.add(await ann.scope(), ida.id, 'editor');
    expect(await titles(ida)).toEqual([]);
  });
}

describe('the members of a project (sqlite)', () => {
  describeMembers(() => createTestServer());
});
describeEachServer('the members of a project', (kind) => {
  const databases = createStartedDatabases(kind);
  afterAll(() => databases.dropAll());
  describeMembers(() => createTestServer({ database: databases }));
});
