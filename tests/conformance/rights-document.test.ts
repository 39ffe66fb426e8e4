import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  AccessServiceToken,
  AccountStoreToken,
  type AccessService,
  type Principal,
  type RouteDefinition,
} from '@trellis/sdk/server';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { DatabaseToken } from '../../host-server/databases/tokens.ts';
import { permissionsFor } from '../../plugins/shared-views/server/visitors.ts';
import {
  callWith,
  createIds,
  doNothingForNobody,
  isJudgedInTable,
  unissued,
  type Ids,
} from './route-objects.ts';
import { servedRoutes } from './served-routes.ts';

const file = join(import.meta.dirname, 'rights-document.txt');
const meta = '/api/v1/db/meta';
/** What the store of bases asks for beside the right in the project: to open databases is a right on the server. */
const rightOfBases = 'databaseOpen';
const isOfBases = ({ path }: RouteDefinition) => /\/projects\/:projectId\/bases\b/.test(path);
const guest: Principal = { kind: 'guest', id: '', email: '', accountRoles: [] };

/** Somebody by whom routes are judged. */
interface Caller {
  readonly principal: Principal;
  /** Undefined for whom no header lets in. */
  readonly client?: TestClient;
  /** Makes the caller who they are, where only one of them can be at a time. */
  readonly become?: () => Promise<void>;
}

