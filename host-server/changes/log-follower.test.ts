import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from '@jest/globals';
import { Registry } from '@trellis/core';
import type { BusTransport } from '@trellis/sdk/server';
import { createTestDatabases, describeEachServer } from '../databases/testing.ts';
import { HostBus } from '../runtime/bus/host-bus.ts';
import { LogFollower } from './log-follower.ts';
import { createTestLog, loggedTable, rowChange } from './testing.ts';

const logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Takes every message and brings none. */
const silentTransport: BusTransport = {
  id: 'silent',
  largest: 8000,
  open: () => ({ send: () => Promise.resolve(), close: () => Promise.resolve() }),
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that are in use. */
function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

describeEachServer('following what other servers write', (dialect) => {
  const databases = createTestDatabases(dialect);
  afterAll(() => databases.dropAll());

  async function start() {
    const { metadata, write } = await createTestLog(await databases.open());
    const transports = new Registry<BusTransport>({ id: 'busTransports', absentPolicy: 'own' });
    const carried = transports.register(silentTransport, 'wire');
    const bus = new HostBus({ transports, own: undefined, logger });
    const errors: unknown[] = [];
    const follower = new LogFollower({ metadata, bus, every: 5, onError: (error) => errors.push(error) });
    follower.start();
    /** As another server writes: nothing is said here. */
    const writeElsewhere = () => write({ table: loggedTable(), changes: [rowChange('insert', '1')] });
    const stop = async () => {
      follower.dispose();
      await bus.dispose();
    };
    return { bus, carried, errors, writeElsewhere, stop };
  }

  test('tells of it once no transport does any more', async () => {
    const { bus, carried, errors, writeElsewhere, stop } = await start();
    let isHeard = false;
    bus.subscribe('rows.changed', {
      message({ tableId }, origin) {
        isHeard ||= tableId === loggedTable().id && origin === 'elsewhere';
      },
      gap() {},
    });
    await carried.dispose();
    // What was written before the first look is not told.
    while (!isHeard) await writeElsewhere();
    expect(errors).toEqual([]);
    await stop();
  });

  test('remembers nothing of it while a transport tells', async () => {
    const { bus, stop } = await start();
    const before = heapUsed();
    for (let seq = 1; seq <= 1_000_000; seq += 1)
      bus.hear('rows.changed', { projectId: 'p_1', tableId: 'md_1', seq, requestId: '' });
    expect(heapUsed() - before).toBeLessThan(5_000_000);
    await stop();
  });
});
