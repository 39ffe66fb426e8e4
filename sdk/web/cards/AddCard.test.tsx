import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
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

/** Adds rows as slowly as the test says: each answer is given by it. */
function showSlow() {
  const asked: { readonly name: string; readonly answer: (isTaken: boolean) => void }[] = [];
  renderWithHost(
    <AddCard
      label="Name"
      text="New row"
      isOpen
      onOpen={() => undefined}
      onAdd={(name) => new Promise((answer) => asked.push({ name, answer }))}
    />,
  );
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
  return {
    field,
    names: () => asked.map(({ name }) => name),
    answer: (place: number, isTaken: boolean) => act(async () => asked[place]?.answer(isTaken)),
  };
}

test('the next name is typed and entered while the former row is added', async () => {
  const { field, names, answer } = showSlow();
  await userEvent.type(field, 'Paint{Enter}');
  expect(field.value).toBe('');
  await userEvent.type(field, 'Sand{Enter}Polish');
  expect(names()).toEqual(['Paint']);
  await answer(0, true);
  expect(names()).toEqual(['Paint', 'Sand']);
  await answer(1, true);
  expect(field.value).toBe('Polish');
});

test('a second press for the same row adds no row without a name', async () => {
  const { field, names, answer } = showSlow();
  await userEvent.type(field, 'Paint{Enter}{Enter}');
  await answer(0, true);
  expect(names()).toEqual(['Paint']);
});

test('a name that is refused comes back, beside what was typed meanwhile', async () => {
  const { field, names, answer } = showSlow();
  await userEvent.type(field, 'Paint{Enter}');
  await answer(0, false);
  expect(field.value).toBe('Paint');
  await userEvent.type(field, '{Enter}Sand');
  await answer(1, false);
  expect(field.value).toBe('Sand');
  expect(screen.getByRole('list', { name: 'Not added' }).textContent).toContain('Paint');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await answer(2, true);
  expect(names()).toEqual(['Paint', 'Paint', 'Paint']);
  expect(screen.queryByRole('list', { name: 'Not added' })).toBeNull();
  expect(field.value).toBe('Sand');
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
