import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessServiceToken, type AccessService, type RouteDefinition } from '@trellis/sdk/server';
import { createTestServer, type TestServer } from '@trellis/sdk/testing/server';
import { permissionsFor } from '../../plugins/shared-views/server/visitors.ts';
import { createCallers, isOfBases, rightOfBases, type Callers } from './route-callers.ts';
import { callWith, doNothingForNobody, unissued, type Ids } from './route-objects.ts';
import { servedRoutes } from './served-routes.ts';

const file = join(import.meta.dirname, 'rights-document.txt');
const meta = '/api/v1/db/meta';

describe('who may call which route', () => {
  let server: TestServer;
  let access: AccessService;
  let ids: Ids;
  let link = '';
  let callers: Callers['all'];
  let may: Callers['may'];

  beforeAll(async () => {
    server = await createTestServer();
    access = server.host.container.get(AccessServiceToken);
    ({ ids, link, may, all: callers } = await createCallers(server));
  });
  afterAll(() => server?.dispose());

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
