import { once } from 'node:events';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import {
  AccessServiceToken,
  AccountAdministrationToken,
  MembersToken,
  type AccessScope,
  type Members,
} from '@trellis/sdk/server';
import type { LiveEvent, ProjectRole, ViewEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { io } from 'socket.io-client';
import { describeEachServer } from '../../databases/testing.ts';
import { MetadataToken } from '../../metadata/tokens.ts';
import { createStartedDatabases } from '../../testing.ts';
import { ViewHeirsToken } from '../tokens.ts';

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

  test('personal views that nobody had pass to an owner, and those of members stay theirs', async () => {
    const { ann, tableId } = await withTable();
    const nia = await withView(ann, tableId, 'nia@example.com');
    const ole = await withView(ann, tableId, 'ole@example.com');
    await loseMembership(nia.id);
    const heirs = server.host.container.get(ViewHeirsToken);
    expect(await personal(ann, tableId)).toEqual([]);
    await heirs.passOnLost(new AbortController().signal);
    expect(await personal(ann, tableId)).toEqual(['Of nia']);
    expect(await personal(ole, tableId)).toEqual(['Of ole']);

    // A project without an owner keeps them until it has one.
    const pia = await withView(ann, tableId, 'pia@example.com');
    await loseMembership(pia.id);
    await loseMembership(ann.id);
    await heirs.passOnLost(new AbortController().signal);
    const access = server.host.container.get(AccessServiceToken);
    await access.grant(projectId, ole.id, 'owner');
    await heirs.passOnLost(new AbortController().signal);
    expect(await personal(ole, tableId)).toEqual(['Of ole', 'Of nia', 'Of pia']);
  });

  test('views that are passed on stand behind the others in their order, and no two views at one place', async () => {
    const { ann, tableId } = await withTable();
    const qui = await withView(ann, tableId, 'qui@example.com');
    await addView(qui, tableId, { title: 'Second of qui' });
    // Made by whoever does not see those of others.
    await addView(ann, tableId, { title: 'For all', lock_type: 'collaborative' });
    await addView(ann, tableId, { title: 'Of ann' });
    expect(await personal(ann, tableId)).toEqual(['Of ann']);
    await members.remove(await ann.scope(), qui.id);
    const views = await viewsOf(ann, tableId);
    expect(views.map(({ title }) => title)).toEqual([
      'Things',
      'For all',
      'Of ann',
      'Of qui',
      'Second of qui',
    ]);
    expect(new Set(views.map(({ order }) => order)).size).toBe(views.length);
  });

  test('an owner hears at once of views that are passed to them, also in the page that removed their maker', async () => {
    const { ann, tableId } = await withTable();
    const rob = await withView(ann, tableId, 'rob@example.com');
    const socket = io(`${server.url}/live`, { auth: { token: ann.client.token }, transports: ['websocket'] });
    try {
      await once(socket as never, 'connect');
      const heard = new Promise<LiveEvent>((resolve) => {
        socket.on('event', (event: LiveEvent) => {
          if (event.kind === 'schema') resolve(event);
        });
      });
      await members.remove(await ann.scope(), rob.id);
      expect(await heard).toMatchObject({ kind: 'schema', projectId, requestId: '' });
      expect(await personal(ann, tableId)).toEqual(['Of rob']);
    } finally {
      socket.disconnect();
    }
  });

  interface Person {
    readonly client: TestClient;
    readonly id: string;
    readonly scope: () => Promise<AccessScope>;
  }

  async function withTable() {
    const ann = await withProject();
    const { body } = await ann.client.post<{ id: string }>(`/api/v1/db/meta/projects/${projectId}/tables`, {
      table_name: 'Things',
      title: 'Things',
      columns: [],
    });
    return { ann, tableId: body.id };
  }

  async function addView({ client }: Person, tableId: string, view: object): Promise<void> {
    const sent = { type: 'grid', lock_type: 'personal', ...view };
    expect((await client.post(`/api/v1/db/meta/tables/${tableId}/views`, sent)).status).toBe(200);
  }

  /** An editor with a view of their own. */
  async function withView(ann: Person, tableId: string, email: string): Promise<Person> {
    const one = await member(ann, email, 'editor');
    await addView(one, tableId, { title: `Of ${email.slice(0, 3)}` });
    return one;
  }

  async function viewsOf({ client }: Person, tableId: string) {
    const { body } = await client.get<{ list: ViewEntity[] }>(`/api/v1/db/meta/tables/${tableId}/views`);
    return body.list;
  }

  const personal = async (of: Person, tableId: string) =>
    (await viewsOf(of, tableId)).flatMap((view) => (view.lock_type === 'personal' ? view.title : []));

  /** As versions ended memberships that passed no views on. */
  async function loseMembership(accountId: string): Promise<void> {
    const { database, generations } = server.host.container.get(MetadataToken);
    await database.write(async (unit) => {
      await generations.bump(unit, 'access');
      await unit.run(
        unit.knex('trellis_grant').where({ project_id: projectId, account_id: accountId }).delete(),
      );
    });
  }
}

describe('the members of a project (sqlite)', () => {
  describeMembers(() => createTestServer());
});
describeEachServer('the members of a project', (kind) => {
  const databases = createStartedDatabases(kind);
  afterAll(() => databases.dropAll());
  describeMembers(() => createTestServer({ database: databases }));
});
