import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { finalOf } from '@trellis/sdk/server';
import { withinTime } from './step-call.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const never = new AbortController().signal;

async function failureOf(work: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
  const failing = withinTime(never, work).then(
    () => undefined,
    (error: unknown) => error,
  );
  await jest.advanceTimersByTimeAsync(70_000);
  return failing;
}

test('a step that ends when its time is over may be taken again', async () => {
  const error = await failureOf(
    (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  );
  expect(error).toMatchObject({ code: 'AUTOMATION_TIMEOUT', status: 504 });
  expect(finalOf(error)).toBeUndefined();
});

test('a step that goes on when its time is over is not taken again beside itself', async () => {
  const error = await failureOf(() => new Promise(() => undefined));
  expect(error).toMatchObject({ code: 'AUTOMATION_TIMEOUT_OPEN', status: 504 });
  expect(finalOf(error)).toBe('message');
});

test('what a step came to right after its time was over counts', async () => {
  const work = withinTime(never, () => new Promise((resolve) => setTimeout(() => resolve('done'), 61_000)));
  await jest.advanceTimersByTimeAsync(70_000);
  expect(await work).toBe('done');
});
