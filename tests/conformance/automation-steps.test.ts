import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AutomationsToken, type Automations } from '@trellis/sdk/server';
import { Veto } from '@trellis/sdk/shared';
import { testPlugin, type TestServerOptions } from '@trellis/sdk/testing/server';
import type {
  AutomationEntity,
  KindsEntity,
  TryAnswer,
  VersionEntity,
} from '../../plugins/automations/shared/index.ts';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';
import { openDesk, type Desk } from '../../plugins/automations/testing/desk.ts';

const base = '/api/v1/plugins/automations';
let service: Automations | undefined;
let isLinkRefused = false;

/** What somebody else brings: a step that lets a moment pass, and a trigger. */
const guest = testPlugin(
  'guest',
  (ctx) => {
    service = ctx.get(AutomationsToken);
    ctx.tap('rows.willUpdate', (changes) => {
      if (isLinkRefused) throw new Veto('NO_LINKS', 'No links today.');
      return changes;
    });
    ctx.register('automationSteps', {
      id: 'guest.moment',
      label: 'Let a moment pass',
      icon: 'clock',
      inputs: [],
      outputs: ['passed'],
      prepare: () =>
        Promise.resolve({
          shown: {},
          expected: { passed: true },
          take: () => Promise.resolve({ output: { passed: true }, resumeAt: Date.now() + 50 }),
        }),
    });
    ctx.register('automationTriggers', {
      id: 'guest.bell',
      label: 'The bell rings',
      icon: 'bell',
      inputs: [{ id: 'bell', label: 'Which bell', kind: 'text', isRequired: true }],
      values: ['loudness'],
    });
  },
  { dependencies: { automations: '*' }, contributes: { hooks: ['rows.willUpdate'] } },
);

