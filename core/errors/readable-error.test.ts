import { describe, expect, test } from '@jest/globals';
import { errorOrigin, isExpected, messageOf, readableError, recordErrorOrigin, Veto } from './index.ts';

function ownCause(): Error {
  const error = new Error('round and round');
  error.cause = error;
  return error;
}

function circleOfCauses(): Error {
  const [first, second] = [new Error('first'), new Error('second')];
  first.cause = second;
  second.cause = first;
  return first;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const withGetter = (key: string) =>
  Object.defineProperty(new Error('fine'), key, {
    get: () => {
      throw new Error('no reading');
    },
  });

describe('whatever is thrown', () => {
  test.each<readonly [string, unknown, RegExp]>([
    ['an error', new Error('plain'), /^plain$/],
    ['a text', 'words', /^words$/],
    ['nothing', undefined, /^undefined$/],
    ['a symbol', Symbol('mark'), /mark/],
    ['an object without a prototype', Object.create(null), /no text/],
    ['an object whose text fails', { toString: () => [] }, /no text/],
    ['a revoked proxy', revoked(), /no text/],
    ['an error whose message fails', withGetter('message'), /no text/],
    ['an error whose stack fails', withGetter('stack'), /^fine$/],
    ['an error that caused itself', ownCause(), /^round and round$/],
    ['a circle of errors', circleOfCauses(), /^first$/],
    ['an error of many characters', new Error('x'.repeat(1_000_000)), /^x{10000}…$/],
  ])('can be read: %s', (_what, thrown, says) => {
    expect(messageOf(thrown)).toMatch(says);
    const read = readableError(thrown);
    expect(messageOf(read)).toMatch(says);
    // All of this throws, or never ends, for what was thrown.
    expect(String(read)).toContain(messageOf(read).slice(0, 20));
    expect(isExpected(read)).toBe(false);
    expect(errorOrigin(read)).toBeUndefined();
  });

  test('stays what it is where it can be read', () => {
    const error = new Error('plain', { cause: new Error('below') });
    expect(readableError(error)).toBe(error);
    expect(readableError('words')).toBe('words');
  });

  test('is still a refusal, and of the plugin that threw it', () => {
    const veto = new Veto('TAKEN', 'taken', { row: 1 }, { status: 409 });
    Object.assign(veto, { cause: veto });
    recordErrorOrigin(veto, { owner: 'acme', where: 'hook x' });
    const read = readableError(veto);
    expect(read).toMatchObject({ code: 'TAKEN', message: 'taken', status: 409, params: { row: 1 } });
    expect(isExpected(read)).toBe(true);
    expect(errorOrigin(read)).toEqual({ owner: 'acme', where: 'hook x' });
  });

  test('is looked through for where it came from, also in a circle', () => {
    const circle = circleOfCauses();
    expect(errorOrigin(circle)).toBeUndefined();
    recordErrorOrigin(circle.cause, { owner: 'acme', where: 'setup' });
    expect(errorOrigin(circle)?.owner).toBe('acme');
  });
});
