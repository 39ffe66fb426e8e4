import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { ManualClock } from '@trellis/core';
import type { StorageAdapter } from '@trellis/sdk/server';
import { createLogger } from '../runtime/logging/logger.ts';
import { AdapterCalls } from './adapter-calls.ts';
import { createFiles } from './files.ts';

const minutes = 60_000;
const facts = { name: 'backup.zip', type: 'application/zip' };

/** Files in a storage that tells of each chunk it takes, on a clock that the test turns. */
function createShelf() {
  const clock = new ManualClock();
  const calls = new AdapterCalls({
    work: () => ({
      run: (_owner, signal, run) => run({ signal, logger: createLogger({ level: 'silent' }) }),
      report: () => undefined,
    }),
    nameOf: () => 'Shelf',
    clock,
  });
  let taken: (chunk: unknown) => void = () => undefined;
  const shelf: StorageAdapter = {
    id: 'shelf',
    label: 'Shelf',
    isConfigured: () => true,
    async put(_key, content) {
      for await (const chunk of content) taken(chunk);
    },
    get: () => Promise.reject(new Error('nothing is read here')),
    remove: () => Promise.resolve(),
  };
  const files = createFiles({
    adapters: { entries: () => [] } as never,
    local: shelf,
    calls,
    placed: (placement) => Promise.resolve(placement),
  });
  /** Sends a chunk, and waits until the storage has taken it. */
  const send = (source: PassThrough) =>
    new Promise<void>((resolve) => {
      taken = () => resolve();
      source.write('rows');
    });
  return { clock, files, send };
}

test('a file may take hours to arise, as a backup does, as long as bytes of it come', async () => {
  const { clock, files, send } = createShelf();
  const source = new PassThrough();
  const kept = files.put(source, facts, { limit: 1000 });
  kept.catch(() => undefined);
  for (let at = 0; at < 20; at += 1) {
    await send(source);
    clock.advance(9 * minutes);
  }
  source.end();
  expect(await kept).toMatchObject({ size: 80 });
  expect(clock.waiting).toBe(0);
});

test('a file of which nothing comes any more is given up', async () => {
  const { clock, files, send } = createShelf();
  const source = new PassThrough();
  const refused = files.put(source, facts, { limit: 1000 }).catch((error: unknown) => error);
  await send(source);
  clock.advance(9 * minutes);
  await send(source);
  clock.advance(10 * minutes);
  expect(await refused).toMatchObject({ code: 'ADAPTER_TIMEOUT', status: 504 });
  expect(source.destroyed).toBe(true);
});
