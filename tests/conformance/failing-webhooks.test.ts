import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { TableEntity } from '@trellis/sdk/shared';
import {
  askUntil,
  startReceiver,
  type Receiver,
  type TestClient,
  type TestServer,
} from '@trellis/sdk/testing/server';
import type { Unit } from '../../host-server/sql/unit.ts';
import { MetadataToken } from '../../host-server/metadata/tokens.ts';
import type { HookEntity } from '../../plugins/webhooks/shared/index.ts';
import { describeEachHome, type StartServer } from './each-home.ts';

const rows = '/api/v1/db/data/v1/Shop/Things';

function describeFailing(start: StartServer): void {
  let server: TestServer;
  let receiver: Receiver;
  let ann: TestClient;
  let hooks = '';

  beforeAll(async () => {
    receiver = await startReceiver();
    // `/503/some/path` is answered with 503.
    receiver.answer(({ path }, response) => void response.writeHead(Number(path.split('/')[1])).end());
    server = await start({ env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' } });
    ann = await server.signUp('ann@example.com');
    const project = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
    const { body } = await ann.post<TableEntity>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
      title: 'Things',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    hooks = `/api/v1/db/meta/tables/${body.id}/hooks`;
  });
  afterAll(async () => {
    await server?.dispose();
    await receiver?.close();
  });

  const make = (status: number, title: string) =>
    ann.post(hooks, {
      title,
      event: 'after',
      operation: 'insert',
      notification: { type: 'URL', payload: { method: 'POST', path: `${receiver.url}/${status}/${title}` } },
    });

  /** By the titles of webhooks the status of their last message, where it did not arrive. */
  async function failing(): Promise<Readonly<Record<string, number | null | undefined>>> {
    const { list } = (await ann.get<{ list: readonly HookEntity[] }>(hooks)).body;
    return Object.fromEntries(list.map((hook) => [hook.title, hook.failing?.status]));
  }

  /** How often the database is asked for the last messages of webhooks. */
  async function questions(work: () => Promise<unknown>): Promise<number> {
    const { database } = server.host.container.get(MetadataToken);
    const read = database.read.bind(database);
    let count = 0;
    const counting = (unit: Unit): Unit =>
      new Proxy(unit, {
        get(of, name) {
          const value: unknown = Reflect.get(of, name, of);
          if (typeof value !== 'function') return value;
          return (...given: readonly unknown[]) => {
            if (/\btried_at\b/.test(String(given[0]))) count += 1;
            return Reflect.apply(value, of, given) as unknown;
          };
        },
      });
    const spy = jest
      .spyOn(database, 'read')
      .mockImplementation((reading, ...more) => read((unit) => reading(counting(unit)), ...more));
    try {
      await work();
    } finally {
      spy.mockRestore();
    }
    return count;
  }

  test('the list of webhooks says of each how its last message fared, by as many questions for many as for one', async () => {
    await make(503, 'away');
    await ann.post(rows, { Name: 'chair' });
    await askUntil(failing, ({ away }) => away === 503);
    const forOne = await questions(failing);
    expect(forOne).toBeGreaterThan(0);
    for (let number = 1; number <= 8; number += 1) await make(number % 2 === 0 ? 200 : 500, `hook${number}`);
    await ann.post(rows, { Name: 'table' });
    const states = await askUntil(
      failing,
      (all) => [1, 3, 5, 7].every((number) => all[`hook${number}`] === 500) && all.away === 503,
    );
    expect([2, 4, 6, 8].map((number) => states[`hook${number}`])).toEqual(Array(4).fill(undefined));
    expect(await questions(failing)).toBe(forOne);
  });
}

describeEachHome('webhooks that fail', describeFailing);
