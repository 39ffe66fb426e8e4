import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { useHost } from '@trellis/sdk/web';
import { Dialog, HandOverDialog } from '@trellis/sdk/web/ui';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { Route, Routes, useNavigate } from 'react-router-dom';
import { LeaveGuard } from '../shell/leave-guard.ts';
import { HeldLocation } from './HeldLocation.tsx';

afterEach(cleanup);

/** Two pages of which the second one shows what is tested. */
function Pages({ second }: { readonly second: ReactNode }) {
  const navigate = useNavigate();
  const { confirm } = useHost();
  const [guard] = useState(() => new LeaveGuard({ confirm, translate: (text) => text }));
  return (
    <>
      <button type="button" onClick={() => void navigate('/second')}>
        On
      </button>
      <button type="button" onClick={() => void navigate('/first')}>
        Back
      </button>
      <HeldLocation guard={guard}>
        <Routes>
          <Route path="/first" element="The first page" />
          <Route path="/second" element={second} />
        </Routes>
      </HeldLocation>
    </>
  );
}

async function open(second: ReactNode, answers: boolean[]) {
  const memory = renderWithHost(<Pages second={second} />, {
    route: '/first',
    confirm: () => answers.shift() === true,
  });
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'On' }));
  const back = () => act(() => screen.getByRole('button', { name: 'Back', hidden: true }).click());
  return { ...memory, user, back };
}

const fields = (
  <>
    <input aria-label="Host" />
    <input aria-label="User" />
  </>
);

describe('the way back from a dialog', () => {
  test.each([
    ['something that is not saved', { isUnsaved: true }],
    ['more than one field that was typed into', { keepsInput: true }],
  ])('asks where it holds %s, and keeps it where the person says so', async (_, keeping) => {
    const dialog = (
      <Dialog title="Role" {...keeping} onClose={jest.fn()}>
        {fields}
      </Dialog>
    );
    const { user, back, questions } = await open(dialog, [false, true]);
    for (const name of ['Host', 'User']) await user.type(screen.getByLabelText(name), 'x');
    back();
    await waitFor(() => expect(questions).toMatchObject([{ title: 'Leave without saving?' }]));
    expect(screen.getByLabelText('Host')).toHaveProperty('value', 'x');
    back();
    await screen.findByText('The first page');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('asks nothing where nothing in it would be lost', async () => {
    const { back, questions } = await open(
      <Dialog title="Role" keepsInput onClose={jest.fn()}>
        {fields}
      </Dialog>,
      [],
    );
    back();
    await screen.findByText('The first page');
    expect(questions).toEqual([]);
  });

  test('asks before a token is lost that was not copied, and not afterwards', async () => {
    const { user, back, questions } = await open(
      <HandOverDialog
        title="Your token"
        warning="Copy it now."
        label="Token"
        value="abc"
        copied="Copied"
        refused="Not copied"
        onClose={jest.fn()}
      />,
      [false],
    );
    back();
    // In the words of Escape and the cross: nothing was entered that could be saved.
    await waitFor(() =>
      expect(questions).toMatchObject([
        { title: 'Close without copying it?', message: 'It is shown this once.' },
      ]),
    );
    expect(screen.getByLabelText('Token')).toHaveProperty('value', 'abc');
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    back();
    await screen.findByText('The first page');
    expect(questions).toHaveLength(1);
  });
});
