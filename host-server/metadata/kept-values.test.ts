import { describe, expect, test } from '@jest/globals';
import { KeptValues } from './kept-values.ts';

describe('kept values', () => {
  test('are loaded once for all who ask, and then given without a promise', async () => {
    const kept = new KeptValues<string>();
    let loads = 0;
    const load = () => Promise.resolve(`load ${(loads += 1)}`);
    expect(await Promise.all([kept.get('a', load), kept.get('a', load)])).toEqual(['load 1', 'load 1']);
    expect(kept.get('a', load)).toBe('load 1');
    kept.forget('a');
    expect(await kept.get('a', load)).toBe('load 2');
  });

  test('are not what was read before they were forgotten', async () => {
    const kept = new KeptValues<string>();
    let finish: (value: string) => void = () => {};
    const old = kept.get('a', () => new Promise((resolve) => (finish = resolve)));
    kept.forget();
    const next = kept.get('a', () => Promise.resolve('new'));
    finish('old');
    expect([await old, await next]).toEqual(['old', 'new']);
    expect(kept.get('a', () => Promise.resolve('another'))).toBe('new');
  });

  test('are neither errors nor what is not there', async () => {
    const kept = new KeptValues<string | undefined>();
    await expect(kept.get('a', () => Promise.reject(new Error('no database')))).rejects.toThrow(
      'no database',
    );
    expect(await kept.get('a', () => Promise.resolve(undefined))).toBe(undefined);
    expect(await kept.get('a', () => Promise.resolve('made'))).toBe('made');
  });

  test('are forgotten when there are too many of them', async () => {
    const kept = new KeptValues<number>(2);
    for (const key of ['a', 'b', 'c']) await kept.get(key, () => Promise.resolve(1));
    expect(await kept.get('a', () => Promise.resolve(2))).toBe(2);
    expect(kept.get('c', () => Promise.resolve(2))).toBe(1);
  });
});
