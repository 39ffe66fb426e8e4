import { expect, test } from '@jest/globals';
import { PluginMeter } from './plugin-meter.ts';

test('counts calls, and the time until their answers come', async () => {
  const meter = new PluginMeter();
  expect(meter.of('acme')).toBeUndefined();
  let answer = (): void => undefined;
  const late = meter.measure('acme', () => new Promise<void>((resolve) => (answer = resolve)));
  expect(meter.of('acme')).toEqual({ calls: 1, milliseconds: 0, longest: 0 });
  answer();
  await late;
  expect(meter.of('acme')?.milliseconds).toBeGreaterThan(0);
  expect(meter.measure('acme', () => 7)).toBe(7);
  const broken = () => {
    throw new Error('out of paper');
  };
  expect(() => meter.measure('acme', broken)).toThrow('out of paper');
  await expect(meter.measure('acme', () => Promise.reject(new Error('no ink')))).rejects.toThrow('no ink');
  const { calls = 0, milliseconds = 0, longest = 0 } = meter.of('acme') ?? {};
  expect(calls).toBe(4);
  expect(longest).toBeLessThanOrEqual(milliseconds);
});
