import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AccessServiceToken, AccountStoreToken } from '@trellis/sdk/server';
import type { ColumnEntity, FilterNode, TableEntity } from '@trellis/sdk/shared';
import type { NoticeList } from '../../plugins/notification-center/shared/index.ts';
import { askUntil, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { describeEachHome } from './each-home.ts';

const data = '/api/v1/db/data/noco/Desk';
const meta = '/api/v1/db/meta';

interface Option {
  readonly id: string;
  readonly title: string;
}

/** Conditions that plugins keep outside of views, once the values that they ask for are others. */
function describeMoved(start: () => Promise<TestServer>): void {
  let server: TestServer;
  let owner: TestClient;
  let vic: TestClient;
  let project = '';
  let tasks: TableEntity;
  let goals: TableEntity;

  const column = (table: TableEntity, title: string) =>
    table.columns?.find((of) => of.title === title) as ColumnEntity;
  const condition = (table: TableEntity, title: string, operator: string, value: unknown) => ({
    kind: 'condition',
    logicalOp: 'and',
    columnId: column(table, title).id,
    operator,
    value,
  });
  const rulePath = (table: TableEntity, role = 'viewer') =>
    `/api/v1/plugins/row-rules/projects/${project}/rules/${table.id}/${role}`;
  const put = (table: TableEntity, ...filters: readonly object[]) => owner.put(rulePath(table), { filters });
  const names = async (client: TestClient, table = 'Tasks') =>
    (await client.get<{ list: { Name: string }[] }>(`${data}/${table}?sort=Id`)).body.list.map(
      ({ Name }) => Name,
    );

  /** Sets the options of a column that is called so; `undefined` takes one away. */
  async function setOptions(title: string, change: (title: string) => string | undefined) {
    const { body } = await owner.get<TableEntity>(`${meta}/tables/${tasks.id}`);
    const of = column(body, title);
    const { options } = of.meta as unknown as { readonly options: readonly Option[] };
    const next = options.flatMap((option) => {
      const to = change(option.title);
      return to === undefined ? [] : [{ ...option, title: to }];
    });
    const answer = await owner.patch(`${meta}/columns/${of.id}`, {
      colOptions: { options: next },
      meta: { acceptLoss: true },
    });
    expect(answer).toMatchObject({ status: 200 });
  }
  const rename = (title: string, from: string, to: string) =>
    setOptions(title, (option) => (option === from ? to : option));
  const remove = (title: string, gone: string) =>
    setOptions(title, (option) => (option === gone ? undefined : option));

  beforeAll(async () => {
    server = await start();
    owner = await server.signUp('owner@example.com');
    project = (await owner.post<{ id: string }>(`${meta}/projects`, { title: 'Desk' })).body.id;
    vic = await server.signUp('vic@example.com');
    const { container } = server.host;
    const account = await container.get(AccountStoreToken).byEmail('vic@example.com');
    await container.get(AccessServiceToken).grant(project, account?.id ?? '', 'viewer');
    const columns = [
      { title: 'Id', uidt: 'ID' },
      { title: 'Name', uidt: 'SingleLineText' },
    ];
    const made = (body: object) => owner.post<TableEntity>(`${meta}/projects/${project}/tables`, body);
    const list = (...titles: readonly string[]) => ({ options: titles.map((title) => ({ title })) });
    tasks = (
      await made({
        title: 'Tasks',
        columns: [
          ...columns,
          { title: 'State', uidt: 'SingleSelect', colOptions: list('Open', 'Secret', 'Hidden', 'Old') },
          { title: 'Tags', uidt: 'MultiSelect', colOptions: list('red', 'green') },
        ],
      })
    ).body;
    goals = (await made({ title: 'Goals', columns })).body;
    await owner.post(`${meta}/tables/${goals.id}/columns`, {
      title: 'Steps',
      uidt: 'LinkToAnotherRecord',
      parentId: goals.id,
      childId: tasks.id,
      type: 'hm',
    });
    const again = async (of: TableEntity) => (await owner.get<TableEntity>(`${meta}/tables/${of.id}`)).body;
    goals = await again(goals);
    tasks = await again(tasks);
    await owner.post(`${meta}/tables/${goals.id}/columns`, {
      title: 'States',
      uidt: 'Lookup',
      fk_relation_column_id: column(goals, 'Steps').id,
      fk_lookup_column_id: column(tasks, 'State').id,
    });
    goals = await again(goals);
    for (const [Name, State, Tags] of [
      ['one', 'Open', 'red'],
      ['two', 'Secret', 'red,green'],
      ['three', 'Hidden', null],
      ['four', 'Old', 'green'],
    ]) {
      await owner.post(`${data}/Tasks`, { Name, State, Tags });
      await owner.post(`${data}/Goals`, { Name: `goal ${Name}` });
    }
    for (const key of [1, 2, 3, 4]) await owner.post(`${data}/Goals/${key}/hm/Steps/${key}`);
  });
  afterAll(() => server?.dispose());

  test('a rule keeps rows from a role when the option that it names is called otherwise', async () => {
    const group: FilterNode = {
      kind: 'group',
      logicalOp: 'and',
      children: [condition(tasks, 'State', 'noneof', 'Hidden,Old') as FilterNode],
    };
    expect(await put(tasks, condition(tasks, 'State', 'neq', 'Secret'), group)).toMatchObject({
      status: 200,
    });
    expect(await names(vic)).toEqual(['one']);
    await rename('State', 'Secret', 'Top secret');
    await rename('State', 'Hidden', 'Covered');
    expect(await names(vic)).toEqual(['one']);
    const { body } = await owner.get<{ list: readonly { filters: readonly FilterNode[] }[] }>(
      `/api/v1/plugins/row-rules/projects/${project}/rules`,
    );
    expect(body.list[0]?.filters).toMatchObject([
      { operator: 'neq', value: 'Top secret' },
      { children: [{ operator: 'noneof', value: 'Covered,Old' }] },
    ]);
    expect(await owner.delete(rulePath(tasks))).toMatchObject({ status: 200 });
  });

  test('so does a rule over what a lookup shows of it', async () => {
    expect(await put(goals, condition(goals, 'States', 'nlike', 'Top secret'))).toMatchObject({
      status: 200,
    });
    expect(await names(vic, 'Goals')).toEqual(['goal one', 'goal three', 'goal four']);
    await rename('State', 'Top secret', 'Sealed');
    expect(await names(vic, 'Goals')).toEqual(['goal one', 'goal three', 'goal four']);
    expect(await owner.delete(rulePath(goals))).toMatchObject({ status: 200 });
  });

  test('a rule that names an option which is gone leaves no row, until it is made anew', async () => {
    expect(await put(tasks, condition(tasks, 'State', 'noneof', ['Old', 'Sealed']))).toMatchObject({
      status: 200,
    });
    expect(await names(vic)).toEqual(['one', 'three']);
    await remove('State', 'Old');
    expect(await names(vic)).toEqual([]);
    expect(await names(owner)).toHaveLength(4);
    expect((await owner.get(`/api/v1/plugins/row-rules/projects/${project}/rules`)).body).toMatchObject({
      list: [{ isStopped: true }],
    });
    expect(await put(tasks, condition(tasks, 'State', 'noneof', 'Sealed'))).toMatchObject({ status: 200 });
    expect(await names(vic)).toEqual(['one', 'three', 'four']);
    // What asks for no value that is gone goes on.
    await remove('State', 'Covered');
    expect(await names(vic)).toEqual(['one', 'three', 'four']);
    expect(await owner.delete(rulePath(tasks))).toMatchObject({ status: 200 });
  });

  test('a rule over several options of a cell follows and ends like one over a single option', async () => {
    expect(await put(tasks, condition(tasks, 'Tags', 'noneof', 'green'))).toMatchObject({ status: 200 });
    expect(await names(vic)).toEqual(['one', 'three']);
    await rename('Tags', 'green', 'olive');
    expect(await names(vic)).toEqual(['one', 'three']);
    await remove('Tags', 'olive');
    expect(await names(vic)).toEqual([]);
    expect(await owner.delete(rulePath(tasks))).toMatchObject({ status: 200 });
  });

  test('so does what a person keeps of a view for themselves', async () => {
    const storage = '/api/v1/user-storage';
    const key = `sys-tables.own-look.${tasks.views?.[0]?.id}`;
    const look = (value: string) => ({
      filters: [
        { ...condition(tasks, 'State', 'neq', value), id: 'a' },
        { kind: 'group', logicalOp: 'and', children: [condition(tasks, 'Tags', 'anyof', 'red')] },
      ],
      additions: {
        'row-colors': {
          by: 'rules',
          rules: [{ id: 'r', color: '#ff0000', filters: [condition(tasks, 'State', 'eq', value)] }],
        },
        'gone-plugin': { of: value },
      },
    });
    const others = { 'sys-tables.other': look('Open') };
    expect(await vic.put(storage, { [key]: look('Open'), ...others })).toMatchObject({ status: 200 });
    await rename('State', 'Open', 'To do');
    const { body } = await vic.get<Record<string, unknown>>(storage);
    expect(body[key]).toEqual({
      ...look('To do'),
      additions: { ...look('To do').additions, 'gone-plugin': { of: 'Open' } },
    });
    expect(body).toMatchObject(others);
    await rename('State', 'To do', 'Open');
  });

  test('webhooks and automations follow a renamed option, and are paused once one that they name is deleted', async () => {
    const { body: added } = await owner.post<TableEntity>(`${meta}/tables/${tasks.id}/columns`, {
      title: 'Stage',
      uidt: 'SingleSelect',
      colOptions: { options: [{ title: 'New' }, { title: 'Sold' }, { title: 'Lost' }] },
    });
    tasks = added;
    const asked = (value: string) => ({
      fk_column_id: column(tasks, 'Stage').id,
      comparison_op: 'noneof',
      value,
      logical_op: 'and',
    });
    const hook = await owner.post<{ id: string }>(`${meta}/tables/${tasks.id}/hooks`, {
      title: 'Tell',
      event: 'after',
      operation: 'insert',
      active: true,
      condition: true,
      notification: {
        type: 'URL',
        payload: { method: 'POST', path: 'https://hooks.example.com/tell', body: '{}' },
      },
    });
    const hookPath = `${meta}/hooks/${hook.body.id}/filters`;
    expect(await owner.post(hookPath, asked('Sold,Lost'))).toMatchObject({ status: 200 });
    const automation = await owner.post<{ id: string }>(
      `/api/v1/plugins/automations/projects/${project}/automations`,
      {
        title: 'Plan',
        trigger: { type: 'row.added', settings: { table: tasks.id } },
        conditions: [{ is_group: true, logical_op: 'and', children: [asked('Sold')] }],
        steps: [
          {
            id: 'find',
            name: 'find',
            type: 'rows.find',
            settings: { table: tasks.id, conditions: [asked('Lost')] },
          },
        ],
      },
    );
    expect(automation).toMatchObject({ status: 200 });
    const automationNow = () => owner.get(`/api/v1/plugins/automations/automations/${automation.body.id}`);
    await rename('Stage', 'Sold', 'Won');
    expect((await owner.get(hookPath)).body).toMatchObject([{ value: 'Won,Lost' }]);
    expect((await automationNow()).body).toMatchObject({
      version: 1,
      paused: null,
      conditions: [{ is_group: true, children: [{ comparison_op: 'noneof', value: 'Won' }] }],
      steps: [{ settings: { conditions: [{ value: 'Lost' }] } }],
    });
    await remove('Stage', 'Lost');
    expect((await automationNow()).body).toMatchObject({ paused: { code: 'AUTOMATION_VALUE_GONE' } });
    expect((await owner.get(`${meta}/tables/${tasks.id}/hooks`)).body).toMatchObject({
      list: [{ paused_code: 'HOOK_VALUE_GONE' }],
    });
    // Whoever made them is told, whoever it was that deleted the option.
    const notices = async () =>
      (await owner.get<NoticeList>('/api/v1/plugins/notification-center/notices')).body.list;
    const told = await askUntil(notices, (list) => list.length >= 2);
    expect(told.map(({ kind, title }) => `${kind} ${title}`).toSorted()).toEqual([
      'automation-paused Plan',
      'webhook-paused Tell',
    ]);
  });
}

describeEachHome('conditions outside of views', describeMoved);
