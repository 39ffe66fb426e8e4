import { afterEach, expect, jest, test } from '@jest/globals';
import { askUntil } from './ask-until.ts';

afterEach(() => void jest.restoreAllMocks());

test('the first answer that meets the condition ends the asking', async () => {
  let count = 0;
  const next = () => Promise.resolve((count += 1));
  expect(await askUntil(next, (answer) => answer > 2)).toBe(3);
});

test('what does not come in four minutes is given up, with the last answer', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 100_000));
  const asked = askUntil(
    () => Promise.resolve({ state: 'running' }),
    () => false,
  );
  await expect(asked).rejects.toThrow("did not come in 240 s. The last answer was: { state: 'running' }");
});
