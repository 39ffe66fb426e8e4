import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  AutomationsToken,
  defineServerPlugin,
  SchedulesToken,
  type Automations,
  type Schedules,
} from '@trellis/sdk/server';
import { askUntil, createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { lastDue, startDue } from './start-due.ts';

let automations: Automations;
let schedules: Schedules;
const observer = {
  manifest: {
    id: 'observer',
    name: 'Observer',
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '>=0.1.0' },
    sdk: 1,
    dependencies: { automations: '*', schedules: '*' },
    enabledByDefault: true,
  },
  server: defineServerPlugin({
    setup(ctx) {
      automations = ctx.get(AutomationsToken);
      schedules = ctx.get(SchedulesToken);
    },
  }),
};

/** Settings of the trigger. */
const at = (cron: string, zone = 'UTC') => ({ time: { cron, time_zone: zone } });

describe('automations by the clock', () => {
  let server: TestServer;
  let ann: TestClient;
  let projectId: string;
  let tableId: string;
  let nameId: string;

  beforeAll(async () => {
    server = await createTestServer({ plugins: [observer] });
    ann = await server.signUp('ann@example.com');
    const project = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Clock' });
    projectId = project.body.id;
    const table = await ann.post<{ id: string; columns: { id: string; title: string }[] }>(
      `/api/v1/db/meta/projects/${projectId}/tables`,
      {
        title: 'Ticks',
        columns: [
          { title: 'Id', uidt: 'ID' },
          { title: 'Name', uidt: 'SingleLineText' },
        ],
      },
    );
    tableId = table.body.id;
    nameId = table.body.columns.find(({ title }) => title === 'Name')?.id ?? '';
  });
  afterAll(() => server?.dispose());

  const make = (settings: object) =>
    ann.post<{ id: string; msg: string }>(`/api/v1/plugins/automations/projects/${projectId}/automations`, {
      title: 'Tick',
      trigger: { type: 'time.comes', settings },
      steps: [
        {
          id: 'tick',
          name: 'tick',
          type: 'row.create',
          settings: { table: tableId, cells: { [nameId]: 'at {{trigger.at}}' } },
        },
      ],
    });

  test('a time that nobody can read is refused, with the reason', async () => {
    const refused = (reason: RegExp) => ({
      status: 400,
      body: { code: 'AUTOMATION_TIME', msg: expect.stringMatching(reason) },
    });
    expect(await make(at('99 * * * *'))).toMatchObject(refused(/99/));
    expect(await make(at('0 8 * * *', 'Mars/Olympus'))).toMatchObject(refused(/Mars/));
    expect(await make({})).toMatchObject({ status: 400, body: { code: 'AUTOMATION_INPUT' } });
    expect(await make({ time: '0 8 * * *' })).toMatchObject({ status: 400 });
    expect(await make(at(`0 8 ${'1,'.repeat(200)}1 * *`))).toMatchObject({ status: 400 });
  });

  test('it is answered as schedules are: the notation, the zone and the next runs, none while it is off', async () => {
    const { body } = await make(at('0 8 * * *', 'Asia/Kolkata'));
    const path = `/api/v1/plugins/automations/automations/${body.id}`;
    const read = async () => (await ann.get<{ trigger: object; next_runs: readonly string[] }>(path)).body;
    const { trigger, next_runs: next } = await read();
    expect(trigger).toEqual({
      type: 'time.comes',
      settings: { time: { cron: '0 8 * * *', time_zone: 'Asia/Kolkata' } },
    });
    expect(next.map((moment) => moment.slice(11))).toEqual(Array.from({ length: 5 }, () => '02:30:00.000Z'));
    await ann.patch(path, { active: false });
    expect(await read()).toMatchObject({ next_runs: [] });
    await ann.delete(path);
  });

  test.each([
    [{ every: '0 8 * * 1-5', timeZone: 'Europe/Berlin' }, '0 8 * * 1-5', 'Europe/Berlin'],
    [{ every: 'cron', cron: ' 30 6 L * * ', timeZone: '' }, '30 6 L * *', 'UTC'],
  ])('what programs send as a former release took it is taken: %j', async (former, cron, zone) => {
    const { status, body } = await make(former);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { trigger: { settings: at(cron, zone) } },
    });
    await ann.delete(`/api/v1/plugins/automations/automations/${body.id}`);
  });

  test('one is started once for each moment, and nothing is made up that was before it was saved', async () => {
    const { status, body } = await make(at('*/5 * * * *'));
    expect({ status, body }).toMatchObject({ status: 200 });
    const names = async () => {
      const path = '/api/v1/db/data/noco/Clock/Ticks';
      const answer = await ann.get<{ list: readonly { Name: string }[] }>(path);
      return answer.body.list.map(({ Name }) => Name);
    };
    const now = Date.now();
    await startDue({ automations, schedules, now });
    expect(await names()).toEqual([]);
    const first = Math.floor(now / 300_000) * 300_000 + 300_000;
    for (const moment of [first, first + 1000, first + 20_000])
      await startDue({ automations, schedules, now: moment });
    // Nobody was there for two moments: the last one counts.
    await startDue({ automations, schedules, now: first + 900_000 });
    const made = await askUntil(names, ({ length }) => length >= 2);
    expect(made).toEqual([first, first + 900_000].map((moment) => `at ${new Date(moment).toISOString()}`));
  });

  test('a moment that has come is not lost to a change of anything else, and another time is meant from then on', async () => {
    const { body } = await make(at('*/5 * * * *'));
    const since = async () => (await automations.list('time.comes')).find(({ id }) => id === body.id)?.since;
    const saved = await since();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_000);
    const changed = (change: object) =>
      ann.patch(`/api/v1/plugins/automations/automations/${body.id}`, change);
    try {
      await changed({ title: 'Tock', active: true });
      expect(await since()).toBe(saved);
      await changed({ trigger: { type: 'time.comes', settings: at('*/7 * * * *') } });
      expect(await since()).toBe(Date.now());
      clock.mockReturnValue(Date.now() + 600_000);
      await changed({ active: false });
      await changed({ active: true });
      expect(await since()).toBe(Date.now());
    } finally {
      clock.mockRestore();
    }
    await ann.delete(`/api/v1/plugins/automations/automations/${body.id}`);
  });

  test('one whose plan cannot be read keeps the others from nothing, and is told of', async () => {
    const by = (id: string, cron: string) => ({
      id,
      projectId,
      settings: at(cron),
      since: 0,
    });
    const started: string[] = [];
    const those: Automations = {
      ...automations,
      list: async () => [by('broken', 'never'), by('whole', '*/5 * * * *')],
      start: async (id) => {
        started.push(id);
        return { kind: 'kept' };
      },
    };
    const looking = startDue({ automations: those, schedules, now: Date.now() });
    await expect(looking).rejects.toMatchObject({ errors: [{ message: expect.any(String) }] });
    expect(started).toEqual(['whole']);
  });

  test('the last moment of a day is found, however many there were', () => {
    const now = Date.UTC(2026, 5, 10, 7, 30);
    const last = (cron: string) => lastDue(schedules, { settings: at(cron), since: 0 }, now);
    expect(last('0 8 * * *')).toBe(Date.UTC(2026, 5, 9, 8));
    expect(last('0 * * * *')).toBe(Date.UTC(2026, 5, 10, 7));
    expect(last('* * * * *')).toBe(now);
    expect(last('0 8 1 * *')).toBeUndefined();
  });

  test('one that comes once in years costs no more than others, as a server looks for it all the time', () => {
    const settings = at('0 0 29 2 *', 'Europe/Berlin');
    const begin = process.cpuUsage();
    for (let times = 0; times < 200; times += 1)
      expect(lastDue(schedules, { settings, since: 0 }, Date.UTC(2026, 5, 10, 7, 30))).toBeUndefined();
    expect(process.cpuUsage(begin).user / 1000).toBeLessThan(1000);
    expect(lastDue(schedules, { settings, since: 0 }, Date.UTC(2028, 1, 29))).toBe(Date.UTC(2028, 1, 28, 23));
  });
});
