import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RouteDefinition } from '@trellis/sdk/server';
import type { TableEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { createCallers, type Caller, type Callers } from './route-callers.ts';
import { callWith, createKept, createTask, placeKinds, type Ids } from './route-objects.ts';
import { servedRoutes } from './served-routes.ts';

const meta = '/api/v1/db/meta';

/** What ends the rights by which the caller, or those after, are judged: asked last of all. */
const endings: readonly string[] = [
  'POST /api/v1/plugins/sys-members/projects/:projectId/leave',
  'POST /api/v1/plugins/sys-members/projects/:projectId/rescue',
  'DELETE /api/v1/db/meta/projects/:projectId/shared',
  'DELETE /api/v1/db/meta/projects/:projectId',
];

/** Where more is asked than the permission of the route: of a view that is not one's own. */
const alsoAsked: Readonly<Record<string, string>> = {
  'PATCH /api/v1/db/meta/views/:viewId': 'viewUpdate',
  'DELETE /api/v1/db/meta/views/:viewId': 'viewDelete',
};

/** What is not there for anybody: views of other types than a grid, links and files of a column of texts, and a project without an owner. */
const notThere = /\/(?:forms|form-columns|galleries|kanbans|calendars|timelines|cells|links)\/|\/rescue$/;

/**
 * The other half of the rights document: whoever may, gets through. A body says nothing here, so that most writes are refused for what is
 * missing in them, which comes after the rights; what deletes is given something of its own to delete.
 */
describe('who may write', () => {
  let server: TestServer;
  let callers: Callers;
  let owner: TestClient;
  let count = 0;
  let asked = 0;

  beforeAll(async () => {
    server = await createTestServer();
    callers = await createCallers(server);
    const { client } = callers.all.get('owner') ?? {};
    if (client === undefined) throw new Error('Nobody owns the project.');
    owner = client;
  });
  afterAll(() => server?.dispose());

  async function made<Body extends object>(path: string, body: object): Promise<Body> {
    const answer = await owner.post<Body>(path, body);
    if (answer.status !== 200) throw new Error(`${path} answers ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Something new of a kind in the project, for a call that deletes it. */
  async function another(kind: keyof Ids | undefined): Promise<Partial<Ids>> {
    const { ids } = callers;
    const title = `Another ${String(count++)}`;
    switch (kind) {
      case 'table': {
        const columns = [{ title: 'Id', uidt: 'ID' }];
        const table = await made<TableEntity>(`${meta}/projects/${ids.project}/tables`, { title, columns });
        return { table: table.id };
      }
      case 'column': {
        const body = { title, uidt: 'SingleLineText' };
        const table = await made<TableEntity>(`${meta}/tables/${ids.table}/columns`, body);
        return { column: table.columns?.find((one) => one.title === title)?.id ?? '' };
      }
      case 'view':
        return { view: (await made<{ id: string }>(`${meta}/tables/${ids.table}/grids`, { title })).id };
      case 'sort': {
        const body = { fk_column_id: ids.column, direction: 'asc' };
        return { sort: (await made<{ id: string }>(`${meta}/views/${ids.view}/sorts`, body)).id };
      }
      case 'filter': {
        const body = { fk_column_id: ids.column, comparison_op: 'neq', value: title };
        return { filter: (await made<{ id: string }>(`${meta}/views/${ids.view}/filters`, body)).id };
      }
      case 'hook':
      case 'automation':
        return createKept(server, owner, ids);
      case 'task':
        return { task: await createTask(server, ids.project) };
      default:
        return {};
    }
  }
  /** A comment of the caller, since nobody changes those of others. */
  async function commentBy(client: TestClient): Promise<Partial<Ids>> {
    const path = `${meta}/audits/comments`;
    const on = { fk_model_id: callers.ids.table, row_id: '1' };
    const words = `Mine ${String(count++)}`;
    await client.post(path, { ...on, description: words });
    const { body } = await client.get<unknown>(
      `${path}?${new URLSearchParams({ ...on, comments_only: 'true' }).toString()}`,
    );
    const found = Array.isArray(body) ? (body as readonly { id: string }[]) : [];
    const own = found.find((one) => JSON.stringify(one).includes(words));
    return own === undefined ? {} : { comment: own.id };
  }

  /** The kind of the last thing that a route names, which is the one that it deletes. */
  function lastKind({ path, object }: RouteDefinition): keyof Ids | undefined {
    const named = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => placeKinds[name]);
    const told = object !== undefined && 'in' in object && object.in !== undefined ? object.kind : undefined;
    return named.at(-1) ?? (told as keyof Ids | undefined);
  }

  /** Whether all that a route names is there, so that it is not found only where it is hidden from the caller. */
  function isWhole({ path }: RouteDefinition): boolean {
    const others = [...path.matchAll(/:(\w+)/g)].filter(
      ([, name = '']) => placeKinds[name] === undefined && !['orgs', 'rowId'].includes(name),
    );
    return others.length === 0 && !notThere.test(path);
  }

  /** Whether somebody may, whatever it is that a route asks for. */
  async function may(caller: Caller, route: RouteDefinition): Promise<boolean> {
    // A token has no small values of its own.
    if (route.path === '/api/v1/user-storage' && caller.principal.kind === 'token') return false;
    const also = alsoAsked[nameOf(route)];
    const asks = also === undefined ? [route] : [route, { ...route, permission: also }];
    for (const one of asks) if (!(await callers.may(caller, one))) return false;
    return true;
  }

  const nameOf = ({ method, path }: RouteDefinition) => `${method} ${path}`;

  function writes(): readonly RouteDefinition[] {
    const all = servedRoutes(server).filter(
      ({ method, permission }) => method !== 'GET' && permission !== 'public',
    );
    const place = (route: RouteDefinition) => endings.indexOf(nameOf(route));
    return all.toSorted((one, other) => place(one) - place(other));
  }

  async function refusalOf(
    name: string,
    caller: Caller,
    route: RouteDefinition,
  ): Promise<string | undefined> {
    const { client } = caller;
    if (client === undefined || !(await may(caller, route))) return undefined;
    const isDeleting = route.method === 'DELETE';
    const kind = lastKind(route);
    const own = kind === 'comment' ? await commentBy(client) : isDeleting ? await another(kind) : {};
    const ids = { ...callers.ids, ...own };
    const call = callWith(route, ids) ?? { path: route.path.replace(/:(\w+)/g, '1'), body: {} };
    const { status, body } = await client.send(route.method, call.path, call.body);
    asked += 1;
    const isHidden = status === 404 && isWhole(route) && name !== 'ruled';
    if (isDeleting || route.path.includes('/bulk/')) await keepRow();
    return isHidden || [401, 403].includes(status) || status >= 500
      ? `${name}: ${nameOf(route)} answers ${status} ${JSON.stringify(body)}`
      : undefined;
  }
  /** The row that calls name is there again. */
  async function keepRow(): Promise<void> {
    const rows = `/api/v1/db/data/noco/${callers.ids.project}/${callers.ids.table}`;
    if ((await owner.get(`${rows}/1`)).status === 404) await made(rows, { Id: 1, Name: 'Ada' });
  }

  test('is everybody who may, in every way of writing that there is', async () => {
    const refused: string[] = [];
    const last = ['super', 'owner'];
    const names = [...callers.all.keys()].toSorted((one, other) => last.indexOf(one) - last.indexOf(other));
    for (const name of names) {
      const caller = callers.all.get(name);
      if (caller === undefined) continue;
      await caller.become?.();
      for (const route of writes()) {
        const told = await refusalOf(name, caller, route);
        if (told !== undefined) refused.push(told);
      }
    }
    expect(refused).toEqual([]);
    expect(asked).toBeGreaterThan(600);
  });
});
