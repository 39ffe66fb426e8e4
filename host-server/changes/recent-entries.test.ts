import { afterEach, expect, jest, test } from '@jest/globals';
import type { LogEntry, LoggedRow } from './log-entry.ts';
import type { EntryPlace } from './read-entries.ts';
import { RecentEntries } from './recent-entries.ts';

/** A log of entries, and which of them were read. */
function aLog(keys: Readonly<Record<number, readonly string[]>>) {
  const read: number[] = [];
  let fails = false;
  const entryAt = (seq: number) =>
    ({ seq, rows: (keys[seq] ?? []).map((key): LoggedRow => [key, null, []]) }) as unknown as LogEntry;
  async function* entries(places: readonly EntryPlace[]) {
    await Promise.resolve();
    if (fails) throw new Error('The database is away');
    for (const { seq } of places) {
      read.push(seq);
      yield entryAt(seq);
    }
  }
  return { read, entries, fail: (is: boolean) => void (fails = is) };
}

async function take(
  recent: RecentEntries,
  log: ReturnType<typeof aLog>,
  key: string,
  places: readonly EntryPlace[],
): Promise<readonly string[]> {
  const told: string[] = [];
  const taking = (entry: LogEntry, positions: readonly number[]) =>
    void told.push(`${entry.seq}: ${positions.join(' ')}`);
  await recent.take(places, { key, read: log.entries, take: taking });
  return told.toSorted();
}

const places: readonly EntryPlace[] = [1, 2, 3].map((seq) => ({ seq, bytes: 100 }));
const ofLog = { 1: ['a', 'b'], 2: ['b'], 3: ['a', 'c', 'a'] };

afterEach(() => {
  jest.useRealTimers();
});

test('entries that tell of several rows are read once, also for rows that ask together', async () => {
  const log = aLog(ofLog);
  const recent = new RecentEntries();
  const both = await Promise.all(['a', 'b'].map((key) => take(recent, log, key, places)));
  expect(both).toEqual([
    ['1: 0', '2: ', '3: 0 2'],
    ['1: 1', '2: 0', '3: '],
  ]);
  expect(await take(recent, log, 'c', places)).toEqual(['1: ', '2: ', '3: 1']);
  expect(log.read).toEqual([1, 2, 3]);
});

test('an entry that was written anew since is read again, and all of them after two seconds', async () => {
  jest.useFakeTimers();
  const log = aLog(ofLog);
  const recent = new RecentEntries();
  await take(recent, log, 'a', places);
  await take(recent, log, 'a', [{ seq: 2, bytes: 40 }]);
  expect(log.read).toEqual([1, 2, 3, 2]);
  jest.advanceTimersByTime(2000);
  await take(recent, log, 'a', places);
  expect(log.read).toEqual([1, 2, 3, 2, 1, 2, 3]);
});

test('an entry for which there is no room is read for each row', async () => {
  const log = aLog(ofLog);
  const recent = new RecentEntries();
  const large = [{ seq: 1, bytes: 9 * 1024 * 1024 }];
  const both = await Promise.all(['a', 'b'].map((key) => take(recent, log, key, large)));
  expect(both).toEqual([['1: 0'], ['1: 1']]);
  expect(log.read).toEqual([1, 1]);
});

test('a reading that fails is told to whoever began it, and tried again by the others', async () => {
  const log = aLog(ofLog);
  const recent = new RecentEntries();
  log.fail(true);
  const first = take(recent, log, 'a', places);
  const second = take(recent, log, 'b', places);
  await expect(first).rejects.toThrow('The database is away');
  await expect(second).rejects.toThrow('The database is away');
  log.fail(false);
  expect(await take(recent, log, 'b', places)).toEqual(['1: 1', '2: 0', '3: ']);
});
