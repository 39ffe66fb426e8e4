import { describe, expect, jest, test } from '@jest/globals';
import type { LiveEvent, LiveSaying, LiveSubscribeAnswer } from '@trellis/sdk/shared';
import { SocketLiveClient, type LiveSocket } from './socket-live-client.ts';

class FakeSocket implements LiveSocket {
  connected = true;
  active = true;
  connects = 0;
  readonly sent: { readonly event: string; readonly payload: unknown }[] = [];
  answer: LiveSubscribeAnswer = { ok: true, seq: 5, resync: false };
  readonly #listeners = new Map<string, (payload: never) => void>();

  on(event: string, listener: (payload: never) => void): void {
    this.#listeners.set(event, listener);
  }
  emit(event: string, payload: unknown, answer?: (answer: LiveSubscribeAnswer) => void): void {
    this.sent.push({ event, payload });
    answer?.(this.answer);
  }
  connect(): void {
    this.connects += 1;
  }
  disconnect(): void {
    this.connected = false;
  }
  refuse(): void {
    this.connected = false;
    this.active = false;
    this.arrive('connect_error');
  }
  arrive(event: string, payload?: LiveEvent | LiveSaying): void {
    this.#listeners.get(event)?.(payload as never);
  }
}

const rows = (seq: number, tableId = 'tb_1'): LiveEvent => ({
  kind: 'rows',
  projectId: 'p_1',
  tableId,
  seq,
  requestId: 'r',
  changes: [],
});

const saying = (tableId: string, topic: string): LiveSaying => ({
  projectId: 'p_1',
  tableId,
  topic,
  from: { id: 'page', userId: 'us_1', email: 'bob@example.com' },
  said: {},
});

