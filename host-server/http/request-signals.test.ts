import { describe, expect, test } from '@jest/globals';
import { RequestSignals } from './request-signals.ts';

describe('The signal of a request', () => {
  test('ends when the client goes away, whether it was asked for before or after', () => {
    const early = new RequestSignals().open(undefined);
    const { signal } = early;
    early.abort(new Error('gone'));
    expect(signal.reason).toEqual(new Error('gone'));
    const late = new RequestSignals().open(undefined);
    late.abort(new Error('gone'));
    expect(late.signal.aborted).toBe(true);
  });

  test('ends with its plugin, for every request that is under way and for later ones', () => {
    const signals = new RequestSignals();
    const plugin = new AbortController();
    const [first, second, over] = [1, 2, 3].map(() => signals.open(plugin.signal));
    const held = [first?.signal, second?.signal, over?.signal];
    over?.close();
    plugin.abort(new Error('disabled'));
    expect(held.map((signal) => signal?.aborted)).toEqual([true, true, false]);
    expect(signals.open(plugin.signal).signal.reason).toEqual(new Error('disabled'));
  });
});