/** On the database that holds the projects and the runs. */
function describeOn(open: (options: TestServerOptions) => Promise<Desk>): void {
  let desk: Desk;
  const cells = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([title, text]) => [desk.column(desk.tasks, title), text]));
  const task = (values: Readonly<Record<string, string>>) => ({
    id: 'task',
    name: 'task',
    type: 'row.create',
    settings: { table: desk.tasks.id, cells: cells(values) },
  });
  const call = (path: string, body: string) => ({
    id: 'call',
    name: 'call',
    type: 'address.call',
    settings: { method: 'POST', path: desk.receiver.url + path, body },
  });
  const ask = (row: object) => desk.ann.post<{ Id: number }>(desk.rows('Requests'), row);
  const isDone = (list: readonly { readonly state: string }[]) => list[0]?.state === 'done';

  beforeAll(async () => {
    desk = await open({ plugins: [guest] });
  });
  afterAll(() => desk?.close());

  test('changes all rows that meet conditions at once, and deletes the row that started it', async () => {
    for (const Note of ['open', 'open', 'done'])
      await desk.ann.post(desk.rows('Tasks'), { Title: 'tidy', Note });
    const where = (column: string, value: string) => ({
      fk_column_id: desk.column(desk.tasks, column),
      comparison_op: 'eq',
      value,
      logical_op: 'and',
    });
    const change = (conditions: readonly object[]) => ({
      id: 'change',
      name: 'change',
      type: 'rows.update',
      settings: { table: desk.tasks.id, conditions, cells: cells({ Priority: 'by {{row.Note}}' }) },
    });
    const remove = {
      id: 'remove',
      name: 'remove',
      type: 'row.delete',
      settings: { table: desk.requests.id, key: '{{trigger.row}}' },
    };
    await expect(desk.make({ steps: [change([])] })).rejects.toThrow('Rows that meet these conditions');
    const { id } = await desk.make({
      conditions: [
        {
          fk_column_id: desk.column(desk.requests, 'Title'),
          comparison_op: 'eq',
          value: 'tidy',
          logical_op: 'and',
        },
      ],
      steps: [change([where('Title', '{{row.Title}}'), where('Note', 'open')]), remove],
    });
    await ask({ Title: 'tidy', Note: 'Ann' });
    const [run] = await desk.runs(id, isDone);
    expect((await desk.run(id, run?.id ?? '')).steps).toMatchObject([
      { name: 'change', output: { count: 2 } },
      { name: 'remove', output: { row: { Title: 'tidy', Note: 'Ann' } } },
    ]);
    const { body } = await desk.ann.get<{ list: { Title: string; Priority: string | null }[] }>(
      desk.rows('Tasks'),
    );
    const tidied = body.list.filter(({ Title }) => Title === 'tidy').map(({ Priority }) => Priority);
    expect(tidied).toEqual(['by Ann', 'by Ann', null]);
    expect(await desk.titles('Requests')).not.toContain('tidy');
    await desk.ann.delete(`${base}/automations/${id}`);
    for (const row of body.list)
      await desk.ann.delete(`${desk.rows('Tasks')}/${(row as { Id?: number }).Id}`);
  });

  test('does not take groups without a condition for conditions that rows meet', async () => {
    const empty = { is_group: true, logical_op: 'and', children: [] };
    const change = (conditions: unknown) => ({
      id: 'change',
      name: 'change',
      type: 'rows.update',
      settings: { table: desk.tasks.id, conditions, cells: cells({ Priority: 'all' }) },
    });
    for (const conditions of [[empty], [[]], [{ ...empty, children: [empty, [[]]] }]])
      await expect(desk.make({ steps: [change(conditions)] })).rejects.toThrow('AUTOMATION_INPUT');
    const matches = { type: 'row.matches', settings: { table: desk.requests.id } };
    await expect(desk.make({ trigger: matches, conditions: [empty] })).rejects.toThrow(
      'AUTOMATION_CONDITION_NONE',
    );
  });

  test('puts variables of the project into what it sends, and shows secret ones in no log and no dry run', async () => {
    const variables = `/api/v1/plugins/variables/projects/${desk.projectId}/variables`;
    await desk.ann.post(variables, { name: 'KEY', value: 'sk-"123456"', is_secret: true });
    await desk.ann.post(variables, { name: 'PLACE', value: 'Bern' });
    const body = '{"title":"{{row.Title}}","key":"{{env.KEY}}","place":"{{env.PLACE}}"}';
    const told = '{"title":"keyed","key":"•••","place":"Bern"}';
    const steps = [call('/keyed', body), task({ Title: '{{env.PLACE}}', Note: '{{env.KEY}}' })];
    await expect(desk.make({ steps: [call('/keyed', '{{env.TRELLIS_SECRET}}')] })).rejects.toThrow(
      'VARIABLE_UNKNOWN',
    );
    const { id } = await desk.make({ title: 'Keyed', steps });
    await ask({ Title: 'keyed' });
    const [run] = await desk.runs(id, isDone);
    const [got] = desk.receiver.got.filter(({ path }) => path === '/keyed');
    expect(JSON.parse(got?.body ?? '')).toEqual({ title: 'keyed', key: 'sk-"123456"', place: 'Bern' });
    const detail = await desk.run(id, run?.id ?? '');
    expect(detail.steps).toMatchObject([
      { name: 'call', input: { body: told } },
      { name: 'task', output: { row: { Title: 'Bern', Note: '•••' } } },
    ]);
    expect(JSON.stringify(detail)).not.toContain('123456');
    const tried = await desk.ann.post<TryAnswer>(`${base}/projects/${desk.projectId}/try`, {
      automation: {
        title: 'Keyed',
        trigger: { type: 'row.added', settings: { table: desk.requests.id } },
        steps,
      },
    });
    expect(tried.body.steps[0]).toMatchObject({
      name: 'call',
      input: { body: expect.stringContaining('•••') },
    });
    expect(JSON.stringify(tried.body)).not.toContain('123456');
    await desk.ann.delete(`${base}/automations/${id}`);
  });

  test('gives steps the rows of those before as they are, also after a wait, and shows no secret of them', async () => {
    const secret = 'sk-whole-98765';
    const variables = `/api/v1/plugins/variables/projects/${desk.projectId}/variables`;
    await desk.ann.post(variables, { name: 'TOKEN', value: secret, is_secret: true });
    await desk.ann.post(desk.rows('Tasks'), { Title: 'holder', Note: secret });
    const value = '{{env.TOKEN}}';
    const find = {
      id: 'find',
      name: 'find',
      type: 'rows.find',
      settings: {
        table: desk.tasks.id,
        conditions: [
          { fk_column_id: desk.column(desk.tasks, 'Note'), comparison_op: 'eq', value, logical_op: 'and' },
        ],
      },
    };
    const moment = { id: 'moment', name: 'moment', type: 'guest.moment', settings: {} };
    const copy = task({ Title: 'copy', Note: '{{steps.find.first.Note}}' });
    const steps = [find, moment, copy];
    const { id } = await desk.make({ title: 'Copied', steps });
    await ask({ Title: 'copied' });
    const [run] = await desk.runs(id, isDone);
    const { body } = await desk.ann.get<{ list: { Title: string; Note: string }[] }>(desk.rows('Tasks'));
    expect(body.list.find(({ Title }) => Title === 'copy')?.Note).toBe(secret);
    const detail = await desk.run(id, run?.id ?? '');
    expect(detail.steps).toMatchObject([
      { name: 'find', output: { first: { Note: '•••' } } },
      { name: 'moment' },
      { name: 'task', input: { values: { Note: '•••' } }, output: { row: { Note: '•••' } } },
    ]);
    expect(JSON.stringify(detail)).not.toContain('98765');
    const tried = await desk.ann.post<TryAnswer>(`${base}/projects/${desk.projectId}/try`, {
      automation: {
        title: 'Copied',
        trigger: { type: 'row.added', settings: { table: desk.requests.id } },
        steps,
      },
    });
    expect(tried.body.steps[2]).toMatchObject({ name: 'task', input: { values: { Note: '•••' } } });
    expect(JSON.stringify(tried.body)).not.toContain('98765');
    await desk.ann.delete(`${base}/automations/${id}`);
  });

  test('refuses settings that are not of the shape that is asked for', async () => {
    const send = (settings: object, trigger: object = {}) =>
      desk.ann.post<{ code: string }>(`${base}/projects/${desk.projectId}/automations`, {
        title: 'Odd',
        trigger: { type: 'row.changed', settings: { table: desk.requests.id, ...trigger } },
        steps: [
          {
            id: 'change',
            name: 'change',
            type: 'rows.update',
            settings: { table: desk.tasks.id, ...settings },
          },
        ],
      });
    const odd = ['x', 5, true, { a: 1 }];
    const where = {
      fk_column_id: desk.column(desk.tasks, 'Title'),
      comparison_op: 'eq',
      value: 'x',
      logical_op: 'and',
    };
    const answers = [];
    for (const conditions of odd) answers.push(await send({ conditions, cells: cells({ Note: 'x' }) }));
    for (const columns of odd)
      answers.push(await send({ conditions: [where], cells: cells({ Note: 'x' }) }, { columns }));
    for (const values of ['x', 5, true, ['x']])
      answers.push(await send({ conditions: [where], cells: values }));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
  });

  test('finds rows for later steps, waits for minutes, and goes on when the time has come', async () => {
    await desk.ann.post(desk.rows('Tasks'), { Title: 'paint' });
    const find = {
      id: 'find',
      name: 'find',
      type: 'rows.find',
      settings: {
        table: desk.tasks.id,
        conditions: [
          {
            fk_column_id: desk.column(desk.tasks, 'Title'),
            comparison_op: 'eq',
            value: '{{row.Title}}',
            logical_op: 'and',
          },
        ],
      },
    };
    const moment = { id: 'moment', name: 'moment', type: 'guest.moment', settings: {} };
    const body = '{"count":{{steps.find.count}},"first":{{json steps.find.first.Title}}}';
    const { id } = await desk.make({ steps: [find, moment, call('/found', body)] });
    await ask({ Title: 'paint' });
    const [found] = await desk.receiver.until(1, ({ path }) => path === '/found');
    expect(JSON.parse(found?.body ?? '')).toEqual({ count: 1, first: 'paint' });
    await desk.runs(id, isDone);
    const long = {
      id: 'wait',
      name: 'wait',
      type: 'wait',
      settings: { amount: '5', unit: 'minutes' },
    };
    await desk.ann.patch(`${base}/automations/${id}`, { steps: [long, task({ Title: 'late' })] });
    await ask({ Title: 'later' });
    const [waiting] = await desk.runs(id, (list) => list.length === 2 && list[0]?.next_at !== null);
    const left = Date.parse(waiting?.next_at ?? '') - Date.now();
    expect(left).toBeGreaterThan(4 * 60_000);
    expect(left).toBeLessThanOrEqual(5 * 60_000);
    expect((await desk.run(id, waiting?.id ?? '')).steps).toMatchObject([{ name: 'wait', state: 'done' }]);
    expect(await desk.titles('Tasks')).not.toContain('late');
    await desk.ann.delete(`${base}/automations/${id}`);
  });

  test('takes a step for each row that was found, none twice, and ends or goes on where one fails', async () => {
    for (const Title of ['a', 'b', 'c']) await desk.ann.post(desk.rows('Tasks'), { Title, Note: 'each' });
    const find = {
      id: 'find',
      name: 'find',
      type: 'rows.find',
      settings: {
        table: desk.tasks.id,
        conditions: [
          {
            fk_column_id: desk.column(desk.tasks, 'Note'),
            comparison_op: 'eq',
            value: 'each',
            logical_op: 'and',
          },
        ],
      },
    };
    const told = (path: string) => desk.receiver.got.filter((got) => got.path === path);
    const bodies = (path: string) => told(path).map(({ body }) => body);
    const each = { step: 'find', goesOn: false };
    const tell = (path: string, of: object = each) => ({ ...call(path, '{{item.Title}}'), each: of });
    await expect(desk.make({ steps: [tell('/x'), find] })).rejects.toThrow('AUTOMATION_EACH');
    await expect(desk.make({ steps: [find, call('/x', '{{item.Title}}')] })).rejects.toThrow(
      'AUTOMATION_PLACEHOLDER',
    );
    await expect(desk.make({ steps: [find, { ...call('/x', '{{item.Nope}}'), each }] })).rejects.toThrow(
      'AUTOMATION_PLACEHOLDER',
    );

    // The second row fails once, which passes.
    let refused = 0;
    desk.receiver.answer(({ body, path }, response) => {
      const isOff = path === '/each' && body === 'b' && refused++ === 0;
      response.writeHead(isOff ? 503 : path !== '/each' && body === 'b' ? 400 : 200).end();
    });
    const sum = {
      ...task({ Title: 'sum {{steps.call.count}} {{steps.call.failed}}' }),
      id: 'sum',
      name: 'sum',
    };
    const { id } = await desk.make({ steps: [find, tell('/each'), sum] });
    await ask({ Title: 'go' });
    const [run] = await desk.runs(id, isDone);
    expect(bodies('/each')).toEqual(['a', 'b', 'b', 'c']);
    const [a, b, again, c] = told('/each').map(({ headers }) => headers['idempotency-key']);
    expect(again).toBe(b);
    expect(new Set([a, b, c]).size).toBe(3);
    expect(await desk.titles('Tasks')).toContain('sum 3 0');
    expect((await desk.run(id, run?.id ?? '')).steps[1]).toMatchObject({
      state: 'done',
      output: { count: 3, failed: 0 },
      items: [0, 1, 2].map((item) => ({ item, state: 'done', input: { method: 'POST' } })),
    });

    // What the second one comes to does not pass: the run ends, or goes on with the third.
    await desk.ann.patch(`${base}/automations/${id}`, { steps: [find, tell('/stop'), sum] });
    await ask({ Title: 'go' });
    const [stopped] = await desk.runs(id, (list) => list[0]?.state === 'failed');
    expect(bodies('/stop')).toEqual(['a', 'b']);
    expect((await desk.run(id, stopped?.id ?? '')).steps[1]).toMatchObject({
      state: 'failed',
      items: [{ state: 'done' }, { state: 'failed', error: { code: 'AUTOMATION_ANSWER' } }],
    });
    const goesOn = { step: 'find', goesOn: true };
    await desk.ann.patch(`${base}/automations/${id}`, { steps: [find, tell('/next', goesOn), sum] });
    await ask({ Title: 'go' });
    const [next] = await desk.runs(id, (list) => list.length === 3 && isDone(list));
    expect(bodies('/next')).toEqual(['a', 'b', 'c']);
    expect((await desk.run(id, next?.id ?? '')).steps[1]).toMatchObject({
      output: { count: 3, failed: 1 },
      items: [{ state: 'done' }, { state: 'failed' }, { state: 'done' }],
    });
    const back = await desk.ann.post<AutomationEntity>(`${base}/automations/${id}/versions/1/restore`, {});
    expect(back.body.steps[1]).toMatchObject({ each });

    const before = desk.receiver.got.length;
    const { body } = await desk.ann.post<TryAnswer>(`${base}/projects/${desk.projectId}/try`, {
      automation: {
        title: 'Dry',
        trigger: { type: 'row.added', settings: { table: desk.requests.id } },
        steps: [find, tell('/dry')],
      },
    });
    expect(body.steps.slice(1)).toMatchObject(
      ['a', 'b', 'c'].map((text, at) => ({ item: { at, count: 3 }, input: { body: text }, error: null })),
    );
    expect(desk.receiver.got).toHaveLength(before);
    desk.receiver.answer((_, response) => void response.writeHead(200).end());
    await desk.ann.delete(`${base}/automations/${id}`);
  });

  test('a dry run shows each step, and changes and sends nothing', async () => {
    const { Id } = (await ask({ Title: 'dry', Priority: 'Low' })).body;
    const before = desk.receiver.got.length;
    const automation = {
      title: 'Dry',
      trigger: { type: 'row.added', settings: { table: desk.requests.id } },
      conditions: [
        {
          fk_column_id: desk.column(desk.requests, 'Priority'),
          comparison_op: 'eq',
          value: 'High',
          logical_op: 'and',
        },
      ],
      steps: [
        task({ Title: 'Do {{row.Title}}' }),
        call('/dry', '{"title":"{{steps.task.row.Title}}"}'),
        {
          id: 'gone',
          name: 'gone',
          type: 'row.update',
          settings: { table: desk.tasks.id, key: '999', cells: cells({ Title: 'x' }) },
        },
      ],
    };
    const { body } = await desk.ann.post<TryAnswer>(`${base}/projects/${desk.projectId}/try`, {
      automation,
      row: String(Id),
    });
    expect(body).toMatchObject({
      is_met: false,
      steps: [
        { input: { table: 'Tasks', values: { Title: 'Do dry' } }, error: null },
        { input: { method: 'POST', body: '{"title":"Do dry"}' }, error: null },
        { input: null, error: { code: 'AUTOMATION_ROW' } },
      ],
    });
    expect(desk.receiver.got).toHaveLength(before);
    expect(await desk.titles('Tasks')).not.toContain('Do dry');
  });

  test('a condition whose placeholder stands for nothing is met by no row', async () => {
    for (const Note of ['one', 'two', '']) await desk.ann.post(desk.rows('Tasks'), { Title: 'blank', Note });
    const { Id } = (await ask({ Title: '' })).body;
    const where = (op: string, value: string, more: object = {}) => ({
      fk_column_id: desk.column(desk.tasks, 'Note'),
      comparison_op: op,
      value,
      logical_op: 'and',
      ...more,
    });
    const met = async (...conditions: readonly object[]) => {
      const title = { ...where('eq', 'blank'), fk_column_id: desk.column(desk.tasks, 'Title') };
      const all = [title, { is_group: true, logical_op: 'and', children: conditions }];
      const settings = { table: desk.tasks.id, conditions: all };
      const automation = {
        title: 'Blank',
        trigger: { type: 'row.added', settings: { table: desk.requests.id } },
        steps: [
          { id: 'find', name: 'find', type: 'rows.find', settings },
          {
            id: 'change',
            name: 'change',
            type: 'rows.update',
            settings: { ...settings, cells: cells({ Note: 'x' }) },
          },
        ],
      };
      const path = `${base}/projects/${desk.projectId}/try`;
      const { body } = await desk.ann.post<TryAnswer>(path, { automation, row: String(Id) });
      return body.steps.map(({ output, error }) => error?.code ?? (output as { count?: number }).count);
    };
    const empty = '{{row.Title}}';
    for (const op of ['eq', 'neq', 'like', 'nlike', 'gt', 'in'])
      expect({ op, met: await met(where(op, empty)) }).toEqual({ op, met: [0, 0] });
    expect(await met(where('like', `%${empty}%`))).toEqual([0, 0]);
    expect(await met(where('eq', 'one'), where('eq', empty))).toEqual([0, 0]);
    expect(await met(where('eq', 'one'), where('eq', empty, { logical_op: 'not' }))).toEqual([0, 0]);
    expect(await met(where('eq', 'one'), where('eq', empty, { logical_op: 'or' }))).toEqual([1, 1]);
    expect(await met(where('like', empty), where('eq', 'two', { logical_op: 'or' }))).toEqual([1, 1]);
    expect(await met(where('eq', 'one'))).toEqual([1, 1]);
  });

  test('a created row is linked to the row that started the automation, and a row that is not there keeps it from being made', async () => {
    const meta = `/api/v1/db/meta/tables/${desk.tasks.id}`;
    const link = { uidt: 'LinkToAnotherRecord', title: 'Request', type: 'bt', parentId: desk.requests.id };
    const { body: linked } = await desk.ann.post<typeof desk.tasks>(`${meta}/columns`, {
      ...link,
      childId: desk.tasks.id,
    });
    const columnId = linked.columns.find(({ title }) => title === link.title)?.id ?? '';
    const create = (title: string, key: string) => {
      const step = task({ Title: title });
      return { ...step, settings: { ...step.settings, cells: { ...step.settings.cells, [columnId]: key } } };
    };
    const { id } = await desk.make({ steps: [create('linked', '{{trigger.row}}')] });
    const { Id } = (await ask({ Title: 'asks' })).body;
    await desk.runs(id, isDone);
    const { body } = await desk.ann.get<{ list: { Title: string; Request: unknown }[] }>(
      `${desk.rows('Tasks')}?where=(Title,eq,linked)&fields=Title,Request`,
    );
    expect(body.list).toMatchObject([{ Title: 'linked', Request: { Id } }]);
    await desk.ann.delete(`${base}/automations/${id}`);

    const gone = await desk.make({ steps: [create('unlinked', '999999')] });
    await ask({ Title: 'asks again' });
    const [run] = await desk.runs(gone.id, (list) => list[0]?.state === 'failed');
    expect(run?.error).toMatchObject({ code: 'AUTOMATION_ROW', params: { key: '999999' } });
    expect(await desk.titles('Tasks')).not.toContain('unlinked');
    await desk.ann.delete(`${base}/automations/${gone.id}`);

    // A row whose links are refused once it is there is taken back.
    const refused = await desk.make({ steps: [create('refused link', '{{trigger.row}}')] });
    isLinkRefused = true;
    await ask({ Title: 'asks once more' });
    const [vetoed] = await desk.runs(refused.id, (list) => list[0]?.state === 'failed');
    isLinkRefused = false;
    expect(vetoed?.error).toMatchObject({ msg: 'No links today.' });
    expect(await desk.titles('Tasks')).not.toContain('refused link');
    await desk.ann.delete(`${base}/automations/${refused.id}`);
    await desk.ann.delete(`/api/v1/db/meta/columns/${columnId}`);
  });

  test('a dry run of a table without rows takes a made-up one, says so, and refuses nothing for it', async () => {
    const { body: empty } = await desk.ann.post<typeof desk.tasks>(
      `/api/v1/db/meta/projects/${desk.projectId}/tables`,
      {
        title: 'Empty',
        columns: [
          { title: 'Id', uidt: 'ID', pk: true, ai: true },
          { title: 'Who', uidt: 'Email' },
          { title: 'Size', uidt: 'SingleSelect', dtxp: "'small','large'" },
          { title: 'Count', uidt: 'Number' },
        ],
      },
    );
    const inEmpty = (title: string) => empty.columns.find((column) => column.title === title)?.id ?? '';
    const automation = {
      title: 'Try',
      trigger: { type: 'row.added', settings: { table: empty.id } },
      conditions: [{ fk_column_id: inEmpty('Size'), comparison_op: 'eq', value: 'large' }],
      steps: [
        { ...task({ Title: '{{row.Size}} for {{row.Who}}', Hours: '{{row.Who}}' }), id: 'one', name: 'one' },
        {
          id: 'two',
          name: 'two',
          type: 'address.call',
          settings: { method: 'POST', path: 'https://example.com/in', body: '{{row.Size}}' },
        },
        {
          id: 'three',
          name: 'three',
          type: 'row.update',
          settings: { table: empty.id, key: '{{trigger.row}}', cells: { [inEmpty('Count')]: '3' } },
        },
      ],
    };
    const path = `${base}/projects/${desk.projectId}/try`;
    const tried = (body: object) =>
      desk.ann.post<TryAnswer & { code: string }>(path, { automation, ...body });
    const { status, body } = await tried({});
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        is_met: true,
        sample: { Size: 'small', Who: expect.stringContaining('@'), Count: expect.any(Number) },
        steps: [
          { error: null, input: { values: { Hours: expect.any(Number) } } },
          { error: null, input: { body: 'small' } },
          { error: null, input: { values: { Count: '3' } } },
        ],
      },
    });
    expect(await desk.titles('Tasks')).not.toContain(expect.stringContaining('@'));
    expect((await tried({ row: '1' })).body.code).toBe('AUTOMATION_TRY_ROW');
    await desk.ann.post('/api/v1/db/data/v1/Desk/Empty', { Size: 'small' });
    expect((await tried({})).body).toMatchObject({ is_met: false, sample: null });
  });

  test('a cell says to whom one mail goes, and names several only where they are people of the project', async () => {
    const mailed = async (to: string, title: string) => {
      const { Id } = (await ask({ Title: title })).body;
      const automation = {
        title: 'Mail',
        trigger: { type: 'row.added', settings: { table: desk.requests.id } },
        steps: [
          { id: 'mail', name: 'mail', type: 'mail.send', settings: { to, subject: 'Hello', text: 'x' } },
        ],
      };
      const path = `${base}/projects/${desk.projectId}/try`;
      const { body } = await desk.ann.post<TryAnswer>(path, { automation, row: String(Id) });
      const [step] = body.steps;
      return step?.error?.code ?? step?.input;
    };
    const to = (...addresses: readonly string[]) => expect.objectContaining({ to: addresses });
    expect(await mailed('a@x.example, {{row.Title}}; b@x.example', 'c@x.example')).toEqual(
      to('a@x.example', 'c@x.example', 'b@x.example'),
    );
    for (const title of [
      'c@x.example, d@x.example',
      'ann@example.com;c@x.example',
      'c@x.example\nd@x.example',
    ])
      expect(await mailed('{{row.Title}}', title)).toBe('AUTOMATION_MAIL_SEVERAL');
    expect(await mailed('{{row.Title}}', ' , ')).toBe('AUTOMATION_MAIL_TO');
    const bob = await desk.server.signUp('bob@example.com');
    expect(bob.token).toBeDefined();
    const people = 'ann@example.com, bob@example.com';
    expect(await mailed('{{row.Title}}', people)).toBe('AUTOMATION_MAIL_SEVERAL');
    const invited = { email: 'bob@example.com', roles: 'viewer' };
    await desk.ann.post(`/api/v1/db/meta/projects/${desk.projectId}/users`, invited);
    expect(await mailed('{{row.Title}}', people)).toEqual(to('ann@example.com', 'bob@example.com'));
  });

  test('each save is a version, and one can be returned to', async () => {
    const { id, steps } = await desk.make({ title: 'First' });
    await desk.ann.patch(`${base}/automations/${id}`, { title: 'Second', steps: [task({ Title: 'two' })] });
    await desk.ann.patch(`${base}/automations/${id}`, { active: false });
    const versions = `${base}/automations/${id}/versions`;
    const { body } = await desk.ann.get<{ list: VersionEntity[] }>(versions);
    expect(body.list.map(({ version, title }) => [version, title])).toEqual([
      [2, 'Second'],
      [1, 'First'],
    ]);
    const back = await desk.ann.post<AutomationEntity>(`${versions}/1/restore`, {});
    expect(back.body).toMatchObject({ title: 'First', version: 3, steps, active: false });
    expect((await desk.ann.post(`${versions}/9/restore`, {})).status).toBe(404);
    const audits = `/api/v1/db/meta/projects/${desk.projectId}/audits?limit=1`;
    expect((await desk.ann.get(audits)).body).toMatchObject({
      list: [{ op_type: 'AUTOMATIONS', description: 'The automation First was set to its version 1' }],
    });

    const variables = `/api/v1/plugins/variables/projects/${desk.projectId}/variables`;
    await desk.ann.post(variables, { name: 'GOING', value: 'x' });
    const named = await desk.make({ title: 'Named', steps: [task({ Title: '{{env.GOING}}' })] });
    await desk.ann.patch(`${base}/automations/${named.id}`, { steps });
    await desk.ann.delete(`${variables}/GOING`);
    const gone = await desk.ann.post(`${base}/automations/${named.id}/versions/1/restore`, {});
    expect(gone).toMatchObject({ status: 400, body: { code: 'VARIABLE_UNKNOWN' } });
    await desk.ann.delete(`${base}/automations/${id}`);
  });

  test('a button of a row starts the automations that chose it', async () => {
    const { body } = await desk.ann.post<{ columns: { id: string; title: string }[] }>(
      `/api/v1/db/meta/tables/${desk.requests.id}/columns`,
      {
        title: 'Go',
        column_name: 'go',
        uidt: 'Button',
        meta: { label: 'Go', action: 'run', operation: 'automations.run' },
      },
    );
    const column = body.columns.find(({ title }) => title === 'Go')?.id ?? '';
    const { Id } = (await ask({ Title: 'pressed' })).body;
    const press = () =>
      desk.ann.post(`/api/v1/plugins/columns-formula/columns/${column}/press`, { rowKey: String(Id) });
    expect(await press()).toMatchObject({ status: 409, body: { code: 'AUTOMATION_BUTTON' } });
    const { id } = await desk.make({
      trigger: { type: 'row.button', settings: { table: desk.requests.id, button: [column] } },
      steps: [task({ Title: '{{row.Title}} by {{trigger.user.email}}' })],
    });
    expect(await press()).toMatchObject({ status: 200 });
    await desk.runs(id, isDone);
    expect(await desk.titles('Tasks')).toContain('pressed by ann@example.com');
    await desk.ann.delete(`${base}/automations/${id}`);
  });

  test('a button begins none of its automations where one of them cannot begin', async () => {
    const { body } = await desk.ann.post<{ columns: { id: string; title: string }[] }>(
      `/api/v1/db/meta/tables/${desk.requests.id}/columns`,
      {
        title: 'All',
        column_name: 'all_of_them',
        uidt: 'Button',
        meta: { label: 'All', action: 'run', operation: 'automations.run' },
      },
    );
    const column = body.columns.find(({ title }) => title === 'All')?.id ?? '';
    const trigger = { type: 'row.button', settings: { table: desk.requests.id, button: [column] } };
    const steps = [task({ Title: 'of all' })];
    const { id } = await desk.make({ title: 'First', trigger, steps });
    const users = `/api/v1/db/meta/projects/${desk.projectId}/users`;
    const bea = await desk.server.signUp('bea@example.com');
    await desk.ann.post(users, { email: 'bea@example.com', roles: 'creator' });
    const path = `${base}/projects/${desk.projectId}/automations`;
    const other = await bea.post<{ id: string; owner: { id: string } }>(path, {
      title: 'Second',
      trigger,
      steps,
    });
    expect(other.status).toBe(200);
    await desk.ann.delete(`${users}/${other.body.owner.id}`);
    const { Id } = (await ask({ Title: 'pressed' })).body;
    const press = () =>
      desk.ann.post(`/api/v1/plugins/columns-formula/columns/${column}/press`, { rowKey: String(Id) });
    expect(await press()).toMatchObject({ body: { code: 'AUTOMATION_OWNER_RIGHTS' } });
    expect(await desk.runs(id, () => true)).toEqual([]);
    await desk.ann.delete(`${base}/automations/${other.body.id}`);
    expect(await press()).toMatchObject({ status: 200 });
    await desk.runs(id, isDone);
    await desk.ann.delete(`${base}/automations/${id}`);
  });

  test('a step does what a button can do with what was chosen for it', async () => {
    const hook = async (table: { readonly id: string }) =>
      desk.ann.post<{ id: string }>(`/api/v1/db/meta/tables/${table.id}/hooks`, {
        title: 'Tell',
        event: 'after',
        operation: 'update',
        notification: {
          type: 'URL',
          payload: { path: `${desk.receiver.url}/acted`, body: '{{data.Title}}' },
        },
      });
    const own = (await hook(desk.requests)).body.id;
    const other = (await hook(desk.tasks)).body.id;
    const acts = `${base}/tables/${desk.requests.id}/acts/webhooks.send`;
    expect((await desk.ann.get(acts)).body).toEqual({ list: [{ id: own, label: 'Tell' }] });
    const act = (choice: string) => ({
      id: 'act',
      name: 'act',
      type: 'operation.run',
      settings: { operation: 'webhooks.send', table: desk.requests.id, key: '{{trigger.row}}', choice },
    });
    await expect(desk.make({ steps: [act('')] })).rejects.toThrow('AUTOMATION_INPUT');
    const { id } = await desk.make({ steps: [act('{{row.Note}}')] });
    await ask({ Title: 'acted', Note: own });
    await desk.runs(id, isDone);
    await desk.receiver.until(1, ({ path, body }) => path === '/acted' && body === 'acted');
    // What the receiver refuses is the webhook's to send again: the run has done its part.
    desk.receiver.answer((_, response) => void response.writeHead(500).end());
    await ask({ Title: 'refused', Note: own });
    const [refused] = await desk.runs(id, (list) => list.length === 2 && list[0]?.state !== 'running');
    expect(await desk.runs(id, (list) => list[0]?.error !== null || isDone(list))).toMatchObject([
      { id: refused?.id, state: 'done', error: null },
      { state: 'done' },
    ]);
    desk.receiver.answer((_, response) => void response.end('ok'));
    // One of another table is nothing that this one can send.
    await ask({ Title: 'not acted', Note: other });
    const [failed] = await desk.runs(id, (list) => list[0]?.state === 'failed');
    const { steps } = await desk.run(id, failed?.id ?? '');
    expect(steps[0]?.error).toMatchObject({ code: 'AUTOMATION_ACT_CHOICE' });
    await desk.ann.delete(`${base}/automations/${id}`);
  });

  test('another plugin brings triggers and steps, and starts an automation once for an event', async () => {
    const kinds = await desk.ann.get<KindsEntity>(`${base}/projects/${desk.projectId}/kinds`);
    expect(kinds.body.triggers).toContainEqual(expect.objectContaining({ id: 'guest.bell', table: null }));
    const { id } = await desk.make({
      trigger: { type: 'guest.bell', settings: { bell: 'door' } },
      steps: [call('/rang', '{"loudness":{{trigger.loudness}}}')],
    });
    expect(await service?.list('guest.bell')).toEqual([
      { id, projectId: desk.projectId, settings: { bell: 'door' }, since: expect.any(Number) },
    ]);
    const ring = { eventId: 'ring-1', trigger: { loudness: 11 } };
    expect(await service?.start(id, ring)).toEqual({ kind: 'kept' });
    expect(await service?.start(id, ring)).toEqual({ kind: 'known', trigger: ring.trigger });
    await desk.runs(id, isDone);
    expect(desk.receiver.got.filter(({ path }) => path === '/rang').map((got) => got.body)).toEqual([
      '{"loudness":11}',
    ]);
    await desk.ann.patch(`${base}/automations/${id}`, { active: false });
    expect(await service?.start(id, { ...ring, eventId: 'ring-2' })).toEqual({ kind: 'off' });
  });

  test('what waits to begin is dropped, and what has begun is kept', async () => {
    const { id } = await desk.make({ steps: [task({ Title: 'begun' })] });
    const bulk = '/api/v1/db/data/bulk/v1/Desk/Requests';
    await desk.server.host.plugins.saveSettings('automations', { runsPerHour: 1, keptDays: 30 });
    await desk.ann.post(bulk, [{ Title: '1' }, { Title: '2' }]);
    await desk.until(id, (automation) => automation.paused !== null);
    await desk.ann.post(bulk, [{ Title: '3' }, { Title: '4' }]);
    // What comes after the rest was dropped would wait by rights.
    await desk.runs(id, (list) => list.length === 4);
    const waiting = await desk.until(id, (automation) => automation.waiting >= 2);
    const { body } = await desk.ann.post<{ count: number }>(`${base}/automations/${id}/runs/drop`, {});
    expect(body.count).toBeGreaterThanOrEqual(2);
    expect(body.count).toBeLessThanOrEqual(waiting.waiting + 2);
    expect(await desk.runs(id, () => true)).not.toContainEqual(expect.objectContaining({ state: 'waiting' }));
    await desk.server.host.plugins.saveSettings('automations', { runsPerHour: 5000, keptDays: 30 });
    await desk.ann.delete(`${base}/automations/${id}`);
  });

  test('one that is started too often is paused, and what started it waits', async () => {
    const { id } = await desk.make({ steps: [task({ Title: 'often' })] });
    const bulk = '/api/v1/db/data/bulk/v1/Desk/Requests';
    await desk.server.host.plugins.saveSettings('automations', { runsPerHour: 2, keptDays: 30 });
    await desk.ann.post(bulk, [{ Title: '1' }, { Title: '2' }, { Title: '3' }]);
    const paused = await desk.until(id, (automation) => automation.paused !== null);
    expect(paused.paused).toMatchObject({ code: 'AUTOMATION_OFTEN', params: { most: 2 } });
    await desk.server.host.plugins.saveSettings('automations', { runsPerHour: 5000, keptDays: 30 });
    await desk.ann.patch(`${base}/automations/${id}`, { active: true });
    await desk.runs(id, (list) => list.length === 3 && list.every(({ state }) => state === 'done'));
    expect((await desk.titles('Tasks')).filter((title) => title === 'often')).toHaveLength(3);
    await desk.ann.delete(`${base}/automations/${id}`);
  });
}

describe('what automations can do, with SQLite', () => {
  describeOn(openDesk);
});

describeEachServer('what automations can do, with a server', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeOn((options) => openDesk({ ...options, database: databases }));
});
