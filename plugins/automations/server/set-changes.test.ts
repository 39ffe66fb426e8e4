import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { askUntil } from '@trellis/sdk/testing/server';
import { openDesk, type Desk } from '../testing/desk.ts';

const count = 10_001;
const bulk = '/api/v1/db/data/bulk/v1/Desk/Requests';

interface Notice {
  readonly kind: string;
  readonly title: string;
  readonly tab: string;
  readonly opens: { readonly value: string } | null;
}

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  for (let from = 0; from < count; from += 2000) {
    const part = Array.from({ length: Math.min(2000, count - from) }, (_, index) => ({
      Title: `Request ${from + index}`,
    }));
    expect((await desk.ann.post(bulk, part)).status).toBe(200);
  }
});
afterAll(() => desk?.close());

test('a change of more rows than are remembered starts nothing, says so in the log, and to the owner once a day', async () => {
  const { ann, requests, column, make, runs, run, until } = desk;
  const hours = column(requests, 'Hours');
  const trigger = (type: string, more: object = {}) => ({ type, settings: { table: requests.id, ...more } });
  const active = { active: true };
  const changed = await make({
    title: 'Changed',
    trigger: trigger('row.changed', { columns: [hours] }),
    ...active,
  });
  const other = await make({
    title: 'Other column',
    trigger: trigger('row.changed', { columns: [column(requests, 'Note')] }),
    ...active,
  });
  const matches = await make({
    title: 'Matches',
    trigger: trigger('row.matches'),
    conditions: [{ fk_column_id: hours, comparison_op: 'gt', value: '5', logical_op: 'and' }],
    ...active,
  });
  expect((await ann.patch(`${bulk}/all?where=(Id,gt,0)`, { Hours: 9 })).body).toBe(count);
  for (const { id } of [changed, matches]) {
    const [line] = await runs(id, (list) => list.length > 0);
    expect(line).toMatchObject({
      state: 'skipped',
      row_id: '',
      error: { code: 'AUTOMATION_SET_ROWS', params: { count } },
    });
    // It failed at nothing, so there is nothing to go on with.
    await ann.post(`/api/v1/plugins/automations/automations/${id}/runs/${line?.id ?? ''}/retry`, {});
    expect(await run(id, line?.id ?? '')).toMatchObject({ state: 'skipped', steps: [] });
    expect(await until(id, () => true)).toMatchObject({
      failures: 0,
      waiting: 0,
      last_run: null,
      paused: null,
    });
  }
  await ann.patch(`${bulk}/all?where=(Id,gt,0)`, { Hours: 10 });
  await runs(changed.id, (list) => list.length === 2);
  await ann.patch('/api/v1/db/data/v1/Desk/Requests/1', { Note: 'alone' });
  expect(await runs(other.id, ([line]) => line?.state === 'done')).toMatchObject([{ row_id: '1' }]);
  expect(await desk.titles('Tasks')).toEqual(['Do Request 0']);

  const notices = async () => {
    const path = '/api/v1/plugins/notification-center/notices';
    const { list } = (await ann.get<{ list: readonly Notice[] }>(path)).body;
    return list.filter(({ kind }) => kind === 'automation-skipped');
  };
  const heard = await askUntil(notices, (list) => list.length >= 2);
  expect(heard.map(({ title }) => title).toSorted()).toEqual(['Changed', 'Matches']);
  expect(heard[0]?.tab).toBe('automations');
  expect(new Set(heard.map(({ opens }) => opens?.value))).toEqual(new Set([changed.id, matches.id]));
});
