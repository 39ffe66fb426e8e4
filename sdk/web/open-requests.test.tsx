import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { OpenRequests, useOpenRequest } from './open-requests.ts';

afterEach(cleanup);

test('what was asked for last is drawn, until it is closed', () => {
  const requests = new OpenRequests<string>();
  function Host() {
    return <p>{useOpenRequest(requests) ?? 'nothing'}</p>;
  }
  render(<Host />);
  expect(screen.getByText('nothing')).toBeTruthy();
  act(() => requests.open('one'));
  act(() => requests.open('two'));
  expect(screen.getByText('two')).toBeTruthy();
  act(() => requests.close());
  expect(screen.getByText('nothing')).toBeTruthy();
});
