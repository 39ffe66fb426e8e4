import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineErrors } from '@trellis/sdk/shared';
import type { TestClient, TestServer } from '@trellis/sdk/testing/server';
import { type Bakery, keeperOf, startScheduledServer } from '../testing/scheduled-server.ts';
import type { ManualClock } from '../testing/manual-clock.ts';
import type { ScheduleEntity } from '../shared/index.ts';

const errors = defineErrors({ NO_FLOUR: { status: 409, message: 'No flour.' } });

describe('schedules', () => {
  let server: TestServer;
  let clock: ManualClock;
  let bakery: Bakery;
  let ann: TestClient;
  let projectId: string;
  let keep: ReturnType<typeof keeperOf>;
  /** Runs of the bakery so far. */
  const baked = () => bakery.begun.length;

  beforeAll(async () => {
    ({ server, clock, bakery } = await startScheduledServer());
    ann = await server.signUp('ann@example.com');
    projectId = (await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body.id;
    keep = keeperOf(ann, projectId);
  });
  afterAll(() => server?.dispose());

  const off = (id: string) => ann.patch(`${keep.path}/${id}`, { active: false });

  test('run at their time, with a log, and say when they run next', async () => {
    const schedule = await keep.make({ time_zone: 'Europe/Berlin', settings: { loaves: 3 } });
    expect(schedule).toMatchObject({ active: true, paused: null, owner: 'ann@example.com', last_run: null });
    expect(schedule.next_runs[0]).toBe('2026-03-02T07:00:00.000Z');
    expect(schedule.next_runs[4]).toBe('2026-03-06T07:00:00.000Z');
    clock.advanceTo('2026-03-02T07:00:01Z');
    const { run, done } = await bakery.next(1);
    expect(run).toMatchObject({ attempt: 1, settings: { loaves: 3 }, schedule: { title: 'Bread' } });
    expect(new Date(run.dueAt).toISOString()).toBe('2026-03-02T07:00:00.000Z');
    clock.advanceTo('2026-03-02T07:00:05Z');
    done({ msg: 'Three loaves.' });
    const [ended] = await keep.until(schedule.id, ([first]) => first?.state === 'done');
    expect(ended).toMatchObject({
      cause: 'time',
      message: { msg: 'Three loaves.' },
      started_at: '2026-03-02T07:00:01.000Z',
      ended_at: '2026-03-02T07:00:05.000Z',
      attempts: [{ outcome: 'done' }],
    });
    const after = await keep.read(schedule.id);
    expect(after.last_run?.id).toBe(ended?.id);
    expect(after.next_runs[0]).toBe('2026-03-03T07:00:00.000Z');
    await off(schedule.id);
  });

  test('that fail are tried again after a pause, as often as is set, with every attempt in the log', async () => {
    const schedule = await keep.make({ cron: '0 9 2 3 *', retries: 1, retry_minutes: 10 });
    const before = baked();
    clock.advanceTo('2026-03-02T09:00:00Z');
    (await bakery.next(before + 1)).fail(errors.create('NO_FLOUR'));
    const [waiting] = await keep.until(schedule.id, ([first]) => first?.attempts.length === 1);
    expect(waiting).toMatchObject({
      state: 'waiting',
      next_at: '2026-03-02T09:10:00.000Z',
      message: { msg: 'No flour.', code: 'NO_FLOUR' },
    });
    clock.advanceTo('2026-03-02T09:10:00Z');
    const again = await bakery.next(before + 2);
    expect(again.run.attempt).toBe(2);
    expect(again.run.runId).toBe(waiting?.id);
    again.fail(new Error('a secret of the oven'));
    const [failed] = await keep.until(schedule.id, ([first]) => first?.state === 'failed');
    expect(failed?.attempts.map(({ outcome, message }) => [outcome, message.code])).toEqual([
      ['failed', 'NO_FLOUR'],
      ['failed', 'SCHEDULE_FAILED'],
    ]);
    expect(JSON.stringify(failed)).not.toContain('secret');
  });

  test.each([
    ['skip', ['running', 'skipped']],
    ['wait', ['running', 'waiting', 'skipped']],
    // A server runs at most two tasks of a project at once.
    ['beside', ['running', 'running']],
  ] as const)('that meet: %s', async (overlap, states) => {
    const schedule = await keep.make({ title: overlap, cron: '*/5 10 2 3 *', overlap });
    const before = baked();
    const minutes = { skip: ['00', '05', '10'], wait: ['15', '20', '25'], beside: ['30', '35'] }[overlap];
    for (const [index, minute] of minutes.entries()) {
      clock.advanceTo(`2026-03-02T10:${minute}:00Z`);
      await keep.until(schedule.id, (list) => list.reduce((sum, { times }) => sum + times, 0) === index + 1);
      if (overlap === 'beside' || index === 0) await bakery.next(before + index + 1);
    }
    const list = await keep.log(schedule.id);
    expect(list.map(({ state }) => state).toReversed()).toEqual(states);
    if (overlap === 'skip')
      expect(list[0]).toMatchObject({ times: 2, message: { code: 'SCHEDULE_OVERLAP' } });
    await off(schedule.id);
    for (const baking of bakery.begun.slice(before)) baking.done();
    await keep.until(schedule.id, (runs) => runs.every(({ state }) => state !== 'running'));
  });

  test('that take too long are stopped', async () => {
    const schedule = await keep.make({ cron: '0 11 2 3 *', limit_minutes: 3, retries: 0 });
    const before = baked();
    clock.advanceTo('2026-03-02T11:00:00Z');
    const { run } = await bakery.next(before + 1);
    clock.advanceTo('2026-03-02T11:03:00Z');
    const [ended] = await keep.until(schedule.id, ([first]) => first?.state === 'failed');
    expect(ended?.message).toMatchObject({ code: 'SCHEDULE_TIME_OUT', params: { minutes: 3 } });
    expect(run.signal.aborted).toBe(true);
  });

  test('are run by hand, also while they are off, and a run is cancelled', async () => {
    const schedule = await keep.make({ cron: '0 0 1 1 *' });
    await off(schedule.id);
    const before = baked();
    const begun = await keep.runNow(schedule.id);
    expect(begun.cause).toBe('person');
    const { run } = await bakery.next(before + 1);
    const waiting = await keep.runNow(schedule.id);
    const again = await ann.post(`${keep.path}/${schedule.id}/run`, undefined);
    expect(again).toMatchObject({ status: 409, body: { code: 'SCHEDULE_RUN_WAITS' } });
    expect((await keep.cancel(schedule.id, waiting.id)).body).toMatchObject({
      state: 'cancelled',
      attempts: [],
    });
    expect((await keep.cancel(schedule.id, begun.id)).status).toBe(200);
    const list = await keep.until(schedule.id, (runs) => runs.every(({ state }) => state === 'cancelled'));
    expect(list.find(({ id }) => id === begun.id)?.attempts).toMatchObject([{ outcome: 'cancelled' }]);
    expect(run.signal.aborted).toBe(true);
    expect(await keep.cancel(schedule.id, begun.id)).toMatchObject({
      status: 409,
      body: { code: 'SCHEDULE_ENDED' },
    });
  });

  test('are refused in words that name the field, and nothing is kept', async () => {
    const { body } = await ann.post<{ code: string; params: { problems: object } }>(keep.path, {
      title: ' ',
      action: 'bakery.bake',
      cron: '61 * * * *',
      time_zone: 'Mars/Olympus',
      settings: { loaves: 0 },
    });
    expect(body).toMatchObject({ code: 'SCHEDULE_INVALID' });
    expect(body.params.problems).toEqual({
      '/cron': 'A minute is a number from 0 to 59, and “61” is none.',
      '/title': 'Please give a name of at most 120 characters, without control characters.',
      '/settings/loaves': 'Bake one at least.',
    });
    // What an action asks for is held to by its schema, whether or not the action looks at it itself.
    const wrong = await ann.post<{ params: { problems: object } }>(keep.path, {
      title: 'Bread',
      action: 'bakery.bake',
      cron: '0 8 * * *',
      time_zone: 'UTC',
      settings: { loaves: { toString: 'three' } },
    });
    expect(wrong).toMatchObject({
      status: 400,
      body: { params: { problems: { '/settings/loaves': expect.stringContaining('must be') } } },
    });
    const { body: listed } = await ann.get<{ list: ScheduleEntity[] }>(keep.path);
    expect(listed.list.map(({ title }) => title)).not.toContain('');
  });

  test('belong to who may keep them: members with less see none, and other projects answer as if there were none', async () => {
    const bob = await server.signUp('bob@example.com');
    await ann.post(`/api/v1/db/meta/projects/${projectId}/users`, {
      email: 'bob@example.com',
      roles: 'editor',
    });
    expect((await bob.get(keep.path)).status).toBe(403);
    const schedule = await keep.make({ cron: '0 0 1 1 *' });
    const other = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Other' });
    const elsewhere = keeperOf(ann, other.body.id);
    expect((await ann.get(`${elsewhere.path}/${schedule.id}`)).status).toBe(404);
    expect((await ann.delete(`${elsewhere.path}/${schedule.id}`)).status).toBe(404);
    expect((await ann.delete(`${keep.path}/${schedule.id}`)).status).toBe(200);
    expect((await ann.get(`${keep.path}/${schedule.id}`)).status).toBe(404);
  });

  test('of somebody who lost the rights stand still with the reason, until somebody saves them', async () => {
    const cleo = await server.signUp('cleo@example.com');
    const members = `/api/v1/db/meta/projects/${projectId}/users`;
    await ann.post(members, { email: 'cleo@example.com', roles: 'creator' });
    const schedule = await keeperOf(cleo, projectId).make({ cron: '0 12 * * *' });
    const { body } = await ann.get<{ users: { list: { id: string; email: string }[] } }>(members);
    const { id = '' } = body.users.list.find(({ email }) => email === 'cleo@example.com') ?? {};
    expect((await ann.delete(`${members}/${id}`)).status).toBe(200);
    const before = baked();
    clock.advanceTo('2026-03-02T12:00:00Z');
    const reason = { code: 'SCHEDULE_OWNER_RIGHTS' };
    expect(await keep.read(schedule.id)).toMatchObject({ paused: reason, next_runs: [] });
    expect(await keep.log(schedule.id)).toEqual([]);
    const saved = await ann.patch<ScheduleEntity>(`${keep.path}/${schedule.id}`, { title: 'Mine' });
    expect(saved.body).toMatchObject({ paused: null, owner: 'ann@example.com' });
    clock.advanceTo('2026-03-03T12:00:00Z');
    (await bakery.next(before + 1)).done();
    await keep.until(schedule.id, ([first]) => first?.state === 'done');
    await off(schedule.id);
  });

  test('whose plugin is switched off say so, pass their times over, and go on when it is back', async () => {
    const schedule = await keep.make({ cron: '0 * 4 3 *' });
    await server.host.plugins.disable('bakery', { cascade: [] });
    expect((await keep.read(schedule.id)).paused).toMatchObject({ code: 'SCHEDULE_ACTION_OFF' });
    clock.advanceTo('2026-03-04T00:00:00Z');
    const [over] = await keep.until(schedule.id, (list) => list.length === 1);
    expect(over).toMatchObject({ state: 'skipped', message: { code: 'SCHEDULE_ACTION_OFF' } });
    await server.host.plugins.enable('bakery');
    expect((await keep.read(schedule.id)).paused).toBeNull();
    const before = baked();
    clock.advanceTo('2026-03-04T01:00:00Z');
    (await bakery.next(before + 1)).done();
    await keep.until(schedule.id, ([first]) => first?.state === 'done');
    await off(schedule.id);
  });

  test('of a project that was deleted wait for it to come back, and what they missed is no missed run', async () => {
    const other = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Gone' });
    const there = keeperOf(ann, other.body.id);
    const schedule = await there.make({ cron: '0 * 5 3 *', missed: 'all' });
    await ann.delete(`/api/v1/db/meta/projects/${other.body.id}`);
    const before = baked();
    clock.advanceTo('2026-03-05T03:00:00Z');
    // Another one whose time has come shows that all of them were looked at.
    const beside = await keep.make({ cron: '1 3 5 3 *' });
    clock.advanceTo('2026-03-05T03:01:00Z');
    (await bakery.next(before + 1)).done();
    await keep.until(beside.id, ([first]) => first?.state === 'done');
    await ann.post(`/api/v1/db/meta/deleted-projects/${other.body.id}/restore`);
    expect(await there.read(schedule.id)).toMatchObject({ paused: null, last_run: null });
    clock.advanceTo('2026-03-05T04:00:00Z');
    (await bakery.next(before + 2)).done();
    expect((await there.until(schedule.id, ([first]) => first?.state === 'done')).length).toBe(1);
    await ann.patch(`${there.path}/${schedule.id}`, { active: false });
  });

  test('keep what is due at this moment when something else of them is changed', async () => {
    const schedule = await keep.make({ cron: '0 5 5 3 *' });
    const before = baked();
    clock.advanceTo('2026-03-05T04:59:59.500Z');
    // It is time, and nobody has looked since: servers look every second.
    clock.advanceTo('2026-03-05T05:00:00Z');
    await ann.patch(`${keep.path}/${schedule.id}`, { title: 'Buns' });
    clock.advanceTo('2026-03-05T05:00:02Z');
    (await bakery.next(before + 1)).done();
    expect((await keep.until(schedule.id, ([first]) => first?.state === 'done')).length).toBe(1);
  });

  test('forget their runs after 30 days', async () => {
    const schedule = await keep.make({ cron: '0 0 1 1 *' });
    const before = baked();
    await keep.runNow(schedule.id);
    (await bakery.next(before + 1)).done();
    await keep.until(schedule.id, ([first]) => first?.state === 'done');
    const job = server.host.registries.get('jobs').get('schedules.prune');
    const context = {
      signal: AbortSignal.timeout(60_000),
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    };
    await job?.run(context);
    expect((await keep.log(schedule.id)).length).toBe(1);
    clock.advanceTo('2026-04-05T00:00:00Z');
    await job?.run(context);
    expect(await keep.log(schedule.id)).toEqual([]);
  });
});
