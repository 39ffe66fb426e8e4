import type { TableEntity } from '@trellis/sdk/shared';
import type { TestClient } from '@trellis/sdk/testing/server';
import type { Ids } from '../route-objects.ts';

const meta = '/api/v1/db/meta';

/** Sends a request that must succeed. */
export async function send<Body>(
  client: TestClient,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<Body> {
  const answer = await client.send(method, path, body);
  if (answer.status !== 200)
    throw new Error(`${path} answers ${answer.status} ${JSON.stringify(answer.body)}.`);
  return answer.body as Body;
}

/** Path parameters for objects that only an upload or a browser creates. */
const unmade = ['file', 'restoreId', 'ticket'];

async function createInvitation(client: TestClient, email: string): Promise<string> {
  const path = '/api/v1/user-invitations';
  await send(client, 'POST', path, { email });
  const { list } = await send<{ list: readonly { id: string }[] }>(client, 'GET', path);
  return list[0]?.id ?? '';
}

/** One of the client's sessions. */
async function anySession(client: TestClient): Promise<string> {
  const { list } = await send<{ list: readonly { id: string }[] }>(client, 'GET', '/api/v1/auth/sessions');
  return list[0]?.id ?? '';
}

/** A link of the table to itself, and its column's id. */
async function createLink(client: TestClient, { table }: Ids): Promise<string> {
  const link = { title: 'Parts', uidt: 'LinkToAnotherRecord', parentId: table, childId: table, type: 'mm' };
  await send(client, 'POST', `${meta}/tables/${table}/columns`, link);
  const { columns = [] } = await send<TableEntity>(client, 'GET', `${meta}/tables/${table}`);
  return columns.find(({ title }) => title === link.title)?.id ?? '';
}

/** A table in the trash, and its name there. */
async function createDeleted(client: TestClient, { project }: Ids): Promise<string> {
  const tables = `${meta}/projects/${project}/tables`;
  const columns = [{ title: 'Id', uidt: 'ID' }];
  const { id } = await send<TableEntity>(client, 'POST', tables, { title: 'Gone', columns });
  await send(client, 'DELETE', `${meta}/tables/${id}`);
  const { list } = await send<{ list: readonly { id: string }[] }>(
    client,
    'GET',
    `${meta}/projects/${project}/trash`,
  );
  return list[0]?.id ?? '';
}

/** Objects of every other kind that routes name, by path parameter. */
export async function createMore(client: TestClient, ids: Ids): Promise<Readonly<Record<string, string>>> {
  const { project, table, view } = ids;
  const make = <Made>(path: string, body: object) => send<Made>(client, 'POST', path, body);
  const own = (plugin: string) => `/api/v1/plugins/${plugin}/projects/${project}`;
  const called = await make<{ id: string; address: string }>(`${own('automation-addresses')}/addresses`, {});
  await make(`${own('variables')}/variables`, { name: 'PLACE', value: 'Bern' });
  const schedule = { title: 'Never', action: 'schedules.export', table_id: table, cron: '0 0 1 1 *' };
  const { id: scheduleId } = await make<{ id: string }>(`${own('schedules')}/schedules`, schedule);
  const me = await send<{ id: string }>(client, 'GET', '/api/v1/auth/user/me');
  return {
    orgs: 'noco',
    rowId: '1',
    refRowId: '2',
    type: 'csv',
    kind: 'mm',
    operation: 'insert',
    place: 'logo',
    name: 'PLACE',
    version: '1',
    act: 'row.delete',
    id: 'column-rating',
    title: 'Rating',
    userId: me.id,
    column: await createLink(client, ids),
    deletedId: await createDeleted(client, ids),
    uuid: (await make<{ uuid: string }>(`${meta}/views/${view}/share`, {})).uuid,
    token: (await make<{ id: string }>(`${meta}/projects/${project}/api-tokens`, { permissions: 'viewer' }))
      .id,
    groupId: (await make<{ id: string }>(`${meta}/tables/${table}/view-groups`, { title: 'Views' })).id,
    roleId: (await make<{ id: string }>(`${own('sys-members')}/roles`, { title: 'Helps', base: 'editor' }))
      .id,
    scheduleId,
    runId: (await make<{ id: string }>(`${own('schedules')}/schedules/${scheduleId}/run`, {})).id,
    sessionId: await anySession(client),
    task: ids.task,
    address: called.address,
    role: 'editor',
    provider: 'google',
    invitationId: await createInvitation(client, `${project}@example.com`),
    ...Object.fromEntries(unmade.map((place) => [place, '1'])),
  };
}

/** Credentials without an account: a read-only token, and a project that is shared with readers or editors. */
export async function createCredentials(
  client: TestClient,
  anybody: TestClient,
  { project }: Ids,
  roles: 'viewer' | 'editor',
): Promise<Readonly<Record<'token' | 'visitor', TestClient>>> {
  const path = `${meta}/projects/${project}`;
  const { token } = await send<{ token: string }>(client, 'POST', `${path}/api-tokens`, {
    permissions: roles,
  });
  const { uuid } = await send<{ uuid: string }>(client, 'POST', `${path}/shared`, { roles });
  return {
    token: anybody.with({ headers: { 'xc-token': token } }),
    visitor: anybody.with({ headers: { 'xc-shared-base-id': uuid } }),
  };
}
