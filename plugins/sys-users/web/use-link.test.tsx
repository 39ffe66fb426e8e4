import { afterEach, expect, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import type { ApiRequest } from '@trellis/sdk/web';
import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { useLink } from './use-link.ts';

afterEach(cleanup);

function OfLinks() {
  const [token, setToken] = useState('first');
  const link = useLink<string>('/links/read', token);
  return (
    <>
      <button onClick={() => setToken('second')}>Next</button>
      <output>{link.state === 'found' ? link.answer : link.state}</output>
    </>
  );
}

test('what is told of a former link is shown neither before nor after the answer about the present one', async () => {
  const answers = new Map<string, (text: string) => void>();
  renderWithHost(<OfLinks />, {
    api: {
      'POST /links/read': ({ body }: ApiRequest) =>
        new Promise((resolve) => answers.set((body as { token: string }).token, resolve)),
    },
  });
  const shown = () => screen.getByRole('status').textContent;
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await act(async () => answers.get('second')?.('of the second'));
  expect(shown()).toBe('of the second');
  await act(async () => answers.get('first')?.('of the first'));
  expect(shown()).toBe('of the second');
});

test('a page that another link is opened on asks about it', async () => {
  renderWithHost(<OfLinks />, {
    api: {
      'POST /links/read': ({ body }: ApiRequest) =>
        (body as { token: string }).token === 'first' ? 'of the first' : new Promise(() => undefined),
    },
  });
  await screen.findByText('of the first');
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect(screen.getByRole('status').textContent).toBe('reading');
});
