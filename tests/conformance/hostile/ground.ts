import { AccessServiceToken, type RouteDefinition } from '@trellis/sdk/server';
import type { ProjectEntity, TableEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { createKept, createTask, placeKinds, type Ids } from '../route-objects.ts';
import { servedRoutes } from '../served-routes.ts';
import { knownBodies, type KnownBody } from './bodies.ts';
import { createCredentials, createMore, send } from './places.ts';

const meta = '/api/v1/db/meta';

/** The ids of one project and of its contents. */
export interface HostileProject extends Ids {
  /** The values of path parameters, by the routes' names. */
  readonly places: Readonly<Record<string, string>>;
}

/** A running server with two projects and all kinds of callers. */
export interface HostileGround {
  readonly server: TestServer;
  readonly routes: readonly RouteDefinition[];
  /** The project that people with rights may change. */
  readonly open: HostileProject;
  /** The project that must be unchanged at the end: it is called only by people without the right to change it. */
  readonly guarded: HostileProject;
  /** The routes' bodies, with the ids of either project. */
  readonly bodies: Readonly<Record<'open' | 'guarded', ReadonlyMap<RouteDefinition, KnownBody>>>;
  /** The people who may change the open project. */
  readonly members: Readonly<Record<string, TestClient>>;
  /** The people who may not change anything in the guarded project. */
  readonly outsiders: Readonly<Record<string, TestClient>>;
  /** The guarded project's whole contents. */
  guardedState(): Promise<string>;
}

async function createProject(server: TestServer, client: TestClient, title: string): Promise<HostileProject> {
  const project = await send<ProjectEntity>(client, 'POST', `${meta}/projects`, { title });
  const table = await send<TableEntity>(client, 'POST', `${meta}/projects/${project.id}/tables`, {
    title: 'Things',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'Text', uidt: 'LongText' },
      { title: 'Amount', uidt: 'Decimal', dtxp: 12, dtxs: 2 },
      { title: 'Count', uidt: 'Number' },
      { title: 'When', uidt: 'DateTime' },
      { title: 'Day', uidt: 'Date' },
      { title: 'Done', uidt: 'Checkbox' },
      { title: 'Data', uidt: 'JSON' },
      { title: 'Stars', uidt: 'Rating' },
    ],
  });
  const column = table.columns?.[1]?.id ?? '';
  const view = table.views?.[0]?.id ?? '';
  const columns = await client.get<readonly ViewColumnEntity[]>(`${meta}/views/${view}/columns`);
  const sort = await client.post<{ id: string }>(`${meta}/views/${view}/sorts`, { fk_column_id: column });
  const filter = await client.post<{ id: string }>(`${meta}/views/${view}/filters`, {
    fk_column_id: column,
    comparison_op: 'neq',
    value: 'x',
  });
  const rows = [{ Name: 'Ada', Amount: '1.50', When: '2026-01-01 10:00' }, { Name: 'Bob', Done: true }, {}];
  const made = await client.post(`/api/v1/db/data/bulk/noco/${project.id}/${table.id}`, rows);
  const ids: Ids = {
    project: project.id,
    base: project.bases?.[0]?.id ?? '',
    table: table.id,
    column,
    view,
    viewColumn: columns.body[0]?.id ?? '',
    sort: sort.body.id,
    filter: filter.body.id,
    task: await createTask(server, project.id),
    ...(await createKept(server, client, { project: project.id, table: table.id })),
  };
  const named = Object.entries(placeKinds).map(([place, kind]) => [place, ids[kind]]);
  const operation = made.headers.get('x-trellis-operation') ?? 'op_00000000000000';
  return {
    ...ids,
    places: {
      ...(Object.fromEntries(named) as Readonly<Record<string, string>>),
      operationId: operation,
      ...(await createMore(client, ids)),
    },
  };
}

/** Starts a server on the given database and fills it. */
export async function createHostileGround(database: string | undefined): Promise<HostileGround> {
  const server = await createTestServer({ database });
  const owner = await server.signUp();
  const roles = ['creator', 'editor', 'commenter', 'viewer'] as const;
  const [other, leaver, ...people] = await Promise.all(
    ['other', 'leaver', ...roles].map((person) => server.signUp(`${person}@example.com`)),
  );
  if (other === undefined || leaver === undefined) throw new Error('Six accounts were asked for');
  const open = await createProject(server, owner, 'Open');
  const guarded = await createProject(server, owner, 'Guarded');
  const elsewhere = await createProject(server, owner, 'Elsewhere');
  const access = server.host.container.get(AccessServiceToken);
  const idOf = async (client: TestClient) =>
    (await client.get<{ id: string }>('/api/v1/auth/user/me')).body.id;
  await access.grant(elsewhere.project, await idOf(other), 'creator');
  const members: Record<string, TestClient> = { owner };
  const outsiders: Record<string, TestClient> = { other, leaver, stranger: server.client };
  for (const [at, person] of people.entries()) {
    const role = roles[at] ?? 'viewer';
    members[role] = person;
    await access.grant(open.project, await idOf(person), role);
    if (role === 'viewer') {
      outsiders[role] = person;
      await access.grant(guarded.project, await idOf(person), role);
    }
  }
  const changing = await createCredentials(owner, server.client, open, 'editor');
  const reading = await createCredentials(owner, server.client, guarded, 'viewer');
  const routes = servedRoutes(server);
  return {
    server,
    routes,
    open,
    guarded,
    bodies: {
      open: await knownBodies(owner, open, routes),
      guarded: await knownBodies(owner, guarded, routes),
    },
    members: { ...members, 'editing token': changing.token, 'editing visitor': changing.visitor },
    outsiders: {
      ...outsiders,
      'reading token': reading.token,
      'reading visitor': reading.visitor,
      forger: server.client.with({ token: 'eyJhbGciOiJub25lIn0.eyJpZCI6InVzXzAwIn0.' }),
    },
    async guardedState() {
      const view = `${meta}/views/${guarded.view}`;
      const parts = [
        `${meta}/projects/${guarded.project}`,
        `${meta}/projects/${guarded.project}/tables`,
        `${meta}/tables/${guarded.table}`,
        `${meta}/tables/${guarded.table}/views`,
        `${view}/columns`,
        `${view}/sorts`,
        `${view}/filters`,
        `${meta}/projects/${guarded.project}/users`,
        `${meta}/projects/${guarded.project}/trash`,
        `${meta}/tables/${guarded.table}/hooks`,
        `/api/v1/plugins/automations/projects/${guarded.project}/automations`,
        `/api/v1/plugins/schedules/projects/${guarded.project}/schedules`,
        `/api/v1/plugins/sys-members/projects/${guarded.project}/roles`,
        `/api/v1/plugins/variables/projects/${guarded.project}/variables`,
        `${meta}/audits/comments?fk_model_id=${guarded.table}&row_id=1&comments_only=true`,
        `/api/v1/db/data/noco/${guarded.project}/${guarded.table}?limit=1000`,
      ];
      const answers = [];
      for (const path of parts) answers.push(JSON.stringify((await owner.get(path)).body, withoutOwnWords));
      return answers.join('\n');
    },
  };
}

/** People may change their own profiles, which are not part of the project. */
function withoutOwnWords(key: string, value: unknown): unknown {
  return ['firstname', 'lastname', 'picture'].includes(key) ? undefined : value;
}
