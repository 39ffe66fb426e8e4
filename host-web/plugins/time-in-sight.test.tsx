import { afterEach, expect, jest, test } from '@jest/globals';
import { withTimeLimit } from '@trellis/core';
import { timeInSight } from './time-in-sight.ts';

afterEach(() => {
  jest.useRealTimers();
});

test('A step of a plugin is given up after its time in a page that somebody sees, and not while the page is in the background', async () => {
  jest.useFakeTimers();
  const target = new EventTarget();
  const page = {
    document: { visibilityState: 'visible' as DocumentVisibilityState },
    addEventListener: target.addEventListener.bind(target) as Window['addEventListener'],
  };
  const show = (state: DocumentVisibilityState) => {
    page.document.visibilityState = state;
    target.dispatchEvent(new Event('visibilitychange'));
  };
  let outcome = 'waits';
  withTimeLimit(timeInSight(page), 10_000, 'Step', () => new Promise(() => undefined)).catch(
    (error: unknown) => (outcome = String(error)),
  );
  await jest.advanceTimersByTimeAsync(4000);
  show('hidden');
  await jest.advanceTimersByTimeAsync(600_000);
  expect(outcome).toBe('waits');
  show('visible');
  await jest.advanceTimersByTimeAsync(5900);
  expect(outcome).toBe('waits');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(outcome).toContain('took longer than 10000 ms');
});
