import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { RowStoreToken } from '@trellis/sdk/server';
import type { RunEntity } from '../shared/index.ts';
import { openDesk, type Desk } from '../testing/desk.ts';

const base = '/api/v1/plugins/automations';
let desk: Desk;
/** The automation of a test. */
let automationId = '';

beforeAll(async () => {
  desk = await openDesk();
});
afterEach(async () => {
  desk.receiver.answer((_, response) => void response.end('ok'));
  await desk.ann.delete(`${base}/automations/${automationId}`);
});
afterAll(() => desk?.close());

/** Starts an automation with these steps once. */
async function begin(...steps: readonly { readonly type: string; readonly settings: object }[]) {
  const named = steps.map((step, index) => ({ id: `s${index}`, name: `s${index}`, ...step }));
  automationId = (await desk.make({ steps: named })).id;
  await desk.ann.post(desk.rows('Requests'), { Title: 'x' });
}

/** Its one run, once it was tried. */
async function tried(): Promise<RunEntity | undefined> {
  const wasTried = ({ state, error }: RunEntity) => state === 'done' || error !== null;
  return (await desk.runs(automationId, (list) => list.some(wasTried)))[0];
}

const call = (path: string) => ({
  type: 'address.call',
  settings: { method: 'POST', path: `${desk.receiver.url}${path}`, body: '{{row.Title}}' },
});

test('a call whose message would be lost behind a redirect is tried again, and its log names where it leads', async () => {
  desk.receiver.answer((_, response) => void response.writeHead(302, { location: '/login' }).end());
  await begin(call('/lost'));
  expect(await tried()).toMatchObject({
    state: 'waiting',
    error: { code: 'OUTBOUND_LOST', params: { to: desk.receiver.url, status: 302 } },
  });
  expect(desk.receiver.got.filter(({ path }) => path === '/login')).toEqual([]);
});

test('a call that was taken is done, however long its answer is', async () => {
  desk.receiver.answer((_, response) => void response.end('x'.repeat(400_000)));
  await begin(call('/long'));
  expect(await tried()).toMatchObject({ state: 'done' });
});

const find = (title: string, more: object = {}) => ({
  type: 'rows.find',
  settings: {
    table: desk.tasks.id,
    conditions: [{ fk_column_id: desk.column(desk.tasks, 'Title'), comparison_op: 'eq', value: title }],
  },
  ...more,
});

async function addTasks(title: string, count: number, note: string): Promise<void> {
  for (let at = 0; at < count; at += 1)
    expect(await desk.ann.post(desk.rows('Tasks'), { Title: title, Note: note })).toMatchObject({
      status: 200,
    });
}

async function goOn(run: RunEntity | undefined): Promise<void> {
  await desk.ann.post(`${base}/automations/${automationId}/runs/${run?.id}/retry`, {});
  await desk.runs(automationId, ([one]) => one?.state === 'done');
}

const away = () => Object.assign(new Error('away'), { code: 'DATABASE_UNREACHABLE' });

test('a database that does not answer for a moment is asked again, and the log says why', async () => {
  const list = jest
    .spyOn(desk.server.host.container.get(RowStoreToken), 'list')
    .mockRejectedValueOnce(away());
  try {
    await begin(find('none'));
    const run = await tried();
    expect(run).toMatchObject({ state: 'waiting', error: { code: 'AUTOMATION_DATABASE_AWAY' } });
    await goOn(run);
  } finally {
    list.mockRestore();
  }
});

test('a step whose reading the database ended, because somebody changed the table meanwhile, is tried again', async () => {
  const stalled = Object.assign(new Error('stalled'), { code: 'STREAM_STALLED' });
  const list = jest
    .spyOn(desk.server.host.container.get(RowStoreToken), 'list')
    .mockRejectedValueOnce(stalled);
  try {
    await begin(find('none'));
    const run = await tried();
    expect(run).toMatchObject({ state: 'waiting', error: { code: 'AUTOMATION_DATABASE_BUSY' } });
    await goOn(run);
  } finally {
    list.mockRestore();
  }
});

test('no row is passed over because the database did not answer for a moment', async () => {
  await addTasks('passed', 2, '');
  const store = desk.server.host.container.get(RowStoreToken);
  const read = store.list.bind(store);
  let calls = 0;
  const list = jest.spyOn(store, 'list').mockImplementation((...of) => {
    calls += 1;
    return calls === 2 ? Promise.reject(away()) : read(...of);
  });
  try {
    await begin(find('passed'), find('none', { each: { step: 's0', goesOn: true } }));
    const run = await tried();
    expect(run).toMatchObject({ state: 'waiting', error: { code: 'AUTOMATION_DATABASE_AWAY' } });
    await goOn(run);
    const { steps } = await desk.run(automationId, run?.id ?? '');
    expect(steps[1]).toMatchObject({ output: { count: 2, failed: 0 } });
  } finally {
    list.mockRestore();
  }
});

test('rows that hold more than steps are given end the run at once, with words that say what to do', async () => {
  await addTasks('large', 3, 'x'.repeat(400_000));
  await begin(find('large'));
  expect(await tried()).toMatchObject({
    state: 'failed',
    error: { code: 'AUTOMATION_FOUND_LARGE', params: { table: 'Tasks' } },
  });
});

test('the log shows the beginning of what a step gives, and the steps behind it are given all', async () => {
  const note = 'y'.repeat(100_000);
  await addTasks('long', 1, note);
  const sending = call('/found');
  const all = { ...sending, settings: { ...sending.settings, body: '{{steps.s0.first.Note}}' } };
  await begin(find('long'), all);
  const run = await tried();
  expect(run).toMatchObject({ state: 'done' });
  const { steps } = await desk.run(automationId, run?.id ?? '');
  expect(String(steps[0]?.output).length).toBeLessThan(70_000);
  expect(String(steps[0]?.output)).toContain('yyy');
  expect(desk.receiver.got.find(({ path }) => path === '/found')?.body).toBe(note);
});
