import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { text } from 'node:stream/consumers';
import { AccessServiceToken, AccountStoreToken, type RowInput } from '@trellis/sdk/server';
import type { TableEntity } from '@trellis/sdk/shared';
import {
  askUntil,
  type TestAnswer,
  type TestClient,
  testPlugin,
  type TestServer,
} from '@trellis/sdk/testing/server';
import { describeEachHome, type StartServer } from './each-home.ts';

const data = '/api/v1/db/data/noco/Desk';
const bulk = '/api/v1/db/data/bulk/noco/Desk';
const meta = '/api/v1/db/meta';

const jsonLines = testPlugin('json-lines', (own) => {
  own.register('importers', {
    id: 'json-lines',
    label: 'JSON lines',
    extensions: ['jsonl'],
    mediaTypes: ['application/x-ndjson'],
    async *read(content) {
      for (const line of (await text(content)).trim().split('\n')) yield JSON.parse(line) as RowInput;
    },
  });
});

/** What an answer says, without the id by which it is found in the log. */
const said = ({ status, body }: TestAnswer) => ({ status, body });

/** Tasks belong to goals and have labels; of goals and labels an editor has those of which they are the owner. */
function describeLinks(start: StartServer): void {
  let server: TestServer;
  let owner: TestClient;
  let ann: TestClient;
  let project = '';
  let goals: TableEntity;
  let tasks: TableEntity;
  let labels: TableEntity;
  /** The column of tasks that holds the key of their goal. */
  let goal = '';

  const idOf = (table: TableEntity, title: string) =>
    table.columns?.find((column) => column.title === title)?.id ?? '';
  const rule = (table: TableEntity) =>
    `/api/v1/plugins/row-rules/projects/${project}/rules/${table.id}/editor`;
  async function limit(table: TableEntity, limits: 'see' | 'change'): Promise<void> {
    const condition = { kind: 'condition', logicalOp: 'and', operator: 'anyof', value: '@me' };
    const filters = [{ ...condition, columnId: idOf(table, 'Owner') }];
    expect((await owner.put(rule(table), { filters, limits })).status).toBe(200);
  }
  const ofGoal = async (key: number) =>
    (await owner.get<{ list: { Id: number }[] }>(`${data}/Goals/${key}/hm/Steps?sort=Id`)).body.list.map(
      ({ Id }) => Id,
    );
  const labelsOf = async (key: number, client = owner) =>
    (await client.get<{ list: { Id: number }[] }>(`${data}/Tasks/${key}/mm/Labels?sort=Id`)).body.list.map(
      ({ Id }) => Id,
    );
  const undo = (client: TestClient, of: TestAnswer) =>
    client.post(
      `/api/v1/db/data/operations/${project}/${of.headers.get('x-trellis-operation') ?? ''}/undo`,
      {},
    );
  const setCells = (client: TestClient, table: string, column: string, cells: readonly object[]) =>
    client.put<{ refused: { row: string; code: string }[] }>(`${bulk}/${table}/links/${column}`, cells);

  /** Adds rows from a file, and says how that ended. */
  async function load(client: TestClient, rows: readonly object[]) {
    const answer = await fetch(`${server.url}${data}/Tasks/import/json-lines`, {
      method: 'POST',
      headers: { 'xc-auth': client.token ?? '', 'content-type': 'application/x-ndjson' },
      body: rows.map((row) => JSON.stringify(row)).join('\n'),
    });
    const { id } = (await answer.json()) as { id: string };
    const { state, error } = await askUntil(
      async () => (await client.get<{ state: string; error?: unknown }>(`/api/v1/tasks/${id}`)).body,
      (task) => !['waiting', 'running'].includes(task.state),
    );
    return { state, error };
  }

  /** What the history of a row tells of links that stand in other rows: what was taken and what was made. */
  async function told(client: TestClient, row: string) {
    const { body } = await client.get<{ list?: readonly { cells: readonly Record<string, unknown>[] }[] }>(
      `${data}/${row}/history`,
    );
    return (body.list ?? []).flatMap(({ cells }) =>
      cells.flatMap(({ before, after }) => (Array.isArray(before ?? after) ? [[before, after]] : [])),
    );
  }

  beforeAll(async () => {
    server = await start({ plugins: [jsonLines] });
    owner = await server.signUp('owner@example.com');
    project = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Desk' })).body.id;
    ann = await server.signUp('ann@example.com');
    const { container } = server.host;
    const account = await container.get(AccountStoreToken).byEmail('ann@example.com');
    await container.get(AccessServiceToken).grant(project, account?.id ?? '', 'editor');
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
      { title: 'Owner', uidt: 'Collaborator' },
    ];
    const made = async (title: string) =>
      (await owner.post<TableEntity>(`${meta}/projects/${project}/tables`, { title, columns })).body;
    [goals, tasks, labels] = [await made('Goals'), await made('Tasks'), await made('Labels')];
    const link = (title: string, parent: TableEntity, child: TableEntity, type: string) =>
      owner.post(`${meta}/tables/${parent.id}/columns`, {
        title,
        uidt: 'LinkToAnotherRecord',
        parentId: parent.id,
        childId: child.id,
        type,
      });
    await link('Steps', goals, tasks, 'hm');
    await link('Labels', tasks, labels, 'mm');
    await link('Parts', tasks, tasks, 'hm');
    tasks = (await owner.get<TableEntity>(`${meta}/tables/${tasks.id}`)).body;
    const keys = (tasks.columns ?? []).filter(({ uidt }) => uidt === 'ForeignKey');
    goal = keys.find(({ title }) => title?.endsWith('goals_id'))?.title ?? '';
    expect(goal).not.toBe('');
    for (const table of ['Goals', 'Labels', 'Tasks'])
      for (const [Id, Owner] of [
        [1, 'ann@example.com'],
        [2, 'owner@example.com'],
        [3, 'ann@example.com'],
      ])
        await owner.post(`${data}/${table}`, { Id, Name: `${table} ${Id}`, Owner });
  });
  beforeEach(async () => {
    for (const table of [goals, tasks, labels]) await owner.delete(rule(table));
    for (const key of [1, 2, 3]) await owner.patch(`${data}/Tasks/${key}`, { [goal]: null });
    await setCells(
      owner,
      'Tasks',
      'Labels',
      ['1', '2', '3'].map((row) => ({ row, rows: [] })),
    );
    await setCells(
      owner,
      'Tasks',
      'Parts',
      ['1', '2', '3'].map((row) => ({ row, rows: [] })),
    );
  });
  afterAll(() => server?.dispose());

  test('a row out of sight cannot be named by a foreign key, and is answered like one that is not there', async () => {
    await limit(goals, 'see');
    await owner.patch(`${data}/Tasks/3`, { [goal]: 2 });
    const ways: Record<string, (key: number) => Promise<TestAnswer>> = {
      insert: (key) => ann.post(`${data}/Tasks`, { Name: 'New', [goal]: key }),
      update: (key) => ann.patch(`${data}/Tasks/1`, { [goal]: key }),
      'bulk insert': (key) => ann.post(`${bulk}/Tasks`, [{ Name: 'New', [goal]: 1 }, { [goal]: key }]),
      'bulk update': (key) =>
        ann.patch(`${bulk}/Tasks`, [
          { Id: 1, [goal]: key },
          { Id: 2, Name: 'New' },
        ]),
      'update by a condition': (key) => ann.patch(`${bulk}/Tasks/all?where=(Id,lt,3)`, { [goal]: key }),
    };
    for (const [way, write] of Object.entries(ways)) {
      const [hidden, missing] = [said(await write(2)), said(await write(999))];
      expect({ way, ...hidden }).toEqual({ way, ...missing });
      expect({ way, status: hidden.status }).toEqual({ way, status: 400 });
    }
    expect(await ofGoal(2)).toEqual([3]);
    expect((await owner.get(`${data}/Tasks/count`)).body).toEqual({ count: 3 });
    // What belongs to it already stays as it is, and can be changed otherwise.
    expect((await ann.patch(`${data}/Tasks/3`, { Name: 'Tasks 3' })).status).toBe(200);
    expect((await ann.patch(`${bulk}/Tasks`, [{ Id: 3, [goal]: 2 }])).status).toBe(200);
    expect((await ann.patch(`${bulk}/Tasks/all?where=(Id,lt,3)`, { [goal]: 1 })).body).toBe(2);
    expect(await ofGoal(1)).toEqual([1, 2]);
    expect((await ann.patch(`${data}/Tasks/1`, { [goal]: 3 })).status).toBe(200);
    expect((await ann.patch(`${data}/Tasks/1`, { [goal]: null })).status).toBe(200);
  });

  test('nor by a condition that so many rows meet that they are written as a set', async () => {
    const many = Array.from({ length: 5001 }, () => ({ Name: 'Many' }));
    for (const rows of [many, many]) await owner.post(`${bulk}/Tasks`, rows);
    await limit(goals, 'see');
    const write = (key: number) => ann.patch(`${bulk}/Tasks/all?where=(Name,eq,Many)`, { [goal]: key });
    const hidden = said(await write(2));
    expect(hidden).toEqual(said(await write(999)));
    expect(hidden.status).toBe(400);
    expect(await ofGoal(2)).toEqual([]);
    expect((await write(1)).body).toBe(10_002);
    // Whether one of them is in sight nobody can say.
    expect((await told(ann, 'Goals/1'))[0]).toEqual([null, ['…']]);
    await limit(tasks, 'see');
    expect((await told(ann, 'Goals/1')).flat()).not.toContainEqual(['…']);
    expect((await told(owner, 'Goals/1'))[0]).toEqual([null, ['…']]);
    await owner.delete(rule(tasks));
    await owner.delete(`${bulk}/Tasks/all?where=(Name,eq,Many)`);
  });

  test('the history of a row tells of no link to a row out of sight, nor of one from before it came into sight', async () => {
    for (const [table, Id, Owner] of [
      ['Goals', 11, 'owner@example.com'],
      ['Tasks', 11, 'ann@example.com'],
      ['Tasks', 12, 'owner@example.com'],
      ['Labels', 11, 'ann@example.com'],
      ['Labels', 12, 'owner@example.com'],
    ])
      await owner.post(`${data}/${table}`, { Id, Name: `${table} ${Id}`, Owner });
    const rows = (table: string, Id: number) => [{ Id, Name: `${table} ${Id}` }];
    await owner.post(`${data}/Goals/11/hm/Steps/11`);
    await owner.patch(`${data}/Goals/11`, { Owner: 'ann@example.com' });
    await owner.post(`${data}/Goals/11/hm/Steps/12`);
    await owner.delete(`${data}/Goals/11/hm/Steps/11`);
    await owner.post(`${data}/Tasks/11/mm/Labels/12`);
    await owner.post(`${data}/Tasks/11/mm/Labels/11`);
    const links = [
      [rows('Tasks', 11), null],
      [null, rows('Tasks', 12)],
      [null, rows('Tasks', 11)],
    ];
    expect(await told(ann, 'Goals/11')).toEqual(links);
    expect(await told(ann, 'Tasks/11')).toHaveLength(2);
    await limit(goals, 'see');
    expect(await told(ann, 'Goals/11')).toEqual(links.slice(0, 2));
    await limit(tasks, 'see');
    expect(await told(ann, 'Goals/11')).toEqual(links.slice(0, 1));
    expect(await told(owner, 'Goals/11')).toEqual(links);
    await limit(labels, 'see');
    expect(await told(ann, 'Tasks/11')).toEqual([[null, rows('Labels', 11)]]);
    // Of one that is gone nobody can say whether it was in sight.
    await owner.delete(`${data}/Tasks/11/mm/Labels/11`);
    await owner.delete(`${data}/Labels/11`);
    expect(await told(ann, 'Tasks/11')).toEqual([]);
    expect(await told(owner, 'Tasks/11')).toHaveLength(3);
    await owner.delete(`${data}/Tasks/11/mm/Labels/12`);
    for (const row of ['Tasks/11', 'Tasks/12', 'Goals/11', 'Labels/12']) await owner.delete(`${data}/${row}`);
  });

  test('nor by rows of a file', async () => {
    await limit(goals, 'see');
    const hidden = await load(ann, [{ Name: 'New', [goal]: 2 }]);
    expect(hidden).toEqual(await load(ann, [{ Name: 'New', [goal]: 999 }]));
    expect(hidden.state).not.toBe('done');
    expect(await ofGoal(2)).toEqual([]);
    expect((await owner.get(`${data}/Tasks/count`)).body).toEqual({ count: 3 });
  });

  test('rows of a file are those that their author may change', async () => {
    await limit(tasks, 'change');
    expect(await load(ann, [{ Name: 'Theirs', Owner: 'owner@example.com' }])).toMatchObject({
      state: 'failed',
    });
    expect((await owner.get(`${data}/Tasks/count`)).body).toEqual({ count: 3 });
    expect(await load(ann, [{ Name: 'Mine' }])).toMatchObject({ state: 'done' });
    const mine = await owner.get<{ Id: number }>(`${data}/Tasks/find-one?where=(Name,eq,Mine)`);
    expect(mine.body).toMatchObject({ Owner: 'ann@example.com' });
    await owner.delete(`${data}/Tasks/${mine.body.Id}`);
  });

  test('who links two rows may change the one and sees the other', async () => {
    await limit(tasks, 'change');
    await limit(labels, 'see');
    const refused = { status: 403, body: { code: 'ROW_NOT_CHANGEABLE', params: { table: 'Tasks' } } };
    const place = (task: number, label: number) => `${data}/Tasks/${task}/mm/Labels/${label}`;
    expect(await ann.post(place(2, 1))).toMatchObject(refused);
    expect(said(await ann.post(place(1, 2)))).toEqual(said(await ann.post(place(1, 999))));
    expect((await ann.post(place(1, 2))).status).toBe(404);
    expect((await ann.post(place(999, 1))).status).toBe(404);
    expect((await ann.post(place(1, 1))).status).toBe(200);
    await owner.post(place(2, 1));
    await owner.post(place(1, 2));
    expect(await ann.delete(place(2, 1))).toMatchObject(refused);
    expect((await ann.delete(place(1, 2))).status).toBe(404);
    expect(await labelsOf(1)).toEqual([1, 2]);
    expect(await labelsOf(2)).toEqual([1]);
    // A cell is set as far as it is seen: the link that only others see stays.
    expect((await setCells(ann, 'Tasks', 'Labels', [{ row: '1', rows: ['3'] }])).body.refused).toEqual([]);
    expect(await labelsOf(1)).toEqual([2, 3]);
    expect(await labelsOf(1, ann)).toEqual([3]);
    const cells = [
      { row: '2', rows: [] },
      { row: '999', rows: [] },
      { row: '3', rows: ['2'] },
    ];
    expect((await setCells(ann, 'Tasks', 'Labels', cells)).body.refused).toMatchObject([
      { row: '2', code: 'ROW_NOT_CHANGEABLE' },
      { row: '999', code: 'ROW_MISSING' },
      { row: '3', code: 'LINKED_ROWS_GONE' },
    ]);
    expect(await labelsOf(2)).toEqual([1]);
    // From the other side, the row that the call is about may be changed by whoever sees it.
    expect((await ann.post(`${data}/Labels/1/mm/Tasks List/2`)).status).not.toBe(500);
  });

  test('the rows that hold links are no way around that', async () => {
    await limit(tasks, 'change');
    await limit(labels, 'see');
    const { list } = (
      await owner.get<{ list: TableEntity[] }>(`${meta}/projects/${project}/tables?includeM2M=true`)
    ).body;
    const junction = list.find(({ mm }) => mm === true || Number(mm) === 1)?.id ?? '';
    await owner.post(`${data}/Tasks/3/mm/Labels/1`);
    const linked = await owner.get<{ list: Record<string, number>[] }>(`${data}/${junction}`);
    const [row = {}] = linked.body.list;
    const named = (key: number) => Object.keys(row).find((title) => row[title] === key) ?? '';
    const [ofTask, ofLabel] = [named(3), named(1)];
    await owner.delete(`${data}/Tasks/3/mm/Labels/1`);
    const add = (task: number, label: number) =>
      ann.post(`${data}/${junction}`, { [ofTask]: task, [ofLabel]: label });
    const hidden = said(await add(1, 2));
    expect(hidden).toEqual(said(await add(1, 999)));
    expect(hidden.status).toBe(400);
    expect((await add(1, 1)).status).toBe(200);
    await owner.post(`${data}/Tasks/1/mm/Labels/2`);
    // Whether they are linked already is not told either.
    expect(said(await add(1, 2))).toEqual(hidden);
    expect((await ann.get(`${data}/${junction}/count`)).body).toEqual({ count: 1 });
    await ann.delete(`${bulk}/${junction}/all?confirm=all`);
    expect(await labelsOf(1)).toEqual([2]);
    await limit(labels, 'change');
    await owner.post(`${data}/Tasks/2/mm/Labels/2`);
    expect((await add(2, 2)).status).toBeGreaterThanOrEqual(400);
    expect((await ann.delete(`${bulk}/${junction}`, [{ [ofTask]: 2, [ofLabel]: 2 }])).body).toEqual([0]);
    expect(await labelsOf(2)).toEqual([2]);
  });

  test('of a link that stands in the other row, both may be changed', async () => {
    await limit(tasks, 'change');
    const refused = { status: 403, body: { code: 'ROW_NOT_CHANGEABLE', params: { table: 'Tasks' } } };
    expect(await ann.post(`${data}/Goals/1/hm/Steps/2`)).toMatchObject(refused);
    expect((await ann.post(`${data}/Goals/1/hm/Steps/1`)).status).toBe(200);
    await owner.post(`${data}/Goals/1/hm/Steps/2`);
    expect(await ann.delete(`${data}/Goals/1/hm/Steps/2`)).toMatchObject(refused);
    const cells = [
      { row: '1', rows: ['1'] },
      { row: '2', rows: ['3'] },
    ];
    expect((await setCells(ann, 'Goals', 'Steps', cells)).body.refused).toMatchObject([
      { row: '1', code: 'ROW_NOT_CHANGEABLE' },
    ]);
    expect([await ofGoal(1), await ofGoal(2)]).toEqual([[1, 2], [3]]);
    await limit(goals, 'change');
    expect(await ann.post(`${data}/Goals/2/hm/Steps/1`)).toMatchObject({
      status: 403,
      body: { code: 'ROW_NOT_CHANGEABLE', params: { table: 'Goals' } },
    });
    expect(await ofGoal(1)).toEqual([1, 2]);
    // A row that is only seen may be linked within its table by one that may be changed.
    expect((await ann.patch(`${data}/Tasks/1`, { [goal]: 2 })).status).toBe(200);
  });

  test('within one table, the row that is pointed to need only be seen', async () => {
    await limit(tasks, 'change');
    const parent = (tasks.columns ?? []).find(
      ({ uidt, title }) => uidt === 'ForeignKey' && title !== goal,
    )?.title;
    expect((await ann.patch(`${data}/Tasks/1`, { [parent ?? '']: 2 })).status).toBe(200);
    expect((await ann.patch(`${data}/Tasks/2`, { [parent ?? '']: 1 })).status).toBe(403);
  });

  test('links come back by undo as they could be made, and a row with those that it had', async () => {
    await limit(labels, 'see');
    const linked = await owner.post(`${data}/Tasks/1/mm/Labels/2`);
    expect((await undo(ann, linked)).status).toBeGreaterThanOrEqual(400);
    expect(await labelsOf(1)).toEqual([2]);
    const taken = await owner.delete(`${data}/Tasks/1/mm/Labels/2`);
    expect((await undo(ann, taken)).status).toBeGreaterThanOrEqual(400);
    expect(await labelsOf(1)).toEqual([]);
    await limit(goals, 'see');
    await owner.patch(`${data}/Tasks/1`, { [goal]: 2 });
    const moved = await owner.patch(`${data}/Tasks/1`, { [goal]: null });
    expect((await undo(ann, moved)).status).toBeGreaterThanOrEqual(400);
    expect(await ofGoal(2)).toEqual([]);
    expect((await undo(owner, moved)).status).toBe(200);
    const gone = await ann.delete(`${data}/Tasks/1`);
    expect(await ofGoal(2)).toEqual([]);
    expect((await undo(ann, gone)).status).toBe(200);
    expect(await ofGoal(2)).toEqual([1]);
  });
}

describeEachHome('rules for linked rows', describeLinks);
