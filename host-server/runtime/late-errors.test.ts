import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LateErrors, type LateError } from './late-errors.ts';

const minute = 60_000;
let told: { readonly error: unknown; readonly isLeftOver: boolean }[] = [];
const texts = () => told.map(({ error }) => (error instanceof Error ? error.message : String(error)));

beforeEach(() => {
  told = [];
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function lateErrors(): LateErrors {
  return new LateErrors(({ error, isLeftOver }: LateError) => told.push({ error, isLeftOver }));
}

function rejects(errors: LateErrors, times: number, plugin: string | undefined, message = 'endless'): void {
  for (let at = 0; at < times; at += 1) errors.add({ plugin, error: new Error(message), isLeftOver: false });
}

test('The first late errors of a plugin are told in full, and the others once a minute by their number', () => {
  const errors = lateErrors();
  rejects(errors, 1223, 'acme');
  expect(texts()).toEqual(Array(20).fill('endless'));
  jest.advanceTimersByTime(minute);
  expect(texts().slice(20)).toEqual(['endless … and 1,202 more like it in the last minute']);
});

test('The number comes though nothing fails any more, and later errors are told in full again', () => {
  const errors = lateErrors();
  rejects(errors, 22, 'acme');
  jest.advanceTimersByTime(minute);
  expect(texts().at(-1)).toBe('endless … and 1 more like it in the last minute');
  rejects(errors, 1, 'acme', 'another one');
  expect(texts().at(-1)).toBe('another one');
  jest.advanceTimersByTime(10 * minute);
  expect(told).toHaveLength(22);
  expect(jest.getTimerCount()).toBe(0);
});

test('One that fails without end goes on being counted, and leaves room for the others', () => {
  const errors = lateErrors();
  for (let at = 0; at < 3; at += 1) {
    rejects(errors, 1000, 'acme');
    jest.advanceTimersByTime(minute);
  }
  expect(told.length).toBeLessThan(70);
  rejects(errors, 1000, 'acme');
  rejects(errors, 1, 'other', 'seldom');
  rejects(errors, 1, undefined, 'of nobody');
  expect(texts().slice(-2)).toEqual(['seldom', 'of nobody']);
});

test('Nothing is read of an error that is only counted, since reading the stack of each would stop the server', () => {
  const errors = lateErrors();
  rejects(errors, 20, 'acme');
  let read = 0;
  for (let at = 0; at < 1000; at += 1)
    errors.add({
      plugin: 'acme',
      isLeftOver: false,
      error: Object.defineProperty({}, 'stack', { get: () => (read += 1) }),
    });
  expect([told.length, read]).toEqual([20, 0]);
});

test('Where it was thrown stands in the last one as well, and whether its plugin was off by then', () => {
  const errors = lateErrors();
  rejects(errors, 20, 'acme');
  const last = Object.assign(new Error('endless'), { stack: 'Error: endless\n    at acme.js:1:1' });
  errors.add({ plugin: 'acme', error: new Error('endless'), isLeftOver: false });
  errors.add({ plugin: 'acme', error: last, isLeftOver: true });
  jest.advanceTimersByTime(minute);
  expect(told.at(-1)).toMatchObject({ error: { stack: last.stack }, isLeftOver: true });
});
