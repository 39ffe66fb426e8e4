import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openHookShop, type HookShop } from '../testing/hook-shop.ts';

let shop: HookShop;
beforeAll(async () => {
  shop = await openHookShop();
});
afterAll(() => shop.dispose());

test('a stretch of time that begins or ends on a day that is not there is refused', async () => {
  const { id } = await shop.hook('/told');
  const replay = (body: object) => shop.ann.post(`/api/v1/db/meta/hooks/${id}/deliveries/replay`, body);
  for (const day of ['2026-02-31', '2026-04-31', '2025-02-29', '0000-00-00'])
    for (const end of ['from', 'to'])
      expect(await replay({ [end]: `${day}T10:00:00Z` })).toMatchObject({ status: 400 });
  expect(await replay({ from: '2024-02-29T10:00:00.5Z' })).toMatchObject({ status: 200 });
});
