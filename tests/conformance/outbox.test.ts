import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineServerPlugin, OutboxToken, type Change } from '@trellis/sdk/server';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';

/** Hears changes of rows until so many have come. */
class Hearing {
  readonly heard: Change[] = [];
  #wake: () => void = () => undefined;

  hear(change: Change): void {
    this.heard.push(change);
    this.#wake();
  }

  async until(count: number): Promise<readonly Change[]> {
    while (this.heard.length < count)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.heard;
  }
}

const hearing = new Hearing();

const listener = {
  manifest: {
    id: 'row-listener',
    name: 'Row listener',
    version: '1.0.0',
    category: 'app',
    engines: { trellis: '>=0.1.0' },
    sdk: 1,
    enabledByDefault: true,
  },
  server: defineServerPlugin({
    setup(ctx) {
      const outbox = ctx.get(OutboxToken);
      ctx.own(
        outbox.subscribe({
          id: 'row-listener.rows',
          filter: ({ kind }) => kind === 'row',
          deliver: async ({ change }) => hearing.hear(change),
        }),
      );
    },
  }),
};

describe('a plugin that subscribes to the outbox', () => {
  let server: TestServer;
  let ann: TestClient;
  const rows = '/api/v1/db/data/v1/Shop/Things';
  const bulk = '/api/v1/db/data/bulk/v1/Shop/Things';

  beforeAll(async () => {
    server = await createTestServer({ plugins: [listener] });
    ann = await server.signUp('ann@example.com');
    const { body } = await ann.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shop' });
    await ann.post(`/api/v1/db/meta/projects/${body.id}/tables`, {
      title: 'Things',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
  });
  afterAll(() => server?.dispose());

  test('hears one event for each row, also of bulk writes', async () => {
    await ann.post(rows, { Name: 'one' });
    await ann.post(bulk, [{ Name: 'two' }, { Name: 'three' }]);
    const heard = await hearing.until(3);
    expect(heard.map(({ op, rowKey, actorEmail }) => `${op} ${rowKey} ${actorEmail}`).toSorted()).toEqual([
      'insert 1 ann@example.com',
      'insert 2 ann@example.com',
      'insert 3 ann@example.com',
    ]);
    expect(new Set(heard.map(({ id }) => id)).size).toBe(3);
  });

  test('hears after it is switched on again what happened while it was off', async () => {
    const before = hearing.heard.length;
    const plugins = '/api/v1/app-store/plugins/row-listener';
    await ann.post(`${plugins}/disable`, {});
    await ann.patch(`${rows}/2`, { Name: 'TWO' });
    await ann.delete(`${rows}/3`);
    expect(hearing.heard).toHaveLength(before);
    await ann.post(`${plugins}/enable`);
    const heard = (await hearing.until(before + 2)).slice(before);
    expect(heard.map(({ op, rowKey }) => `${op} ${rowKey}`).toSorted()).toEqual(['delete 3', 'update 2']);
  });
});
