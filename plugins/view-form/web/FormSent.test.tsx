import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { formOptions, type FormOptions } from '../shared/index.ts';
import { FormSent } from './FormSent.tsx';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

function send(options: Partial<FormOptions>) {
  const onAgain = jest.fn();
  renderWithHost(<FormSent options={formOptions(options)} onAgain={onAgain} />);
  return onAgain;
}

test('after an answer the form says its own words, has the focus, and is asked for again by a button', () => {
  const onAgain = send({ successMessage: 'See you in May.', submitsAnother: true });
  const said = screen.getByRole('status');
  expect(said.textContent).toContain('See you in May.');
  expect(document.activeElement).toBe(said);
  fireEvent.click(screen.getByRole('button', { name: 'Submit another form' }));
  expect(onAgain).toHaveBeenCalledTimes(1);
});

test('a blank form comes back after five seconds, where the form says so', () => {
  const stays = send({});
  act(() => {
    jest.advanceTimersByTime(60_000);
  });
  expect(stays).not.toHaveBeenCalled();
  cleanup();
  const onAgain = send({ showsBlank: true });
  screen.getByText('A blank form is shown in 5 seconds.');
  act(() => {
    jest.advanceTimersByTime(4999);
  });
  expect(onAgain).not.toHaveBeenCalled();
  act(() => {
    jest.advanceTimersByTime(1);
  });
  expect(onAgain).toHaveBeenCalledTimes(1);
});

test('an address that is not secure leads nowhere', () => {
  send({ redirectUrl: 'http://shop.example/thanks', submitsAnother: true });
  expect(screen.queryByRole('link')).toBeNull();
  screen.getByRole('button', { name: 'Submit another form' });
});

test('an address that is secure is gone to at once, and stands there as a link meanwhile', () => {
  // The page of a test cannot leave, which is told as an error.
  const told = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const onAgain = send({
    redirectUrl: 'https://shop.example/thanks',
    showsBlank: true,
    submitsAnother: true,
  });
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Continue to shop.example' });
  expect(link.href).toBe('https://shop.example/thanks');
  expect(String(told.mock.calls)).toContain('navigation');
  expect(screen.queryByRole('button')).toBeNull();
  act(() => {
    jest.advanceTimersByTime(60_000);
  });
  expect(onAgain).not.toHaveBeenCalled();
  told.mockRestore();
});