function createClock() {
  const timers: { readonly after: number; run(): void }[] = [];
  const time = { now: 0 };
  const after = (milliseconds: number, run: () => void) => {
    timers.push({ after: milliseconds, run });
    return () => undefined;
  };
  return { timers, time, clock: { now: () => time.now, after } };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

async function startClient(socket = new FakeSocket(), renew = () => Promise.resolve()) {
  const onError = jest.fn();
  const { timers, time, clock } = createClock();
  const client = new SocketLiveClient({
    connect: () => Promise.resolve(socket),
    token: () => 't',
    headers: () => Promise.resolve({}),
    renew,
    isOwn: () => Promise.resolve(false),
    clock,
    onError,
  });
  await client.start();
  return { client, socket, onError, timers, time };
}

describe('the live channel', () => {
  test("hands a table's events to those who listen to it", async () => {
    const { client, socket } = await startClient();
    const heard: unknown[] = [];
    client.subscribe({ tableId: 'tb_1' }, (event) => heard.push(event));
    socket.arrive('event', rows(6));
    socket.arrive('event', rows(1, 'tb_2'));
    expect(heard).toEqual([rows(6)]);
  });

  test('joins again after a reconnect, from the last event that was seen', async () => {
    const { client, socket } = await startClient();
    client.subscribe({ tableId: 'tb_1' }, () => undefined);
    socket.arrive('event', rows(9));
    socket.arrive('connect');
    expect(socket.sent.map(({ payload }) => payload)).toEqual([
      { tableId: 'tb_1', since: undefined },
      { tableId: 'tb_1', since: 9 },
    ]);
  });

  test('asks to read again whoever listened before there was a connection', async () => {
    const socket = new FakeSocket();
    socket.connected = false;
    const { client } = await startClient(socket);
    const heard: unknown[] = [];
    const connected: unknown[] = [];
    client.onDidConnect((which) => connected.push(which));
    client.subscribe({ tableId: 'tb_1' }, (event) => heard.push(event));
    socket.connected = true;
    socket.arrive('connect');
    client.subscribe({ tableId: 'tb_1' }, () => heard.push('later'));
    expect(heard).toEqual([{ kind: 'resync' }]);
    socket.arrive('connect');
    expect([heard.length, connected]).toEqual([3, ['first', 'again']]);
  });

  test('connects again as soon as the browser has a network', async () => {
    const { client, socket } = await startClient();
    client.goOffline();
    client.goOnline();
    await new Promise(process.nextTick);
    expect([socket.connected, socket.connects]).toEqual([false, 1]);
  });

  test('asks to read again whoever joined so late that events may be lost', async () => {
    const { client, socket, time } = await startClient();
    const heard: unknown[] = [];
    const held: ((answer: LiveSubscribeAnswer) => void)[] = [];
    socket.emit = (_event, _payload, answer) => void (answer && held.push(answer));
    client.subscribe({ tableId: 'tb_1' }, (event) => heard.push(event));
    client.subscribe({ tableId: 'tb_1' }, () => undefined);
    held[1]?.(socket.answer);
    expect(heard).toEqual([]);
    time.now = 6000;
    held[0]?.(socket.answer);
    expect(heard).toEqual([{ kind: 'resync' }]);
  });

  test('says when events were missed for good', async () => {
    const { client, socket } = await startClient();
    const heard: unknown[] = [];
    client.subscribe({ tableId: 'tb_1' }, (event) => heard.push(event));
    socket.answer = { ok: true, seq: 400, resync: true };
    socket.arrive('connect');
    expect(heard).toEqual([{ kind: 'resync' }]);
  });

  test('counts anew with a server that lost its past', async () => {
    const { client, socket } = await startClient();
    const heard: unknown[] = [];
    client.subscribe({ tableId: 'tb_1', since: 400 }, (event) => heard.push(event));
    socket.answer = { ok: true, seq: 2, resync: true };
    socket.arrive('connect');
    socket.arrive('event', rows(3));
    expect(heard).toEqual([{ kind: 'resync' }, rows(3)]);
  });

  test('does not repeat what is replayed for somebody else', async () => {
    const { client, socket } = await startClient();
    const heard: unknown[] = [];
    client.subscribe({ tableId: 'tb_1' }, (event) => heard.push(event));
    socket.arrive('event', rows(6));
    socket.arrive('event', rows(6));
    expect(heard).toEqual([rows(6)]);
  });

  test('leaves a table when its last listener goes', async () => {
    const { client, socket } = await startClient();
    const one = client.subscribe({ tableId: 'tb_1' }, () => undefined);
    const other = client.subscribe({ tableId: 'tb_1' }, () => undefined);
    one.dispose();
    one.dispose();
    expect(socket.sent.some(({ event }) => event === 'unsubscribe')).toBe(false);
    other.dispose();
    expect(socket.sent.at(-1)).toEqual({ event: 'unsubscribe', payload: { tableId: 'tb_1' } });
  });

  test('drops a connection that comes after the session ended', async () => {
    const socket = new FakeSocket();
    let connected: (socket: LiveSocket) => void = () => undefined;
    const client = new SocketLiveClient({
      connect: () => new Promise((resolve) => (connected = resolve)),
      token: () => undefined,
      headers: () => Promise.resolve({}),
      renew: () => Promise.resolve(),
      isOwn: () => Promise.resolve(false),
      clock: createClock().clock,
      onError: jest.fn(),
    });
    const started = client.start();
    client.stop();
    connected(socket);
    await started;
    expect([socket.connected, client.connected]).toEqual([false, false]);
  });

  test('says again what a page said once the connection is back, and takes it back when the page leaves', async () => {
    const { client, socket } = await startClient();
    const heard: unknown[] = [];
    const talk = client.talk('tb_1', 'presence', (one) => heard.push(one));
    const said = { row: '1' };
    talk.say(said);
    socket.connected = false;
    socket.arrive('disconnect');
    expect(heard).toEqual([undefined]);
    socket.connected = true;
    socket.arrive('connect');
    talk.dispose();
    const says = socket.sent.filter(({ event }) => event === 'say').map(({ payload }) => payload);
    const about = { tableId: 'tb_1', topic: 'presence' };
    expect(says).toEqual([
      { ...about, said },
      { ...about, said },
      { ...about, said: null },
    ]);
  });

  test('tells a page what others say of its table and topic, until it leaves', async () => {
    const { client, socket } = await startClient();
    const heard: unknown[] = [];
    const talk = client.talk('tb_1', 'presence', (one) => heard.push(one));
    socket.arrive('said', saying('tb_2', 'presence'));
    socket.arrive('said', saying('tb_1', 'typing'));
    socket.arrive('said', saying('tb_1', 'presence'));
    talk.dispose();
    socket.arrive('said', saying('tb_1', 'presence'));
    expect(heard).toEqual([saying('tb_1', 'presence')]);
  });

  test('tells a page that nobody is heard any more when it is given up', async () => {
    const { client, socket } = await startClient();
    const heard: unknown[] = [];
    client.talk('tb_1', 'presence', (one) => heard.push(one));
    socket.arrive('said', saying('tb_1', 'presence'));
    client.stop();
    expect(heard).toStrictEqual([saying('tb_1', 'presence'), undefined]);
  });

  test('has rows read again when it is begun anew after it was given up', async () => {
    const { client, socket } = await startClient();
    const heard: unknown[] = [];
    client.subscribe({ tableId: 'tb_1', since: 5 }, (event) => heard.push(event));
    client.stop();
    socket.connected = true;
    await client.start();
    expect(heard).toEqual([{ kind: 'resync' }]);
  });

  test('connects once, however often it is begun', async () => {
    const connect = jest.fn(() => Promise.resolve(new FakeSocket()));
    const { clock } = createClock();
    const client = new SocketLiveClient({
      connect,
      token: () => 't',
      headers: () => Promise.resolve({}),
      renew: () => Promise.resolve(),
      isOwn: () => Promise.resolve(false),
      clock,
      onError: () => undefined,
    });
    await Promise.all([client.start(), client.start()]);
    await client.start();
    expect(connect).toHaveBeenCalledTimes(1);
    client.stop();
    await client.start();
    expect(connect).toHaveBeenCalledTimes(2);
  });

  test('is missed quietly when it cannot be had', async () => {
    const onError = jest.fn();
    const client = new SocketLiveClient({
      connect: () => Promise.reject(new Error('no')),
      token: () => 't',
      headers: () => Promise.resolve({}),
      renew: () => Promise.resolve(),
      isOwn: () => Promise.resolve(false),
      clock: createClock().clock,
      onError,
    });
    await client.start();
    expect(onError).toHaveBeenCalledTimes(1);
    expect(client.connected).toBe(false);
  });

  test('renews the session after a refusal, and waits longer each time', async () => {
    const renew = jest
      .fn<() => Promise<void>>()
      .mockRejectedValueOnce(new Error('offline'))
      .mockResolvedValue(undefined);
    const { socket, timers } = await startClient(new FakeSocket(), renew);
    socket.refuse();
    timers[0]?.run();
    await new Promise(process.nextTick);
    expect([renew.mock.calls.length, socket.connects]).toEqual([1, 0]);
    timers[1]?.run();
    await new Promise(process.nextTick);
    expect([renew.mock.calls.length, socket.connects]).toEqual([2, 1]);
    expect(timers.map(({ after }) => after)).toEqual([1000, 2000]);
  });

  test('does not come back once the session is over', async () => {
    const { client, socket, timers } = await startClient();
    socket.refuse();
    client.stop();
    timers[0]?.run();
    await new Promise(process.nextTick);
    expect(socket.connects).toBe(0);
  });

  test('listens as a visitor as long as a page asks for it, whether somebody is signed in or not', async () => {
    const sent: unknown[] = [];
    const sockets: FakeSocket[] = [];
    let token: string | undefined;
    const client = new SocketLiveClient({
      async connect(credentials) {
        sent.push(await credentials());
        const socket = new FakeSocket();
        sockets.push(socket);
        return socket;
      },
      token: () => token,
      headers: () => Promise.resolve({ 'xc-preview': 'viewer' }),
      renew: () => Promise.reject(new Error('nobody is signed in')),
      isOwn: () => Promise.resolve(false),
      clock: createClock().clock,
      onError: jest.fn(),
    });
    const visit = { headers: { 'xc-shared-base-id': 'u' }, projectId: 'p_1' };
    const visited = client.visit(visit);
    await settled();
    expect([sent, client.connected]).toEqual([[{ visit }], true]);
    token = 't';
    // Who signs in changes nothing of a visit, and who signs out does not end it.
    await client.start();
    client.stop();
    await settled();
    expect([sent, client.connected]).toEqual([[{ visit }, { visit }], true]);
    visited.dispose();
    await settled();
    expect(sent.at(-1)).toEqual({ token: 't', headers: { 'xc-preview': 'viewer' } });
    token = undefined;
    client.visit(visit).dispose();
    await settled();
    expect([client.connected, sockets.every(({ connected }) => !connected)]).toEqual([false, true]);
  });

  test('leaves a lost connection to socket.io', async () => {
    const { socket, timers } = await startClient();
    socket.connected = false;
    socket.arrive('disconnect');
    expect(timers).toEqual([]);
  });
});
