import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Registry } from '@trellis/core';
import type { Exporter, Importer, RowStream, ServerColumnType } from '@trellis/sdk/server';
import { createLogger } from '../runtime/logging/logger.ts';
import type { OwnedWork } from '../runtime/owned-work.ts';
import { createTransfers } from './transfers.ts';

const disabled = new AbortController();
let inFlight = 0;
const reported: unknown[] = [];
const work: Pick<OwnedWork, 'run' | 'report'> = {
  async run(_owner, ends, of) {
    inFlight += 1;
    const signal = AbortSignal.any([ends, disabled.signal]);
    return of({ signal, logger: createLogger({ level: 'silent' }) }).finally(() => (inFlight -= 1));
  },
  report: (_owner, _where, error) => void reported.push(error),
};

const registryOf = <Item extends { readonly id: string }>(id: string) =>
  new Registry<Item>({ id, absentPolicy: 'none' });
const exporters = registryOf<Exporter>('exporters');
const importers = registryOf<Importer>('importers');
exporters.register(
  {
    id: 'letters',
    label: 'Letters',
    extension: 'txt',
    mediaType: 'text/plain',
    async *write() {
      yield* ['a', 'b'];
    },
  },
  'test',
);
importers.register(
  {
    id: 'letters',
    label: 'Letters',
    extensions: [],
    mediaTypes: [],
    async *read(_content, { signal }) {
      yield { letter: 'a' };
      signal.throwIfAborted();
    },
  },
  'test',
);
const types = registryOf<ServerColumnType>('columnTypes');
const transfers = createTransfers({ exporters, importers, types, work: () => work });
const open = () => {
  const body = transfers.write('letters', {} as RowStream, { raw: true })?.body ?? [];
  return (body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
};

test('a file that is written is work of its plugin until its end', async () => {
  const parts = open();
  expect(inFlight).toBe(0);
  await parts.next();
  expect(inFlight).toBe(1);
  await parts.next();
  expect(inFlight).toBe(1);
  expect(await parts.next()).toMatchObject({ done: true });
  await setImmediate();
  expect(inFlight).toBe(0);
});

test('a file that nobody reads to its end is no longer work of its plugin', async () => {
  const parts = open();
  await parts.next();
  await parts.return?.();
  await setImmediate();
  expect(inFlight).toBe(0);
});

test('a file that is read is work of its plugin, and is told when the plugin is disabled', async () => {
  const rows = transfers.read('letters', Readable.from([]), new AbortController().signal) ?? [];
  const parts = (rows as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  await parts.next();
  expect(inFlight).toBe(1);
  const problem = new Error('disabled');
  disabled.abort(problem);
  await expect(parts.next()).rejects.toBe(problem);
  await setImmediate();
  expect([inFlight, reported]).toEqual([0, [problem]]);
});
