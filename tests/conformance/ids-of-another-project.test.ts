import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RouteDefinition } from '@trellis/sdk/server';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { callWith, createIds, placeKinds, unissued, type Ids, type NamedCall } from './route-objects.ts';
import { servedRoutes } from './served-routes.ts';

/** Keys of bodies and queries that name an object. */
const named: Readonly<Record<string, keyof Ids>> = {
  fk_column_id: 'column',
  fk_relation_column_id: 'column',
  fk_lookup_column_id: 'column',
  fk_rollup_column_id: 'column',
  fk_grp_col_id: 'column',
  fk_cover_image_col_id: 'column',
  fk_model_id: 'table',
  parentId: 'table',
  childId: 'table',
  fk_parent_id: 'filter',
  copy_from_id: 'view',
  viewId: 'view',
  base_id: 'base',
  project_id: 'project',
};

/** Two people with a project each: what belongs to the other one is as nothing, wherever its id is put beside ids of one's own. */
describe('ids of another project beside ids of one of one’s own', () => {
  let server: TestServer;
  let ann: TestClient;
  let bob: TestClient;
  let own: Ids;
  let other: Ids;
  let routes: readonly RouteDefinition[];
  let compared = 0;

  beforeAll(async () => {
    server = await createTestServer();
    const boss = await server.signUp('boss@example.com');
    ann = await server.signUp('ann@example.com');
    bob = await server.signUp('bob@example.com');
    own = await createIds(server, boss);
    other = await createIds(server, boss, 'Secret too');
    for (const [project, email] of [
      [own.project, 'ann@example.com'],
      [other.project, 'bob@example.com'],
    ])
      await boss.post(`/api/v1/db/meta/projects/${project}/users`, { email, roles: 'creator' });
    routes = servedRoutes(server);
  });
  afterAll(() => server?.dispose());

  /**
   * What is answered, with the ids of both kinds as one word, so that answers that name what was asked compare. Of a call that ignores
   * the id and so does what it is for, only that it did.
   */
  async function answerTo({ method }: RouteDefinition, { path, body }: NamedCall): Promise<unknown> {
    const { status, body: said } = await ann.send(method, path, body ?? (method === 'GET' ? undefined : {}));
    if (status < 300 && method !== 'GET') return { status };
    const ids = [...Object.values(other), ...Object.values(unissued)] as readonly string[];
    const text = ids.reduce((all, id) => all.replaceAll(id, 'ID'), JSON.stringify(said) ?? '');
    return { status, text: text.replaceAll(/"(?:id|requestId|timestamp|title)":"[^"]*"/g, '') };
  }

  /** Asks once with the other one's id and once with one that never was. */
  async function compare(route: RouteDefinition, make: (ids: Ids) => NamedCall): Promise<void> {
    const [real, never] = [make(other), make(unissued)];
    compared += 1;
    const asked = `${route.method} ${real.path} ${JSON.stringify(real.body ?? {})}`;
    expect({ asked, answer: await answerTo(route, real) }).toEqual({
      asked,
      answer: await answerTo(route, never),
    });
  }

  const placesOf = (route: RouteDefinition) =>
    [...route.path.matchAll(/:(\w+)/g)].flatMap(([, name = '']) =>
      Object.hasOwn(placeKinds, name) ? [name] : [],
    );

  /** The path with ids of one's own but at one place. */
  function pathOf(route: RouteDefinition, at: string | undefined, ids: Ids): string {
    return route.path.replace(/:(\w+)/g, (_, name: string) => {
      const kind = placeKinds[name];
      if (kind === undefined) return '1';
      return name === at ? ids[kind] : own[kind];
    });
  }

  test('in any place of any path are answered as ids that never were', async () => {
    for (const route of routes.filter((of) => of.permission !== 'public'))
      for (const place of placesOf(route))
        await compare(route, (ids) => ({ path: pathOf(route, place, ids) }));
    expect(compared).toBeGreaterThan(150);
  });

  test('in any key of a query or a body are answered as ids that never were', async () => {
    compared = 0;
    const safe = routes.filter(
      (route) => route.permission !== 'public' && route.method !== 'DELETE' && placesOf(route).length > 0,
    );
    for (const route of safe)
      for (const [key, kind] of Object.entries(named)) {
        const path = pathOf(route, undefined, own);
        if (route.method === 'GET') await compare(route, (ids) => ({ path: `${path}?${key}=${ids[kind]}` }));
        else {
          const properties = (route.schemas?.body as { readonly properties?: object } | undefined)
            ?.properties;
          if (properties === undefined || !Object.hasOwn(properties, key)) continue;
          await compare(route, (ids) => ({
            path,
            body: { title: `T${compared} ${ids[kind]}`, [key]: ids[kind] },
          }));
        }
      }
    expect(compared).toBeGreaterThan(100);
  });

  test('in the key by which a route says that it is told what it acts on are answered as ids that never were', async () => {
    compared = 0;
    for (const route of routes) {
      const { object } = route;
      if (object === undefined || !('in' in object) || object.in === undefined) continue;
      expect(await answerTo(route, callWith(route, own) ?? { path: '' })).toMatchObject({ status: 200 });
      await compare(route, (ids) => callWith(route, ids) ?? { path: '' });
    }
    expect(compared).toBeGreaterThan(3);
  });

  test('have changed nothing that belongs to the other one', async () => {
    const rows = await bob.get(`/api/v1/db/data/noco/${other.project}/Salaries`);
    expect(rows.body).toMatchObject({ list: [{ Name: 'Ada' }] });
    const table = await bob.get(`/api/v1/db/meta/tables/${other.table}`);
    expect(table.body).toMatchObject({ title: 'Salaries', views: [{ id: other.view }] });
    const view = `/api/v1/db/meta/views/${other.view}`;
    expect((await bob.get(`${view}/sorts`)).body).toMatchObject({ sorts: { list: [{ id: other.sort }] } });
    expect((await bob.get(`${view}/filters`)).body).toMatchObject([{ id: other.filter, value: 'x' }]);
    expect((await bob.get(`/api/v1/db/meta/hooks/${other.hook}`)).body).toMatchObject({ title: 'Kept' });
    const automation = `/api/v1/plugins/automations/automations/${other.automation}`;
    expect((await bob.get(automation)).body).toMatchObject({ title: 'Kept' });
    const said = `/api/v1/db/meta/audits/comments?fk_model_id=${other.table}&row_id=1&comments_only=true`;
    expect((await bob.get(said)).body).toMatchObject([{ id: other.comment }]);
  });
});
