import { AccessServiceToken } from '@trellis/sdk/server';
import type { ProjectEntity, TableEntity, ViewColumnEntity } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

const meta = '/api/v1/db/meta';

/** The ids of one project and of what is in it, by the names that paths and bodies give them. */
export interface Ids {
  readonly project: string;
  readonly table: string;
  readonly column: string;
  readonly view: string;
  readonly viewColumn: string;
  readonly sort: string;
  readonly filter: string;
  readonly operation: string;
}

/** A running server with two projects and everybody who may ask it something. */
export interface HostileGround {
  readonly server: TestServer;
  /** The project that people with rights are let loose on. */
  readonly open: Ids;
  /** The project that must be as before in the end: only people without the right to change it ask for it. */
  readonly guarded: Ids;
  /** Who may change the open project. */
  readonly members: Readonly<Record<string, TestClient>>;
  /** Who may change nothing in the guarded project. */
  readonly outsiders: Readonly<Record<string, TestClient>>;
  /** All that the guarded project holds. */
  guardedState(): Promise<string>;
}

async function createProject(client: TestClient, title: string): Promise<Ids> {
  const project = (await client.post<ProjectEntity>(`${meta}/projects`, { title })).body;
  const table = (
    await client.post<TableEntity>(`${meta}/projects/${project.id}/tables`, {
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
    })
  ).body;
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
  return {
    project: project.id,
    table: table.id,
    column,
    view,
    viewColumn: columns.body[0]?.id ?? '',
    sort: sort.body.id,
    filter: filter.body.id,
    operation: made.headers.get('x-trellis-operation') ?? 'op_00000000000000',
  };
}

/** Starts a server on the given database and fills it. */
export async function createHostileGround(database: string | undefined): Promise<HostileGround> {
  const server = await createTestServer({ database });
  const owner = await server.signUp();
  const [editor, viewer, other, leaver] = await Promise.all(
    [1, 2, 3, 4].map((person) => server.signUp(`other${person}@example.com`)),
  );
  if (!editor || !viewer || !other || !leaver) throw new Error('Four accounts were asked for');
  const open = await createProject(owner, 'Open');
  const guarded = await createProject(owner, 'Guarded');
  await createProject(other, 'Elsewhere');
  const access = server.host.container.get(AccessServiceToken);
  const idOf = async (client: TestClient) =>
    (await client.get<{ id: string }>('/api/v1/auth/user/me')).body.id;
  await access.grant(open.project, await idOf(editor), 'editor');
  await access.grant(open.project, await idOf(viewer), 'viewer');
  await access.grant(guarded.project, await idOf(viewer), 'viewer');
  return {
    server,
    open,
    guarded,
    members: { owner, editor, viewer },
    outsiders: {
      viewer,
      other,
      leaver,
      stranger: server.client,
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
        `/api/v1/db/data/noco/${guarded.project}/${guarded.table}?limit=1000`,
      ];
      const answers = [];
      for (const path of parts) answers.push(JSON.stringify((await owner.get(path)).body));
      return answers.join('\n');
    },
  };
}
