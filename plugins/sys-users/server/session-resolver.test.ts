import { expect, jest, test } from '@jest/globals';
import type { Account, AccountStore } from '@trellis/sdk/server';
import type { AccessTokens } from './access-tokens.ts';
import { sessionResolver } from './session-resolver.ts';
import type { Sessions } from './sessions.ts';

const account = { id: 'us_1', email: 'ada@example.com', roles: {} } as unknown as Account;

function resolver() {
  const isAlive = jest.fn<Sessions['isAlive']>(() => true);
  const byId = jest.fn<AccountStore['byId']>(() => account);
  const { resolve } = sessionResolver({
    tokens: {
      read: async () => ({ accountId: 'us_1', sessionId: 'se_1', expiresAt: Date.now() + 60_000 }),
    } as unknown as AccessTokens,
    sessions: { isAlive } as unknown as Sessions,
    accounts: { byId } as unknown as AccountStore,
  });
  return { isAlive, byId, ask: async () => resolve({ headers: { 'xc-auth': 'token' } } as never) };
}

test('the session and the account of a token are asked for once a call, however long they take', async () => {
  const { isAlive, byId, ask } = resolver();
  const ada = await ask();
  expect(ada).toMatchObject({ kind: 'user', email: 'ada@example.com' });
  expect([isAlive, byId].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  isAlive.mockImplementation(async () => true);
  byId.mockImplementation(async () => account);
  expect(await ask()).toBe(ada);
  expect([isAlive, byId].map(({ mock }) => mock.calls.length)).toEqual([2, 2]);
  isAlive.mockImplementation(() => true);
  expect(await ask()).toBe(ada);
  expect([isAlive, byId].map(({ mock }) => mock.calls.length)).toEqual([3, 3]);
  isAlive.mockImplementation(async () => false);
  expect(await ask()).toBeUndefined();
});

test('a reading that fails is told to whoever asked, and leaves none behind that nobody waits for', async () => {
  const { isAlive, byId, ask } = resolver();
  await ask();
  byId.mockImplementation(() => Promise.reject(new Error('away')));
  await expect(ask()).rejects.toThrow('away');
  isAlive.mockImplementation(() => Promise.reject(new Error('away')));
  await expect(ask()).rejects.toThrow('away');
});
