import { expect, test } from '@jest/globals';
import { Registry } from '@trellis/core';
import type { BusTransport, Logger } from '@trellis/sdk/server';
import { DatabaseError } from '../databases/index.ts';
import { HostBus } from '../runtime/bus/host-bus.ts';
import { TableMemory } from './table-memory.ts';

const transports = new Registry<BusTransport>({ id: 'busTransports', absentPolicy: 'own' });
const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const bus = new HostBus({ transports, own: undefined, logger });

function deferred() {
  let resolve: (value: number) => void = () => {};
  const promise = new Promise<number>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

test('counts once for all who ask at the same time, and anew after a write', async () => {
  const memory = new TableMemory(bus);
  const asked = [deferred(), deferred()];
  let asks = 0;
  const ask = () => asked[asks++]?.promise ?? Promise.reject(new Error('Nobody should ask again'));
  const first = [memory.count('t', 'all', ask), memory.count('t', 'all', ask)];
  memory.touch('t');
  const second = [memory.count('t', 'all', ask), memory.count('t', 'all', ask)];
  expect(asks).toBe(2);
  asked[1]?.resolve(8);
  asked[0]?.resolve(7);
  expect(await Promise.all([...first, ...second])).toEqual([7, 7, 8, 8]);
});

test('counts again for the others when the one who asked first goes away, and shares what fails', async () => {
  const memory = new TableMemory(bus);
  const gone = () => Promise.reject(new DatabaseError('cancelled'));
  const first = memory.count('t', 'all', gone);
  const second = memory.count('t', 'all', () => Promise.resolve(5));
  await expect(first).rejects.toMatchObject({ kind: 'cancelled' });
  expect(await second).toBe(5);
  const failing = memory.count('t', 'other', () => Promise.reject(new DatabaseError('timeout')));
  const sharing = memory.count('t', 'other', () => Promise.resolve(5));
  await expect(failing).rejects.toMatchObject({ kind: 'timeout' });
  await expect(sharing).rejects.toMatchObject({ kind: 'timeout' });
});

test('remembers groups until something is written anywhere, since they may show what is linked, and large ones for nobody', async () => {
  const memory = new TableMemory(bus);
  let asks = 0;
  const levels = (count: number) => [
    Array.from({ length: count }, (_, at) => ({ values: [at], count: 1, figures: [] })),
  ];
  const ask = (count: number) => () => {
    asks += 1;
    return Promise.resolve(levels(count));
  };
  const read = () => memory.groups('t', 'by state', ask(3));
  expect(await read()).toEqual(levels(3));
  expect(await read()).toEqual(levels(3));
  expect(asks).toBe(1);
  memory.touch('other');
  await read();
  expect(asks).toBe(2);
  const readMany = () => memory.groups('t', 'by name', ask(4000));
  await Promise.all([readMany(), readMany()]);
  expect(asks).toBe(3);
  await readMany();
  expect(asks).toBe(4);
});

test('reads rows once for all who ask for the same at the same time, and keeps none of them', async () => {
  const memory = new TableMemory(bus);
  let asks = 0;
  const read = (shape = 'by state') =>
    memory.rows('t', shape, async () => {
      asks += 1;
      await Promise.resolve();
      return { columns: [], rows: [[asks]] };
    });
  const [first, second] = await Promise.all([read(), read(), read('by name')]);
  expect([asks, first === second]).toEqual([2, true]);
  const before = read();
  memory.touch('t');
  const [one, other] = await Promise.all([before, read()]);
  expect([asks, one === other]).toEqual([4, false]);
  await read();
  expect(asks).toBe(5);
});

test('counts again once writes of other servers went unheard, also what was being counted meanwhile', async () => {
  let lose: () => void = () => {};
  const own: BusTransport = {
    id: 'line',
    largest: 1000,
    open({ connected }) {
      lose = connected;
      return { send: () => Promise.resolve(), close: () => Promise.resolve() };
    },
  };
  const losing = new HostBus({ transports, own, logger });
  const memory = new TableMemory(losing);
  const [before, after] = [deferred(), deferred()];
  const first = memory.count('t', 'all', () => before.promise);
  lose();
  const second = memory.count('t', 'all', () => after.promise);
  before.resolve(7);
  after.resolve(8);
  expect(await Promise.all([first, second])).toEqual([7, 8]);
  expect(await memory.count('t', 'all', () => Promise.resolve(9))).toBe(8);
  await losing.dispose();
});

test('forgets a table once for each write, here or on another server', () => {
  const memory = new TableMemory(bus);
  const written = { projectId: 'p', tableId: 't', seq: 1, requestId: 'r' };
  memory.touch('t');
  bus.publish('rows.changed', written);
  expect(memory.version('t')).toBe(1);
  bus.hear('rows.changed', { ...written, seq: 2 });
  expect(memory.version('t')).toBe(2);
});
