import { afterEach, expect, test } from '@jest/globals';
import type { ViewEntity } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen } from '@testing-library/react';
import TimelineView from './TimelineView.tsx';

afterEach(cleanup);

test.each([
  ['owner', /Choose one in the settings of the view/],
  ['viewer', /or that you are not shown/],
] as const)(
  'a timeline without the column of its dates tells an %s what they can do about it',
  (role, words) => {
    const table = aTable([aColumn('cl_name', 'Name')]);
    const view = {
      id: 'vw_1',
      fk_model_id: table.id,
      view_type: 'timeline',
      meta: { fromId: 'cl_day', toId: '', length: 1, groupId: '', zoom: 'day' },
    };
    renderWithHost(
      <TimelineView
        project={aProject({ role })}
        table={table}
        view={view as unknown as ViewEntity}
        readOnly={role === 'viewer'}
      />,
    );
    expect(screen.getByRole('alert').textContent).toMatch(words);
  },
);
