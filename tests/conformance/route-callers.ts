import { expect } from '@jest/globals';
import {
  AccessServiceToken,
  AccountStoreToken,
  type Principal,
  type RouteDefinition,
} from '@trellis/sdk/server';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { DatabaseToken } from '../../host-server/databases/tokens.ts';
import { createIds, isJudgedInTable, type Ids } from './route-objects.ts';

const meta = '/api/v1/db/meta';
/** The additional right of the store of bases: opening databases is a right on the server. */
export const rightOfBases = 'databaseOpen';
export const isOfBases = ({ path }: RouteDefinition): boolean => /\/projects\/:projectId\/bases\b/.test(path);
const guest: Principal = { kind: 'guest', id: '', email: '', accountRoles: [] };

/** A caller for the tests of routes. */
export interface Caller {
  readonly principal: Principal;
  /** Undefined for callers that no header identifies. */
  readonly client?: TestClient;
  /** Gives the caller its role, if only one person at a time can have it. */
  readonly become?: () => Promise<void>;
}

/** All callers for the tests of routes, by name. */
export interface Callers {
  readonly ids: Ids;
  /** The id of a shared view. */
  readonly link: string;
  readonly all: ReadonlyMap<string, Caller>;
  /** Whether a caller has a route's permission; in the table, if the path names one. */
  may(caller: Caller, route: RouteDefinition): Promise<boolean>;
}

/** A project with people of every role, tokens and links, on a server without accounts. */
export async function createCallers(server: TestServer): Promise<Callers> {
  // A slow machine listens before the last plugins have started; their tests wait for all of them.
  await server.host.plugins.enable('shared-views');
  const access = server.host.container.get(AccessServiceToken);
  const all = new Map<string, Caller>();
  const boss = await server.signUp('super@example.com');
  const ids = await createIds(server, boss);

  async function principalOf(email: string): Promise<Principal> {
    const account = await server.host.container.get(AccountStoreToken).byEmail(email);
    if (account === undefined) throw new Error(`${email} has no account`);
    return { kind: 'user', id: account.id, email, accountRoles: account.roles };
  }

  async function enter(name: string, more: object, owner: TestClient): Promise<void> {
    const email = `${name}@example.com`;
    const client = await server.signUp(email);
    const added = await owner.post(`${meta}/projects/${ids.project}/users`, { email, ...more });
    expect(added.status).toBe(200);
    all.set(name, { principal: await principalOf(email), client });
  }

  /** The super admin gives the project away and is then not a member. */
  async function enterOwner(): Promise<TestClient> {
    all.set('super', { principal: await principalOf('super@example.com'), client: boss });
    await enter('owner', { roles: 'editor' }, boss);
    const project = `/api/v1/plugins/sys-members/projects/${ids.project}`;
    const owns = { user_id: all.get('owner')?.principal.id };
    expect((await boss.post(`${project}/hand-over`, owns)).status).toBe(200);
    expect((await boss.post(`${project}/leave`)).status).toBe(200);
    return all.get('owner')?.client ?? boss;
  }

  /** Members with custom roles: one that lacks some permissions, and one with a rule that hides rows. */
  async function enterCustom(owner: TestClient): Promise<void> {
    const tables = {
      [ids.table]: { access: 'write', create: false, delete: false, columns: {}, newColumns: 'write' },
    };
    const role = { title: 'Tends', base: 'editor', denied: ['exportCsv', 'dataGroupBy'], tables };
    const roles = `/api/v1/plugins/sys-members/projects/${ids.project}/roles`;
    const custom = await owner.post<{ id: string }>(roles, role);
    await enter('custom', { custom_role: custom.body.id }, owner);
    const guests = await owner.post<{ id: string }>(roles, { title: 'Guests', base: 'editor' });
    const condition = { kind: 'condition', columnId: ids.column, operator: 'eq', value: 'nobody' };
    const rules = `/api/v1/plugins/row-rules/projects/${ids.project}/rules`;
    const ruled = await owner.put(`${rules}/${ids.table}/${guests.body.id}`, { filters: [condition] });
    expect(ruled.status).toBe(200);
    await enter('ruled', { custom_role: guests.body.id }, owner);
  }

  /** The owner's tokens: a read-only one, a writing one, one for another project, and an expired one. */
  async function enterTokens(owner: TestClient): Promise<void> {
    const other = await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Other' });
    const make = async (name: string, project: string, permissions: 'viewer' | 'editor' | 'creator') => {
      const path = `${meta}/projects/${project}/api-tokens`;
      const { body } = await owner.post<{ id: string; token: string }>(path, { permissions });
      const of = { credentialId: body.id, maximumRole: permissions, onlyProjects: [project] };
      const principal: Principal = { ...(all.get('owner')?.principal ?? guest), kind: 'token', ...of };
      all.set(name, { principal, client: server.client.with({ headers: { 'xc-token': body.token } }) });
      return body.id;
    };
    await make('token that may read', ids.project, 'viewer');
    await make('token that may write', ids.project, 'editor');
    await make('token of another project', other.body.id, 'creator');
    const id = await make('token whose time is over', ids.project, 'creator');
    await server.host.container
      .get(DatabaseToken)
      .write((unit) => unit.run(unit.knex('p_api_tokens_token').where({ id }).update({ expires_at: 1 })));
    all.set('token whose time is over', { ...all.get('token whose time is over'), principal: guest });
  }

  /** Visitors with the id of a shared project, which opens it to readers or to editors. */
  async function enterVisitorsOfBase(owner: TestClient): Promise<void> {
    const path = `${meta}/projects/${ids.project}/shared`;
    const { uuid } = (await owner.post<{ uuid: string }>(path, { roles: 'viewer' })).body;
    for (const roles of ['viewer', 'editor'])
      all.set(`visitor of a base as ${roles}`, {
        principal: { ...guest, kind: 'sharedBase', credentialId: uuid, scopeRules: ['shared-base'] },
        client: server.client.with({ headers: { 'xc-shared-base-id': uuid } }),
        async become() {
          expect((await owner.patch(path, { roles })).status).toBe(200);
        },
      });
  }

  const owner = await enterOwner();
  const shared = await owner.post<{ uuid: string }>(`${meta}/views/${ids.view}/share`);
  const link = shared.body.uuid;
  for (const role of ['creator', 'editor', 'commenter', 'viewer']) await enter(role, { roles: role }, owner);
  await enterCustom(owner);
  const stranger = await server.signUp('stranger@example.com');
  all.set('stranger', { principal: await principalOf('stranger@example.com'), client: stranger });
  await enterTokens(owner);
  await enterVisitorsOfBase(owner);
  all.set('visitor', {
    principal: {
      kind: 'sharedView',
      id: '',
      email: '',
      accountRoles: [],
      credentialId: link,
      scopeRules: ['shared-views'],
    },
  });
  all.set('guest', { principal: guest, client: server.client });

  return {
    ids,
    link,
    all,
    async may({ principal }, route) {
      const { permission, object } = route;
      if (permission === 'public') return true;
      if (permission === 'signedIn') return principal.kind === 'user' || principal.kind === 'token';
      const isInside = object !== undefined && object.kind !== 'none';
      const scope = await access.scopeFor(principal, isInside ? ids.project : undefined, 'test');
      if (isOfBases(route) && !scope.may(rightOfBases)) return false;
      return (isJudgedInTable(route) ? scope.inTable(ids.table) : scope).may(permission);
    },
  };
}
