import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import {
  AccessServiceToken,
  AccountAdministrationToken,
  AccountStoreToken,
  type AccessScope,
  type AccountAdministration,
} from '@trellis/sdk/server';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../databases/testing.ts';
import { createStartedDatabases } from '../../testing.ts';

const projects = '/api/v1/db/meta/projects';

interface Person {
  readonly client: TestClient;
  readonly id: string;
  readonly scope: () => Promise<AccessScope>;
}

function describeAccounts(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let accounts: AccountAdministration;

  afterEach(() => server.dispose());

  /** A server with Ann, its super admin, and these others. */
  async function withPeople<Name extends string>(...names: readonly Name[]) {
    server = await start();
    accounts = server.host.container.get(AccountAdministrationToken);
    const people: Partial<Record<string, Person>> = {};
    for (const name of ['ann', ...names]) people[name] = await person(`${name}@example.com`);
    return people as Record<Name | 'ann', Person>;
  }

  async function person(email: string): Promise<Person> {
    const client = await server.signUp(email);
    const { body } = await client.get<{ id: string }>('/api/v1/auth/user/me');
    const scope = async () => {
      const account = await server.host.container.get(AccountStoreToken).byId(body.id);
      const principal = { kind: 'user', id: body.id, email, accountRoles: account?.roles ?? [] } as const;
      return server.host.container.get(AccessServiceToken).scopeFor(principal, undefined, 'test');
    };
    return { client, id: body.id, scope };
  }

  test('are listed by address in pages, and found by words in address and names', async () => {
    const { ann, bob } = await withPeople('bob', 'cid', 'dot_100%');
    const scope = await ann.scope();
    const store = server.host.container.get(AccountStoreToken);
    await store.update(bob.id, { firstname: 'Åse', lastname: 'Berg' });
    const found = async (search: string) =>
      (await accounts.list(scope, { search, limit: 10, offset: 0 })).list.map(({ email }) => email);
    expect(await accounts.list(scope, { limit: 2, offset: 1 })).toMatchObject({
      list: [{ email: 'bob@example.com' }, { email: 'cid@example.com' }],
      total: 4,
    });
    expect(await found('åSE berg')).toEqual(['bob@example.com']);
    expect(await found('CID')).toEqual(['cid@example.com']);
    expect(await found('0%')).toEqual(['dot_100%@example.com']);
    expect(await found('berg cid')).toEqual([]);
  });

  test('that are disabled are nobody until they are enabled', async () => {
    const { ann, bob } = await withPeople('bob');
    const scope = await ann.scope();
    expect((await bob.client.get(projects)).status).toBe(200);
    expect(await accounts.disable(scope, bob.id)).toMatchObject({ isDisabled: true });
    expect((await bob.client.get(projects)).status).toBe(401);
    expect(await accounts.enable(scope, bob.id)).toMatchObject({ isDisabled: false });
  });

  test('keep a super admin who can sign in, however many act at once, and nobody acts on the own', async () => {
    const { ann, bob } = await withPeople('bob');
    await expect(accounts.disable(await ann.scope(), ann.id)).rejects.toMatchObject({
      code: 'ACCOUNT_OWN',
    });
    await expect(accounts.remove(await ann.scope(), ann.id)).rejects.toMatchObject({ code: 'ACCOUNT_OWN' });
    expect((await accounts.promote(await ann.scope(), bob.id)).roles).toEqual(['user', 'super']);
    const [ofAnn, ofBob] = [await ann.scope(), await bob.scope()];
    const outcomes = await Promise.allSettled([
      accounts.demote(ofAnn, bob.id),
      accounts.disable(ofBob, ann.id),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'LAST_SUPER_ADMIN' },
    });
    const system = server.host.container.get(AccessServiceToken).systemScope(undefined, 'test');
    const { list } = await accounts.list(system, { limit: 10, offset: 0 });
    const last = list.find(({ roles, isDisabled }) => roles.includes('super') && !isDisabled);
    for (const act of ['remove', 'demote', 'disable'] as const)
      await expect(accounts[act](system, last?.id ?? '')).rejects.toMatchObject({ code: 'LAST_SUPER_ADMIN' });
  });

  test('are changed and deleted though a plugin that is told of it never answers', async () => {
    const { ann, bob, cid, dot } = await withPeople('bob', 'cid', 'dot');
    const scope = await ann.scope();
    for (const hook of ['accounts.didDisable', 'accounts.didReset', 'accounts.didDelete'] as const)
      server.host.hooks.tap('silent', hook, () => new Promise(() => {}));
    expect(
      await Promise.all([
        accounts.disable(scope, bob.id),
        accounts.endSessions(scope, cid.id),
        accounts.remove(scope, dot.id),
      ]),
    ).toMatchObject([
      { email: 'bob@example.com' },
      { email: 'cid@example.com' },
      { email: 'dot@example.com' },
    ]);
    for (const { client } of [bob, cid, dot]) expect((await client.get(projects)).status).toBe(401);
  });

  test('are deleted with their memberships, once no project is theirs alone', async () => {
    const { ann, bob, cid } = await withPeople('bob', 'cid');
    const scope = await ann.scope();
    await accounts.promote(scope, bob.id);
    const access = server.host.container.get(AccessServiceToken);
    const make = async (title: string) =>
      (await bob.client.post<{ id: string }>(projects, { title })).body.id;
    const [atlas] = [await make('Atlas'), await make('Zoo')];
    await access.grant(atlas, cid.id, 'owner');
    await expect(accounts.remove(scope, bob.id)).rejects.toMatchObject({
      code: 'ONLY_OWNER',
      params: { email: 'bob@example.com', projects: 'Zoo' },
    });
    await access.grant(
      (await bob.client.get<{ list: { id: string; title: string }[] }>(projects)).body.list.find(
        ({ title }) => title === 'Zoo',
      )?.id ?? '',
      ann.id,
      'owner',
    );
    expect(await accounts.remove(scope, bob.id)).toMatchObject({ email: 'bob@example.com' });
    expect((await access.members(atlas)).map(({ userId }) => userId)).toEqual([cid.id]);
    expect((await bob.client.get(projects)).status).toBe(401);
    await expect(accounts.read(scope, bob.id)).rejects.toMatchObject({ code: 'ACCOUNT_UNKNOWN' });
  });
}

describe('accounts under administration (sqlite)', () => {
  describeAccounts(() => createTestServer());
});
describeEachServer('accounts under administration', (kind) => {
  const databases = createStartedDatabases(kind);
  afterAll(() => databases.dropAll());
  describeAccounts(() => createTestServer({ database: databases }));
});
