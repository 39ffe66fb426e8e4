import { afterEach, expect, jest, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderWithHost } from '../../testing/web.tsx';
import { ApiError } from '../api.ts';
import { ViewFailure } from './ViewFailure.tsx';

afterEach(cleanup);

test('a view that could not be opened says why, and is asked for again by a press', async () => {
  const onRetry = jest.fn<() => void>();
  renderWithHost(<ViewFailure error={new ApiError(503, 'The server is busy.')} onRetry={onRetry} />);
  expect(screen.getByRole('alert').textContent).toContain('The server is busy.');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).toHaveBeenCalledTimes(1);
});
