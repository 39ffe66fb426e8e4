import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ColumnTypeDefinition, TableEntity, ViewGroup, ViewList } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';
import type { RestoreEntity } from '../../plugins/schedules/shared/index.ts';
import { backupsOf } from '../../plugins/schedules/testing/backups.ts';
import { basicTypes, switchableTypes } from './filled-types.ts';

type Row = Readonly<Record<string, unknown>>;
interface List {
  readonly list: readonly Row[];
}

const types = [...basicTypes, ...Object.values(switchableTypes).flat()].filter(
  // Keys of other tables come with links, and files have to be sent first.
  ({ id }) => id !== 'ForeignKey' && id !== 'Attachment',
);

/** What members see of a project, with what things are called in place of their ids. */
async function lookOf(client: TestClient, projectId: string): Promise<unknown> {
  const get = async <Body>(path: string) => (await client.get<Body>(path)).body;
  const { list: tables } = await get<{ list: TableEntity[] }>(`/api/v1/db/meta/projects/${projectId}/tables`);
  const names = new Map<string, string>();
  const looks: unknown[] = [];
  for (const { id } of tables) {
    const table = await get<TableEntity>(`/api/v1/db/meta/tables/${id}`);
    names.set(id, table.title);
    for (const column of table.columns ?? []) names.set(column.id, `${table.title}.${column.title}`);
    const { list: views, groups } = await get<ViewList>(`/api/v1/db/meta/tables/${id}/views`);
    for (const group of groups) names.set(group.id, `${table.title}/${group.title}`);
    const shown: unknown[] = [];
    for (const view of views) {
      names.set(view.id, `${table.title}/${view.title}`);
      const of = `/api/v1/db/meta/views/${view.id}`;
      shown.push({
        view,
        columns: await get(`${of}/columns`),
        sorts: await get(`${of}/sorts`),
        filters: await get(`${of}/filters`),
      });
    }
    const rows = await get<List>(`/api/v1/db/data/noco/${projectId}/${id}?limit=1000&fields=*`);
    looks.push({ table: { ...table, views: undefined }, groups, shown, rows: rows.list });
  }
  const isPassing = new Set([
    'id',
    'created_at',
    'updated_at',
    'project_id',
    'base_id',
    'fk_view_id',
    'fk_parent_id',
  ]);
  const plain = (value: unknown, isRow = false): unknown => {
    if (typeof value === 'string')
      return (
        value
          .replace(/[a-z0-9_]{12,40}/g, (id) => names.get(id) ?? id)
          .replace(/nc_\w{4}__/g, '')
          // Tables between two have names of their own each time.
          .replace(/_nc_m2m_\w+/g, 'between')
          .replace(/\b(?:md|cl)_[a-z0-9]{14}/g, 'between')
          .replace(/\/download\/[^"]+/g, '/download/a-file')
      );
    if (Array.isArray(value)) return value.map((item) => plain(item, isRow));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).flatMap(([key, of]): [string, unknown][] => {
      if (!isRow && isPassing.has(key)) return [];
      // In the order of ids, which are others each time.
      if (key === 'reached_tables') return [[key, (plain(of) as readonly string[]).toSorted()]];
      return [[String(plain(key)), plain(of, isRow || key === 'rows')]];
    });
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };
  return plain(looks);
}

/** Backups on the database that holds the projects. */
function describeBackups(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let ann: TestClient;

  beforeAll(async () => {
    server = await start();
    ann = await server.signUp('ann@example.com');
    await server.signUp('person1@example.com');
  });
  afterAll(() => server?.dispose());

  const projectOf = async (title: string) =>
    (await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title })).body.id;

  /** A project with a column of every type that is filled, links of every kind, and what is computed from them. */
  async function everything(): Promise<string> {
    const projectId = await projectOf('Everything');
    const data = (table: string) => `/api/v1/db/data/noco/${projectId}/${table}`;
    const post = async <Body>(path: string, body: unknown): Promise<Body> => {
      const answer = await ann.post<Body>(path, body);
      if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify([body, answer.body])}`);
      return answer.body;
    };
    const make = (title: string, columns: readonly object[]) =>
      post<TableEntity>(`/api/v1/db/meta/projects/${projectId}/tables`, {
        title,
        columns: [{ title: 'Id', uidt: 'ID' }, ...columns],
      });
    const add = (table: TableEntity, column: object) =>
      post<TableEntity>(`/api/v1/db/meta/tables/${table.id}/columns`, column);
    const idOf = (table: TableEntity, title: string) =>
      table.columns?.find((column) => column.title === title)?.id ?? '';

    // Whom the examples name is a member for now, and has left by the time of the backup.
    const members = `/api/v1/db/meta/projects/${projectId}/users`;
    await post(members, { email: 'person1@example.com', roles: 'editor' });
    const filled = await make('Filled', [
      { title: 'No', uidt: 'AutoNumber' },
      ...types.map((type) => ({ title: type.id, uidt: type.id, meta: { ...type.options?.defaults } })),
      { title: 'Made', uidt: 'CreateTime' },
      { title: 'Changed', uidt: 'LastModifiedTime' },
      { title: 'Files', uidt: 'Attachment' },
      { title: 'Unique', uidt: 'SingleLineText', unique: true, description: 'No two are alike.' },
      { title: 'Needed', uidt: 'Number', rqd: true, cdf: '7' },
    ]);
    const longest = Math.max(...types.map(({ examples }) => examples.length));
    const exampleOf = ({ examples }: ColumnTypeDefinition, row: number) =>
      examples[row % examples.length]?.input;
    for (let row = 0; row < longest; row += 1)
      await post(data('Filled'), {
        ...Object.fromEntries(types.map((type) => [type.id, exampleOf(type, row)])),
        Unique: row === 1 ? '' : `row ${row}`,
      });
    await post(data('Filled'), {});
    const { users } = (await ann.get<{ users: { list: readonly { id: string; email: string }[] } }>(members))
      .body;
    const person = users.list.find(({ email }) => email === 'person1@example.com');
    await ann.delete(`${members}/${person?.id ?? ''}`);
    const form = new FormData();
    form.append('files', new Blob(['a file']), 'notes.txt');
    const sent = await fetch(
      `${server.url}/api/v1/db/storage/upload?path=${encodeURIComponent(`noco/${projectId}/${filled.id}/Files`)}`,
      { method: 'POST', headers: { 'xc-auth': ann.token ?? '' }, body: form },
    );
    const link = { url: 'https://example.com/a.png', title: 'a.png' };
    const files = [...((await sent.json()) as object[]), link];
    await ann.patch(`${data('Filled')}/2`, { Files: files });
    await ann.patch(`${data('Filled')}/3`, { Files: files });
    await ann.delete(`${data('Filled')}/4`);

    const people = await make('People', [{ title: 'Name', uidt: 'SingleLineText' }]);
    const firms = await make('Firms', [
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'Size', uidt: 'Number' },
    ]);
    const tie = { uidt: 'LinkToAnotherRecord' };
    await add(people, {
      ...tie,
      title: 'Firm',
      parentId: firms.id,
      childId: people.id,
      type: 'bt',
      inverseTitle: 'Staff',
      onDelete: 'cascade',
      onUpdate: 'cascade',
    });
    await add(people, { ...tie, title: 'Boss', parentId: people.id, childId: people.id, type: 'bt' });
    await add(people, {
      ...tie,
      title: 'Friends',
      parentId: people.id,
      childId: people.id,
      type: 'mm',
      inverseTitle: 'Friend of',
    });
    // Firms and people name each other, so that no order of rows has all that they name before them.
    await add(firms, {
      ...tie,
      title: 'Head',
      parentId: people.id,
      childId: firms.id,
      type: 'bt',
      inverseTitle: 'Heads',
    });
    const tied = await add(firms, {
      ...tie,
      title: 'Things',
      parentId: firms.id,
      childId: filled.id,
      type: 'mm',
      inverseTitle: 'Sold by',
    });
    const staff = (await ann.get<TableEntity>(`/api/v1/db/meta/tables/${people.id}`)).body;
    const firm = { fk_relation_column_id: idOf(staff, 'Firm') };
    await add(people, {
      title: 'Firm size',
      uidt: 'Lookup',
      ...firm,
      fk_lookup_column_id: idOf(firms, 'Size'),
    });
    const workers = { fk_relation_column_id: idOf(tied, 'Staff') };
    await add(firms, {
      title: 'Last',
      uidt: 'Rollup',
      ...workers,
      rollup_function: 'max',
      fk_rollup_column_id: idOf(people, 'Id'),
    });
    await add(firms, { title: 'Twice', uidt: 'Formula', formula: '{Size} * 2', formula_raw: '{Size} * 2' });
    await add(firms, { title: 'Again', uidt: 'Formula', formula: '{Twice} + {Last}', formula_raw: '' });

    const names = ['Ann', 'Bob', 'Cleo', 'Dan'];
    for (const Name of names) await post(data('People'), { Name });
    for (const Name of ['Acme', 'Initech']) await post(data('Firms'), { Name, Size: Name.length });
    const tieRows = async (table: string, column: string, pairs: readonly (readonly [number, number])[]) => {
      for (const [from, to] of pairs) await post(`${data(table)}/${from}/mm/${column}/${to}`, undefined);
    };
    const one = async (
      table: string,
      kind: string,
      column: string,
      pairs: readonly (readonly [number, number])[],
    ) => {
      for (const [from, to] of pairs) await post(`${data(table)}/${from}/${kind}/${column}/${to}`, undefined);
    };
    await one('Firms', 'hm', 'Staff', [
      [1, 1],
      [1, 2],
      [2, 3],
    ]);
    await one('People', 'bt', 'Boss', [
      [1, 3],
      [2, 1],
      [4, 4],
    ]);
    await one('Firms', 'bt', 'Head', [
      [1, 2],
      [2, 4],
    ]);
    await tieRows('People', 'Friends', [
      [1, 2],
      [2, 1],
      [3, 4],
    ]);
    await tieRows('Firms', 'Things', [
      [1, 1],
      [1, 2],
      [2, 2],
    ]);

    // Rows that people arranged stand in their order.
    await post(`/api/v1/db/data/bulk/noco/${projectId}/People/move?before=2`, { rows: ['4'] });

    const select = idOf(filled, 'SingleSelect');
    const grid = await post<{ id: string }>(`/api/v1/db/meta/tables/${filled.id}/grids`, { title: 'Few' });
    await post(`/api/v1/db/meta/views/${grid.id}/sorts`, {
      fk_column_id: idOf(filled, 'Number'),
      direction: 'desc',
    });
    const group = await post<{ id: string }>(`/api/v1/db/meta/views/${grid.id}/filters`, {
      is_group: true,
      logical_op: 'or',
    });
    for (const value of ['a', 'b'])
      await post(`/api/v1/db/meta/views/${grid.id}/filters`, {
        fk_column_id: idOf(filled, 'SingleLineText'),
        comparison_op: 'like',
        value,
        logical_op: 'or',
        fk_parent_id: group.id,
      });
    const { body: places } = await ann.get<readonly { id: string; fk_column_id: string }[]>(
      `/api/v1/db/meta/views/${grid.id}/columns`,
    );
    for (const [index, place] of places.slice(0, 4).entries())
      await ann.patch(`/api/v1/db/meta/views/${grid.id}/columns/${place.id}`, {
        show: index % 2 === 0,
        order: 40 - index,
        width: `${200 + index}px`,
      });
    await post(`/api/v1/db/meta/tables/${filled.id}/kanbans`, { title: 'Board', fk_grp_col_id: select });
    await post(`/api/v1/db/meta/tables/${filled.id}/galleries`, { title: 'Cards' });
    await post(`/api/v1/db/meta/tables/${filled.id}/forms`, { title: 'Ask' });
    await post(`/api/v1/db/meta/tables/${filled.id}/calendars`, {
      title: 'Days',
      meta: { ranges: [{ fromId: idOf(filled, 'Date') }] },
    });
    const groups = `/api/v1/db/meta/tables/${filled.id}/view-groups`;
    await post<ViewGroup>(groups, { title: 'Empty' });
    const { id: group_id } = await post<ViewGroup>(groups, { title: 'Chosen' });
    await ann.patch(`/api/v1/db/meta/views/${grid.id}`, { group_id, icon: '🚀', lock_type: 'locked' });
    return projectId;
  }

  test('a backup that is taken while people write holds each row with the rows that it names', async () => {
    const projectId = await projectOf('Busy');
    const data = (table: string) => `/api/v1/db/data/noco/${projectId}/${table}`;
    const make = async (title: string) =>
      (
        await ann.post<TableEntity>(`/api/v1/db/meta/projects/${projectId}/tables`, {
          title,
          columns: [
            { title: 'Id', uidt: 'ID' },
            { title: 'Name', uidt: 'SingleLineText' },
          ],
        })
      ).body;
    const parents = await make('Parents');
    // It is read between the two others, which takes its time.
    await make('Between');
    const children = await make('Children');
    await ann.post(`/api/v1/db/meta/tables/${parents.id}/columns`, {
      uidt: 'LinkToAnotherRecord',
      title: 'Children',
      parentId: parents.id,
      childId: children.id,
      type: 'hm',
      inverseTitle: 'Parent',
    });
    const rows = Array.from({ length: 6000 }, (_, n) => ({ Name: `${n} `.repeat(40) }));
    for (let from = 0; from < rows.length; from += 2000)
      await ann.post(`/api/v1/db/data/bulk/noco/${projectId}/Between`, rows.slice(from, from + 2000));
    const addPair = async (Name: string) => {
      const { body: parent } = await ann.post<Row>(data('Parents'), { Name });
      const { body: child } = await ann.post<Row>(data('Children'), { Name });
      await ann.post(
        `${data('Parents')}/${String(parent['Id'])}/hm/Children/${String(child['Id'])}`,
        undefined,
      );
    };
    await addPair('first');
    let isDone = false;
    const backups = backupsOf(ann);
    const backup = backups.backup(projectId).finally(() => {
      isDone = true;
    });
    let pairs = 0;
    for (; !isDone; pairs += 1) await addPair(`pair ${pairs}`);
    expect(pairs).toBeGreaterThan(1);
    const { body: sent } = await backups.send((await backup).archive);
    await backups.begin(sent, 'Busy again');
    const done = await backups.ended(sent);
    expect(done).toMatchObject({ state: 'done', notes: [] });
    const { body } = await ann.get<List>(
      `/api/v1/db/data/noco/${done.project_id ?? ''}/Children?limit=1000&fields=*`,
    );
    // A child that was added but not yet linked at that moment is there without its parent.
    const linked = body.list.filter((row) => row['Parent'] !== null);
    for (const row of linked) expect(row['Parent']).toMatchObject({ Name: row['Name'] });
    expect(linked.length).toBeGreaterThanOrEqual(Math.max(1, body.list.length - 1));
  });

  test('a project comes back from its backup as it was', async () => {
    const projectId = await everything();
    const backups = backupsOf(ann);
    const restored = async (of: RestoreEntity, title: string) => {
      expect(await backups.begin(of, title)).toMatchObject({ status: 200 });
      return backups.ended(of);
    };
    const { path, archive } = await backups.backup(projectId);
    const before = await lookOf(ann, projectId);
    const ready = await backups.send(archive);
    expect(ready).toMatchObject({
      status: 200,
      body: { state: 'ready', about: { title: 'Everything', tables: 3, files: 1 } },
    });
    const { notes, ...done } = await restored(ready.body, 'Everything again');
    expect(notes).toEqual([]);
    expect(done).toMatchObject({ state: 'done', message: null });
    expect(await lookOf(ann, done.project_id ?? '')).toEqual(before);
    // What is restored is a project like any other: it takes rows, and has keys and numbers of its own.
    const { body: row } = await ann.post<Row>(`/api/v1/db/data/noco/${done.project_id ?? ''}/Filled`, {
      SingleLineText: 'new',
    });
    const longest = Math.max(...types.map(({ examples }) => examples.length));
    expect(row).toMatchObject({ Id: longest + 2, No: longest + 2 });
    // From the archive that the run kept as well, of the restored project too.
    const { body: again } = await ann.post<RestoreEntity>(`${path}/restore`, undefined);
    const twice = await restored(again, 'Everything twice');
    expect(await lookOf(ann, twice.project_id ?? '')).toEqual(before);
  });
}

describe('with the projects in SQLite', () => {
  describeBackups(() => createTestServer());
});

describeEachServer('with the projects on a server', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeBackups(() => createTestServer({ database: databases }));
});
