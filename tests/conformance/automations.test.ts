import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestServerOptions } from '@trellis/sdk/testing/server';
import type { AutomationEntity } from '../../plugins/automations/shared/index.ts';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';
import { openDesk, type Desk } from '../../plugins/automations/testing/desk.ts';

const base = '/api/v1/plugins/automations';

/** On the database that holds the projects and the runs. */
function describeOn(open: (options: TestServerOptions) => Promise<Desk>): void {
  let desk: Desk;
  const made: string[] = [];
  const make = async (change: object = {}) => {
    const automation = await desk.make(change);
    made.push(automation.id);
    return automation;
  };
  const call = (path: string, more: object = {}) => ({
    id: 'call',
    name: 'call',
    type: 'address.call',
    settings: { method: 'POST', path: desk.receiver.url + path, ...more },
  });
  const task = (cells: Readonly<Record<string, string>>) => ({
    id: 'task',
    name: 'task',
    type: 'row.create',
    settings: {
      table: desk.tasks.id,
      cells: Object.fromEntries(
        Object.entries(cells).map(([title, text]) => [desk.column(desk.tasks, title), text]),
      ),
    },
  });
  const only = (column: string, value: string) => [
    { fk_column_id: desk.column(desk.requests, column), comparison_op: 'eq', value, logical_op: 'and' },
  ];
  const ask = (row: object) => desk.ann.post<{ Id: number }>(desk.rows('Requests'), row);

  beforeAll(async () => {
    desk = await open({});
  });
  afterEach(async () => {
    for (const id of made.splice(0)) await desk.ann.delete(`${base}/automations/${id}`);
    desk.receiver.answer((_, response) => void response.end('ok'));
  });
  afterAll(() => desk?.close());

  test('a row that meets the conditions creates another one and calls an address with what came of it', async () => {
    const { id } = await make({
      conditions: only('Priority', 'High'),
      steps: [
        task({ Title: 'Do {{row.Title}}', Hours: '{{row.Hours}}' }),
        call('/told', { body: '{"key":"{{steps.task.key}}","title":"{{steps.task.row.Title}}"}' }),
      ],
    });
    await ask({ Title: 'paint', Priority: 'Low', Hours: 1 });
    await ask({ Title: 'the "roof"', Priority: 'High', Hours: 7 });
    const [told] = await desk.receiver.until(1, ({ path }) => path === '/told');
    const { body } = await desk.ann.get<{ list: { Title: string; Hours: number | string }[] }>(
      desk.rows('Tasks'),
    );
    // Some databases tell large numbers as texts.
    expect(body.list.map(({ Title, Hours }) => [Title, Number(Hours)])).toEqual([['Do the "roof"', 7]]);
    expect(JSON.parse(told?.body ?? '')).toEqual({ key: '1', title: 'Do the "roof"' });
    const [run] = await desk.runs(id, (list) => list[0]?.state === 'done');
    const detail = await desk.run(id, run?.id ?? '');
    expect(detail.steps).toMatchObject([
      {
        name: 'task',
        state: 'done',
        input: { table: 'Tasks', values: { Hours: body.list[0]?.Hours } },
        output: { key: '1' },
      },
      { name: 'call', state: 'done', input: { method: 'POST' }, output: { status: 200 } },
    ]);
    expect(told?.headers['idempotency-key']).toBe(`${run?.id}.call`);
    expect(await desk.until(id, ({ last_run }) => last_run !== null)).toMatchObject({ failures: 0 });
  });

  test('changes of chosen columns, rows that come to match, and deleted rows start it', async () => {
    const trigger = (type: string, settings: object = {}) => ({
      trigger: { type, settings: { table: desk.requests.id, ...settings } },
    });
    const columns = [desk.column(desk.requests, 'Note')];
    const body = '{"name":"{{row.Title}}","was":"{{previous.Note}}"}';
    await make({ ...trigger('row.changed', { columns }), steps: [call('/noted', { body })] });
    await make({
      ...trigger('row.matches'),
      conditions: only('Priority', 'High'),
      steps: [call('/matches')],
    });
    await make({ ...trigger('row.deleted'), steps: [call('/gone')] });
    const { Id } = (await ask({ Title: 'a', Priority: 'Low', Note: 'x' })).body;
    const row = `${desk.rows('Requests')}/${Id}`;
    await desk.ann.patch(row, { Priority: 'High' });
    await desk.ann.patch(row, { Note: 'y' });
    await desk.ann.patch(row, { Priority: 'High', Title: 'b' });
    await desk.ann.delete(row);
    const [gone] = await desk.receiver.until(1, ({ path }) => path === '/gone');
    expect(JSON.parse(gone?.body ?? '')).toMatchObject({ Title: 'b' });
    const [noted] = await desk.receiver.until(1, ({ path }) => path === '/noted');
    expect(JSON.parse(noted?.body ?? '')).toMatchObject({ name: 'a', was: 'x' });
    await desk.receiver.until(1, ({ path }) => path === '/matches');
    expect(desk.receiver.got.filter(({ path }) => path === '/matches')).toHaveLength(1);
    expect(desk.receiver.got.filter(({ path }) => path === '/noted')).toHaveLength(1);
  });

  test('a run that waits, of itself or for another try, goes on at once when somebody asks for it', async () => {
    const wait = { id: 'wait', name: 'wait', type: 'wait', settings: { amount: '3', unit: 'hours' } };
    const { id } = await make({ steps: [wait, call('/waited')] });
    await ask({ Title: 'waits' });
    const [run] = await desk.runs(id, (list) => typeof list[0]?.next_at === 'string');
    expect(run).toMatchObject({ state: 'waiting', error: null });
    await desk.ann.post(`${base}/automations/${id}/runs/${run?.id}/retry`, {});
    await desk.receiver.until(1, ({ path }) => path === '/waited');
    const [done] = await desk.runs(id, (list) => list[0]?.state === 'done');
    expect((await desk.run(id, done?.id ?? '')).steps).toHaveLength(2);

    desk.receiver.answer((_, response) => void response.writeHead(503, { 'retry-after': '3600' }).end());
    const later = await make({ title: 'Later', steps: [call('/later')] });
    await ask({ Title: 'later' });
    const [waits] = await desk.runs(later.id, (list) => typeof list[0]?.next_at === 'string');
    expect(waits).toMatchObject({ state: 'waiting', error: { code: 'AUTOMATION_ANSWER_LATER' } });
    desk.receiver.answer((_, response) => void response.end('ok'));
    await desk.ann.post(`${base}/automations/${later.id}/runs/${waits?.id}/retry`, {});
    await desk.runs(later.id, (list) => list[0]?.state === 'done');
  });

  test('a step that fails says why, and its run goes on from there once it is mended', async () => {
    desk.receiver.answer((_, response) => void response.writeHead(404).end());
    const steps = [task({ Title: 'once' }), call('/missing')];
    const { id } = await make({ steps });
    await ask({ Title: 'x' });
    const [failed] = await desk.runs(id, (list) => list[0]?.state === 'failed');
    expect(failed?.error).toMatchObject({
      code: 'AUTOMATION_ANSWER',
      msg: 'The address answered with the status 404.',
    });
    desk.receiver.answer((_, response) => void response.end('ok'));
    await desk.ann.patch(`${base}/automations/${id}`, { steps: [steps[0], call('/mended')] });
    await desk.ann.post(`${base}/automations/${id}/runs/${failed?.id}/retry`, {});
    await desk.receiver.until(1, ({ path }) => path === '/mended');
    await desk.runs(id, (list) => list[0]?.state === 'done');
    expect((await desk.titles('Tasks')).filter((title) => title === 'once')).toHaveLength(1);
    const secrets = [{ name: 'Authorization', value: 'Bearer s3cret', enabled: true }];
    await desk.ann.patch(`${base}/automations/${id}`, { steps: [call('/secret', { headers: secrets })] });
    await ask({ Title: 'y' });
    const [told] = await desk.receiver.until(1, ({ path }) => path === '/secret');
    expect(told?.headers.authorization).toBe('Bearer s3cret');
    const [last] = await desk.runs(
      id,
      (list) => list.every(({ state }) => state === 'done') && list.length === 2,
    );
    expect(JSON.stringify(await desk.run(id, last?.id ?? ''))).not.toContain('s3cret');
  });

  test('an address that is away for a moment is asked again', async () => {
    let calls = 0;
    desk.receiver.answer((_, response) => {
      calls += 1;
      response.writeHead(calls === 1 ? 503 : 200).end();
    });
    const { id } = await make({ steps: [call('/shaky')] });
    await ask({ Title: 'x' });
    const [waiting] = await desk.runs(id, (list) => list[0]?.error !== undefined && list[0]?.error !== null);
    expect(waiting).toMatchObject({ state: 'waiting', error: { code: 'AUTOMATION_ANSWER_LATER' } });
    expect(Date.parse(waiting?.next_at ?? '')).toBeGreaterThan(Date.now());
    const got = await desk.receiver.until(2, ({ path }) => path === '/shaky');
    expect(got[0]?.headers['idempotency-key']).toBe(got[1]?.headers['idempotency-key']);
    await desk.runs(id, (list) => list[0]?.state === 'done');
  });

  test('an automation that starts itself is paused with the reason, and so is a circle of two', async () => {
    const change = (name: string) => ({
      id: 'note',
      name: 'note',
      type: 'row.update',
      settings: {
        table: desk.requests.id,
        key: '{{trigger.row}}',
        cells: { [desk.column(desk.requests, 'Note')]: `${name} {{trigger.event.id}}` },
      },
    });
    const trigger = { type: 'row.changed', settings: { table: desk.requests.id } };
    const own = await make({ title: 'Own', trigger, steps: [change('own')] });
    const { Id } = (await ask({ Title: 'x' })).body;
    const row = `${desk.rows('Requests')}/${Id}`;
    await desk.ann.patch(row, { Title: 'y' });
    expect(await desk.until(own.id, ({ paused }) => paused !== null)).toMatchObject({
      active: true,
      paused: { code: 'AUTOMATION_LOOP' },
    });
    await desk.ann.delete(`${base}/automations/${own.id}`);
    const [one, two] = [
      await make({ trigger, steps: [change('1')] }),
      await make({ trigger, steps: [change('2')] }),
    ];
    await desk.ann.patch(row, { Title: 'z' });
    await desk.until(one.id, ({ paused }) => paused?.code === 'AUTOMATION_LOOP');
    await desk.until(two.id, ({ paused }) => paused?.code === 'AUTOMATION_LOOP');
  });

  test('what cannot work is refused with a sentence, and nothing is saved', async () => {
    const wrong: readonly (readonly [object, string])[] = [
      [{ title: ' ' }, 'AUTOMATION_TITLE'],
      [{ trigger: { type: 'nothing', settings: {} } }, 'AUTOMATION_TRIGGER'],
      [{ trigger: { type: 'row.added', settings: {} } }, 'AUTOMATION_INPUT'],
      [
        { trigger: { type: 'row.matches', settings: { table: desk.requests.id } } },
        'AUTOMATION_CONDITION_NONE',
      ],
      [{ steps: [] }, 'AUTOMATION_STEPS'],
      [{ steps: [task({ Title: 'x' }), { ...task({ Title: 'x' }), id: 'b' }] }, 'AUTOMATION_STEP_NAME'],
      [{ steps: [task({ Title: '{{row.Nothing}}' })] }, 'AUTOMATION_PLACEHOLDER'],
      [{ steps: [task({ Title: '{{steps.later.key}}' })] }, 'AUTOMATION_PLACEHOLDER'],
      [{ steps: [task({ Title: '{{constructor.name}}' })] }, 'AUTOMATION_PLACEHOLDER'],
      [{ steps: [task({ Title: 'Answer {{row.Title' })] }, 'AUTOMATION_PLACEHOLDER_OPEN'],
      [{ steps: [{ ...call('/x'), settings: { path: 'ftp://{{row.Title}}' } }] }, 'REQUEST_ADDRESS'],
      [{ steps: [{ ...call('/x'), type: 'nothing' }] }, 'AUTOMATION_STEP'],
    ];
    for (const [change, code] of wrong) {
      const answer = await desk.ann.post<{ code: string }>(`${base}/projects/${desk.projectId}/automations`, {
        title: 'Wrong',
        trigger: { type: 'row.added', settings: { table: desk.requests.id } },
        steps: [task({ Title: 'x' })],
        ...change,
      });
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code });
    }
    const { body } = await desk.ann.get<{ list: readonly AutomationEntity[] }>(
      `${base}/projects/${desk.projectId}/automations`,
    );
    expect(body.list).toEqual([]);
  });

  test('two who change different parts of it at the same moment lose neither change', async () => {
    const { id } = await make();
    for (let turn = 0; turn < 5; turn += 1) {
      const title = `Turn ${turn}`;
      const steps = [task({ Title: title })];
      const path = `${base}/automations/${id}`;
      const answers = await Promise.all([
        desk.ann.patch(path, { title }),
        desk.ann.patch(path, { steps }),
        desk.ann.patch(path, { conditions: only('Note', title) }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const { body } = await desk.ann.get<AutomationEntity>(path);
      expect(body).toMatchObject({ title, steps, conditions: only('Note', title) });
    }
  });

  test('it runs with the rights of whoever saved it last, and pauses when they lose them', async () => {
    const bob = await desk.server.signUp('bob@example.com');
    const invite = `/api/v1/db/meta/projects/${desk.projectId}/users`;
    await desk.ann.post(invite, { email: 'bob@example.com', roles: 'creator' });
    const { id } = await make({ title: 'Of Bob' });
    const saved = await bob.patch<AutomationEntity>(`${base}/automations/${id}`, { title: 'Now of Bob' });
    expect(saved.body).toMatchObject({ owner: { email: 'bob@example.com' }, version: 2 });
    const late = await desk.ann.patch(`${base}/automations/${id}`, { title: 'Of Ann', replaces: '1' });
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'CHANGED_MEANWHILE', params: { revision: '2' } },
    });
    const roles = { email: 'bob@example.com', roles: 'viewer', project_id: desk.projectId };
    const demoted = await desk.ann.patch(`${invite}/${saved.body.owner.id}`, roles);
    expect(demoted).toMatchObject({ status: 200 });
    await ask({ Title: 'unseen' });
    const paused = await desk.until(id, (automation) => automation.paused !== null);
    expect(paused.paused).toMatchObject({ code: 'AUTOMATION_OWNER_RIGHTS' });
    expect((await bob.get(`${base}/automations/${id}`)).status).toBe(403);
    const resumed = await desk.ann.patch<AutomationEntity>(`${base}/automations/${id}`, { active: true });
    expect(resumed.body).toMatchObject({ paused: null, owner: { email: 'ann@example.com' } });
    await ask({ Title: 'seen' });
    await desk.runs(id, (list) => list[0]?.state === 'done');
    expect(await desk.titles('Tasks')).toEqual(expect.arrayContaining(['Do seen']));
    expect(await desk.titles('Tasks')).not.toContain('Do unseen');
  });
}

describe('automations, with SQLite', () => {
  describeOn(openDesk);
});

describeEachServer('automations, with a server', (dialect) => {
  const databases = createStartedDatabases(dialect);
  afterAll(() => databases.dropAll());
  describeOn((options) => openDesk({ ...options, database: databases }));
});
