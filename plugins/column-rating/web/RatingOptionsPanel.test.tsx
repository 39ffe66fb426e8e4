import { afterEach, expect, test } from '@jest/globals';
import { aColumn, aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { defaultRatingOptions } from '../shared/index.ts';
import { RatingOptionsPanel } from './RatingOptionsPanel.tsx';

afterEach(cleanup);

test('another number of symbols is typed in place of the one before, ten at the most', async () => {
  const column = aColumn('cl_1', 'Stars', { uidt: 'Rating' });
  const project = aProject();
  const table = aTable([column]);
  function Panel() {
    const [options, setOptions] = useState(defaultRatingOptions);
    return (
      <>
        <RatingOptionsPanel {...{ project, table, column, options }} onChange={setOptions} />
        <output>{options.max}</output>
      </>
    );
  }
  renderWithHost(<Panel />);
  const user = userEvent.setup();
  const count = screen.getByRole('spinbutton', { name: 'Number of symbols' });
  await user.clear(count);
  expect(screen.getByRole('status').textContent).toBe('5');
  await user.type(count, '8');
  expect(screen.getByRole('status').textContent).toBe('8');
  await user.clear(count);
  await user.type(count, '12');
  expect(screen.getByRole('status').textContent).toBe('10');
  await user.clear(count);
  await user.tab();
  expect(count).toHaveProperty('value', '10');
});
