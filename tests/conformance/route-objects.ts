import { AccessServiceToken, TasksToken, type RouteDefinition } from '@trellis/sdk/server';
import type { TableEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';

/** The ids of one object of each kind that routes name. */
export interface Ids {
  readonly project: string;
  readonly base: string;
  readonly table: string;
  readonly column: string;
  readonly view: string;
  readonly viewColumn: string;
  readonly sort: string;
  readonly filter: string;
  readonly task: string;
  readonly hook: string;
  readonly automation: string;
  readonly comment: string;
}

/** Well-formed ids that were never issued. */
export const unissued: Ids = {
  project: 'p_00000000000000',
  base: 'ds_00000000000000',
  table: 'md_00000000000000',
  column: 'cl_00000000000000',
  view: 'vw_00000000000000',
  viewColumn: 'nc_00000000000000',
  sort: 'so_00000000000000',
  filter: 'fi_00000000000000',
  task: 'tk_00000000000000',
  hook: 'hk_00000000000000',
  automation: 'au_00000000000000',
  comment: 'adt_00000000000000',
};

/** The objects of path parameters. */
export const placeKinds: Readonly<Record<string, keyof Ids>> = {
  projectId: 'project',
  projectName: 'project',
  project: 'project',
  baseId: 'base',
  base: 'base',
  tableId: 'table',
  tableName: 'table',
  table: 'table',
  columnId: 'column',
  columnName: 'column',
  column: 'column',
  viewId: 'view',
  viewName: 'view',
  view: 'view',
  gridId: 'view',
  formId: 'view',
  galleryId: 'view',
  kanbanId: 'view',
  viewColumnId: 'viewColumn',
  sortId: 'sort',
  filterId: 'filter',
  taskId: 'task',
  hookId: 'hook',
  automationId: 'automation',
  commentId: 'comment',
};

/** The plugins' stored objects, with their id's name and whether rights are checked in the table. */
export const keptKinds: Readonly<Record<string, { readonly id: keyof Ids; readonly isInTable: boolean }>> = {
  hook: { id: 'hook', isInTable: true },
  automation: { id: 'automation', isInTable: false },
  comment: { id: 'comment', isInTable: true },
};

/** Routes that do nothing and return 200 for a missing object, as clients of the v1 API expect. */
export const doNothingForNobody: readonly string[] = [
  'PATCH /api/v1/db/meta/hooks/:hookId',
  'DELETE /api/v1/db/meta/hooks/:hookId',
];

/** A project with a table and its view's objects, a task, and the plugins' stored objects. */
export async function createIds(server: TestServer, client: TestClient, title = 'Secret'): Promise<Ids> {
  const objects = await createObjects(client, title);
  return {
    ...objects,
    task: await createTask(server, objects.project),
    ...(await createKept(server, client, objects)),
  };
}

type Objects = Pick<Ids, 'project' | 'base' | 'table' | 'column' | 'view' | 'viewColumn' | 'sort' | 'filter'>;

/** A project with a table, and its view's objects. */
async function createObjects(client: TestClient, title: string): Promise<Objects> {
  const project = await client.post<{ id: string; bases: readonly { id: string }[] }>(
    '/api/v1/db/meta/projects',
    { title },
  );
  const table = await client.post<TableEntity>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
    title: 'Salaries',
    columns: [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ],
  });
  const column = table.body.columns?.[1]?.id ?? '';
  const view = table.body.views?.[0]?.id ?? '';
  const path = `/api/v1/db/meta/views/${view}`;
  const columns = await client.get<readonly ViewColumnEntity[]>(`${path}/columns`);
  const sort = await client.post<{ id: string }>(`${path}/sorts`, { fk_column_id: column, direction: 'asc' });
  const filter = await client.post<{ id: string }>(`${path}/filters`, {
    fk_column_id: column,
    comparison_op: 'eq',
    value: 'x',
  });
  await client.post(`/api/v1/db/data/noco/${project.body.id}/Salaries`, { Name: 'Ada' });
  return {
    project: project.body.id,
    base: project.body.bases[0]?.id ?? '',
    table: table.body.id,
    column,
    view,
    viewColumn: columns.body[0]?.id ?? '',
    sort: sort.body.id,
    filter: filter.body.id,
  };
}

