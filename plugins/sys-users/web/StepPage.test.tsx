import { afterEach, expect, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import type { SignInStepProps } from '@trellis/sdk/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import StepPage from './StepPage.tsx';

afterEach(cleanup);

test('one step leads to the next that the server asks for, after what the first had to tell', async () => {
  const step = (label: string) => ({
    id: label.toLowerCase(),
    label,
    Component: ({ told, onAnswer, onDone }: SignInStepProps) =>
      told === undefined ? (
        <button onClick={() => onAnswer({})}>Answer {label}</button>
      ) : (
        <button onClick={onDone}>Noted</button>
      ),
  });
  const left = ['code', 'pledge'];
  const { requests } = renderWithHost(<StepPage />, {
    registries: { signInSteps: [step('Code'), step('Pledge')] },
    api: ({ method, path }) => {
      if (!path.endsWith('/user/step')) return {};
      if (method === 'GET') return { step: left[0], data: {} };
      left.shift();
      return left[0] === undefined ? { token: 'tk', told: {} } : { step: left[0], told: { codes: ['1'] } };
    },
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Answer Code' }));
  await user.click(await screen.findByRole('button', { name: 'Noted' }));
  await user.click(await screen.findByRole('button', { name: 'Answer Pledge' }));
  await waitFor(() => expect(requests.map(({ path }) => path)).toContain('/api/v1/auth/user/me'));
});
