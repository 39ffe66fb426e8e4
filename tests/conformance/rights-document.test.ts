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
import { permissionsFor } from '../../plugins/shared-views/server/visitors.ts';
import { createObjects, createTask, pathWith, type Ids } from './route-objects.ts';
import { servedRoutes } from './served-routes.ts';

const file = join(import.meta.dirname, 'rights-document.txt');
const meta = '/api/v1/db/meta';

/** Somebody by whom routes are judged. */
interface Caller {
  readonly principal: Principal;
  /** Undefined for whom no header lets in. */
  readonly client?: TestClient;
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

  beforeAll(async () => {
    server = await createTestServer();
    // A slow machine listens before the last plugins are there; what is asked of them waits for all.
    await server.host.plugins.enable('shared-views');
    access = server.host.container.get(AccessServiceToken);
    const boss = await server.signUp('super@example.com');
    const objects = await createObjects(boss);
    ids = { ...objects, task: await createTask(server, objects.project) };
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
    callers.set('guest', {
      principal: { kind: 'guest', id: '', email: '', accountRoles: [] },
      client: server.client,
    });
  });
  afterAll(() => server?.dispose());

  /** Whether a caller may what a route asks for; in the table, where the path names one. */
  async function may({ principal }: Caller, route: RouteDefinition): Promise<boolean> {
    const { permission, object } = route;
    if (permission === 'public') return true;
    if (permission === 'signedIn') return principal.kind === 'user';
    const isInside = object !== undefined && object.kind !== 'none';
    const scope = await access.scopeFor(principal, isInside ? ids.project : undefined, 'test');
    const isInTable =
      isInside && object.kind !== 'project' && object.kind !== 'base' && object.kind !== 'task';
    return (isInTable ? scope.inTable(ids.table) : scope).may(permission);
  }

  function routes(): readonly RouteDefinition[] {
    return servedRoutes(server).toSorted((left, right) =>
      `${left.path} ${left.method}` < `${right.path} ${right.method}` ? -1 : 1,
    );
  }

  test('is written down', async () => {
    const lines: string[] = [];
    for (const route of routes()) {
      const marks: string[] = [];
      for (const caller of callers.values()) marks.push((await may(caller, route)) ? 'x' : '.');
      lines.push(`${marks.join(' ')}  ${route.method.padEnd(6)} ${route.path}  (${route.permission})`);
    }
    const names = [...callers.keys()];
    const head = names.map((name, place) => `${'. '.repeat(place)}${name}`);
    const text = [
      'Who may call which route: x may, . may not. Written by rights-document.test.ts.',
      '',
      'custom: an editor whose custom role lacks exportCsv and dataGroupBy, and adds and deletes no rows.',
      'ruled: an editor whose custom role sees only some rows. visitor: who has the link of a view.',
      'stranger: of another project. Routes of several kinds of objects are judged in the project.',
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
    for (const route of routes()) {
      const path = pathWith(route, ids);
      if (path === undefined || route.permission === 'public') continue;
      for (const [name, caller] of callers) {
        if (caller.client === undefined || (await may(caller, route))) continue;
        asked += 1;
        const body = route.method === 'GET' ? undefined : {};
        const { status } = await caller.client.send(route.method, path, body);
        const told = `${name}: ${route.method} ${route.path}`;
        expect([told, [400, 401, 403, 404].includes(status)]).toEqual([told, true]);
      }
    }
    expect(asked).toBeGreaterThan(500);
    const owner = callers.get('owner')?.client;
    expect(await owner?.get('/api/v1/db/data/noco/Secret/Salaries')).toMatchObject({
      body: { list: [{ Name: 'Ada' }] },
    });
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