/** A task of a kind that does nothing. */
export async function createTask({ host }: TestServer, projectId: string): Promise<string> {
  const run = () => Promise.resolve();
  const kinds = host.registries.get('taskKinds');
  if (kinds.get('idle') === undefined) kinds.register({ id: 'idle', permission: 'tableCreate', run }, 'test');
  const scope = host.container.get(AccessServiceToken).systemScope(projectId, 'test');
  const task = await host.container
    .get(TasksToken)
    .start(scope, { kind: 'idle', title: 'Nothing', payload: {} });
  return task.id;
}

/** The plugins' stored objects for a table with a row. */
export async function createKept(
  { host }: TestServer,
  client: TestClient,
  { project, table }: Pick<Objects, 'project' | 'table'>,
): Promise<Pick<Ids, 'hook' | 'automation' | 'comment'>> {
  // A slow machine listens before the last plugins have started; their tests wait for all of them.
  for (const plugin of ['webhooks', 'automations', 'row-comments']) await host.plugins.enable(plugin);
  const make = async (path: string, body: object) => {
    const { status, body: made } = await client.post<{ id?: string }>(path, body);
    if (status !== 200) throw new Error(`${path} answers ${status} ${JSON.stringify(made)}.`);
    return made.id ?? '';
  };
  const notification = { type: 'URL', payload: { path: 'https://example.com/told' } };
  const told = { title: 'Kept', operation: 'insert', notification, active: false };
  const wait = { id: 'later', name: 'later', type: 'wait', settings: { amount: '1', unit: 'hours' } };
  const started = {
    title: 'Kept',
    active: false,
    trigger: { type: 'row.added', settings: { table } },
    steps: [wait],
  };
  const comments = '/api/v1/db/meta/audits/comments';
  await make(comments, { fk_model_id: table, row_id: '1', description: 'Too much' });
  const ofRow = await client.get<readonly { id: string }[]>(
    `${comments}?fk_model_id=${table}&row_id=1&comments_only=true`,
  );
  return {
    hook: await make(`/api/v1/db/meta/tables/${table}/hooks`, told),
    automation: await make(`/api/v1/plugins/automations/projects/${project}/automations`, started),
    comment: ofRow.body[0]?.id ?? '',
  };
}

/** The place where a call names its object. */
export interface NamedCall {
  readonly path: string;
  readonly body?: object;
}

/** A route's call with ids for its parameters, and only for the first row; `undefined` if it names no object. */
export function callWith(route: RouteDefinition, ids: Ids): NamedCall | undefined {
  const { object } = route;
  if (object === undefined || object.kind === 'none') return undefined;
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const kind = placeKinds[name];
    return kind === undefined ? '1' : ids[kind];
  });
  const body = route.method === 'GET' ? {} : { body: {} };
  if (!('in' in object) || object.in === undefined) return { path, ...body };
  const named = { [object.param]: ids[object.kind], row_id: '1', ids: '1' };
  return object.in === 'query'
    ? { path: `${path}?${new URLSearchParams(named).toString()}`, ...body }
    : { path, body: { ...named, description: 'x' } };
}

/** A route's path with ids for its parameters; `undefined` if it names no object. */
export const pathWith = (route: RouteDefinition, ids: Ids): string | undefined => callWith(route, ids)?.path;

/** Whether a route's permission is checked in the table of the ids; otherwise in their project, or outside projects. */
export function isJudgedInTable({ object }: RouteDefinition): boolean {
  if (object?.kind === 'kept') return keptKinds[object.home]?.isInTable === true;
  return object !== undefined && !['none', 'project', 'base', 'task'].includes(object.kind);
}
