import { expect, test } from '@jest/globals';
import type { PasswordHasher, RateLimiter } from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import { LinkPasswords } from './link-passwords.ts';
import type { ViewLink } from './links.ts';

const link = { uuid: 'shared', passwordHash: 'hash of sesame' } as ViewLink;

function start() {
  const counts = new Map<string, number>();
  let hashed = 0;
  const limiter: RateLimiter = {
    async consume({ name, limit }, key) {
      const counted = JSON.stringify([name, key]);
      const count = (counts.get(counted) ?? 0) + 1;
      counts.set(counted, count);
      if (count > limit) throw new TrellisError('TOO_MANY_TRIES', '', { status: 429 });
    },
    async consumeEach(tries) {
      for (const [rule, key] of tries) await limiter.consume(rule, key);
    },
    async reset() {},
  };
  const hasher = {
    async verify(password: string, hash: string) {
      hashed += 1;
      return hash === `hash of ${password}`;
    },
  } as PasswordHasher;
  const passwords = new LinkPasswords({ hasher, limiter });
  const status = async (password: string, ip: string) => {
    try {
      await passwords.check(link, password, ip);
      return 200;
    } catch (error) {
      return (error as TrellisError).status;
    }
  };
  return { status, hashed: () => hashed };
}

const address = (number: number) => `198.51.${Math.floor(number / 250)}.${number % 250}`;

test('a password that many people were sent opens the link to all of them, and is hashed once', async () => {
  const { status, hashed } = start();
  const together = Array.from({ length: 300 }, (_, number) => status('sesame', address(number)));
  expect(new Set(await Promise.all(together))).toEqual(new Set([200]));
  for (let number = 300; number < 600; number += 1) expect(await status('sesame', address(number))).toBe(200);
  expect(hashed()).toBe(1);
});

test('guesses from many addresses end at the limit of the link, without locking out who knows the password', async () => {
  const { status } = start();
  expect(await status('sesame', address(0))).toBe(200);
  for (let number = 1; number < 200; number += 1)
    expect(await status(`guess ${number}`, address(number))).toBe(403);
  expect(await status('another guess', address(200))).toBe(429);
  expect(await status('sesame', address(201))).toBe(200);
});

test('an address that guessed too often is refused the right password as well, also one that others know', async () => {
  const { status } = start();
  expect(await status('sesame', address(0))).toBe(200);
  for (let count = 0; count < 10; count += 1) expect(await status(`guess ${count}`, address(1))).toBe(403);
  expect(await status('sesame', address(1))).toBe(429);
  expect(await status('sesame', address(0))).toBe(200);
});
