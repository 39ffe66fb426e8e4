import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { renderWithHost } from '../../testing/web.tsx';
import { MoreRows } from './MoreRows.tsx';

afterEach(cleanup);

function Days({ total }: { readonly total: number }) {
  const [most, setMost] = useState(1000);
  return (
    <>
      <MoreRows {...{ most, total }} atATime={1000} onMore={() => setMost(most + 1000)}>
        {`The first ${most} of ${total} are shown.`}
      </MoreRows>
      <button type="button">Paint</button>
    </>
  );
}

const notice = () => screen.queryByRole('status');

test('more rows come by a press, and the one that brings the last keeps the focus at its place until the person goes on', async () => {
  renderWithHost(<Days total={2345} />);
  expect(notice()?.textContent).toBe('The first 1000 of 2345 are shown.Show 1,000 more');
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Show 345 more' }));
  await userEvent.keyboard('{Enter}');
  expect(notice()?.textContent).toBe('All 2,345 are shown.');
  expect(document.activeElement).toBe(notice());
  await userEvent.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Paint' }));
  expect(notice()).toBeNull();
});

test('where all rows are there, nothing is said', () => {
  renderWithHost(<Days total={1000} />);
  expect(notice()).toBeNull();
});
