import { expect, test } from '@jest/globals';
import { describeEachMetadata } from '../../metadata/testing.ts';
import { createMetadata } from '../../metadata/metadata.ts';
import { createRateLimiter } from './rate-limiter.ts';

const rule = { name: 'tries', limit: 1, windowSeconds: 60 };

describeEachMetadata('limits of tries', (open) => {
  async function start() {
    const database = await open();
    const metadata = await createMetadata({ database, pollEvery: 0 });
    return { limiter: createRateLimiter({ database, now: () => 1000 }), dispose: () => metadata.dispose() };
  }

  test.each([
    ['an e-mail address', [{ email: 'owner@x.co' }, { email: ' OWNER@x.co ' }, { email: 'ｏwner＠x.co' }]],
    ['a text that is no address', [{ email: 'x'.repeat(320) }, { email: 'X'.repeat(320) }]],
    [
      'an IPv6 network',
      [{ address: '2001:db8::1' }, { address: '2001:db8::1:1:1:1' }, { address: '2001:0DB8:0:0:9::' }],
    ],
    ['an IPv4 address', [{ address: '192.0.2.1' }, { address: '::ffff:192.0.2.1' }]],
  ])('count %s once, however it is spelled', async (_, [first = '', ...others]) => {
    const { limiter, dispose } = await start();
    await limiter.consume(rule, first);
    for (const spelling of others) {
      await expect(limiter.consume(rule, spelling)).rejects.toMatchObject({ code: 'TOO_MANY_TRIES' });
    }
    await limiter.reset(rule.name, others[0] ?? '');
    await limiter.consume(rule, first);
    dispose();
  });

  test('count every try of many at once, none of which fails for another reason', async () => {
    const { limiter, dispose } = await start();
    const many = { ...rule, limit: 15 };
    const tries = Array.from({ length: 30 }, () => limiter.consume(many, { address: '192.0.2.9' }));
    const outcomes = await Promise.allSettled(tries);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused.map((error: { code: string }) => error.code)).toEqual(Array(15).fill('TOO_MANY_TRIES'));
    dispose();
  });

  test('count one after the other of several, and none behind one that is passed', async () => {
    const { limiter, dispose } = await start();
    const address = { address: '192.0.2.7' };
    const first = { ...rule, name: 'first', limit: 2 };
    const second = { ...rule, name: 'second', limit: 2 };
    await limiter.consumeEach([
      [first, address],
      [second, { email: 'a@x.co' }],
    ]);
    await limiter.consume(first, address);
    await expect(
      limiter.consumeEach([
        [first, address],
        [second, { email: 'a@x.co' }],
      ]),
    ).rejects.toMatchObject({ code: 'TOO_MANY_TRIES' });
    await limiter.consume(second, { email: 'a@x.co' });
    await expect(limiter.consume(second, { email: 'a@x.co' })).rejects.toMatchObject({ status: 429 });
    dispose();
  });

  test('count others by themselves', async () => {
    const { limiter, dispose } = await start();
    for (const key of [
      { email: 'owner@x.co' },
      { email: 'ownér@x.co' },
      { address: '2001:db8:0:1::1' },
      { address: '2001:db8:0:2::1' },
    ]) {
      await limiter.consume(rule, key);
    }
    await expect(limiter.consume(rule, { email: 'owner@x.co' })).rejects.toMatchObject({ status: 429 });
    dispose();
  });
});
