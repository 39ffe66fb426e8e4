import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { askUntil, createTestServer, type TestClient, type TestServer } from '@trellis/sdk/testing/server';
import type { DeliveryEntity, HookEntity } from '../shared/index.ts';
import { startReceiver, type Receiver, type ReceiverAnswer } from '@trellis/sdk/testing/server';

/** Longer than a message may take. */
const patience = 90_000;
const endless = Buffer.alloc(64 * 1024, 'x');

/** Ways in which a receiver answers badly, each with whether what it was told counts as taken. */
const badly: Readonly<Record<string, { readonly answer: ReceiverAnswer; readonly isTaken: boolean }>> = {
  'never answers': { answer: () => undefined, isTaken: false },
  'sends the head of its answer byte by byte': {
    answer: (_, response) => drip(response, 'HTTP/1.1 200 OK\r\nx-slow: '.padEnd(1000, 'x')),
    isTaken: false,
  },
  'sends the body of its answer byte by byte': {
    answer: (_, response) => drip(response, `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1000)}`, 19),
    isTaken: true,
  },
  'sends a body without an end': {
    answer: (_, response) => {
      const more = () => {
        if (!response.destroyed) response.write(endless, () => setImmediate(more));
      };
      more();
    },
    isTaken: true,
  },
  'breaks the connection': {
    answer: (_, response) => response.socket?.resetAndDestroy(),
    isTaken: false,
  },
  'breaks the connection within its answer': {
    answer: (_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('x', () => response.socket?.resetAndDestroy());
    },
    isTaken: true,
  },
  'leads to a private address': {
    answer: (_, response) => void response.writeHead(307, { location: 'http://10.0.0.1/inside' }).end(),
    isTaken: false,
  },
  'leads to where the message would be lost': {
    answer: (_, response) => void response.writeHead(302, { location: '/login' }).end(),
    isTaken: false,
  },
  'leads to itself for ever': {
    answer: (_, response) => void response.writeHead(307, { location: '/again' }).end(),
    isTaken: false,
  },
};

/** Writes to the connection one byte at a time, the first ones at once. */
function drip(response: Parameters<ReceiverAnswer>[1], text: string, atOnce = 0): void {
  const { socket } = response;
  if (socket === null) return;
  socket.write(text.slice(0, atOnce));
  let at = atOnce;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) return clearInterval(timer);
    socket.write(text.charAt(at));
    at += 1;
  }, 50);
}

let server: TestServer;
let ann: TestClient;
let tableId = '';
const receivers: Receiver[] = [];

beforeAll(async () => {
  server = await createTestServer({
    env: { TRELLIS_OUTBOUND_ALLOW: '127.0.0.1' },
  });
  ann = await server.signUp('ann@example.com');
  const project = await ann.post<{ id: string }>('/api/v1/db/meta/projects', {
    title: 'Shop',
  });
  const table = await ann.post<{ id: string }>(`/api/v1/db/meta/projects/${project.body.id}/tables`, {
    title: 'Things',
    columns: [
      { title: 'Id', uidt: 'ID', pk: true, ai: true },
      { title: 'Name', uidt: 'SingleLineText' },
    ],
  });
  tableId = table.body.id;
});
afterAll(async () => {
  await server?.dispose();
  for (const receiver of receivers) await receiver.close();
});

async function newReceiver(answer: ReceiverAnswer): Promise<Receiver> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  receiver.answer(answer);
  return receiver;
}

async function tell(
  answer: ReceiverAnswer,
  at?: Receiver,
): Promise<{ readonly receiver: Receiver; readonly hook: HookEntity }> {
  const receiver = at ?? (await newReceiver(answer));
  const { body: hook } = await ann.post<HookEntity>(`/api/v1/db/meta/tables/${tableId}/hooks`, {
    title: 'Tell',
    operation: 'update',
    notification: { type: 'URL', payload: { path: `${receiver.url}/told` } },
  });
  return { receiver, hook };
}

