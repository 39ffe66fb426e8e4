import { expect, test } from '@jest/globals';
import { ScryptHasher } from './password-hash.ts';

test('a hash of a password names its own cost, and is verified by servers that take another', async () => {
  const [former, present] = [new ScryptHasher(10), new ScryptHasher(15)];
  const old = await former.hash('Password-1');
  const fresh = await present.hash('Password-1');
  expect([old, fresh]).toEqual([
    expect.stringMatching(/^scrypt\$1024\$8\$1\$[\w-]{22}\$[\w-]{43}$/),
    expect.stringMatching(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/),
  ]);
  for (const hash of [old, fresh]) {
    expect(await present.verify('Password-1', hash)).toBe(true);
    expect(await present.verify('Password-2', hash)).toBe(false);
  }
  expect(await present.verify('Password-1', undefined)).toBe(false);
});
