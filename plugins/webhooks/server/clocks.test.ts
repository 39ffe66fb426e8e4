import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { at, json, openHookShop, rows, type HookShop } from '../testing/hook-shop.ts';

let shop: HookShop;

beforeAll(async () => {
  shop = await openHookShop();
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => shop?.dispose());

test('what happens while the clock is set back is told, and what happened before the webhook was made is not', async () => {
  await shop.ann.post(rows, { Name: 'Before' });
  await shop.hook('/told');
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() - 240_000);
  await shop.ann.post(rows, { Name: 'Then' });
  jest.restoreAllMocks();
  await shop.ann.post(rows, { Name: 'After' });
  await shop.receiver.until(2, at('/told'));
  expect(shop.receiver.got.filter(at('/told')).map((one) => json(one).Name)).toEqual(['Then', 'After']);
});
