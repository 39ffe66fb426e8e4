import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock, Registry } from '@trellis/core';
import type { Exporter, Importer, RowStream, ServerColumnType } from '@trellis/sdk/server';
import { createLogger } from '../runtime/logging/logger.ts';
import type { OwnedWork } from '../runtime/owned-work.ts';
import { createTransfers } from './transfers.ts';

let disabled = new AbortController();
beforeEach(() => {
  disabled = new AbortController();
});
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
const clock = new ManualClock();
const nameOf = (id: string) => `The ${id}`;
const transfers = createTransfers({ exporters, importers, types, work: () => work, nameOf, clock });
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

describe('a plugin that stands still', () => {
  /** What it does before its second part. */
  let behave: (content: Readable) => Promise<unknown>;
  let cleanedUp = 0;
  importers.register(
    {
      id: 'slow',
      label: 'Slow',
      extensions: [],
      mediaTypes: [],
      async *read(content) {
        try {
          yield { letter: 'a' };
          await behave(content);
          yield { letter: 'b' };
        } finally {
          cleanedUp += 1;
        }
      },
    },
    'snail',
  );
  exporters.register(
    {
      id: 'slow',
      label: 'Slow',
      extension: 'txt',
      mediaType: 'text/plain',
      async *write({ batches }) {
        for await (const rows of batches) yield JSON.stringify(rows);
        await behave(Readable.from([]));
      },
    },
    'snail',
  );
  const never = () => new Promise<never>(() => undefined);
  const minutes = (count: number) => clock.advance(count * 60_000);
  const timeout = (what: string) => ({
    code: 'ADAPTER_TIMEOUT',
    status: 504,
    message: `The plugin 'The snail' did not go on with the ${what} within 60 seconds.`,
  });
  const read = (content: Readable = Readable.from([]), signal = new AbortController().signal) => {
    const rows = transfers.read('slow', content, signal) as AsyncGenerator<unknown>;
    return { next: () => rows.next(), leave: () => rows.return(undefined) };
  };
  const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  /** Lets promises settle before time goes on. */
  const after = async (count: number) => {
    await setImmediate();
    minutes(count);
  };
  beforeEach(async () => {
    await setImmediate();
    reported.length = 0;
    cleanedUp = 0;
  });
  afterEach(() => expect(clock.waiting).toBe(0));

  test('in an import ends it, by name, and disabling does not wait for it', async () => {
    behave = never;
    const { next } = read();
    await next();
    const late = failureOf(next());
    await after(1);
    expect(await late).toMatchObject(timeout('import of slow'));
    await setImmediate();
    expect([inFlight, reported]).toEqual([0, [expect.objectContaining({ name: 'TimeLimitError' })]]);
  });

  test('in an export ends it, by name', async () => {
    behave = never;
    const batches = Readable.from([[{ letter: 'a' }]]);
    const rows = { columns: [], batches } as RowStream;
    const body = transfers.write('slow', rows, { raw: true })?.body as AsyncGenerator<unknown>;
    await body.next();
    const late = failureOf(body.next());
    await after(1);
    expect(await late).toMatchObject(timeout('export as slow'));
    expect(reported).toHaveLength(1);
  });

  test('can be left meanwhile, and is not to blame then', async () => {
    behave = never;
    const gone = new AbortController();
    const { next } = read(undefined, gone.signal);
    await next();
    const left = failureOf(next());
    const reason = new Error('The client has gone.');
    await setImmediate();
    gone.abort(reason);
    expect(await left).toBe(reason);
    await setImmediate();
    expect([inFlight, reported]).toEqual([0, []]);
  });

  test('since it waits for the file, or since nobody takes its rows, is waited for', async () => {
    const file = new PassThrough();
    behave = async (content) => {
      for await (const chunk of content) expect(String(chunk)).toBe('b');
    };
    const { next } = read(file);
    await next();
    await after(5);
    const second = next();
    await after(5);
    file.end('b');
    expect(await second).toEqual({ done: false, value: { letter: 'b' } });
    await after(5);
    expect(await next()).toMatchObject({ done: true });
    expect([cleanedUp, reported]).toEqual([1, []]);
  });

  test('only for a while goes on', async () => {
    let arrive = (): void => undefined;
    behave = () => new Promise<void>((resolve) => (arrive = resolve));
    const { next, leave } = read();
    await next();
    const second = next();
    await after(0.9);
    arrive();
    expect(await second).toMatchObject({ value: { letter: 'b' } });
    await leave();
    expect([cleanedUp, reported]).toEqual([1, []]);
  });

  test('after the file broke off hears of that, and nothing else does', async () => {
    const file = new PassThrough();
    behave = async (content) => {
      content.read();
      await setImmediate();
      file.destroy(new Error('cut off'));
      for await (const chunk of content) expect(chunk).toBeUndefined();
    };
    const { next } = read(file);
    await next();
    await expect(next()).rejects.toThrow('cut off');
    expect(cleanedUp).toBe(1);
  });
});
