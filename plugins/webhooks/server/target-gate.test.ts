import { setMaxListeners } from 'node:events';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { TargetGate, type Permits } from './target-gate.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const never = new AbortController().signal;
setMaxListeners(0, never);

function start(limits = { atOnce: 2, perSecond: 10 }) {
  const gate = new TargetGate(() => limits, Date.now);
  const begun: string[] = [];
  const held = new Map<string, Permits>();
  const ask = (target: string, name: string, { want = 1, signal = never } = {}) => {
    void gate.take(target, want, signal).then((permits) => {
      if (permits === undefined) return;
      begun.push(...Array.from({ length: permits.count }, () => name));
      held.set(name, permits);
    });
  };
  return { ask, begun, held };
}

test('no more messages than a target takes are under way, and other targets do not wait for it', async () => {
  const { ask, begun, held } = start();
  for (const name of ['a', 'b', 'c']) ask('slow', name);
  ask('other', 'd');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(begun).toEqual(['a', 'b', 'd']);
  held.get('b')?.done();
  held.get('b')?.done();
  await jest.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(['a', 'b', 'd', 'c']);
});

test('messages begin no faster than a target takes them in a second', async () => {
  const { ask, begun } = start({ atOnce: 1000, perSecond: 10 });
  for (let count = 0; count < 50; count += 1) ask('host', String(count));
  await jest.advanceTimersByTimeAsync(0);
  expect(begun).toHaveLength(10);
  await jest.advanceTimersByTimeAsync(1000);
  expect(begun).toHaveLength(20);
  await jest.advanceTimersByTimeAsync(3000);
  expect(begun).toHaveLength(50);
});

test('who waits for a target is served in turn, and one that wants many waits for the others', async () => {
  const { ask, begun, held } = start();
  ask('host', 'greedy', { want: 5 });
  await jest.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(['greedy', 'greedy']);
  ask('host', 'again', { want: 5 });
  ask('host', 'small');
  held.get('greedy')?.done();
  held.get('greedy')?.done();
  await jest.advanceTimersByTimeAsync(0);
  expect(begun.slice(2)).toEqual(['again', 'small']);
});

test('who stops waiting keeps nobody else', async () => {
  const { ask, begun, held } = start({ atOnce: 1, perSecond: 100 });
  const ended = new AbortController();
  ask('host', 'first');
  ask('host', 'gone', { signal: ended.signal });
  ask('host', 'last');
  ended.abort();
  await jest.advanceTimersByTimeAsync(0);
  held.get('first')?.done();
  await jest.advanceTimersByTimeAsync(0);
  expect(begun).toEqual(['first', 'last']);
});
