import { expect, test } from '@jest/globals';
import { createMemoryHost } from '@trellis/sdk/testing/web';
import { resetFactor } from './reset-factor.ts';

const person = { id: 'us_2', email: 'bob@example.com', name: 'Bob', isDisabled: false };

function run(agrees: boolean, wasSetUp = true) {
  const path = '/api/v1/two-factor/accounts/us_2';
  const memory = createMemoryHost({ api: { [`DELETE ${path}`]: { wasSetUp } }, confirm: () => agrees });
  const context = { ...memory.host.shell.context, column: undefined, object: undefined, person };
  return { ...memory, done: resetFactor(context, memory.host) };
}

test('resets the second factor of somebody once it is agreed to, and tells what came of it', async () => {
  const { done, requests, toasts } = run(true);
  await done;
  expect(requests.map(({ method }) => method)).toEqual(['DELETE']);
  expect(toasts).toMatchObject([{ summary: 'The two-factor sign-in of Bob is reset' }]);
  const other = run(true, false);
  await other.done;
  expect(other.toasts).toMatchObject([{ summary: 'Bob had not set it up' }]);
});

test('leaves it alone otherwise', async () => {
  const { done, requests } = run(false);
  await done;
  expect(requests).toEqual([]);
});
