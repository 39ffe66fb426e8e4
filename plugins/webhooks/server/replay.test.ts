import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { at, openHookShop, rows, type HookShop } from '../testing/hook-shop.ts';

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

test('what is on its way is not sent beside that', async () => {
  const { id } = await shop.hook('/slow');
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  shop.receiver.answer((_, response) => void held.then(() => response.end('ok')));
  await shop.ann.post(rows, { Name: 'lamp' });
  await shop.receiver.until(1, at('/slow'));
  const [waiting] = await shop.logOf(id, (list) => list.length === 1);
  const replay = (body: object) => shop.ann.post(`/api/v1/db/meta/hooks/${id}/deliveries/replay`, body);
  for (const which of [{}, { ids: [waiting?.id] }, { from: '2026-01-01T00:00:00Z' }])
    expect(await replay(which)).toMatchObject({ status: 200, body: { count: 0 } });
  answer();
  await shop.logOf(id, (list) => list[0]?.state === 'done');
  expect(await replay({ ids: [waiting?.id] })).toMatchObject({ body: { count: 1 } });
  await shop.receiver.until(2, at('/slow'));
});
