import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { renderWithHost } from '../../testing/web.tsx';
import { MoreRows } from './MoreRows.tsx';

afterEach(cleanup);

interface DaysProps {
  readonly total: number | undefined;
  readonly day?: number;
  readonly mayBeMore?: boolean;
}

/** Rows of a day; of another one the first are asked for again. */
function Days({ total, day = 1, mayBeMore }: DaysProps) {
  const [asked, ask] = useState({ day, most: 1000 });
  const most = asked.day === day ? asked.most : 1000;
  return (
    <>
      <MoreRows {...{ most, total, mayBeMore }} atATime={1000} onMore={() => ask({ day, most: most + 1000 })}>
        {`The first ${most} of ${total} are shown.`}
      </MoreRows>
      <button type="button">Paint</button>
    </>
  );
}

const notice = () => screen.queryByRole('status');
const paint = () => screen.getByRole('button', { name: 'Paint' });

test('more rows come by a press, and the one that brings the last keeps the focus at its place, which stays', async () => {
  const { rerender } = renderWithHost(<Days total={2345} />);
  expect(notice()?.textContent).toBe('The first 1000 of 2345 are shown.Show 1,000 more');
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Show 345 more' }));
  await userEvent.keyboard('{Enter}');
  expect(notice()?.textContent).toBe('All 2,345 are shown.');
  expect(document.activeElement).toBe(notice());
  // Were it gone with the focus, what lies below would move away before the press is over.
  await userEvent.pointer({ keys: '[MouseLeft>]', target: paint() });
  expect(notice()?.textContent).toBe('All 2,345 are shown.');
  await userEvent.pointer({ keys: '[/MouseLeft]', target: paint() });
  expect(document.activeElement).toBe(paint());
  rerender(<Days total={2345} day={2} />);
  expect(notice()?.textContent).toBe('The first 1000 of 2345 are shown.Show 1,000 more');
});

test('rows that go later take the focus from nowhere, and no number is said that is not known', async () => {
  const { rerender } = renderWithHost(<Days total={2345} />);
  await userEvent.click(screen.getByRole('button', { name: 'Show 1,000 more' }));
  await userEvent.click(paint());
  rerender(<Days total={1900} />);
  expect(document.activeElement).toBe(paint());
  expect(notice()).toBeNull();
  rerender(<Days total={2100} />);
  await userEvent.click(screen.getByRole('button', { name: 'Show 100 more' }));
  expect(notice()?.textContent).toBe('All 2,100 are shown.');
  await userEvent.click(paint());
  rerender(<Days total={undefined} />);
  expect(notice()).toBeNull();
  rerender(<Days total={2100} />);
  expect(notice()?.textContent).toBe('All 2,100 are shown.');
  rerender(<Days total={700} day={2} />);
  expect(notice()).toBeNull();
  rerender(<Days total={2100} />);
  expect(document.activeElement).toBe(paint());
});

test('where all rows are there, nothing is said', () => {
  renderWithHost(<Days total={1000} />);
  expect(notice()).toBeNull();
});

test('where nobody knows how many there are, more come by a press as long as there may be more', async () => {
  const { rerender } = renderWithHost(<Days total={undefined} mayBeMore />);
  expect(notice()?.textContent).toBe('There may be more.Show more');
  const more = screen.getByRole('button', { name: 'Show more' });
  await userEvent.click(more);
  // The focus stays for the next press.
  rerender(<Days total={undefined} mayBeMore={false} />);
  expect(document.activeElement).toBe(more);
  rerender(<Days total={undefined} mayBeMore />);
  await userEvent.click(more);
  rerender(<Days total={2345} />);
  expect(notice()?.textContent).toBe('All 2,345 are shown.');
  expect(document.activeElement).toBe(notice());
  // Whoever went elsewhere meanwhile is left there.
  cleanup();
  const again = renderWithHost(<Days total={undefined} mayBeMore />);
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await userEvent.click(paint());
  again.rerender(<Days total={1234} />);
  expect(document.activeElement).toBe(paint());
});
