import { afterEach, expect, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { LinkExpiry } from './LinkExpiry.tsx';
import { LinkLook } from './LinkLook.tsx';
import { LinkPassword } from './LinkPassword.tsx';

afterEach(cleanup);

const of = { change: () => Promise.resolve(false) } as never;
const link = {
  password: '***',
  expires_at: '2040-01-01T00:00:00.000Z',
  meta: { look: { title: 'Ours' } },
} as never;

test.each([
  ['password', 'Ask for a password', LinkPassword],
  ['end', 'Let the link end', LinkExpiry],
  ['look', 'Give the page a look of its own', LinkLook],
])('the %s of a link is shown as it is after a refusal to take it away', async (_what, label, Option) => {
  renderWithHost(<Option of={of} link={link} />);
  const toggle = screen.getByLabelText<HTMLInputElement>(label);
  expect(toggle.checked).toBe(true);
  await userEvent.click(toggle);
  await waitFor(() => expect(toggle.checked).toBe(true));
});
