import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderWithHost } from '../testing/web.tsx';
import { useKeptChoice } from './kept-choice.ts';

afterEach(cleanup);

function Zoom({ of, offered }: { readonly of: string; readonly offered: readonly string[] }) {
  const [zoom, choose] = useKeptChoice(`zoom.${of}`, offered, 'week');
  return <button onClick={() => choose('month')}>{zoom}</button>;
}

test('what a person chose is there again, for what they chose it, as long as it is offered', async () => {
  const zoom = (of: string, offered: readonly string[]) => (
    <Zoom key={of + offered.join('')} {...{ of, offered }} />
  );
  const both = ['week', 'month'];
  const { rerender } = renderWithHost(zoom('a', both));
  const shown = () => screen.getByRole('button').textContent;
  expect(shown()).toBe('week');
  await userEvent.click(screen.getByRole('button'));
  expect(shown()).toBe('month');
  rerender(zoom('b', both));
  expect(shown()).toBe('week');
  rerender(zoom('a', both));
  expect(shown()).toBe('month');
  rerender(zoom('a', ['week']));
  expect(shown()).toBe('week');
});
