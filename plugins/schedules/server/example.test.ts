import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  AccessServiceToken,
  SchedulesToken,
  type AccessScope,
  type Schedules,
  type ScheduledAction,
} from '@trellis/sdk/server';
import { askUntil, type TestClient, testPlugin } from '@trellis/sdk/testing/server';
import example from '../testing/example-plugin.ts';
import { keeperOf, startScheduledServer, type ScheduledServer } from '../testing/scheduled-server.ts';

let started: ScheduledServer;
let ann: TestClient;
let projectId: string;
let keep: ReturnType<typeof keeperOf>;

beforeAll(async () => {
  started = await startScheduledServer({
    plugins: [testPlugin('acme-stock', example, { dependencies: { schedules: '*' } })],
  });
  ann = await started.server.signUp('ann@example.com');
  projectId = (await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body.id;
  keep = keeperOf(ann, projectId);
});
afterAll(() => started?.server.dispose());

test('an action of another plugin is offered, and its schedules run it', async () => {
  const { body } = await ann.get<{ list: ScheduledAction[] }>(
    `/api/v1/plugins/schedules/projects/${projectId}/actions`,
  );
  const ids = body.list.map(({ id }) => id);
  expect(ids).toContain('acme-stock.count');
  expect(ids).not.toContain('acme-stock.remind');
  const table = await ann.post<{ id: string }>(`/api/v1/db/meta/projects/${projectId}/tables`, {
    title: 'Things',
    columns: [{ title: 'Id', uidt: 'ID', pk: true, ai: true }],
  });
  const schedule = await keep.make({ action: 'acme-stock.count', table_id: table.body.id });
  await keep.runNow(schedule.id);
  const [run] = await keep.until(schedule.id, ([newest]) => newest?.state === 'done');
  expect(run?.message).toEqual({ msg: '0 rows.' });
});

test('a plugin keeps a schedule of its own: one for each key, unseen by people, until it is dropped', async () => {
  const { container } = started.server.host;
  const schedules: Schedules = container.get(SchedulesToken);
  const scope: AccessScope = container.get(AccessServiceToken).systemScope(projectId, 'test');
  const reminder = `/api/v1/plugins/acme-stock/projects/${projectId}/reminder`;
  await ann.put(reminder, { of: 'flour' });
  const { body } = await ann.put<{ nextAt: number }>(reminder, { of: 'salt' });
  expect(new Date(body.nextAt).toISOString()).toBe('2026-03-02T07:00:00.000Z');
  const { body: listed } = await ann.get<{ list: { title: string }[] }>(keep.path);
  expect(listed.list.map(({ title }) => title)).not.toContain('Reminder');
  started.clock.advanceTo('2026-03-02T07:00:00Z');
  const read = async () => (await ann.get<object>(reminder)).body;
  const reminded = await askUntil(read, (answer) => 'of' in answer);
  expect(reminded).toEqual({ of: 'salt' });
  expect(schedules.nextRuns({ cron: '0 8 * * *', timeZone: 'UTC' }, { count: 2 })).toEqual([
    Date.parse('2026-03-02T08:00:00Z'),
    Date.parse('2026-03-03T08:00:00Z'),
  ]);
  expect(() => schedules.nextRuns({ cron: 'soon', timeZone: 'UTC' }, { count: 1 })).toThrow(
    expect.objectContaining({ code: 'SCHEDULE_INVALID' }),
  );
  const kept = { action: 'acme-stock.remind', title: 'Reminder', cron: '0 8 * * *', timeZone: 'UTC' };
  await expect(schedules.keep(scope, { ...kept, key: 'k'.repeat(101) })).rejects.toMatchObject({
    code: 'SCHEDULE_INVALID',
  });
  await schedules.drop(scope, 'acme-stock.remind', 'weekdays');
  await schedules.drop(scope, 'acme-stock.remind', 'weekdays');
});