describe('who may call which route', () => {
  let server: TestServer;
  let access: AccessService;
  let ids: Ids;
  let link = '';
  const callers = new Map<string, Caller>();

  async function enter(name: string, more: object, owner: TestClient): Promise<void> {
    const email = `${name}@example.com`;
    const client = await server.signUp(email);
    const added = await owner.post(`${meta}/projects/${ids.project}/users`, { email, ...more });
    expect(added.status).toBe(200);
    callers.set(name, { principal: await principalOf(email), client });
  }

  async function principalOf(email: string): Promise<Principal> {
    const account = await server.host.container.get(AccountStoreToken).byEmail(email);
    if (account === undefined) throw new Error(`${email} has no account`);
    return { kind: 'user', id: account.id, email, accountRoles: account.roles };
  }

  /** Tokens of the owner: one that may only read, one that may write, one for another project, and one whose time is over. */
  async function enterTokens(owner: TestClient): Promise<void> {
    const other = await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Other' });
    const make = async (name: string, project: string, permissions: 'viewer' | 'editor' | 'creator') => {
      const path = `${meta}/projects/${project}/api-tokens`;
      const { body } = await owner.post<{ id: string; token: string }>(path, { permissions });
      const of = { credentialId: body.id, maximumRole: permissions, onlyProjects: [project] };
      const principal: Principal = { ...(callers.get('owner')?.principal ?? guest), kind: 'token', ...of };
      callers.set(name, { principal, client: server.client.with({ headers: { 'xc-token': body.token } }) });
      return body.id;
    };
    await make('token that may read', ids.project, 'viewer');
    await make('token that may write', ids.project, 'editor');
    await make('token of another project', other.body.id, 'creator');
    const id = await make('token whose time is over', ids.project, 'creator');
    await server.host.container
      .get(DatabaseToken)
      .write((unit) => unit.run(unit.knex('p_api_tokens_token').where({ id }).update({ expires_at: 1 })));
    callers.set('token whose time is over', {
      ...callers.get('token whose time is over'),
      principal: guest,
    });
  }

  /** Whoever has the id of a shared project, which opens it to readers or to editors. */
  async function enterVisitorsOfBase(owner: TestClient): Promise<void> {
    const path = `${meta}/projects/${ids.project}/shared`;
    const { uuid } = (await owner.post<{ uuid: string }>(path, { roles: 'viewer' })).body;
    for (const roles of ['viewer', 'editor'])
      callers.set(`visitor of a base as ${roles}`, {
        principal: { ...guest, kind: 'sharedBase', credentialId: uuid, scopeRules: ['shared-base'] },
        client: server.client.with({ headers: { 'xc-shared-base-id': uuid } }),
        async become() {
          expect((await owner.patch(path, { roles })).status).toBe(200);
        },
      });
  }

  beforeAll(async () => {
    server = await createTestServer();
    // A slow machine listens before the last plugins are there; what is asked of them waits for all.
    await server.host.plugins.enable('shared-views');
    access = server.host.container.get(AccessServiceToken);
    const boss = await server.signUp('super@example.com');
    ids = await createIds(server, boss);
    callers.set('super', { principal: await principalOf('super@example.com'), client: boss });
    // The super admin gives the project away and is no member.
    await enter('owner', { roles: 'editor' }, boss);
    const project = `/api/v1/plugins/sys-members/projects/${ids.project}`;
    const owns = { user_id: callers.get('owner')?.principal.id };
    expect((await boss.post(`${project}/hand-over`, owns)).status).toBe(200);
    expect((await boss.post(`${project}/leave`)).status).toBe(200);
    const owner = callers.get('owner')?.client ?? boss;
    const shared = await owner.post<{ uuid: string }>(`${meta}/views/${ids.view}/share`);
    link = shared.body.uuid;
    for (const role of ['creator', 'editor', 'commenter', 'viewer'])
      await enter(role, { roles: role }, owner);
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
    const stranger = await server.signUp('stranger@example.com');
    callers.set('stranger', { principal: await principalOf('stranger@example.com'), client: stranger });
    await enterTokens(owner);
    await enterVisitorsOfBase(owner);
    callers.set('visitor', {
      principal: {
        kind: 'sharedView',
        id: '',
        email: '',
        accountRoles: [],
        credentialId: link,
        scopeRules: ['shared-views'],
      },
    });
    callers.set('guest', { principal: guest, client: server.client });
  });
  afterAll(() => server?.dispose());

  /** Whether a caller may what a route asks for; in the table, where the path names one. */
  async function may({ principal }: Caller, route: RouteDefinition): Promise<boolean> {
    const { permission, object } = route;
    if (permission === 'public') return true;
    if (permission === 'signedIn') return principal.kind === 'user' || principal.kind === 'token';
    const isInside = object !== undefined && object.kind !== 'none';
    const scope = await access.scopeFor(principal, isInside ? ids.project : undefined, 'test');
    if (isOfBases(route) && !scope.may(rightOfBases)) return false;
    return (isJudgedInTable(route) ? scope.inTable(ids.table) : scope).may(permission);
  }

  function routes(): readonly RouteDefinition[] {
    return servedRoutes(server).toSorted((left, right) =>
      `${left.path} ${left.method}` < `${right.path} ${right.method}` ? -1 : 1,
    );
  }

  test('is written down', async () => {
    const marks = new Map(routes().map((route) => [route, [] as string[]]));
    for (const caller of callers.values()) {
      await caller.become?.();
      for (const [route, of] of marks) of.push((await may(caller, route)) ? 'x' : '.');
    }
    const lines = [...marks].map(
      ([route, of]) =>
        `${of.join(' ')}  ${route.method.padEnd(6)} ${route.path}  (${isOfBases(route) ? `${route.permission}, ${rightOfBases}` : route.permission})`,
    );
    const names = [...callers.keys()];
    const head = names.map((name, place) => `${'. '.repeat(place)}${name}`);
    const text = [
      'Who may call which route: x may, . may not. Written by rights-document.test.ts.',
      '',
      'custom: an editor whose custom role lacks exportCsv and dataGroupBy, and adds and deletes no rows.',
      'ruled: an editor whose custom role sees only some rows. visitor: who has the link of a view.',
      `${rightOfBases}: of the super admin alone, who has to be a member for the rest.`,
      'token: of the owner. stranger: of another project. Routes of several kinds of objects are judged in the project.',
      '',
      ...head,
      ...lines,
      '',
    ].join('\n');
    if (process.env['TRELLIS_WRITE_REPORTS'] === '1') writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  test('is what the routes keep to: nobody gets through who may not', async () => {
    let asked = 0;
    for (const [name, caller] of callers) {
      await caller.become?.();
      for (const route of routes()) {
        const [call, never] = [callWith(route, ids), callWith(route, unissued)];
        if (call === undefined || route.permission === 'public') continue;
        if (caller.client === undefined || (await may(caller, route))) continue;
        asked += 1;
        const { status, body } = await caller.client.send(route.method, call.path, call.body);
        const told = `${name}: ${route.method} ${route.path}`;
        if (status === 200 && doNothingForNobody.includes(`${route.method} ${route.path}`)) {
          const { body: none } = await caller.client.send(route.method, never?.path ?? '', call.body);
          expect([told, body]).toEqual([told, none]);
          continue;
        }
        expect([told, [400, 401, 403, 404].includes(status)]).toEqual([told, true]);
      }
    }
    expect(asked).toBeGreaterThan(500);
    const owner = callers.get('owner')?.client;
    expect(await owner?.get('/api/v1/db/data/noco/Secret/Salaries')).toMatchObject({
      body: { list: [{ Name: 'Ada' }] },
    });
  });

  test('is what the routes keep to: what plugins keep is read by all who may', async () => {
    let asked = 0;
    for (const [name, caller] of callers) {
      await caller.become?.();
      for (const route of routes()) {
        const { object } = route;
        const isNamedElsewhere = object !== undefined && 'in' in object && object.in !== undefined;
        const call = object?.kind === 'kept' || isNamedElsewhere ? callWith(route, ids) : undefined;
        if (call === undefined || route.method !== 'GET' || route.path.includes(':runId')) continue;
        if (caller.client === undefined || !(await may(caller, route))) continue;
        asked += 1;
        const { status } = await caller.client.get(call.path);
        // The row that the comments are on is none that the rule lets this one see.
        const isHidden = name === 'ruled' && route.path === '/api/v1/db/meta/audits/comments';
        expect([name, route.path, status]).toEqual([name, route.path, isHidden ? 404 : 200]);
      }
    }
    expect(asked).toBeGreaterThan(20);
  });

  test('is what the routes keep to: everybody reads who may', async () => {
    const refused: string[] = [];
    let asked = 0;
    for (const [name, caller] of callers) {
      await caller.become?.();
      for (const route of routes().filter(
        ({ method, permission }) => method === 'GET' && permission !== 'public',
      )) {
        const call = callWith(route, ids);
        if (call === undefined || caller.client === undefined || !(await may(caller, route))) continue;
        asked += 1;
        const { status, body } = await caller.client.get(call.path);
        if ([401, 403].includes(status) || status >= 500)
          refused.push(`${name}: ${route.path} answers ${status} ${JSON.stringify(body)}`);
      }
    }
    expect(refused).toEqual([]);
    expect(asked).toBeGreaterThan(500);
  });

  test('leaves a visitor nothing but what the link is for', async () => {
    const visitor = callers.get('visitor')?.principal;
    if (visitor === undefined) throw new Error('There is no visitor.');
    const scope = await access.scopeFor(visitor, ids.project, 'test');
    const listed = access.permissionsOf(scope);
    expect(listed.toSorted()).toEqual([...new Set(Object.values(permissionsFor).flat())].toSorted());
    const shown = await server.client.get(`/api/v1/db/public/shared-view/${link}/rows`);
    expect(shown).toMatchObject({ status: 200 });
    for (const path of [`${meta}/projects/${ids.project}`, '/api/v1/db/data/noco/Secret/Salaries'])
      expect((await server.client.with({ headers: { 'xc-shared-view-id': link } }).get(path)).status).toBe(
        401,
      );
  });
});
