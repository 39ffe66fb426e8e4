import { describe, expect, test } from '@jest/globals';
import { Registry } from '@trellis/core';
import type { BusConnection, BusTransport, BusTransportEvents, Logger } from '@trellis/sdk/server';
import { HostBus } from './host-bus.ts';

/** A wire between buses of one process: texts arrive in their order, the sender's own ones too. */
class MemoryWire implements BusTransport {
  readonly largest: number;
  readonly texts: string[] = [];
  readonly #lines = new Set<BusTransportEvents>();
  isBroken = false;

  constructor(
    readonly id = 'memory',
    largest = 8000,
  ) {
    this.largest = largest;
  }

  open(events: BusTransportEvents): BusConnection {
    this.#lines.add(events);
    return {
      send: (text) => {
        if (this.isBroken) return Promise.reject(new Error('broken'));
        this.say(text);
        return Promise.resolve();
      },
      close: () => {
        this.#lines.delete(events);
        return Promise.resolve();
      },
    };
  }

  say(text: string): void {
    this.texts.push(text);
    for (const line of this.#lines) line.receive(text);
  }

  mend(): void {
    this.isBroken = false;
    for (const line of this.#lines) line.connected();
  }

  get lines(): number {
    return this.#lines.size;
  }
}

function server(own: BusTransport | undefined, pause = 0) {
  const transports = new Registry<BusTransport>({ id: 'busTransports', absentPolicy: 'own' });
  const errors: string[] = [];
  const log = (message: string) => void errors.push(message);
  const logger: Logger = { debug() {}, info() {}, warn: log, error: log };
  const bus = new HostBus({ transports, own, logger, pause });
  const heard: string[] = [];
  bus.subscribe('credential.ended', {
    message: ({ userId }, origin) => heard.push(`${userId} ${origin}`),
    gap: () => heard.push('gap'),
  });
  const tell = (userId: string) => bus.publish('credential.ended', { userId });
  return { bus, transports, heard, errors, tell };
}

/** Lets the texts on their way arrive. */
const arrived = () => new Promise((resolve) => setImmediate(resolve));

/** Waits until a server has heard something. */
async function hears({ heard }: Pick<ReturnType<typeof server>, 'heard'>, what: string): Promise<void> {
  while (!heard.includes(what)) await arrived();
}

describe('the bus', () => {
  test('tells the process that publishes at once, others a moment later, everybody once and in order', async () => {
    const wire = new MemoryWire();
    const [here, there] = [server(wire), server(wire)];
    here.tell('a');
    here.tell('b');
    expect(here.heard).toEqual(['a here', 'b here']);
    await arrived();
    expect(here.heard).toEqual(['a here', 'b here']);
    expect(there.heard).toEqual(['a elsewhere', 'b elsewhere']);
    expect(wire.texts).toHaveLength(1);
  });

  test('sends the first message at once, and what is published in the pause behind it afterwards', async () => {
    const wire = new MemoryWire();
    const [here, there] = [server(wire, 20), server(wire)];
    here.tell('a');
    await arrived();
    expect(there.heard).toEqual(['a elsewhere']);
    here.tell('b');
    await hears(there, 'b elsewhere');
    expect(there.heard).toEqual(['a elsewhere', 'b elsewhere']);
  });

  test('sends together what waits for the end of a pause, also where its connection is closed before', async () => {
    const wire = new MemoryWire();
    const [here, there] = [server(wire, 3_600_000), server(wire)];
    here.tell('a');
    await arrived();
    for (const userId of ['b', 'c']) {
      here.tell(userId);
      await arrived();
    }
    expect(there.heard).toEqual(['a elsewhere']);
    await here.bus.dispose();
    expect(there.heard).toEqual(['a elsewhere', 'b elsewhere', 'c elsewhere']);
    expect(wire.texts).toHaveLength(2);
  });

  test('waits for the end of no pause once much is waiting', async () => {
    const wire = new MemoryWire();
    const [here, there] = [server(wire, 3_600_000), server(wire)];
    here.tell('a');
    await arrived();
    for (let count = 0; count < 501; count += 1) here.tell('x');
    await arrived();
    expect(there.heard).toHaveLength(502);
    await here.bus.dispose();
  });

  test('tells of a message that is too large as a gap of its topic, and of no other', async () => {
    const wire = new MemoryWire('memory', 300);
    const [here, there] = [server(wire), server(wire)];
    let gaps = 0;
    there.bus.subscribe('rows.changed', { message() {}, gap: () => (gaps += 1) });
    here.tell('a'.repeat(400));
    await arrived();
    expect(there.heard).toEqual(['gap']);
    expect(gaps).toBe(0);
  });

  test('never sends a text that is larger than the transport takes', async () => {
    const wire = new MemoryWire('memory', 300);
    const [here, there] = [server(wire), server(wire)];
    const sent = Array.from({ length: 50 }, (_, index) => `üser${index}`);
    for (const userId of sent) here.tell(userId);
    await arrived();
    expect(there.heard).toEqual(sent.map((userId) => `${userId} elsewhere`));
    expect(Math.max(...wire.texts.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(300);
  });

  test('tells both sides of a lost connection to read again, once it is there again', async () => {
    const wire = new MemoryWire();
    const [here, there] = [server(wire), server(wire)];
    wire.isBroken = true;
    here.tell('lost');
    await arrived();
    expect(there.heard).toEqual([]);
    wire.mend();
    await arrived();
    expect(here.heard).toEqual(['lost here', 'gap']);
    // One gap is the listener's own, one is told by the server whose message did not get through.
    expect(there.heard).toEqual(['gap', 'gap']);
    here.tell('next');
    await hears(there, 'next elsewhere');
    expect(there.heard.at(-1)).toBe('next elsewhere');
  });

  test('keeps no more than a bounded number of messages while a transport is slow', async () => {
    const wire = new MemoryWire();
    const [here, there] = [server(wire), server(wire)];
    for (let count = 0; count < 5000; count += 1) here.tell('x');
    await arrived();
    expect(there.heard.filter((of) => of === 'gap')).toHaveLength(1);
    expect(there.heard.length).toBe(1001);
  });

  test('is carried by the transport of a plugin as long as there is one', async () => {
    const [own, redis] = [new MemoryWire('postgres'), new MemoryWire('redis')];
    const here = server(own);
    const registration = here.transports.register(redis, 'redis');
    here.tell('a');
    await arrived();
    expect([own.texts.length, redis.texts.length, own.lines]).toEqual([0, 1, 0]);
    await registration.dispose();
    here.tell('b');
    await arrived();
    expect([own.texts.length, redis.texts.length, redis.lines]).toEqual([1, 1, 0]);
  });

  test('goes on when a listener throws or a stranger writes to the channel', async () => {
    const wire = new MemoryWire();
    const [here, there] = [server(wire), server(wire)];
    const broken = there.bus.subscribe('credential.ended', {
      message() {
        throw new Error('broken');
      },
      gap() {},
    });
    for (const text of ['', 'null', '[]', '{"from":1}', '{"from":"x","messages":[1],"lost":[]}'])
      wire.say(text);
    here.tell('a');
    await arrived();
    expect(there.heard).toEqual(['a elsewhere']);
    expect(there.errors).toHaveLength(6);
    await broken.dispose();
    here.tell('b');
    await hears(there, 'b elsewhere');
    expect(there.errors).toHaveLength(6);
  });

  test('closes its connection when it is disposed', async () => {
    const wire = new MemoryWire();
    const { bus, tell, heard } = server(wire);
    await bus.dispose();
    tell('a');
    expect(wire.lines).toBe(0);
    expect(heard).toEqual([]);
  });
});
