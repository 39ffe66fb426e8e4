import { afterEach, expect, test } from '@jest/globals';
import { renderWithHost } from '../../testing/web.tsx';
import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { WorkButton } from './index.ts';

afterEach(cleanup);

test('keeps the focus while its work goes on, does nothing by further presses, and works again afterwards', async () => {
  const begun: (() => void)[] = [];
  function Work() {
    const [isBusy, setBusy] = useState(false);
    return (
      <WorkButton
        isBusy={isBusy}
        onClick={() => {
          setBusy(true);
          begun.push(() => setBusy(false));
        }}
      >
        Send
      </WorkButton>
    );
  }
  const user = userEvent.setup();
  renderWithHost(<Work />);
  await user.tab();
  await user.keyboard('{Enter}{Enter} ');
  const button = screen.getByRole('button', { name: 'Send' });
  expect(begun).toHaveLength(1);
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  act(() => begun[0]?.());
  await user.keyboard('{Enter}');
  expect(begun).toHaveLength(2);
});
