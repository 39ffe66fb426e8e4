import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { signatureOf } from './sign.ts';

test('after a change of the secret both sign until the day is over, and then the new one alone', () => {
  const until = 1_800_000_000_000;
  const secrets = { current: 'new', previous: { secret: 'old', until } };
  const by = (key: string, seconds: number) =>
    `v1=${createHmac('sha256', key).update(`${seconds}.{}`).digest('hex')}`;
  const before = until / 1000 - 1;
  expect(signatureOf(secrets, '{}', until - 1000)).toBe(
    `t=${before},${by('new', before)},${by('old', before)}`,
  );
  expect(signatureOf(secrets, '{}', until)).toBe(`t=${until / 1000},${by('new', until / 1000)}`);
});
