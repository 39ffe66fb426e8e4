import { expect, test } from '@jest/globals';
import { AwayBases } from './away-bases.ts';

test('events that were under way together when their base went away count as one failure', () => {
  let now = 0;
  const away = new AwayBases(() => now);
  for (let event = 0; event < 8; event += 1) expect(away.mayTry('b')).toBe(true);
  for (let event = 0; event < 8; event += 1) away.didFail('b');
  expect(away.mayTry('b')).toBe(false);
  now = 5000;
  expect(away.mayTry('b')).toBe(true);
  expect(away.mayTry('b')).toBe(false);
  away.didFail('b');
  now = 14_999;
  expect(away.mayTry('b')).toBe(false);
  now = 15_000;
  expect(away.mayTry('b')).toBe(true);
  away.didAnswer('b');
  expect(away.isAway('b')).toBe(false);
});
