import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { BusToken, type BusTopics } from '@trellis/sdk/server';
import type { LiveEvent, LiveSubscribeAnswer } from '@trellis/sdk/shared';
import { createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import { io, type Socket } from 'socket.io-client';
import { HostBusToken } from '../../host-server/runtime/tokens.ts';
import { openDatabase, parseDatabaseUrl } from '../../host-server/databases/index.ts';
import { describeEachServer } from '../../host-server/databases/testing.ts';
import { createStartedDatabases } from '../../host-server/testing.ts';

const rows = '/api/v1/db/data/noco/Shared/Things';

type Topic = keyof BusTopics;

/** The next message of a topic that comes to a server from another one. */
function nextFromElsewhere(server: TestServer, topic: Topic): Promise<void> {
  return new Promise((resolve) => {
    const hearing = server.host.container.get(BusToken).subscribe(topic, {
      message(_message, origin) {
        if (origin === 'here') return;
        void hearing.dispose();
        resolve();
      },
      gap() {},
    });
  });
}

/** Resolves as soon as what one server says reaches the other; at once where no bus carries anything. */
async function meet(from: TestServer, to: TestServer): Promise<void> {
  if (!from.host.container.get(HostBusToken).hasTransport) return;
  const arrived = nextFromElsewhere(to, 'credential.ended').then(() => true);
  const say = () => from.host.container.get(BusToken).publish('credential.ended', { userId: 'nobody' });
  do say();
  while (!(await Promise.race([arrived, delay(50, false)])));
}

describeEachServer('two servers on one database', (dialect) => {
  const databases = createStartedDatabases(dialect);
  let address: string;
  let servers: readonly [TestServer, TestServer];
  let onFirst: TestClient;
  let onSecond: TestClient;
  let tableId: string;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    address = await databases.url();
    const env = { TRELLIS_SECRET: 'one secret for both of the servers' };
    const first = await createTestServer({ database: address, env });
    const second = await createTestServer({ database: address, env });
    servers = [first, second];
    onFirst = await first.signUp('ann@example.com');
    onSecond = second.client.with({ token: onFirst.token });
    const project = await onFirst.post<{ id: string }>('/api/v1/db/meta/projects', { title: 'Shared' });
    const table = await onFirst.post<{ id: string }>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
      title: 'Things',
      columns: [
        { title: 'Id', uidt: 'ID', pk: true, ai: true },
        { title: 'Name', uidt: 'SingleLineText' },
      ],
    });
    tableId = table.body.id;
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.disconnect();
  });
  afterAll(async () => {
    for (const server of servers) await server.dispose();
    await databases.dropAll();
  });

  /** A browser of the second server that looks at the table, and the next event that it gets. */
  async function looksAtTable(): Promise<{ readonly event: Promise<LiveEvent> }> {
    const socket = io(`${servers[1].url}/live`, {
      auth: { token: onFirst.token },
      transports: ['websocket'],
      forceNew: true,
    });
    sockets.push(socket);
    await once(socket as never, 'connect');
    const answer = (await socket.emitWithAck('subscribe', { tableId })) as LiveSubscribeAnswer;
    expect(answer.ok).toBe(true);
    return {
      event: new Promise((resolve) => {
        socket.on('event', (of: LiveEvent) => {
          if (of.kind === 'rows' || of.kind === 'rowsReset') resolve(of);
        });
      }),
    };
  }

  test('both serve a table that one of them made', async () => {
    // The second one hears of it by the bus, or finds it within its next look at the generations.
    while ((await onSecond.get(rows)).status === 404) await delay(50);
    expect((await onSecond.get(rows)).body).toMatchObject({ list: [] });
  });

  test('end a socket whose session ended on the other one', async () => {
    const carl = await servers[0].signUp('carl@example.com');
    const socket = io(`${servers[1].url}/live`, {
      auth: { token: carl.token },
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
    });
    sockets.push(socket);
    await once(socket as never, 'connect');
    const ended = once(socket as never, 'disconnect');
    const changed = await carl.post('/api/v1/auth/password/change', {
      currentPassword: 'Password-1',
      newPassword: 'Password-2',
    });
    expect(changed.status).toBe(200);
    await ended;
  });

  test('count rows of the other one as soon as they hear of them', async () => {
    await meet(servers[0], servers[1]);
    expect((await onSecond.get(rows)).body).toMatchObject({ pageInfo: { totalRows: 0 } });
    const heard = nextFromElsewhere(servers[1], 'rows.changed');
    await onFirst.post(rows, { Name: 'Lamp' });
    await heard;
    expect((await onSecond.get(rows)).body).toMatchObject({ pageInfo: { totalRows: 1 } });
  });

  test('begin a deep page where it begins after a delete by the other one', async () => {
    await meet(servers[0], servers[1]);
    const many = Array.from({ length: 60 }, (_, index) => ({ Name: `Row ${index}` }));
    const bulk = '/api/v1/db/data/bulk/noco/Shared/Things';
    const inserted = nextFromElsewhere(servers[1], 'rows.changed');
    expect((await onFirst.post(bulk, many)).status).toBe(200);
    await inserted;
    const page = `${rows}?offset=40&limit=1`;
    // Twice, so that the second server remembers where this page begins.
    const before = (await onSecond.get<{ list: { Id: number }[] }>(page)).body.list[0]?.Id ?? 0;
    await onSecond.get(page);
    const heard = nextFromElsewhere(servers[1], 'rows.changed');
    const first = (await onFirst.get<{ list: { Id: number }[] }>(`${rows}?limit=5`)).body.list;
    await onFirst.delete(
      bulk,
      first.map(({ Id }) => ({ Id })),
    );
    await heard;
    expect((await onSecond.get(page)).body).toMatchObject({ list: [{ Id: before + 5 }] });
  });

  test('tell their browsers of rows that the other one wrote', async () => {
    await meet(servers[0], servers[1]);
    const { event } = await looksAtTable();
    await onFirst.post(rows, { Name: 'Chair' });
    expect(await event).toMatchObject({ tableId });
  });

  if (dialect !== 'postgres') return;

  test('see within a second what the other one changed: rows, columns and members', async () => {
    await meet(servers[0], servers[1]);
    const bob = await servers[1].signUp('bob@example.com');
    const projectOf = await onFirst.get<{ list: { id: string }[] }>('/api/v1/db/meta/projects');
    const users = `/api/v1/db/meta/projects/${projectOf.body.list[0]?.id ?? ''}/users`;
    /** Milliseconds from the answer of one server until the other one says so, too. */
    async function until(seen: () => Promise<boolean>): Promise<number> {
      const from = performance.now();
      while (!(await seen())) await delay(10);
      return performance.now() - from;
    }

    expect((await onFirst.post(rows, { Name: 'Shelf' })).status).toBe(200);
    const row = await until(async () => {
      const { body } = await onSecond.get<{ list: unknown[] }>(`${rows}?where=(Name,eq,Shelf)`);
      return body.list.length === 1;
    });
    const columns = `/api/v1/db/meta/tables/${tableId}/columns`;
    expect((await onFirst.post(columns, { title: 'Weight', uidt: 'Number' })).status).toBe(200);
    const column = await until(async () => (await onSecond.get(`${rows}?fields=Weight`)).status === 200);
    expect((await onFirst.post(users, { email: 'bob@example.com', roles: 'viewer' })).status).toBe(200);
    const member = await until(async () => (await bob.get(rows)).status === 200);
    for (const took of [row, column, member]) expect(took).toBeLessThan(1000);
  });

  test('tell their browsers of rows that were written while the connection between them was lost', async () => {
    await meet(servers[0], servers[1]);
    const { event } = await looksAtTable();
    const database = await openDatabase(parseDatabaseUrl(address), { name: 'test' });
    await database.read((unit) =>
      unit.run(
        unit.knex.raw(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'trellis bus' and datname = current_database()",
        ),
      ),
    );
    await database.close();
    await onFirst.post(rows, { Name: 'Stool' });
    expect(await event).toMatchObject({ kind: 'rows', tableId });
    await meet(servers[0], servers[1]);
  });
});
