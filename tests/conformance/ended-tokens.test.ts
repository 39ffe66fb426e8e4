import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import {
  askUntil,
  startReceiver,
  type Receiver,
  type TestClient,
  type TestServer,
} from '@trellis/sdk/testing/server';
import type { AutomationEntity } from '../../plugins/automations/shared/index.ts';
import type { ManualClock } from '../../plugins/schedules/testing/manual-clock.ts';
import {
  keeperOf,
  startScheduledServer,
  type Bakery,
} from '../../plugins/schedules/testing/scheduled-server.ts';
import type { HookEntity } from '../../plugins/webhooks/shared/index.ts';

const rows = '/api/v1/db/data/v1/Shop/Things';
const automations = '/api/v1/plugins/automations';

interface Token {
  readonly id: string;
  readonly token: string;
}

describe('what was set up by an API token', () => {
  let server: TestServer;
  let clock: ManualClock;
  let bakery: Bakery;
  let receiver: Receiver;
  let ann: TestClient;
  let projectId = '';
  let table: TableEntity;
  let tokens = '';
  let last: Token | undefined;

  beforeAll(async () => {
    receiver = await startReceiver();
    ({ server, clock, bakery } = await startScheduledServer({
      env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' },
    }));
    ann = await server.signUp('ann@example.com');
    projectId = (await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body.id;
    tokens = `/api/v1/db/meta/projects/${projectId}/api-tokens`;
    const made = await ann.post<TableEntity>(`/api/v1/db/meta/projects/${projectId}/tables`, {
      title: 'Things',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    table = made.body;
  });
  afterEach(async () => {
    await server.host.plugins.enable('api-tokens');
  });
  afterAll(async () => {
    await server?.dispose();
    await receiver?.close();
  });

  /** A program that calls with a token of Ann's. */
  async function program(expiry?: string): Promise<TestClient> {
    const { body } = await ann.post<Token>(tokens, { permissions: 'creator', expiry });
    last = body;
    return server.client.with({ headers: { 'xc-token': body.token } });
  }

  const takeBack = () => ann.delete(`${tokens}/${last?.id}`);
  const add = (name: string) => ann.post(rows, { Name: name });
  const at = (path: string) => receiver.got.filter((one) => one.path === path).map(({ body }) => body);
  const arrives = (path: string, count: number) => receiver.until(count, (one) => one.path === path);

  async function titlesOfNotices(of: string): Promise<readonly string[]> {
    const { body } = await ann.get<{ list: readonly { kind: string; title: string }[] }>(
      '/api/v1/plugins/notification-center/notices',
    );
    return body.list.filter(({ kind }) => kind === of).map(({ title }) => title);
  }
  const isTold = (kind: string, title: string) =>
    askUntil(
      () => titlesOfNotices(kind),
      (titles) => titles.includes(title),
    );

  async function automationOf(by: TestClient, path: string): Promise<AutomationEntity> {
    const { body, status } = await by.post<AutomationEntity>(
      `${automations}/projects/${projectId}/automations`,
      {
        title: path,
        trigger: { type: 'row.added', settings: { table: table.id } },
        steps: [
          {
            id: 'call',
            name: 'call',
            type: 'address.call',
            settings: { method: 'POST', path: receiver.url + path, body: '{{row.Name}}' },
          },
        ],
      },
    );
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  }
  const paused = (id: string) =>
    askUntil(
      async () => (await ann.get<AutomationEntity>(`${automations}/automations/${id}`)).body.paused,
      (reason) => reason !== null,
    );

  test('an automation stops when the token is deleted, says so, and goes on with the rights of whoever switches it on', async () => {
    const { id } = await automationOf(await program(), '/deleted');
    await add('before');
    await arrives('/deleted', 1);
    await takeBack();
    await add('after');
    expect(await paused(id)).toMatchObject({ code: 'AUTOMATION_OWNER_TOKEN' });
    await isTold('automation-paused', '/deleted');
    expect(at('/deleted')).toEqual(['before']);
    await ann.patch(`${automations}/automations/${id}`, { active: true });
    await add('again');
    await arrives('/deleted', 2);
    expect(at('/deleted')).toEqual(['before', 'again']);
    await ann.delete(`${automations}/automations/${id}`);
  });

  test('an automation stops when the token has expired', async () => {
    const byToken = await program(new Date(Date.now() + 2000).toISOString());
    const { id } = await automationOf(byToken, '/expired');
    await askUntil(
      async () => (await byToken.get(rows)).status,
      (status) => status === 401,
    );
    await add('after');
    expect(await paused(id)).toMatchObject({ code: 'AUTOMATION_OWNER_TOKEN' });
    expect(at('/expired')).toEqual([]);
    await ann.delete(`${automations}/automations/${id}`);
  });

  test('an automation stops when nobody knows tokens any more', async () => {
    const { id } = await automationOf(await program(), '/off');
    await server.host.plugins.disable('api-tokens', { cascade: [] });
    await add('off');
    expect(await paused(id)).toMatchObject({ code: 'AUTOMATION_OWNER_TOKEN' });
    expect(at('/off')).toEqual([]);
    await ann.delete(`${automations}/automations/${id}`);
  });

  test('a webhook stops when the token is deleted, keeps what waits, and goes on in the name of whoever resumes it', async () => {
    const byToken = await program();
    const { body: hook, status } = await byToken.post<HookEntity>(
      `/api/v1/db/meta/tables/${table.id}/hooks`,
      {
        title: '/hook',
        event: 'after',
        operation: 'insert',
        notification: {
          type: 'URL',
          payload: { method: 'POST', path: `${receiver.url}/hook`, body: '{{data.Name}}' },
        },
      },
    );
    expect(status).toBe(200);
    await add('before');
    await arrives('/hook', 1);
    await takeBack();
    await add('after');
    const path = `/api/v1/db/meta/hooks/${hook.id}`;
    const code = await askUntil(
      async () => (await ann.get<HookEntity>(path)).body.paused_code,
      (found) => found !== null,
    );
    expect(code).toBe('HOOK_OWNER_TOKEN');
    await isTold('webhook-paused', '/hook');
    expect(at('/hook')).toEqual(['before']);
    await ann.post(`${path}/resume`, {});
    await arrives('/hook', 2);
    expect(at('/hook')).toEqual(['before', 'after']);
    await ann.delete(path);
  });

  test('a schedule stands still once the token is deleted, until somebody saves it', async () => {
    const keep = keeperOf(ann, projectId);
    const schedule = await keeperOf(await program(), projectId).make({ title: '/clock', cron: '0 12 * * *' });
    clock.advanceTo('2026-03-02T12:00:00Z');
    (await bakery.next(1)).done();
    await keep.until(schedule.id, ([first]) => first?.state === 'done');
    await takeBack();
    clock.advanceTo('2026-03-03T12:00:00Z');
    await isTold('schedule-failed', '/clock');
    expect(await keep.read(schedule.id)).toMatchObject({ paused: { code: 'SCHEDULE_OWNER_TOKEN' } });
    expect(bakery.begun).toHaveLength(1);
    await ann.patch(`${keep.path}/${schedule.id}`, { title: '/clock' });
    clock.advanceTo('2026-03-04T12:00:00Z');
    (await bakery.next(2)).done();
  });
});
