import { afterEach, expect, jest, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import {
  aColumn,
  answersOfView,
  aProject,
  aTable,
  aView,
  renderWithHost,
  textType,
} from '@trellis/sdk/testing/web';
import type { WebColumnType } from '@trellis/sdk/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import CalendarView from './CalendarView.tsx';

afterEach(cleanup);

test.each([
  ['owner', /Choose one in the settings of the view/],
  ['viewer', /or that you are not shown/],
] as const)(
  'a calendar without the column of its dates tells an %s what they can do about it',
  (role, words) => {
    const table = aTable([aColumn('cl_name', 'Name')]);
    const view = {
      id: 'vw_1',
      fk_model_id: table.id,
      view_type: 'calendar',
      meta: { ranges: [{ fromId: 'cl_day' }] },
    };
    renderWithHost(
      <CalendarView
        project={aProject({ role })}
        table={table}
        view={view as unknown as ViewEntity}
        readOnly={role === 'viewer'}
      />,
    );
    expect(screen.getByRole('alert').textContent).toMatch(words);
  },
);

const dayType: WebColumnType = {
  ...textType,
  id: 'Day',
  storage: 'date',
  calendar: { unit: 'day', show: String, read: (shown) => shown },
};

test.each([
  ['en-US', 'Sun'],
  ['en-GB', 'Mon'],
])('the weeks of a calendar are drawn from the day on which they begin: %s', async (spoken, first) => {
  const languages = jest.spyOn(navigator, 'languages', 'get').mockReturnValue([spoken]);
  document.documentElement.lang = 'en';
  const table = aTable([
    aColumn('cl_name', 'Name', { uidt: textType.id, pv: true }),
    aColumn('cl_day', 'Day', { uidt: dayType.id }),
  ]);
  const view = aView({ view_type: 'calendar', meta: { ranges: [{ fromId: 'cl_day' }] } });
  renderWithHost(<CalendarView project={aProject()} table={table} view={view} readOnly={false} />, {
    registries: { columnTypes: [textType, dayType] },
    api: answersOfView(table),
  });
  await waitFor(() => expect(screen.getAllByText(/^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)$/)).toHaveLength(7));
  expect(screen.getAllByText(/^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)$/)[0]?.textContent).toBe(first);
  languages.mockRestore();
  document.documentElement.lang = '';
});
