import { afterEach, expect, test } from '@jest/globals';
import { ApiError } from '@trellis/sdk/web';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import FactorPanel from './FactorPanel.tsx';

afterEach(cleanup);

/** Whether the browser would ask before the page is left. */
const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('recovery codes, which are shown once, stay until they are kept, whatever else fails, and are copied', async () => {
  let isAway = false;
  const { toasts } = renderWithHost(<FactorPanel />, {
    api: ({ path }) => {
      if (path.endsWith('/begin')) return { secret: 'AB', uri: 'otpauth://totp/x?secret=AB', setup: 's' };
      if (path.endsWith('/confirm')) {
        isAway = true;
        return { recoveryCodes: ['aaaa-1111', 'bbbb-2222'] };
      }
      if (isAway) throw new ApiError(503, 'Away');
      return { isSetUp: false, recoveryCodesLeft: 0, isRequired: false };
    },
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Set up' }));
  await user.type(await screen.findByRole('textbox', { name: 'Code' }), '123456');
  expect(asksBeforeLeaving()).toBe(false);
  await user.click(screen.getByRole('button', { name: 'Switch on' }));
  await screen.findByText('bbbb-2222');
  expect(asksBeforeLeaving()).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Copy them all' }));
  await waitFor(() => expect(toasts).toMatchObject([{ severity: 'success', summary: 'Copied' }]));
  expect(await navigator.clipboard.readText()).toBe('aaaa-1111\nbbbb-2222');
  isAway = false;
  await user.click(screen.getByRole('button', { name: 'I have kept them' }));
  expect(asksBeforeLeaving()).toBe(false);
});

test('what could not be read is read again by a press', async () => {
  let isAway = true;
  renderWithHost(<FactorPanel />, {
    api: () => {
      if (isAway) throw new ApiError(503, 'Away');
      return { isSetUp: false, recoveryCodesLeft: 0, isRequired: false };
    },
  });
  expect((await screen.findByRole('alert')).textContent).toContain('Away');
  isAway = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('button', { name: 'Set up' });
});

test('nobody is offered to switch it off once the server requires it', async () => {
  let isRequired = false;
  const { receive } = renderWithHost(<FactorPanel />, {
    api: () => ({ isSetUp: true, recoveryCodesLeft: 8, isRequired }),
  });
  await screen.findByRole('button', { name: 'Switch off' });
  isRequired = true;
  act(() => receive({ kind: 'objects', projectId: '', objectKind: 'plugin-settings', requestId: '' }));
  expect(await screen.findByText('This server requires it of everybody.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Switch off' })).toBeNull();
});
