import { afterEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { renderWithHost } from '../../testing/web.tsx';
import { AddCard } from './AddCard.tsx';

afterEach(cleanup);

const leavesAsking = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('a name that was typed for a new row is asked about before it is lost, until the row is added', async () => {
  const added: string[] = [];
  const onAdd = async (name: string) => added.push(name) > 0;
  renderWithHost(
    <AddCard label="New row in Done" text="New row" isOpen onOpen={() => undefined} onAdd={onAdd} />,
  );
  expect(leavesAsking()).toBe(false);
  await userEvent.type(screen.getByRole('textbox', { name: 'New row in Done' }), 'Paint');
  expect(leavesAsking()).toBe(true);
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(leavesAsking()).toBe(false));
  expect(added).toEqual(['Paint']);
});

function Opened() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <AddCard
        label="New row in Done"
        text="New row"
        isOpen={isOpen}
        onOpen={setOpen}
        onAdd={() => Promise.resolve(true)}
      />
      <input aria-label="Elsewhere" />
    </>
  );
}

test('whoever leaves the field by Escape is at its button again', async () => {
  renderWithHost(<Opened />);
  await userEvent.click(screen.getByRole('button', { name: 'New row in Done' }));
  await userEvent.keyboard('{Escape}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'New row in Done' }));
});

test('whoever goes elsewhere stays there, also after an Escape that was the input method’s', async () => {
  renderWithHost(<Opened />);
  await userEvent.click(screen.getByRole('button', { name: 'New row in Done' }));
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'New row in Done' }), {
    key: 'Escape',
    isComposing: true,
  });
  const elsewhere = screen.getByRole('textbox', { name: 'Elsewhere' });
  await userEvent.click(elsewhere);
  expect(screen.getByRole('button', { name: 'New row in Done' })).toBeTruthy();
  expect(document.activeElement).toBe(elsewhere);
});