test(
  'whatever a receiver does at first, all is told to it in the order of each row, and others are told meanwhile',
  async () => {
    const told = await Promise.all(
      Object.entries(badly).map(async ([name, { answer, isTaken }]) => {
        let isFirst = true;
        const { receiver, hook } = await tell((request, response) => {
          if (!isFirst && request.path === '/told') return void response.end('ok');
          isFirst = false;
          answer(request, response);
        });
        return { name, isTaken, receiver, hook };
      }),
    );
    const good = await tell((_, response) => void response.end('ok'));
    const rows = '/api/v1/db/data/v1/Shop/Things';
    await ann.post('/api/v1/db/data/bulk/v1/Shop/Things', [{ Name: 'v0' }, { Name: 'w0' }]);
    for (const turn of [1, 2, 3]) {
      await ann.patch(`${rows}/1`, { Name: `v${turn}` });
      await ann.patch(`${rows}/2`, { Name: `w${turn}` });
    }
    await good.receiver.until(6);
    const hanging = told.find(({ name }) => name === 'never answers');
    const early = await ann.get<{ list: readonly DeliveryEntity[] }>(
      `/api/v1/db/meta/hooks/${hanging?.hook.id}/deliveries`,
    );
    expect(early.body.list.some(({ state }) => state === 'waiting')).toBe(true);

    for (const { name, isTaken, receiver, hook } of told) {
      // By their events: a repetition is allowed, and counts once.
      const firsts = () => {
        const byEvent = new Map<string, string>();
        for (const { headers, body, path } of receiver.got) {
          const id = headers['x-trellis-event-id'] ?? '';
          if (path === '/told' && !byEvent.has(id))
            byEvent.set(id, (JSON.parse(body) as { readonly Name: string }).Name);
        }
        return [...byEvent.values()];
      };
      await receiver.until(1, () => firsts().length === 6);
      const path = `/api/v1/db/meta/hooks/${hook.id}/deliveries`;
      const log = async () => (await ann.get<{ list: readonly DeliveryEntity[] }>(path)).body.list;
      const done = await askUntil(log, (list) => list.every(({ state }) => state === 'done'));
      const tries = Math.max(...done.map(({ attempts }) => attempts));
      expect({ name, tries }).toEqual({ name, tries: isTaken ? 1 : 2 });
      for (const row of ['v', 'w']) {
        const names = firsts().filter((one) => one.startsWith(row));
        expect({ name, names }).toEqual({
          name,
          names: [1, 2, 3].map((turn) => `${row}${turn}`),
        });
      }
    }
  },
  patience,
);

test('rows whose messages arrive do not wait for one that takes long', async () => {
  const { body } = await ann.post<readonly { readonly Id: number }[]>('/api/v1/db/data/bulk/v1/Shop/Things', [
    { Name: 'slow' },
    { Name: 'swift' },
  ]);
  const [slow, swift] = body.map(({ Id }) => Id);
  let finish = () => {};
  const { receiver, hook } = await tell(({ body: told }, response) => {
    if ((JSON.parse(told) as { readonly Id: number }).Id !== slow) return void response.end('ok');
    finish = () => void response.end('ok');
  });
  const rows = '/api/v1/db/data/bulk/v1/Shop/Things';
  const change = (turn: number) =>
    ann.patch(
      rows,
      [slow, swift].map((Id) => ({ Id, Name: `v${turn}` })),
    );
  await change(1);
  await receiver.until(2);
  await change(2);
  await change(3);
  // Its messages arrive while the first one of the other row is under way; that row's own ones wait behind it.
  await receiver.until(4);
  const told = () => receiver.got.map(({ body: text }) => JSON.parse(text) as { Id: number; Name: string });
  const namesOf = (row: number | undefined) => told().flatMap(({ Id, Name }) => (Id === row ? [Name] : []));
  expect(namesOf(swift)).toEqual(['v1', 'v2', 'v3']);
  expect(namesOf(slow)).toEqual(['v1']);
  for (let turn = 1; turn <= 3; turn += 1) {
    await receiver.until(3 + turn);
    finish();
  }
  const log = async () =>
    (await ann.get<{ list: readonly DeliveryEntity[] }>(`/api/v1/db/meta/hooks/${hook.id}/deliveries`)).body
      .list;
  const done = await askUntil(
    log,
    (list) => list.length === 6 && list.every(({ state }) => state === 'done'),
  );
  expect(done.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(namesOf(slow)).toEqual(['v1', 'v2', 'v3']);
});

test('all webhooks of one receiver together have no more than four messages under way', async () => {
  let running = 0;
  let most = 0;
  const slow: ReceiverAnswer = (_, response) => {
    running += 1;
    most = Math.max(most, running);
    setTimeout(() => {
      running -= 1;
      response.end('ok');
    }, 100);
  };
  const receiver = await newReceiver(slow);
  for (let count = 0; count < 3; count += 1) await tell(slow, receiver);
  const keys = Array.from({ length: 8 }, (_, index) => ({ Name: `n${index}` }));
  const bulk = '/api/v1/db/data/bulk/v1/Shop/Things';
  const { body } = await ann.post<readonly { Id: number }[]>(bulk, keys);
  await ann.patch(
    bulk,
    body.map(({ Id }) => ({ Id, Name: 'changed' })),
  );
  await receiver.until(24);
  expect(most).toBe(4);
});
