import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AccessServiceToken } from '@trellis/sdk/server';
import { testPlugin, type TestClient } from '@trellis/sdk/testing/server';
import type { TryAnswer } from '../../plugins/automations/shared/index.ts';
import { openDesk, type Desk } from '../../plugins/automations/testing/desk.ts';

const base = '/api/v1/plugins/automations';
const meta = '/api/v1/db/meta';
let desk: Desk;
let limited: TestClient;
/** Shows what stands in Priority, which the limited owner may not read. */
let copy = '';
let shown: { readonly tableId: string; readonly columnIds: ReadonlySet<string> } | undefined;

const limits = testPlugin(
  'limits',
  (ctx) => {
    ctx.register('scopeRules', {
      id: 'limits',
      narrow: ({ principal }) =>
        shown && principal.email === 'limited@example.com'
          ? { columns: new Map([[shown.tableId, { readable: shown.columnIds }]]) }
          : undefined,
    });
  },
  { contributes: { scopeRules: [{ id: 'limits' }] } },
);

beforeAll(async () => {
  desk = await openDesk({ plugins: [limits] });
  const { ann, projectId, requests } = desk;
  const made = await ann.post<Desk['requests']>(`${meta}/tables/${requests.id}/columns`, {
    title: 'Copy',
    uidt: 'Formula',
    formula_raw: '{Priority}',
  });
  copy = desk.column(made.body, 'Copy');
  limited = await desk.server.signUp('limited@example.com');
  await ann.post(`${meta}/projects/${projectId}/users`, { email: 'limited@example.com', roles: 'creator' });
  const kept = made.body.columns.filter(({ title }) => title !== 'Priority');
  shown = { tableId: requests.id, columnIds: new Set(kept.map(({ id }) => id)) };
  await desk.server.host.container.get(AccessServiceToken).didChangeRules();
});
afterAll(() => desk?.close());

const isHigh = () => [{ fk_column_id: copy, comparison_op: 'eq', value: 'high' }];
const isBlank = () => [{ fk_column_id: copy, comparison_op: 'null', value: null }];
const planOf = (conditions: readonly object[]) => ({
  title: 'Plan',
  trigger: { type: 'row.added', settings: { table: desk.requests.id } },
  conditions,
  steps: [{ id: 'later', name: 'later', type: 'wait', settings: { amount: '1', unit: 'days' } }],
});

test('a dry run tells an owner no more of a cell that is computed than the cell itself shows them', async () => {
  const { body: row } = await desk.ann.post<{ Id: number }>(desk.rows('Requests'), {
    Title: 'Paint',
    Priority: 'high',
  });
  const isMetFor = async (who: TestClient, conditions: readonly object[]) => {
    const asked = { automation: planOf(conditions), row: String(row.Id) };
    const answer = await who.post<TryAnswer>(`${base}/projects/${desk.projectId}/try`, asked);
    expect(answer.status).toBe(200);
    return answer.body.is_met;
  };
  expect(await isMetFor(desk.ann, isHigh())).toBe(true);
  const seen = await limited.get<object>(`${desk.rows('Requests')}/${row.Id}`);
  expect(seen.body).toMatchObject({ Title: 'Paint', Copy: null });
  expect(seen.body).not.toHaveProperty('Priority');
  expect(await isMetFor(limited, isHigh())).toBe(false);
  expect(await isMetFor(limited, isBlank())).toBe(true);
});

test('an automation begins by what its owner may read of the row of a change', async () => {
  const make = async (who: TestClient, conditions: readonly object[]) => {
    const path = `${base}/projects/${desk.projectId}/automations`;
    const answer = await who.post<{ id: string }>(path, planOf(conditions));
    expect(answer.status).toBe(200);
    return answer.body.id;
  };
  const [ofAnn, high, blank] = [
    await make(desk.ann, isHigh()),
    await make(limited, isHigh()),
    await make(limited, isBlank()),
  ];
  await desk.ann.post(desk.rows('Requests'), { Title: 'Sand', Priority: 'high' });
  expect(await desk.runs(ofAnn, (list) => list.length > 0)).toHaveLength(1);
  expect(await desk.runs(blank, (list) => list.length > 0)).toHaveLength(1);
  expect(await desk.runs(high, () => true)).toEqual([]);
});

test('a webhook, which tells of whole rows, is made and changed by nobody from whom a part of them is hidden', async () => {
  const path = `${meta}/tables/${desk.requests.id}/hooks`;
  const told = {
    title: 'Tell',
    operation: 'insert',
    notification: { type: 'URL', payload: { method: 'POST', path: desk.receiver.url } },
    active: false,
  };
  const refused = { status: 403, body: { code: 'HOOK_LIMITED' } };
  expect(await limited.post(path, told)).toMatchObject(refused);
  const made = await desk.ann.post<{ id: string }>(path, told);
  expect(made.status).toBe(200);
  const one = `${meta}/hooks/${made.body.id}`;
  expect(await limited.patch(one, { active: true })).toMatchObject(refused);
  expect(await limited.put(`${one}/filters`, { list: isHigh() })).toMatchObject(refused);
  expect(await limited.get(one)).toMatchObject({ status: 200, body: { active: false } });
  // One that goes wrong may be stopped by whoever finds it, and its log says nothing of what it told.
  expect(await desk.ann.patch(one, { active: true })).toMatchObject({ status: 200 });
  await desk.ann.post(desk.rows('Requests'), { Title: 'Glue', Priority: 'high' });
  const logOf = async (who: TestClient) =>
    (await who.get<{ list: readonly { state: string; request: unknown }[] }>(`${one}/deliveries`)).body.list;
  let list = await logOf(desk.ann);
  while (list[0]?.state !== 'done') list = await logOf(desk.ann);
  expect(list).toMatchObject([{ request: expect.anything() }]);
  expect(await logOf(limited)).toMatchObject([{ state: 'done', request: null }]);
  expect(await limited.patch(one, { active: false })).toMatchObject({ status: 200, body: { active: false } });
  expect((await limited.delete(one)).body).toBe(1);
  const free = `${meta}/tables/${desk.tasks.id}/hooks`;
  expect(await limited.post(free, told)).toMatchObject({ status: 200 });
});
