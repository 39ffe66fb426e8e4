import { afterEach, expect, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { renderWithHost } from '../../testing/web.tsx';
import { DaysBar } from './DaysBar.tsx';

afterEach(cleanup);

test('buttons that show an icon alone, on a phone at least, say on hovering what they are for', () => {
  const nothing = () => undefined;
  renderWithHost(
    <DaysBar
      title="March 2026"
      kind="month"
      kinds={[{ value: 'month', label: 'Months' }]}
      undated={{ count: 2, isShown: false, toggle: nothing }}
      onKind={nothing}
      onMove={nothing}
      onNew={nothing}
    />,
  );
  const titles = ['Back', 'Next', /^Without a date/, 'New row'].map(
    (name) => screen.getByRole('button', { name }).title,
  );
  expect(titles).toEqual(['Back', 'Next', 'Without a date', 'New row']);
});
