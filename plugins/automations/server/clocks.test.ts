import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { openDesk, type Desk } from '../testing/desk.ts';

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => desk?.close());

test('what happens while the clock is set back starts an automation', async () => {
  const wait = { id: 'wait', name: 'wait', type: 'wait', settings: { amount: '0', unit: 'seconds' } };
  const { id } = await desk.make({ steps: [wait] });
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() - 240_000);
  await desk.ann.post(desk.rows('Requests'), { Title: 'then' });
  jest.restoreAllMocks();
  await desk.ann.post(desk.rows('Requests'), { Title: 'after' });
  expect(await desk.runs(id, (list) => list.length === 2)).toHaveLength(2);
});
