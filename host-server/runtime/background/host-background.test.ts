import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { HostBackground } from './host-background.ts';

const never = new AbortController().signal;
let background: HostBackground;
let begun: string[];

beforeEach(() => {
  jest.useFakeTimers();
  begun = [];
  background = new HostBackground();
});
afterEach(() => void jest.useRealTimers());

/** A piece that takes some milliseconds. */
const piece = (name: string, takes: number, signal = never) =>
  background.run(async () => {
    begun.push(name);
    await jest.advanceTimersByTimeAsync(takes);
  }, signal);

/** Requests of two milliseconds, one right behind the other. */
async function requests(forMs: number): Promise<void> {
  for (let passed = 0; passed < forMs; passed += 2) {
    const end = background.begin();
    await jest.advanceTimersByTimeAsync(2);
    end();
  }
}

/** Pieces of a millisecond that want to go on all the time; counts those that were done. */
function workOn(): { readonly count: () => number; stop(): void } {
  const ending = new AbortController();
  let count = 0;
  async function work(): Promise<void> {
    while (!ending.signal.aborted) {
      await background.run(() => new Promise((done) => void setTimeout(done, 1)), ending.signal);
      count += 1;
    }
  }
  void work();
  return { count: () => count, stop: () => ending.abort() };
}

test('work in the background begins at once while nobody asks for anything', () => {
  void piece('one', 5);
  void piece('two', 5);
  expect(begun).toEqual(['one', 'two']);
});

test('it waits for the lull behind a request, not for one that lasts', async () => {
  const end = background.begin();
  void piece('one', 1);
  expect(begun).toEqual([]);
  await jest.advanceTimersByTimeAsync(105);
  expect(begun).toEqual(['one']);
  end();
});

test('it takes a small share of the time as well where a busy machine takes long for each request', async () => {
  const slow = async (forMs: number) => {
    for (let passed = 0; passed < forMs; passed += 50) {
      const end = background.begin();
      await jest.advanceTimersByTimeAsync(50);
      end();
    }
  };
  await slow(500);
  const work = workOn();
  await slow(10_000);
  expect(work.count()).toBeGreaterThan(200);
  expect(work.count()).toBeLessThan(500);
  work.stop();
});

test('it takes a small share of the time while requests follow each other, which grows when they go on for minutes', async () => {
  await requests(100);
  const work = workOn();
  await requests(10_000);
  const early = work.count();
  expect(early).toBeGreaterThan(200);
  expect(early).toBeLessThan(500);
  await requests(400_000);
  const before = work.count();
  await requests(10_000);
  expect(work.count() - before).toBeGreaterThan(3000);
  work.stop();
});

test('what comes slowly while others wait does not keep the share small', async () => {
  await requests(100);
  let done = 0;
  for (let passed = 0; passed < 400; passed += 2) {
    void background.run(() => new Promise((end) => void setTimeout(end, 250)), never).then(() => (done += 1));
    await requests(2000);
  }
  expect(done).toBeGreaterThan(120);
});

test('it takes much of the time that a few requests leave', async () => {
  const work = workOn();
  for (let second = 0; second < 100; second += 1) {
    await requests(2);
    await jest.advanceTimersByTimeAsync(16);
  }
  expect(work.count()).toBeGreaterThan(400);
  work.stop();
});

test('a piece that waits begins at once when its signal aborts', async () => {
  await requests(100);
  const ending = new AbortController();
  void piece('one', 1, ending.signal);
  expect(begun).toEqual([]);
  ending.abort();
  await Promise.resolve();
  expect(begun).toEqual(['one']);
});
