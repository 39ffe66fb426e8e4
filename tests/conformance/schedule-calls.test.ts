import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import { startReceiver, type Receiver, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { keeperOf } from '../../plugins/schedules/testing/scheduled-server.ts';
import { describeEachHome, type StartServer } from './each-home.ts';

const columns = [
  { title: 'Id', uidt: 'ID', pk: true, ai: true },
  { title: 'Name', uidt: 'SingleLineText' },
  { title: 'Note', uidt: 'LongText' },
];
const data = '/api/v1/db/data/v1/Shop';

function describeCalls(start: StartServer): void {
  let server: TestServer;
  let receiver: Receiver;
  let ann: TestClient;
  let keep: ReturnType<typeof keeperOf>;
  let projectId = '';

  beforeAll(async () => {
    receiver = await startReceiver();
    server = await start({ env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
    ann = await server.signUp('ann@example.com');
    projectId = (await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' })).body.id;
    keep = keeperOf(ann, projectId);
  });
  afterAll(async () => {
    await server?.dispose();
    await receiver?.close();
  });

  async function tableOf(title: string, rows: readonly object[]): Promise<TableEntity> {
    const { body } = await ann.post<TableEntity>(`/api/v1/db/meta/projects/${projectId}/tables`, {
      title,
      columns,
    });
    for (let from = 0; from < rows.length; from += 5) {
      const part = rows.slice(from, from + 5);
      expect(await ann.post(`/api/v1/db/data/bulk/v1/Shop/${title}`, part)).toMatchObject({ status: 200 });
    }
    return body;
  }

  /** How a run went that sends the rows of a table, and the names of the rows in the order in which they came. */
  async function sent(table: TableEntity, meanwhile: () => Promise<unknown>) {
    const path = `/${table.id}`;
    let isFirst = true;
    receiver.answer((_, response) => {
      const answered = isFirst ? meanwhile() : Promise.resolve();
      isFirst = false;
      answered.then(
        () => response.end('ok'),
        () => response.writeHead(500).end(),
      );
    });
    const schedule = await keep.make({
      cron: '0 0 1 1 *',
      retries: 0,
      action: 'schedules.call',
      table_id: table.id,
      settings: { address: receiver.url + path },
    });
    await keep.runNow(schedule.id);
    const [run] = await keep.until(schedule.id, ([newest]) => (newest?.ended_at ?? null) !== null);
    const requests = receiver.got
      .filter((one) => one.path === path)
      .map(({ body }) => JSON.parse(body) as { part: number; rows: readonly { Name: string }[] });
    return {
      run,
      parts: requests.map(({ part }) => part),
      names: requests.flatMap(({ rows }) => rows.map(({ Name }) => Name)),
    };
  }

  const named = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, index) => ({ Name: `r${index + 1}`, ...more }));

  test('the rows of a schedule arrive also where somebody changes the table while they are sent', async () => {
    const table = await tableOf('Changed', named(150));
    const { run, names } = await sent(table, () =>
      ann.post(`/api/v1/db/meta/tables/${table.id}/columns`, { title: 'Meanwhile', uidt: 'Number' }),
    );
    expect(run).toMatchObject({ state: 'done', message: { params: { count: 150 } } });
    expect(names).toEqual(named(150).map(({ Name }) => Name));
  });

  test('rows that are too many to be held at once come in parts, each row once, whatever is deleted and added meanwhile', async () => {
    const table = await tableOf('Large', named(95, { Note: 'x'.repeat(100_000) }));
    const { run, parts, names } = await sent(table, async () => {
      for (const id of [1, 2, 95]) await ann.delete(`${data}/Large/${id}`);
      await ann.post(`${data}/Large`, { Name: 'late' });
    });
    expect(run).toMatchObject({ state: 'done', message: { params: { count: 95 } } });
    expect(parts).toEqual([1, 2]);
    const there = named(94).map(({ Name }) => Name);
    expect(names).toEqual([...there, 'late']);
  });
}

describeEachHome('what a schedule sends to an address', describeCalls);
